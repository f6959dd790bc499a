import Platform

/// A lock that other processes respect, held through a small file beside what it guards. The system
/// takes it back when the process ends, however it does.
struct FileLock {
  private let descriptor: Int32

  /// Waits until the lock is free: its holders keep it for one small write.
  init(_ path: String) throws(SessionError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw SessionError(PartFile.problem(errno, writing: true), path: path)
    }
    guard retryingInterrupted({ flock(descriptor, LOCK_EX) }) == 0 else {
      let code = errno
      close(descriptor)
      throw SessionError(.system(errorText(code)), path: path)
    }
  }

  func release() {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
