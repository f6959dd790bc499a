import Platform
import TerminalDriver
import Testing

@testable import TerminalKit

@Suite("Restoring the terminal")
struct RestoreTests {
  /// Runs the probe, ends it in some way, and compares the terminal with how it was.
  private func check(_ status: ProcessEnd, end: (PseudoTerminal) -> Void) throws {
    let terminal = try PseudoTerminal(Probe.path)
    try terminal.wait(for: "line")
    // Otherwise there would be nothing to restore.
    #expect(terminal.modes != terminal.modesBefore)
    #expect(terminal.privateModes.isSuperset(of: [1049, 1000, 1002, 1006, 2004]))
    #expect(!terminal.privateModes.contains(25))
    end(terminal)
    #expect(try terminal.waitForExit() == status)
    #expect(terminal.modes == terminal.modesBefore)
    let shown = terminal.privateModes.subtracting([1, 7, 12, 1034])
    #expect(shown == [25], "\(terminal.visibleOutput.suffix(300))")
  }

  @Test("after the program has ended by itself")
  func normalEnd() throws {
    try check(.exited(0)) { $0.type("q") }
  }

  @Test("after exit was called in the middle")
  func exitCall() throws {
    try check(.exited(3)) { $0.type("x") }
  }

  @Test(
    "after a signal, which still ends the program",
    arguments: [
      SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGPIPE, SIGILL, SIGTRAP,
    ])
  func signals(signal: Int32) throws {
    try check(.signalled(signal)) { $0.send(signal: signal) }
  }

  @Test("after a trap in Swift code")
  func trap() throws {
    #if arch(x86_64) || arch(i386)
      try check(.signalled(SIGILL)) { $0.type("t") }
    #else
      try check(.signalled(SIGTRAP)) { $0.type("t") }
    #endif
  }

  @Test("after abort")
  func abort() throws {
    try check(.signalled(SIGABRT)) { $0.type("a") }
  }

  @Test("after Ctrl-\\, which ends a program that hangs")
  func quitKey() throws {
    try check(.signalled(SIGQUIT)) { $0.type("\u{1C}") }
  }

  @Test("Ctrl-C and Ctrl-Z are keys like others")
  func keys() throws {
    let terminal = try Probe.inPseudoTerminal()
    terminal.type("\u{3}")
    try terminal.wait(for: "control(\"c\")")
    terminal.type("\u{1A}")
    try terminal.wait(for: "z")
    terminal.type("q")
    #expect(try terminal.waitForExit() == .exited(0))
  }

  @Test("without a terminal there is one clear sentence")
  func noTerminal() throws {
    let terminal = try PseudoTerminal("/bin/sh", ["-c", "\(Probe.path) | cat"])
    try terminal.wait(for: "no terminal: standard output is not a terminal")
    let unknown = try PseudoTerminal(
      Probe.path, environment: TestEnvironment.variables(terminal: "nobody-knows-this"))
    try unknown.wait(for: "TERM=nobody-knows-this cannot show a full screen")
    #expect(try unknown.waitForExit() == .exited(2))
  }

  @Test(
    "a terminal that the system's database lacks has a description from the program",
    arguments: ["xterm-ghostty", "foot-of-tomorrow", "alacritty-direct-2"])
  func carriedDescriptions(name: String) throws {
    let terminal = try PseudoTerminal(
      Probe.path, environment: TestEnvironment.variables(terminal: name))
    try terminal.wait(for: "line")
    terminal.type("q")
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(TerminalDescription.carriedName(for: "linux") == "linux")
    #expect(TerminalDescription.carriedName(for: "dumb") == nil)
  }

  @Test("a window of too many rows is named as the reason")
  func hugeWindow() throws {
    let terminal = try PseudoTerminal(Probe.path, columns: 80, rows: 65_535)
    try terminal.wait(for: "no screen fits this window")
    #expect(try terminal.waitForExit() == .exited(2))
    let sizes = [-1, 0, 24, 2_000, 2_001, 65_535].map(CursesScreen.sane)
    #expect(sizes == [1, 1, 24, 2_000, 2_000, 2_000])
  }
}
