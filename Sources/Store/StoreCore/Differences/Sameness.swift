import Platform

package enum Sameness {
  /// Whether both have the same bits, and so the same value: numbers, storage, objects. Different
  /// bits prove nothing.
  static func haveSameBits<Value>(_ left: Value, _ right: Value) -> Bool {
    withUnsafeBytes(of: left) { left in
      withUnsafeBytes(of: right) { right in
        left.count == right.count
          && (left.count == 0 || memcmp(left.baseAddress!, right.baseAddress!, left.count) == 0)
      }
    }
  }

  package static func haveSameBits(any left: Any, _ right: Any) -> Bool {
    func open<Value>(_ left: Value) -> Bool {
      guard let right = right as? Value else { return false }
      guard Value.self == Any.self else { return haveSameBits(left, right) }
      // The bytes of an `Any` inside an `Any` prove nothing.
      return haveSameBits(
        any: unsafeBitCast(left, to: Any.self), unsafeBitCast(right, to: Any.self))
    }
    return type(of: left) == type(of: right) && _openExistential(left, do: open)
  }

  package static func haveSameBits(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, size: Int)
    -> Bool
  {
    size == 0 || memcmp(left, right, size) == 0
  }
}

package enum LeafEquality {
  package static func areEqual(_ left: Any, _ right: Any) -> Bool {
    // Common types first, without a conformance lookup.
    if let left = left as? String { return left == right as? String }
    if let left = left as? Int { return left == right as? Int }
    if let left = left as? Bool { return left == right as? Bool }
    if let left = left as? any Equatable, isEqual(left, right) { return true }
    if let left = left as? Any.Type, let right = right as? Any.Type { return left == right }
    if let left = left as? any FloatingPoint, left.isNaN {
      return (right as? any FloatingPoint)?.isNaN ?? false
    }
    guard !(left is any Equatable) else { return false }
    return String(reflecting: left) == String(reflecting: right)
  }

  /// The `==` of a type for values in memory; nil if it has none.
  package static func inMemory(
    of type: Any.Type
  ) -> ((UnsafeRawPointer, UnsafeRawPointer) -> Bool)? {
    func equality<Value: Equatable>(
      _ type: Value.Type
    ) -> (UnsafeRawPointer, UnsafeRawPointer) -> Bool {
      { left, right in
        left.assumingMemoryBound(to: type).pointee == right.assumingMemoryBound(to: type).pointee
      }
    }
    return (type as? any Equatable.Type).map { equality($0) }
  }

  package static func areEqualByType(_ left: Any, _ right: Any) -> Bool? {
    (left as? any Equatable).map { isEqual($0, right) }
  }

  static func areEqual<Value: Equatable>(_ type: Value.Type, _ left: Any, _ right: Any) -> Bool {
    guard let left = left as? Value else { return false }
    return isEqual(left, right)
  }

  static func isEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool {
    guard let right = right as? Value else { return false }
    return left == right
  }
}
