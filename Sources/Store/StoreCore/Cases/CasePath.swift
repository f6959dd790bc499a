import Platform

/// Access to one case of an enum, as a key path gives access to a property.
///
/// By hand, which is fastest:
///
/// ```swift
/// CasePath(embed: Action.child) { action in
///   if case .child(let child) = action { child } else { nil }
/// }
/// ```
///
/// or derived from the case by reflection:
///
/// ```swift
/// CasePath(Action.child)
/// ```
///
/// A derived path learns its case on the first match, and then rejects other cases at once; so keep
/// it in a `static let` (see ``CasePathable``). For several values pass a closure:
/// `CasePath<Shape, (Int, Int)> { Shape.line(from: $0.0, to: $0.1) }`. Reflection cannot read
/// payloads with functions, or ones that the enum's mirror hides: using such a path is an issue,
/// and matches nothing. Write it by hand.
@dynamicMemberLookup
public struct CasePath<Root, Value>: Sendable {
  /// Creates the case from a payload.
  public let embed: @Sendable (Value) -> Root
  /// The payload; nil in another case.
  public let extract: @Sendable (Root) -> Value?
  /// Whether the root is in this case; for a derived path much faster than `extract`.
  public let contains: @Sendable (Root) -> Bool
  let name: CasePathName?
}

extension CasePath {
  /// Creates a path by hand.
  public init(
    embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?
  ) {
    self.init(
      embed: embed, extract: extract, contains: { root in extract(root) != nil }, name: nil)
  }

  /// Derives the extraction by reflection.
  public init(_ embed: @escaping @Sendable (Value) -> Root) {
    let name = CasePathName()
    let reader = CaseReader<Root, Value>(embed: embed, name: name)
    self.init(
      embed: embed, extract: { reader.extract($0) }, contains: { reader.contains($0) }, name: name)
  }

  /// Creates a path for a case without a payload.
  public init(_ root: Root) where Value == Void, Root: CasePathable & Sendable {
    let tag = enumTag(of: root)
    let name = CasePathName()
    let contains = { @Sendable (other: Root) in
      guard enumTag(of: other) == tag else { return false }
      name.check(other)
      return true
    }
    self.init(
      embed: { root }, extract: { contains($0) ? () : nil }, contains: contains, name: name)
  }

  /// The path to a case of the payload.
  public subscript<Leaf>(
    dynamicMember keyPath: KeyPath<Value.AllCasePaths, CasePath<Value, Leaf>>
  ) -> CasePath<Root, Leaf> where Value: CasePathable {
    appending(Value.allCasePaths[keyPath: keyPath])
  }

  /// The path to a case of the payload.
  public func appending<Leaf>(_ other: CasePath<Value, Leaf>) -> CasePath<Root, Leaf> {
    CasePath<Root, Leaf>(
      embed: { [embed] leaf in embed(other.embed(leaf)) },
      extract: { [extract] root in extract(root).flatMap(other.extract) })
  }

  /// Changes the payload, if the root is in this case.
  public func modify<Result>(
    _ root: inout Root, _ change: (inout Value) throws -> Result
  ) rethrows -> Result? {
    guard var value = extract(root) else { return nil }
    defer { root = embed(value) }
    return try change(&value)
  }
}

/// Detects a path under another case's name: `let y = CasePath(A.x)`.
///
/// A path does not know its name, so it looks itself up among the enum's paths after its first
/// match.
final class CasePathName: Sendable {
  private let isChecked = Locked(false)

  func check<Root>(_ root: Root) {
    let isFirst = isChecked.withLock { !exchange(&$0, with: true) }
    guard isFirst, let name = EnumCaseName.of(root), let label = label(in: root), label != name
    else { return }
    reportIssue(
      "The path that \(Root.self).allCasePaths has under “\(label)” leads to the case “\(name)”.")
  }

  private func label<Root>(in root: Root) -> String? {
    func paths<Known: CasePathable>(_: Known) -> Mirror {
      Mirror(reflecting: Known.allCasePaths)
    }
    guard let root = root as? any CasePathable else { return nil }
    return paths(root).children.first { ($0.value as? any NamedCasePath)?.name === self }?.label
  }
}

protocol NamedCasePath {
  var name: CasePathName? { get }
}

extension CasePath: NamedCasePath {}
