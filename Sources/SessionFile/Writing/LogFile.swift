import Platform
import SessionWords

/// A file that grows by whole lines: what cannot be written whole is taken back. As long as it is
/// open, no other recorder takes it for its own.
struct LogFile: ~Copyable {
  let path: String
  private let descriptor: Int32
  let identity: PartFile.Identity?
  private let process = getpid()
  /// Up to here the file holds whole lines.
  private(set) var size = 0
  /// Up to here it has blocks.
  private var reserved = 0

  /// So much room is left when the disk is full, for the lines that say so.
  static let reserve = 4_096
  /// So many bytes are reserved at once, where there are as many.
  private static let stride = 1 << 18

  /// Makes a file that begins with a line; nothing is left of it when that cannot be written.
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
  }

  private static func descriptor(ofNewFile path: String) throws(SessionError) -> Int32 {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw SessionError(
        errno == EEXIST ? .alreadyExists : PartFile.problem(errno, writing: true), path: path)
    }
    // Others who look whether it is locked hold the lock themselves for a moment.
    _ = retryingInterrupted { flock(file, LOCK_EX) }
    return file
  }

  deinit {
    guard isOpen else { return }
    if reserved > size, process == getpid(), harm == nil { ftruncate(descriptor, off_t(size)) }
    close(descriptor)
  }

  /// Whether the descriptor still names this file. An app may have closed what it did not open, and
  /// opened a file of its own since, which then has the same number.
  private var isOpen: Bool { identity != nil && PartFile.Identity(of: descriptor) == identity }

  /// What somebody did to the file; nil when the path names it, and it holds what was written.
  var harm: FileHarm? { Self.harm(to: path, identity, size: size) }

  static func harm(to path: String, _ identity: PartFile.Identity?, size: Int) -> FileHarm? {
    guard let status = fileStatus(of: path) else {
      // Where nothing can be seen, nothing is known.
      return errno == ENOENT || errno == ENOTDIR ? .removed : nil
    }
    guard PartFile.Identity(status) == identity else { return .replaced }
    return status.st_size < size ? .shortened : nil
  }

  /// How many bytes are left of it.
  var sizeAtPath: Int { fileStatus(of: path).map { Int($0.st_size) } ?? 0 }

  /// How many bytes can still be written when the disk is full.
  var reserveLeft: Int { max(0, reserved - size) }

  /// Writes lines. After an error none of them is in the file. The last lines of a file, and those
  /// that say what is missing, may use the room that is reserved for them.
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
      if written > 0 { takeBack() }
      throw SessionError(.system(errorText(code)), path: path)
    }
    size += written
  }

  /// Takes back half a line, which frees what was reserved, too.
  private mutating func takeBack() {
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

/// Lines that wait to be handed to the system.
struct LineBuffer {
  private(set) var bytes: [UInt8] = []
  private(set) var firstStep: Int?
  private(set) var stepCount = 0
  /// Those of them that are not steps.
  private(set) var between: [LogLine] = []
  /// How many of these tell something that no other line does.
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
