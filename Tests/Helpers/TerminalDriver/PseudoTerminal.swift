import Platform

/// A program in a terminal of its own, of which every byte is kept.
package final class PseudoTerminal {
  package let process: pid_t
  package private(set) var output: [UInt8] = []
  package private(set) var exitStatus: ProcessEnd?
  /// The terminal's modes before the program was started.
  package let modesBefore: TerminalModeList
  private let keyboard: Int32
  /// The program's side, kept open so that its modes can be compared after the program has ended.
  private let screen: Int32

  package init(
    _ program: String, _ arguments: [String] = [], columns: Int = 80, rows: Int = 24,
    environment: [String: String] = TestEnvironment.variables()
  ) throws {
    let path: String
    (keyboard, path) = try Self.openPair()
    screen = open(path, O_RDWR | O_NOCTTY)
    guard screen >= 0 else { throw DriverError("opening \(path)", error: errno) }
    for descriptor in [keyboard, screen] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(keyboard, F_SETFL, O_NONBLOCK)
    Self.resize(keyboard, columns: columns, rows: rows)
    Self.forbidCoreFiles()
    modesBefore = Self.modes(of: screen)
    process = try Spawn.start(
      program, arguments: arguments, environment: environment, files: .terminal(path: path))
  }

  deinit {
    if exitStatus == nil {
      kill(process, SIGKILL)
      var status: Int32 = 0
      waitpid(process, &status, 0)
    }
    close(keyboard)
    close(screen)
  }

  /// A new terminal: our side, and the path of the program's.
  private static func openPair() throws -> (Int32, String) {
    #if canImport(Darwin)
      let keyboard = posix_openpt(O_RDWR | O_NOCTTY)
      guard keyboard >= 0, grantpt(keyboard) == 0, unlockpt(keyboard) == 0,
        let name = ptsname(keyboard)
      else { throw DriverError("opening a terminal", error: errno) }
      return (keyboard, String(cString: name))
    #else
      // TIOCSPTLCK and TIOCGPTN, which Swift does not import.
      let unlock: UInt = 0x4004_5431
      let askNumber: UInt = 0x8004_5430
      let keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var number: Int32 = 0
      guard keyboard >= 0, ioctl(keyboard, unlock, &number) == 0,
        ioctl(keyboard, askNumber, &number) == 0
      else { throw DriverError("opening a terminal", error: errno) }
      return (keyboard, "/dev/pts/\(number)")
    #endif
  }

  private static func forbidCoreFiles() {
    var limit = rlimit()
    getrlimit(coreFiles, &limit)
    limit.rlim_cur = 0
    setrlimit(coreFiles, &limit)
  }

  #if canImport(Glibc)
    private static let coreFiles = __rlimit_resource_t(4)
  #else
    private static let coreFiles = RLIMIT_CORE
  #endif

  /// The terminal's modes, in a form that can be compared.
  package var modes: TerminalModeList { Self.modes(of: screen) }

  private static func modes(of descriptor: Int32) -> TerminalModeList {
    var modes = termios()
    tcgetattr(descriptor, &modes)
    return TerminalModeList(modes)
  }

  package func type(_ text: String) {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { write(keyboard, $0.baseAddress, $0.count) }
      if count > 0 { sent += count } else { drain(milliseconds: 1) }
    }
  }

  package func send(signal: Int32) {
    kill(process, signal)
  }

  package func resize(columns: Int, rows: Int) {
    Self.resize(keyboard, columns: columns, rows: rows)
  }

  private static func resize(_ descriptor: Int32, columns: Int, rows: Int) {
    var size = winsize()
    size.ws_col = UInt16(columns)
    size.ws_row = UInt16(rows)
    _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
  }

  /// Takes in what the program writes, waiting at most so long for the first of it.
  @discardableResult
  package func drain(milliseconds: Int32) -> Int {
    var waiting = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, milliseconds) > 0 else { return 0 }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var total = 0
    while case let count = read(keyboard, &buffer, buffer.count), count > 0 {
      output += buffer.prefix(count)
      total += count
    }
    return total
  }

  /// Waits until the program has written a text, from a place of the output on; answers the place
  /// after it.
  @discardableResult
  package func wait(for text: String, after start: Int = 0, seconds: Double = Deadline.patience)
    throws -> Int
  {
    let wanted = Array(text.utf8)
    let deadline = Deadline(seconds: seconds)
    while true {
      if let found = output.place(of: wanted, after: start) { return found + wanted.count }
      if deadline.hasPassed || hasEnded() {
        drain(milliseconds: 0)
        if let found = output.place(of: wanted, after: start) { return found + wanted.count }
        throw DriverError(
          """
          “\(text)” did not appear\(exitStatus.map { " (the program ended: \($0))" } ?? ""). \
          The program wrote:
          \(visibleOutput)
          """)
      }
      drain(milliseconds: 10)
    }
  }

  /// The program's largest memory until now, in megabytes, if the system tells it of a running one.
  package var largestMemory: Int? {
    let file = open("/proc/\(process)/status", O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let words = String(decoding: WholeTransfer.readAll(from: file) ?? [], as: UTF8.self)
      .split(whereSeparator: \.isWhitespace)
    guard let place = words.firstIndex(of: "VmHWM:"), place + 1 < words.count else { return nil }
    return Int(words[place + 1]).map { $0 >> 10 }
  }

  private func hasEnded() -> Bool {
    if exitStatus != nil { return true }
    var status: Int32 = 0
    if waitpid(process, &status, WNOHANG) == process {
      exitStatus = ProcessEnd(waitStatus: status)
    }
    return exitStatus != nil
  }

  /// Waits until the program has ended, and takes in the last it wrote.
  @discardableResult
  package func waitForExit(seconds: Double = Deadline.patience) throws -> ProcessEnd {
    let deadline = Deadline(seconds: seconds)
    while !hasEnded() {
      if deadline.hasPassed { throw DriverError("the program did not end:\n\(visibleOutput)") }
      drain(milliseconds: 10)
    }
    drain(milliseconds: 0)
    return exitStatus ?? .exited(-1)
  }

  /// The output with its controls made visible.
  package var visibleOutput: String {
    String(decoding: output, as: UTF8.self).unicodeScalars.map { scalar in
      switch scalar.value {
      case 0x1B: "␛"
      case 0x0A: "\n"
      case 0..<0x20, 0x7F: "‹\(scalar.value)›"
      default: String(scalar)
      }
    }.joined()
  }

  /// The private modes that the output has switched on and not off again.
  package var privateModes: Set<Int> { PrivateModes(output).on }
}

extension [UInt8] {
  fileprivate func place(of wanted: [UInt8], after start: Int) -> Int? {
    guard !wanted.isEmpty, start >= 0, count - start >= wanted.count else { return nil }
    for place in start...(count - wanted.count) where self[place] == wanted[0] {
      if self[place..<place + wanted.count].elementsEqual(wanted) { return place }
    }
    return nil
  }
}
