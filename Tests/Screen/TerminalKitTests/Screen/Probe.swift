import Platform
import TerminalDriver

/// The built probe program beside the tests.
enum Probe {
  static var path: String { BuiltProgram.path("TerminalProbe") }

  static func inPseudoTerminal() throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(path)
    try terminal.wait(for: "line")
    return terminal
  }

  static func inTmux(
    terminal: String = "screen-256color", columns: Int = 80, rows: Int = 24
  ) throws -> TmuxSession {
    let session = try TmuxSession(
      path, columns: columns, rows: rows,
      environment: TestEnvironment.variables(terminal: terminal))
    try wait(forWholeFrameOf: session)
    return session
  }

  /// The frame is drawn from top to bottom; the joined emoji come last.
  static func wait(forWholeFrameOf session: TmuxSession) throws {
    try session.wait(until: "the whole frame is drawn") { screen in
      screen.hasPrefix("┌ probe") && screen.contains("┘") && screen.contains("🇩🇪|")
    }
  }
}
