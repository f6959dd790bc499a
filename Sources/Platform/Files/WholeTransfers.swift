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

/// Room on the disk that a file has beyond its end, for what must be written when the disk is full.
package enum ReservedSpace {
  /// Gives the file blocks from its end up to an offset; its size stays. Nil when it has them, or
  /// when the file system cannot do that; else the number of the error.
  package static func reserve(_ descriptor: Int32, from size: Int, to end: Int) -> Int32? {
    #if canImport(Darwin)
      var request = fstore_t(
        fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0,
        fst_length: off_t(end - size), fst_bytesalloc: 0)
      let failed = fcntl(descriptor, F_PREALLOCATE, &request) != 0
    #else
      let failed =
        retryingInterrupted { systemFallocate(descriptor, keepSize, size, end - size) } != 0
    #endif
    guard failed else { return nil }
    switch errno {
    case ENOSPC, EDQUOT, EFBIG: return errno
    default: return nil
    }
  }

  /// The size beyond which this process may write no file.
  package static var fileSizeLimit: Int {
    var limit = rlimit()
    #if canImport(Glibc)
      let failed = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) != 0
    #else
      let failed = getrlimit(RLIMIT_FSIZE, &limit) != 0
    #endif
    return failed ? .max : Int(clamping: limit.rlim_cur)
  }
}

#if !canImport(Darwin)
  /// `FALLOC_FL_KEEP_SIZE`. The headers show the function and its flag to GNU programs only.
  private let keepSize: Int32 = 1

  @_silgen_name("fallocate")
  private func systemFallocate(_ file: Int32, _ mode: Int32, _ start: Int, _ count: Int) -> Int32
#endif
