import Platform
import TerminalDriver
import TestSupport
import Testing

@Suite("Leaving")
struct LeavingTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.write(CartSession.text, to: "cart.retcon")
  }

  /// Opens the session, ends the program in some way, and compares the terminal with how it was.
  private func check(
    _ end: ProcessEnd, in environment: [String: String] = TestEnvironment.variables(),
    by act: (PseudoTerminal) -> Void
  ) throws {
    let terminal = try PseudoTerminal(Retcon.path, [file], environment: environment)
    try terminal.wait(for: " help")
    #expect(terminal.modes != terminal.modesBefore)
    #expect(terminal.privateModes.isSuperset(of: [1049, 1000, 1002, 1006, 2004]))
    #expect(!terminal.privateModes.contains(25))
    act(terminal)
    #expect(try terminal.waitForExit() == end)
    #expect(terminal.modes == terminal.modesBefore)
    let left = terminal.privateModes
    #expect(left.isDisjoint(with: [1049, 1000, 1002, 1003, 1006, 2004, 2026]), "\(left)")
    #expect(left.contains(25))
  }

  @Test("q restores the terminal and ends with 0")
  func quit() throws {
    try check(.exited(0)) { $0.type("q") }
  }

  @Test("Ctrl-C restores the terminal and ends with 0")
  func interruptKey() throws {
    try check(.exited(0)) { $0.type("\u{3}") }
  }

  @Test("a key's SIGQUIT is no crash, also where Swift looks for crashes")
  func quitKey() throws {
    var environment = TestEnvironment.variables()
    environment["SWIFT_BACKTRACE"] = "enable=yes"
    try check(.signalled(SIGQUIT), in: environment) { $0.type("\u{1c}") }
  }

  @Test(
    "every signal restores the terminal, and still ends the program by itself",
    arguments: [
      SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP,
    ])
  func signals(signal: Int32) throws {
    try check(.signalled(signal)) { $0.send(signal: signal) }
  }
}

@Suite("What killed programs leave")
struct LeftFilesTests {
  private let folder: TemporaryFolder
  private var left: [String] { namesInFolder(folder("tmp")) }

  init() throws {
    folder = try TemporaryFolder()
    mkdir(folder("tmp"), 0o700)
  }

  private func start(_ command: String) throws -> PseudoTerminal {
    var environment = TestEnvironment.variables()
    environment["TMPDIR"] = folder("tmp")
    return try PseudoTerminal("/bin/sh", ["-c", command], environment: environment)
  }

  private func wait(until isTrue: () -> Bool, for terminal: PseudoTerminal? = nil) throws {
    let deadline = Deadline(seconds: Deadline.patience)
    while !isTrue() {
      guard !deadline.hasPassed else { throw DriverError("waiting, with \(left)") }
      if let terminal { terminal.drain(milliseconds: 10) } else { sched_yield() }
    }
  }

  @Test("a copy that is being made goes with the program", arguments: [SIGINT, SIGTERM, SIGKILL])
  func copying(signal: Int32) throws {
    #expect(mkfifo(folder("pipe"), 0o600) == 0)
    let pipe = open(folder("pipe"), O_RDWR | O_CLOEXEC)
    defer { close(pipe) }
    let text = Array(CartSession.text.utf8)
    #expect(write(pipe, text, text.count) == text.count)
    let terminal = try start("exec '\(Retcon.path)' info - <'\(folder("pipe"))'")
    try wait(
      until: { left.contains { !namesInFolder(folder("tmp/\($0)")).isEmpty } }, for: terminal)
    terminal.send(signal: signal)
    #expect(try terminal.waitForExit() == .signalled(signal))
    try wait(until: { left.isEmpty })
  }

  @Test(
    "an unpacked or converted session goes with a killed debugger",
    arguments: ["cart.retcon", "cart.jsonl"])
  func opened(name: String) throws {
    let lines = #"{"action":{"type":"add"},"state":{"n":1}}"# + "\n"
    let text = name.hasSuffix("jsonl") ? lines : CartSession.text
    let path = try folder.write(text, to: name)
    let terminal = try start(
      "gzip '\(path)' && exec '\(Retcon.path)' '\(path).gz'")
    try terminal.wait(for: "timeline")
    #expect(!left.isEmpty)
    terminal.send(signal: SIGKILL)
    #expect(try terminal.waitForExit() == .signalled(SIGKILL))
    try wait(until: { left.isEmpty })
  }
}
