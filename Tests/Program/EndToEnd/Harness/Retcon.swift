import TerminalDriver
import Testing

/// The built program.
enum Retcon {
  static var path: String { BuiltProgram.path("retcon") }

  static func inTmux(
    _ arguments: [String], columns: Int = 80, rows: Int = 24,
    environment: [String: String] = TestEnvironment.variables(terminal: "screen-256color")
  ) throws -> TmuxSession {
    try TmuxSession(
      path, arguments, columns: columns, rows: rows, environment: environment)
  }

  /// A shell, for what needs job control or comes after the program.
  static func shell(columns: Int = 80, rows: Int = 24) throws -> TmuxSession {
    let session = try TmuxSession(
      "/bin/bash", ["--norc", "--noprofile", "-i"], columns: columns, rows: rows)
    try session.type("PS1='ready> '; clear\n")
    try session.wait(until: "the shell is ready") { $0.hasPrefix("ready>") }
    return session
  }
}

/// The extent of a terminal that a test is repeated for.
struct Extent: Sendable, CustomTestStringConvertible {
  var columns: Int
  var rows: Int

  static let both = [Extent(columns: 80, rows: 24), Extent(columns: 200, rows: 60)]

  var testDescription: String { "\(columns)×\(rows)" }
}
