import Platform
import ValueTree

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a type proves about class instances in its values.
enum ReferencesOfType {
  /// So many types are no state; the limit ends generic types that contain ever new ones.
  private static let limit = 2_000

  /// Whether nothing that can be reached from a value of the type can change while a copy is held.
  ///
  /// Every stored property and every payload is walked, and what collections hold. Classes are no
  /// proof, and neither is a type that does not say what it is made of: an existential, a closure, a
  /// pointer.
  static func areAbsent(in type: Any.Type) -> Bool {
    var seen: Set<ObjectIdentifier> = []
    var waiting = [type]
    while let type = waiting.popLast() {
      guard seen.insert(ObjectIdentifier(type)).inserted, !known.contains(ObjectIdentifier(type))
      else { continue }
      guard seen.count < limit, let parts = parts(of: type) else { return false }
      waiting += parts
    }
    return true
  }

  /// The types that a type is made of; nil when it is a reference or does not tell.
  private static func parts(of type: Any.Type) -> [Any.Type]? {
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
    [Data.self, URL.self, URLComponents.self, Date.self, UUID.self, Decimal.self, IndexPath.self]
      .map { (type: Any.Type) in ObjectIdentifier(type) })
}
