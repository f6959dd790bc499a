import Platform
import TerminalDriver
import TestSupport
import Testing

@Suite("The debugger and its host", .needs(.tmux))
struct HostTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = folder("counter.retcon")
    // A session of 34 steps, and the program that made it.
    let demo = try PseudoTerminal(Retcon.path, ["demo", "-o", file, "--print", "80x24"])
    try #require(try demo.waitForExit(seconds: 60) == .exited(0))
  }

  private func open(_ script: String, _ options: [String] = []) throws -> TmuxSession {
    try write(script)
    return try Retcon.inTmux(
      [file, "--host", "/bin/sh \(folder("host.sh"))"] + options, columns: 130, rows: 30)
  }

  /// In one go, as a linker does it.
  private func write(_ script: String) throws {
    try folder.write(
      "echo $$ > \(folder("pid"))\n\(HostScript.words)\n\(script)\n", to: "host.sh.new")
    try folder.move("host.sh.new", to: "host.sh")
  }

  struct Misbehaviour: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var script: String
    /// Typed when the session is open.
    var keys = ""
    /// The words on the screen after the fault.
    var says: String
    var options = ["--patience", "60"]
  }

  static let misbehaviours = [
    Misbehaviour(testDescription: "it never greets", script: "stay", says: "reducer: sh ○"),
    Misbehaviour(
      testDescription: "it is too slow", script: "rest",
      says: "the host did not greet within 0.3 seconds", options: ["--start-time", "0.3"]),
    Misbehaviour(
      testDescription: "a log line", script: "hear; say 'Listening on 80'",
      says: "not a message: Listening on 80"),
    Misbehaviour(
      testDescription: "it leaves", script: "echo 'no config' >&2; exit 1",
      says: "the host ended with exit status 1: no config"),
    Misbehaviour(
      testDescription: "it dies while nobody asks", script: "greet; load; exit 3",
      says: "reducer: Scripted ✗"),
    Misbehaviour(
      testDescription: "progress without end",
      script: #"greet; hear; while :; do say '{"id":2,"news":"progress","done":1,"of":9}'; done"#,
      says: "reducer: Scripted ○"),
    Misbehaviour(
      testDescription: "a line without end", script: "greet; many 999999999 a",
      says: "a line of more than 64 MB"),
    Misbehaviour(
      testDescription: "an absurd number", script: "begin; step 99999999999999999; rest",
      keys: "x", says: "“step.step” is 99999999999999999, and the next step is 10"),
    Misbehaviour(
      testDescription: "a gap", script: "begin; step 10; step 12; rest", keys: "x",
      says: "“step.step” is 12, and the next step is 11"),
    Misbehaviour(
      testDescription: "it stays in a step", script: #"begin; where ',"step":12'"#, keys: "x",
      says: "step 12 did not return in time", options: ["--patience", "3"]),
    Misbehaviour(
      testDescription: "it crashes",
      script: "begin; step 10; echo 'Fatal error: Index out of range' >&2; kill -ILL $$", keys: "x",
      says: "crashed at step 11: Fatal error: Index out of range"),
    Misbehaviour(
      testDescription: "it closes its output", script: "begin; exec 1>&-; stay", keys: "x",
      says: "the host closed its standard output"),
  ]

  @Test(
    "whatever a host does, keys answer, its author learns why, and it ends with the debugger",
    arguments: misbehaviours)
  func misbehaving(_ row: Misbehaviour) throws {
    let session = try open(row.script, row.options)
    try session.wait(for: row.keys.isEmpty ? row.says : "●")
    try session.type("10G")
    try session.wait(for: "main   10/34")
    if !row.keys.isEmpty {
      try session.type(row.keys)
      try session.wait(for: row.says)
    }
    try session.type(":goto main/20\n")
    try session.wait(for: "main   20/34")
    try session.type("q")
    #expect(try session.waitForExit() == .exited(0))
    #expect(HostScript.isGone(folder))
  }

  @Test("opened again, a session comes back at the branch and step where it was left")
  func comingBack() throws {
    let script = "exec '\(Retcon.path)' serve-sample counter"
    var session = try open(script)
    try session.wait(for: "●")
    try session.type("10G")
    try session.wait(for: "main   10/34")
    try session.type("x")
    try session.wait(until: "the fork has run") { screen in
      screen.contains("fork 1   ") && screen.contains("ran ")
    }
    try session.type(":goto fork 1/14\n")
    try session.wait(for: "fork 1   14/")
    try session.type("q")
    #expect(try session.waitForExit() == .exited(0))
    session = try open(script)
    try session.wait(for: "fork 1   14/")
    try session.type(":goto main/20\n")
    try session.wait(for: "main   20/34")
    try session.type("q")
    #expect(try session.waitForExit() == .exited(0))
    session = try open(script)
    try session.wait(for: "main   20/34")
    try session.type("q")
    #expect(try session.waitForExit() == .exited(0))
    // A position that is asked for stands above it.
    let asked = try Retcon.inTmux([file + "@3"], columns: 130, rows: 30)
    try asked.wait(for: "main   3/34")
  }

  @Test("a debugger that is killed takes a host along that computes")
  func killed() throws {
    try write("begin; while :; do :; done")
    let terminal = try PseudoTerminal(
      Retcon.path, [file, "--host", "/bin/sh \(folder("host.sh"))"], columns: 130, rows: 30)
    try terminal.wait(for: "●")
    terminal.type("10Gx")
    try terminal.wait(for: "running")
    terminal.send(signal: SIGKILL)
    #expect(try terminal.waitForExit() == .signalled(SIGKILL))
    #expect(HostScript.isGone(folder))
  }

  @Test("a rebuilt host is noticed, and R brings the fork that crashed back to life")
  func rebuilt() throws {
    let session = try open(
      "begin; step 10; echo 'Fatal error: Index out of range' >&2; kill -ILL $$")
    try session.wait(for: "●")
    try session.type("10G")
    try session.wait(for: "main   10/34")
    try session.type("x")
    try session.wait(for: "crashed at step 11: Fatal error: Index out of range")
    try write("exec '\(Retcon.path)' serve-sample counter")
    try session.wait(for: "rebuilt: R runs everything again")
    try session.type("R")
    try session.wait(until: "the fork went through") { screen in
      screen.contains("fork 1") && screen.contains("ran ") && !screen.contains("crashed")
    }
    try session.type(":host\n")
    try session.wait(for: "It is running.")
    try session.type("qq")
    #expect(try session.waitForExit() == .exited(0))
  }

  @Test("with --watch a rebuilt host is started again by itself")
  func watching() throws {
    let session = try open(
      "begin; step 10; echo 'Fatal error: Index out of range' >&2; kill -ILL $$", ["--watch"])
    try session.wait(for: "●")
    try session.type("10G")
    try session.wait(for: "main   10/34")
    try session.type("x")
    try session.wait(for: "crashed at step 11")
    try write("exec '\(Retcon.path)' serve-sample counter")
    try session.wait(until: "the fork went through") { screen in
      screen.contains("fork 1") && screen.contains("ran ") && !screen.contains("crashed")
    }
    try session.type("q")
    #expect(try session.waitForExit() == .exited(0))
  }
}
