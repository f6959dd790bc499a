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
