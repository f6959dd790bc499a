/// Reads and writes that repeat until complete. `errno` has the reason of a failure.
package enum WholeTransfer {
  /// Writes everything; false after an error, with the amount in `written`.
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

  @discardableResult
  package static func write(_ text: String, to descriptor: Int32) -> Bool {
    Array(text.utf8).withUnsafeBytes { write($0, to: descriptor) }
  }

  /// Fills the buffer from an offset. Fewer bytes mean the end of the file; nil an error.
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

  /// Reads to the end, up to a limit; nil after an error.
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

/// Reserved disk space behind a file's end, for writes to a full disk.
package enum ReservedSpace {
  /// Reserves blocks up to an offset without changing the size. Nil on success, or if the file
  /// system cannot; else the error number.
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
  /// `FALLOC_FL_KEEP_SIZE`, which the headers show only to GNU programs.
  private let keepSize: Int32 = 1

  @_silgen_name("fallocate")
  private func systemFallocate(_ file: Int32, _ mode: Int32, _ start: Int, _ count: Int) -> Int32
#endif
