import SessionWords

/// Notices other bytes in a file that was written to and has kept its size.
struct OverwriteCheck: Sendable {
  private var stamp: FileStamp?
  private var pieces: [(end: Int, digest: UInt64)] = []

  /// Of a larger file, only the beginning and the end are compared: no key waits for more.
  private static let most = 8 << 20

  /// Call it with each look at the file, of which `size` bytes were read.
  mutating func isOverwritten(_ file: PartFile, size: Int) throws(SessionError) -> Bool {
    guard size <= Self.most, let now = file.stamp else { return false }
    if stamp?.inode != now.inode { self = OverwriteCheck() }
    if let stamp, stamp.size == now.size, stamp.modified != now.modified {
      var start = 0
      for (end, digest) in pieces {
        guard try Self.digest(of: start..<end, file) == digest else { return true }
        start = end
      }
    }
    stamp = now
    var start = pieces.last?.end ?? 0
    while start < size {
      let end = min(size, start + (1 << 20))
      pieces.append((end, try Self.digest(of: start..<end, file)))
      start = end
    }
    return false
  }

  private static func digest(
    of range: Range<Int>, _ file: PartFile
  ) throws(SessionError) -> UInt64 {
    var digest = Digest()
    digest.add(try file.bytes(at: range.lowerBound, count: range.count))
    return digest.value
  }
}
