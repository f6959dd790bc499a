/// Compares values by their bits. Equal bits mean equal values; different bits mean nothing.
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

  static func prefix(
    _ left: UnsafePointer<Value>, _ right: UnsafePointer<Value>, count: Int
  ) -> Int {
    var index = 0
    while index + blockCount <= count, holdBlock(left + index, right + index) {
      index += blockCount
    }
    while index < count, hold(left + index, right + index) { index += 1 }
    return index
  }

  static func suffix(
    endingAt left: UnsafePointer<Value>, _ right: UnsafePointer<Value>, count: Int
  ) -> Int {
    var length = 0
    while length + blockCount <= count,
      holdBlock(left - length - blockCount, right - length - blockCount)
    { length += blockCount }
    while length < count, hold(left - length - 1, right - length - 1) { length += 1 }
    return length
  }

  private static var blockCount: Int { 8 }

  /// Compares eight values at once, with padding masked out.
  @inline(__always)
  private static func holdBlock(
    _ left: UnsafePointer<Value>, _ right: UnsafePointer<Value>
  ) -> Bool {
    #if _endian(little)
      if MemoryLayout<Value>.size == 17, MemoryLayout<Value>.stride == 24 {
        let (left, right) = (UnsafeRawPointer(left), UnsafeRawPointer(right))
        let all = UInt64.max
        let masks = (
          SIMD4<UInt64>(all, all, 0xFF, all), SIMD4<UInt64>(all, 0xFF, all, all),
          SIMD4<UInt64>(0xFF, all, all, 0xFF)
        )
        @inline(__always) func difference(_ offset: Int) -> SIMD4<UInt64> {
          left.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
            ^ right.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
        }
        let found =
          (difference(0) | difference(96)) & masks.0
          | (difference(32) | difference(128)) & masks.1
          | (difference(64) | difference(160)) & masks.2
        return found[0] | found[1] | found[2] | found[3] == 0
      }
    #endif
    for index in 0..<blockCount where !hold(left + index, right + index) { return false }
    return true
  }
}
