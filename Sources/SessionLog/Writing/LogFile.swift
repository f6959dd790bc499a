import Platform

/// A file that grows by whole lines: what cannot be written whole is taken back.
struct LogFile: ~Copyable {
  let path: String
  private let descriptor: Int32
  private let identity: PartFile.Identity?
  /// Up to here the file holds whole lines.
  private(set) var size = 0

  init(path: String, existing: WritingOptions.Existing) throws(SessionError) {
    self.path = path
    if existing == .replace { unlink(path) }
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw SessionError(
        errno == EEXIST ? .alreadyExists : PartFile.problem(errno, writing: true), path: path)
    }
    identity = PartFile.Identity(of: descriptor)
  }

  deinit { if isOpen { close(descriptor) } }

  /// Whether the descriptor still names this file. An app may have closed what it did not open, and
  /// opened a file of its own since, which then has the same number.
  private var isOpen: Bool { identity != nil && PartFile.Identity(of: descriptor) == identity }

  /// Writes lines. After an error none of them is in the file.
  mutating func write(_ bytes: [UInt8]) throws(SessionError) {
    guard isOpen else {
      throw SessionError(.system("the app has closed the file"), path: path)
    }
    let mask = FileSizeSignal.block()
    defer { mask.restore() }
    var written = 0
    guard
      bytes.withUnsafeBytes({ WholeTransfer.write($0, to: descriptor, written: &written) })
    else {
      let code = errno
      if written > 0 { ftruncate(descriptor, off_t(size)) }
      throw SessionError(.system(errorText(code)), path: path)
    }
    size += written
  }

  /// Takes the file away: only for one that was just made.
  func remove() { unlink(path) }

  func synchronize() throws(SessionError) {
    guard retryingInterrupted({ fsync(descriptor) }) == 0 else {
      throw SessionError(.system(errorText(errno)), path: path)
    }
  }
}

/// A write past the limit on file sizes raises a signal that would end the app: it is held back for
/// the time of the write, which then fails with an error as any other.
private struct FileSizeSignal {
  private var before = sigset_t()

  static func block() -> FileSizeSignal {
    var signal = FileSizeSignal()
    var set = Self.set
    pthread_sigmask(SIG_BLOCK, &set, &signal.before)
    return signal
  }

  func restore() {
    var pending = sigset_t()
    var set = Self.set
    if sigpending(&pending) == 0,
      sigismember(&pending, SIGXFSZ) == 1, !wasBlocked
    {
      var number: Int32 = 0
      sigwait(&set, &number)
    }
    var before = before
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  private var wasBlocked: Bool {
    var before = before
    return sigismember(&before, SIGXFSZ) == 1
  }

  private static var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGXFSZ)
    return set
  }
}
