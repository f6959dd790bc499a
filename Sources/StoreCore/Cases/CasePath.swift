import Platform

/// A way in and out of one case of an enum: what a key path is to a property of a struct.
///
/// By hand, which is fastest:
///
/// ```swift
/// CasePath(embed: Action.child) { action in
///   if case .child(let child) = action { child } else { nil }
/// }
/// ```
///
/// or derived from the case itself by reflection:
///
/// ```swift
/// CasePath(Action.child)
/// ```
///
/// A derived path learns the case when it first meets it, and after that tells other cases apart at
/// once; so keep it in a `static let` (see ``CasePathable``). A case of several values is given as a
/// closure: `CasePath<Shape, (Int, Int)> { Shape.line(from: $0.0, to: $0.1) }`. Reflection
/// reads no payload that holds a function, or that the enum's own mirror hides: using such a path is
/// an issue, and matches nothing. Write it by hand.
@dynamicMemberLookup
public struct CasePath<Root, Value>: Sendable {
  /// Puts a payload into the case.
  public let embed: @Sendable (Value) -> Root
  /// Takes the payload out; nil in another case.
  public let extract: @Sendable (Root) -> Value?
  /// Whether the root is in this case; for a derived path much faster than taking the payload out.
  public let contains: @Sendable (Root) -> Bool
  let name: CasePathName?

  /// Written by hand, from both ways.
  public init(
    embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?
  ) {
    self.init(embed: embed, extract: extract) { root in extract(root) != nil }
  }

  private init(
    embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?,
    name: CasePathName? = nil, contains: @escaping @Sendable (Root) -> Bool
  ) {
    self.name = name
    self.embed = embed
    self.extract = extract
    self.contains = contains
  }

  /// Derives the way out by reflection.
  public init(_ embed: @escaping @Sendable (Value) -> Root) {
    let name = CasePathName()
    let reader = CaseReader<Root, Value>(embed, name: name)
    self.init(
      embed: embed, extract: { reader.extract($0) }, name: name, contains: { reader.contains($0) })
  }

  /// A case without a payload.
  public init(_ root: Root) where Value == Void, Root: CasePathable & Sendable {
    let tag = EnumTag.of(root)
    let name = CasePathName()
    let contains = { @Sendable (other: Root) in
      guard EnumTag.of(other) == tag else { return false }
      name.check(other)
      return true
    }
    self.init(
      embed: { root }, extract: { contains($0) ? () : nil }, name: name, contains: contains)
  }

  /// The way through this case into a case of its payload.
  public subscript<Leaf>(
    dynamicMember keyPath: KeyPath<Value.AllCasePaths, CasePath<Value, Leaf>>
  ) -> CasePath<Root, Leaf> where Value: CasePathable {
    appending(Value.allCasePaths[keyPath: keyPath])
  }

  /// The way on into a case of the payload.
  public func appending<Leaf>(_ other: CasePath<Value, Leaf>) -> CasePath<Root, Leaf> {
    CasePath<Root, Leaf>(
      embed: { [embed] leaf in embed(other.embed(leaf)) },
      extract: { [extract] root in extract(root).flatMap(other.extract) })
  }

  /// Changes the payload when the root is in this case.
  public func modify<Result>(
    _ root: inout Root, _ change: (inout Value) throws -> Result
  ) rethrows -> Result? {
    guard var value = extract(root) else { return nil }
    defer { root = embed(value) }
    return try change(&value)
  }
}

/// Notices a path that stands under the name of another case than its own: `let y = CasePath(A.x)`.
///
/// A path does not know where it stands; it looks itself up among those of its enum when it has met
/// its case for the first time.
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

/// A path of whatever types.
protocol NamedCasePath {
  var name: CasePathName? { get }
}

extension CasePath: NamedCasePath {}
