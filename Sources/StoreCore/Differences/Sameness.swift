import Platform

/// Quick answers to whether two values are the same.
package enum Sameness {
  /// The same bits are the same value, whatever its type: the same numbers, the same storage, the
  /// same object. Different bits say nothing.
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
      // An `Any` in an `Any` has bytes that say nothing.
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

/// Equality of values that have no parts.
package enum LeafEquality {
  /// By `==` where the type has it, otherwise by what they say of themselves. Not-a-number equals
  /// itself here: as a part of a value it is the same.
  package static func areEqual(_ left: Any, _ right: Any) -> Bool {
    // The most frequent ones without asking the runtime for their conformance.
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

  /// By the `==` of their type; nil when it has none.
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
