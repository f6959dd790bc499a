import Platform
import SessionWords

/// A file that grows by whole lines: partial writes are undone. While open, it is locked against
/// other recorders.
struct LogFile: ~Copyable {
  let path: String
  private let descriptor: Int32
  let identity: PartFile.Identity?
  private let process = getpid()
  private(set) var size = 0
  private var reserved = 0

  static let reserve = 4_096
  private static let stride = 1 << 18

  static func make(_ path: String, header: [UInt8]) throws(SessionError) -> LogFile {
    var file = LogFile(path: path, descriptor: try descriptor(ofNewFile: path))
    do throws(SessionError) {
      try file.write(header)
    } catch {
      unlink(path)
      throw error
    }
    return file
  }

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
    identity = PartFile.Identity(of: descriptor)
    if let identity { Self.ownFiles.withLock { _ = $0.insert(identity) } }
  }

  private static let ownFiles = Locked<Set<PartFile.Identity>>([])

  /// Whether this process records a file: to wait for its lock would take long.
  static func isOwn(_ file: PartFile.Identity) -> Bool { ownFiles.withLock { $0.contains(file) } }

  private static func descriptor(ofNewFile path: String) throws(SessionError) -> Int32 {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw SessionError(
        errno == EEXIST ? .alreadyExists : PartFile.problem(errno, writing: true), path: path)
    }
    // Others hold the lock for a moment to check it.
    _ = retryingInterrupted { flock(file, LOCK_EX) }
    return file
  }

  deinit {
    if let identity { Self.ownFiles.withLock { _ = $0.remove(identity) } }
    guard isOpen else { return }
    if reserved > size, process == getpid(), harm == nil { ftruncate(descriptor, off_t(size)) }
    close(descriptor)
  }

  /// Whether the descriptor still names this file. An app may have closed it by mistake and opened
  /// another with the same number.
  private var isOpen: Bool { identity != nil && PartFile.Identity(of: descriptor) == identity }

  /// Damage to the file; nil if the path names it, with all its bytes.
  var harm: FileHarm? { Self.harm(to: path, identity, size: size) }

  static func harm(to path: String, _ identity: PartFile.Identity?, size: Int) -> FileHarm? {
    guard let status = fileStatus(of: path) else {
      // If the check fails, assume nothing.
      return errno == ENOENT || errno == ENOTDIR ? .removed : nil
    }
    guard PartFile.Identity(status) == identity else { return .replaced }
    return status.st_size < size ? .shortened : nil
  }

  var sizeAtPath: Int { fileStatus(of: path).map { Int($0.st_size) } ?? 0 }

  var reserveLeft: Int { max(0, reserved - size) }

  /// Writes lines; after an error none of them is in the file. A file's last lines, and loss
  /// reports, may use the reserve.
  mutating func write(_ bytes: [UInt8], usingReserve: Bool = false) throws(SessionError) {
    guard process == getpid() else { throw SessionError(.isForked, path: path) }
    guard isOpen else {
      throw SessionError(.system("the app has closed the file"), path: path)
    }
    let mask = FileSizeSignal.block()
    defer { mask.restore() }
    if !usingReserve { try reserve(size + bytes.count + Self.reserve) }
    var written = 0
    guard
      bytes.withUnsafeBytes({ WholeTransfer.write($0, to: descriptor, written: &written) })
    else {
      let code = errno
      if written > 0 { undoPartialLine() }
      throw SessionError(.system(errorText(code)), path: path)
    }
    size += written
  }

  /// Undoes a partial line, which also frees the reserve.
  private mutating func undoPartialLine() {
    ftruncate(descriptor, off_t(size))
    reserved = 0
    try? reserve(size + Self.reserve)
  }

  private mutating func reserve(_ end: Int) throws(SessionError) {
    guard end <= ReservedSpace.fileSizeLimit else {
      throw SessionError(.system(errorText(EFBIG)), path: path)
    }
    guard end > reserved else { return }
    var error: Int32?
    for end in [end + Self.stride, end] {
      error = ReservedSpace.reserve(descriptor, from: size, to: end)
      guard error != nil else {
        reserved = end
        return
      }
    }
    throw SessionError(.system(errorText(error ?? ENOSPC)), path: path)
  }

  func synchronize() throws(SessionError) {
    guard retryingInterrupted({ fsync(descriptor) }) == 0 else {
      throw SessionError(.system(errorText(errno)), path: path)
    }
  }
}

/// Writing past the file size limit raises a fatal signal. This blocks it during a write, which
/// then fails with an error.
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

struct LineBuffer {
  private(set) var bytes: [UInt8] = []
  private(set) var firstStep: Int?
  private(set) var stepCount = 0
  private(set) var between: [LogLine] = []
  private(set) var tellingCount = 0

  var isEmpty: Bool { bytes.isEmpty }

  mutating func add(step: Int, _ line: [UInt8]) {
    if firstStep == nil { firstStep = step }
    stepCount += 1
    bytes += line
  }

  mutating func add(_ line: LogLine) {
    between.append(line)
    switch line {
    case .begin, .readBegun, .tape: break
    default: tellingCount += 1
    }
    bytes += line.bytes
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    between.removeAll(keepingCapacity: true)
    firstStep = nil
    stepCount = 0
    tellingCount = 0
  }
}
