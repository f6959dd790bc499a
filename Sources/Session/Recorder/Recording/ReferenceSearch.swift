import Platform
import ValueTree

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Finds class instances, which may change after a copy.
///
/// It caches facts about types.
@usableFromInline
package final class ReferenceSearch: Sendable {
  private let absent = Locked<[ObjectIdentifier: Bool]>([:])
  /// The most parts to look at. A larger value may have an instance.
  private static let limit = 20_000

  package init() {}

  package static func findsReference<State>(in _: State) -> Bool {
    !ReferencesOfType.areAbsent(in: State.self)
  }

  /// Whether a value of the type may have an instance, judging by the type.
  package func mayBe(in type: Any.Type) -> Bool {
    let key = ObjectIdentifier(type)
    if let known = absent.withLock({ $0[key] }) { return !known }
    let isAbsent = ReferencesOfType.areAbsent(in: type)
    absent.withLock { $0[key] = isAbsent }
    return !isAbsent
  }

  /// Whether this value may have an instance: if its type does not tell, its parts do.
  @usableFromInline
  func mayBe<Held>(inValue value: Held) -> Bool {
    guard mayBe(in: Held.self) else { return false }
    var waiting: [Any] = [value]
    var seen = 0
    while let value = waiting.popLast() {
      guard mayBe(in: Swift.type(of: value)) else { continue }
      seen += 1
      // A custom mirror may hide parts.
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

enum ReferencesOfType {
  /// Whether nothing reachable from a value can change while a copy exists.
  ///
  /// It visits stored properties, payloads and elements. Classes prove nothing, nor do types that
  /// hide their parts: existentials, closures, pointers.
  static func areAbsent(in type: Any.Type) -> Bool {
    TypeMetadata.isKnown(type, by: parts)
  }

  private static func parts(of type: Any.Type) -> [Any.Type]? {
    if known.contains(ObjectIdentifier(type)) { return [] }
    if let type = type as? any StandardContainer.Type { return type.heldTypes }
    if let type = type as? any CopiedOnWrite.Type { return type.heldTypes }
    if type is any _Pointer.Type || type == OpaquePointer.self { return nil }
    if type is AnyClass { return type is AnyKeyPath.Type ? [] : nil }
    if let fields = TypeMetadata(type).fields { return fields.map(\.type) }
    return isTrivial(type) ? [] : nil
  }

  /// Such as a number, or a C type without counted pointers.
  private static func isTrivial(_ type: Any.Type) -> Bool {
    func open<Opened>(_ type: Opened.Type) -> Bool { _isPOD(type) }
    return _openExistential(type, do: open)
  }

  /// Values with internal classes that are copied on write, or immutable.
  private static let known = Set(
    [
      String.self, Character.self, Value.self, Number.self, Data.self, URL.self, URLComponents.self,
      Date.self, UUID.self, Decimal.self, IndexPath.self,
    ].map { (type: Any.Type) in ObjectIdentifier(type) })
}

/// A type whose own class instances never change while shared, like an `Array`'s buffer: only its
/// contents matter for whether a copied state can change.
///
/// ```swift
/// extension OrderedDictionary: @retroactive CopiedOnWrite {
///   public static var heldTypes: [Any.Type] { [Key.self, Value.self] }
/// }
/// ```
public protocol CopiedOnWrite {
  static var heldTypes: [Any.Type] { get }
}
