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

  package static func haveSameBits(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, size: Int)
    -> Bool
  {
    size == 0 || memcmp(left, right, size) == 0
  }
}
