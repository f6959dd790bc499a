import Platform
import ValueTree

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Tells what can change after a copy of it was made: what holds class instances.
///
/// It remembers the types that it has met.
@usableFromInline
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
  @usableFromInline
  func mayBe<Held>(inValue value: Held) -> Bool {
    guard mayBe(in: Held.self) else { return false }
    var waiting: [Any] = [value]
    var seen = 0
    while let value = waiting.popLast() {
      guard mayBe(in: Swift.type(of: value)) else { continue }
      seen += 1
      // A type may show of itself what it likes.
      if value is any CustomReflectable, !(value is any StandardContainer) { return true }
      let mirror = Mirror(showing: value)
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

/// What a type proves about class instances in its values.
enum ReferencesOfType {
  /// Whether nothing that can be reached from a value of the type can change while a copy is held.
  ///
  /// Every stored property and every payload is walked, and what collections hold. Classes are no
  /// proof, and neither is a type that does not say what it is made of: an existential, a closure, a
  /// pointer.
  static func areAbsent(in type: Any.Type) -> Bool {
    TypeMetadata.isKnown(type, by: parts)
  }

  /// The types that a type is made of; nil when it is a reference or does not tell.
  private static func parts(of type: Any.Type) -> [Any.Type]? {
    if known.contains(ObjectIdentifier(type)) { return [] }
    if let type = type as? any StandardContainer.Type { return type.heldTypes }
    if let type = type as? any CopiedOnWrite.Type { return type.heldTypes }
    if type is any _Pointer.Type || type == OpaquePointer.self { return nil }
    if type is AnyClass { return type is AnyKeyPath.Type ? [] : nil }
    if let fields = TypeMetadata(type).fields { return fields.map(\.type) }
    return isTrivial(type) ? [] : nil
  }

  /// Such as a number of the machine, or a type of C that holds no pointer to be counted.
  private static func isTrivial(_ type: Any.Type) -> Bool {
    func open<Opened>(_ type: Opened.Type) -> Bool { _isPOD(type) }
    return _openExistential(type, do: open)
  }

  /// Values whose insides are classes that are copied when they change, or that never do.
  private static let known = Set(
    [
      String.self, Character.self, Value.self, Number.self, Data.self, URL.self, URLComponents.self,
      Date.self, UUID.self, Decimal.self, IndexPath.self,
    ].map { (type: Any.Type) in ObjectIdentifier(type) })
}

/// A type whose own class instances are never changed while two of its values share them, as the
/// buffer of an `Array`: only what it holds counts when a recorder asks whether a state can change
/// after a copy of it was made.
///
/// ```swift
/// extension OrderedDictionary: @retroactive CopiedOnWrite {
///   public static var heldTypes: [Any.Type] { [Key.self, Value.self] }
/// }
/// ```
public protocol CopiedOnWrite {
  /// What a value holds.
  static var heldTypes: [Any.Type] { get }
}
