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
  private func check(_ end: ProcessEnd, by act: (PseudoTerminal) -> Void) throws {
    let terminal = try PseudoTerminal(Retcon.path, [file])
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

  @Test(
    "every signal restores the terminal, and still ends the program by itself",
    arguments: [
      SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP,
    ])
  func signals(signal: Int32) throws {
    try check(.signalled(signal)) { $0.send(signal: signal) }
  }
}
