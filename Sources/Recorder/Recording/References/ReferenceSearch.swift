import Platform

/// Tells what can change after a copy of it was made: what holds class instances.
///
/// It remembers the types that it has met.
package final class ReferenceSearch: Sendable {
  private let absent = Locked<[ObjectIdentifier: Bool]>([:])
  /// How many parts of a value are looked at. In a larger one there may be an instance.
  private static let limit = 20_000

  package init() {}

  /// Whether states of this type may hold an instance.
  package static func findsReference<State>(in _: State) -> Bool {
    !ReferencesOfType.areAbsent(in: State.self)
  }

  /// Whether some value of the type may hold an instance, as far as the type tells.
  package func mayBe(in type: Any.Type) -> Bool {
    let key = ObjectIdentifier(type)
    if let known = absent.withLock({ $0[key] }) { return !known }
    let isAbsent = ReferencesOfType.areAbsent(in: type)
    absent.withLock { $0[key] = isAbsent }
    return !isAbsent
  }

  /// Whether this value may hold an instance: where its type does not tell, its parts are looked at.
  func mayBe<Held>(inValue value: Held) -> Bool {
    guard mayBe(in: Held.self) else { return false }
    var waiting: [Any] = [value]
    var seen = 0
    while let value = waiting.popLast() {
      guard mayBe(in: Swift.type(of: value)) else { continue }
      seen += 1
      // A type may show of itself what it likes.
      if value is any CustomReflectable, !(value is any ShownWhole) { return true }
      let mirror = Mirror(reflecting: value)
      switch mirror.displayStyle {
      case .struct, .enum, .tuple, .optional, .collection, .dictionary, .set: break
      default: return true
      }
      for child in mirror.children.prefix(Self.limit + 1) { waiting.append(child.value) }
      if seen >= Self.limit || waiting.count > Self.limit { return true }
    }
    return false
  }
}

/// A type of the standard library that shows all that it holds.
private protocol ShownWhole {}

extension Optional: ShownWhole {}
extension Array: ShownWhole {}
extension ArraySlice: ShownWhole {}
extension ContiguousArray: ShownWhole {}
extension Set: ShownWhole {}
extension Dictionary: ShownWhole {}
