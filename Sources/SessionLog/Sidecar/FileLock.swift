import Platform

/// A lock that other processes respect, held through a small file beside what it guards. The system
/// takes it back when the process ends, however it does.
struct FileLock {
  private let descriptor: Int32

  /// Waits until the lock is free: its holders keep it for one small write. One that is held for
  /// longer than `patience` is an error.
  init(_ path: String, patience: Duration) throws(SessionError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw SessionError(PartFile.problem(errno, writing: true), path: path)
    }
    let end = ContinuousClock.now + patience
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      if code == EINTR { continue }
      guard code == EWOULDBLOCK, ContinuousClock.now < end else {
        close(descriptor)
        let words =
          code == EWOULDBLOCK ? "another program holds this lock" : errorText(code)
        throw SessionError(.system(words), path: path)
      }
      // Shorter than any holder needs, so that a busy one cannot keep others out.
      var pause = timespec(tv_sec: 0, tv_nsec: 300_000)
      nanosleep(&pause, nil)
    }
  }

  func release() {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
