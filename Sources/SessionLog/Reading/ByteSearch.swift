#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Looks for bytes in bytes: jumps from one place to the next of the rarest byte that is looked for.
struct ByteSearch {
  private let needle: [UInt8]
  /// Where in the needle its rarest byte stands.
  private let rarest: Int

  /// `sample` tells how often bytes are where the search will be.
  init(for needle: [UInt8], sample: [UInt8]) {
    self.needle = needle
    var counts = [Int](repeating: 0, count: 256)
    for byte in sample { counts[Int(byte)] += 1 }
    rarest = needle.indices.min { counts[Int(needle[$0])] < counts[Int(needle[$1])] } ?? 0
  }

  func firstIndex(in bytes: [UInt8]) -> Int? {
    guard !needle.isEmpty else { return nil }
    return bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      var position = rarest
      let last = bytes.count - (needle.count - rarest)
      while position <= last,
        let found = memchr(base + position, Int32(needle[rarest]), last - position + 1)
      {
        let start = UnsafeRawPointer(found) - base - rarest
        if memcmp(base + start, needle, needle.count) == 0 { return start }
        position = start + rarest + 1
      }
      return nil
    }
  }
}
