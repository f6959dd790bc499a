#if arch(x86_64)
  import _Builtin_intrinsics.intel.sse2
#endif

/// 64 bytes searched at once: bit n of a result is byte n.
struct ByteBlock {
  static let count = 64

  private let bytes: UnsafeRawPointer

  @inline(__always)
  init(_ bytes: UnsafeRawPointer) { self.bytes = bytes }

  /// The places of a byte; with `bits`, also of bytes that become it when these bits are set.
  @inline(__always)
  func places(of byte: UInt8, setting bits: UInt8 = 0) -> UInt64 {
    #if arch(x86_64)
      let wanted = _mm_set1_epi8(CChar(bitPattern: byte))
      let set = _mm_set1_epi8(CChar(bitPattern: bits))
      @inline(__always) func places(_ offset: Int) -> UInt64 {
        let part = bytes.loadUnaligned(fromByteOffset: offset, as: __m128i.self)
        let found = _mm_cmpeq_epi8(_mm_or_si128(part, set), wanted)
        return UInt64(UInt16(truncatingIfNeeded: _mm_movemask_epi8(found))) &<< UInt64(offset)
      }
      return places(0) | places(16) | places(32) | places(48)
    #else
      return placesInWords(of: byte, setting: bits)
    #endif
  }

  func placesInWords(of byte: UInt8, setting bits: UInt8 = 0) -> UInt64 {
    let each: UInt64 = 0x0101_0101_0101_0101
    var found: UInt64 = 0
    for part in 0..<8 {
      let eight = UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: part * 8, as: UInt64.self))
      // Equal bytes become zero; then their highest bit shows it.
      let other = (eight | (each &* UInt64(bits))) ^ (each &* UInt64(byte))
      let isOther = ((other & ~(each &* 0x80)) &+ (each &* 0x7F)) | other
      let highest = ~isOther & (each &* 0x80)
      found |= (((highest >> 7) &* 0x0102_0408_1020_4080) >> 56) << UInt64(part * 8)
    }
    return found
  }
}

extension UnsafeRawPointer {
  /// The first offset below `end` with another byte than there; else `end`.
  @inlinable
  @inline(__always)
  package func difference(to other: UnsafeRawPointer, from start: Int, to end: Int) -> Int {
    var position = start
    while position + 16 <= end {
      let first =
        loadUnaligned(fromByteOffset: position, as: UInt64.self)
        ^ other.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      let second =
        loadUnaligned(fromByteOffset: position + 8, as: UInt64.self)
        ^ other.loadUnaligned(fromByteOffset: position + 8, as: UInt64.self)
      if first | second != 0 {
        return position
          + (first != 0
            ? first.littleEndian.trailingZeroBitCount >> 3
            : 8 + second.littleEndian.trailingZeroBitCount >> 3)
      }
      position += 16
    }
    while position < end,
      load(fromByteOffset: position, as: UInt8.self)
        == other.load(fromByteOffset: position, as: UInt8.self)
    { position += 1 }
    return position
  }
}
