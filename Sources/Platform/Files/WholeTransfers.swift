/// Reads and writes that go on until all is done, however small the pieces that the system takes.
/// What fails is told by `errno`.
package enum WholeTransfer {
  /// Writes all of it; false after an error, with as much written as `written` says.
  package static func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, written: inout Int
  ) -> Bool {
    written = 0
    while written < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
      let count = retryingInterrupted { Platform.write(descriptor, rest.baseAddress, rest.count) }
      guard count >= 0 else { return false }
      written += count
    }
    return true
  }

  package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var written = 0
    return write(bytes, to: descriptor, written: &written)
  }

  /// Fills the buffer from an offset of a file. Fewer bytes than it holds: the file ends there. Nil
  /// after an error.
  package static func read(
    into buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int
  ) -> Int? {
    var filled = 0
    while filled < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count = retryingInterrupted {
        pread(descriptor, rest.baseAddress, rest.count, off_t(offset + filled))
      }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      filled += count
    }
    return filled
  }

  /// All that a descriptor gives until its end, and no more than the limit; nil after an error.
  package static func readAll(from descriptor: Int32, limit: Int = .max) -> [UInt8]? {
    var bytes: [UInt8] = []
    let size = 1 << 16
    return withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { buffer in
      while bytes.count < limit {
        let wanted = min(size, limit - bytes.count)
        let count = retryingInterrupted { Platform.read(descriptor, buffer.baseAddress, wanted) }
        guard count >= 0 else { return nil }
        if count == 0 { break }
        bytes += UnsafeRawBufferPointer(rebasing: buffer[..<count])
      }
      return bytes
    }
  }
}
