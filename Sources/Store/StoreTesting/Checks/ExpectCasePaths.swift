import Platform
import StoreCore
import ValueTree

/// Expects that every handwritten case path of an enum matches its name, in both directions.
///
/// ```swift
/// @Test func paths() { expectCasePaths(Action.self) }
/// ```
///
/// It makes test values of cases without payloads, or with a `Decodable` one. For others, pass
/// `samples` of the enum. Paths from `@CasePaths` need no test.
public func expectCasePaths<Root: CasePathable>(
  _ type: Root.Type, samples: [Root] = [],
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
) {
  let place = SourcePlace(fileID, filePath, line)
  func fail(_ message: String) {
    FailureReporter.current.report(Failure("\(TypeName.short(type)): \(message)", place: place))
  }
  for child in Mirror(reflecting: type.allCasePaths).children {
    guard let label = child.label, let path = child.value as? any TriedCasePath<Root> else {
      continue
    }
    let given = samples.filter { EnumCaseName.of($0) == label }
    let made = path.sample.map { [$0] } ?? []
    if given.isEmpty, made.isEmpty {
      fail("the path “\(label)” cannot be tried: give a value of this case among the samples.")
    }
    for value in made {
      let name = EnumCaseName.of(value) ?? label
      if name != label { fail("the path “\(label)” leads to the case “\(name)”.") }
    }
    for value in made + given where !path.extracts(from: value) {
      fail("the path “\(label)” does not lead out of its case.")
    }
    for value in samples where EnumCaseName.of(value) != label && path.extracts(from: value) {
      fail("the path “\(label)” leads out of the case “\(EnumCaseName.of(value) ?? "?")”, too.")
    }
  }
}

private protocol TriedCasePath<Root> {
  associatedtype Root
  var sample: Root? { get }
  func extracts(from root: Root) -> Bool
}

extension CasePath: TriedCasePath {
  fileprivate var sample: Root? {
    if let nothing = () as? Value { return embed(nothing) }
    func example<Known: Decodable>(of _: Known.Type) -> Known? {
      DecodingExamples<Known>.all(most: 8).lazy.compactMap(\.subject).first
    }
    guard let type = Value.self as? any Decodable.Type else { return nil }
    return (example(of: type) as? Value).map(embed)
  }

  fileprivate func extracts(from root: Root) -> Bool { contains(root) && extract(root) != nil }
}
