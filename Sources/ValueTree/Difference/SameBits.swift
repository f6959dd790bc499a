/// Looks at values without taking them apart: the same bits are the same value. Different bits say
/// nothing.
enum SameBits {
  @inline(__always)
  static func hold(_ left: UnsafePointer<Value>, _ right: UnsafePointer<Value>) -> Bool {
    let (left, right) = (UnsafeRawPointer(left), UnsafeRawPointer(right))
    let size = MemoryLayout<Value>.size
    var difference: UInt64 = 0
    var offset = 0
    while offset + 8 <= size {
      difference |=
        left.load(fromByteOffset: offset, as: UInt64.self)
        ^ right.load(fromByteOffset: offset, as: UInt64.self)
      offset += 8
    }
    while offset < size {
      difference |= UInt64(
        left.load(fromByteOffset: offset, as: UInt8.self)
          ^ right.load(fromByteOffset: offset, as: UInt8.self))
      offset += 1
    }
    return difference == 0
  }

  /// How many values at the beginning have the same bits, of `count`.
  static func prefix(
    _ left: UnsafePointer<Value>, _ right: UnsafePointer<Value>, count: Int
  ) -> Int {
    var index = 0
    while index < count, hold(left + index, right + index) { index += 1 }
    return index
  }

  /// How many values before these two places have the same bits, of `count`.
  static func suffix(
    endingAt left: UnsafePointer<Value>, _ right: UnsafePointer<Value>, count: Int
  ) -> Int {
    var length = 0
    while length < count, hold(left - length - 1, right - length - 1) { length += 1 }
    return length
  }
}
