@_spi(Reflection) import Swift

/// What a type says of class instances in its values.
enum ReferencesOfType {
  case none
  case some
  /// Its values have parts whose types it does not tell.
  case unknown

  /// Walks through the stored properties of a struct, and those of their types.
  static func find(in holder: Any.Type) -> ReferencesOfType {
    var waiting = [holder]
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(holder)]
    var result = ReferencesOfType.none
    while let type = waiting.popLast() {
      let isWalked = _forEachField(of: type, options: []) { _, _, field, kind in
        guard seen.insert(ObjectIdentifier(field)).inserted else { return true }
        if let known = field as? any TypeWithKnownParts.Type {
          waiting += known.parts
        } else if field is AnyClass {
          if !(field is AnyKeyPath.Type) { result = .some }
        } else if isTrivial(field) {
          return true
        } else if kind == .struct || kind == .tuple, !(field is any CustomReflectable.Type) {
          waiting.append(field)
        } else if result == .none {
          result = .unknown
        }
        return result != .some
      }
      if result == .some { return .some }
      if !isWalked { result = .unknown }
    }
    return result
  }

  private static func isTrivial(_ type: Any.Type) -> Bool {
    func open<Opened>(_ type: Opened.Type) -> Bool { _isPOD(type) }
    return _openExistential(type, do: open)
  }
}

/// Makes any type the stored property of a struct.
struct TypeHolder<Held> { var held: Held }

/// A type whose own storage is an instance that nobody sees: only what it holds counts.
private protocol TypeWithKnownParts {
  static var parts: [Any.Type] { get }
}

extension String: TypeWithKnownParts { static var parts: [Any.Type] { [] } }
extension Substring: TypeWithKnownParts { static var parts: [Any.Type] { [] } }
extension Character: TypeWithKnownParts { static var parts: [Any.Type] { [] } }
extension Optional: TypeWithKnownParts {
  static var parts: [Any.Type] { [TypeHolder<Wrapped>.self] }
}
extension Array: TypeWithKnownParts {
  static var parts: [Any.Type] { [TypeHolder<Element>.self] }
}
extension ArraySlice: TypeWithKnownParts {
  static var parts: [Any.Type] { [TypeHolder<Element>.self] }
}
extension ContiguousArray: TypeWithKnownParts {
  static var parts: [Any.Type] { [TypeHolder<Element>.self] }
}
extension Set: TypeWithKnownParts {
  static var parts: [Any.Type] { [TypeHolder<Element>.self] }
}
extension Dictionary: TypeWithKnownParts {
  static var parts: [Any.Type] { [TypeHolder<Key>.self, TypeHolder<Value>.self] }
}
