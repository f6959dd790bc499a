import HostProtocol
import Platform
import SessionFile
import SessionWords
import TerminalDriver
import Testing

@testable import RetconCommand

@Suite("Hosts that misbehave")
struct MisbehavingHostTests {
  @Test(
    "verify says what a host did wrong, with its exit status, in bounds, and leaves no process",
    arguments: Misbehaviour.whileVerifying)
  func verifying(_ row: Misbehaviour) async throws {
    let runner = try CommandRunner()
    let session = await runner.recordCounter().replacing("$", with: runner.folder)
    let host = try ScriptedHost(row.script)
    let run = try ProgramRun(["verify", session, "--host", host.command.text] + row.options)
    let text = run.text.replacing(runner.folder, with: "$")
    #expect(text.contains(row.says), "it said: \(text)")
    #expect(run.status == row.status)
    #expect(run.memory < max(256, ProgramRun.memoryOfTests + 16))
    #expect(run.processorSeconds < 5)
    #expect(host.isGone)
  }

  @Test(
    "in the debugger keys answer whatever a host does, in bounds, and the host ends with it",
    arguments: Misbehaviour.inDebugger)
  func debugging(_ row: Misbehaviour) async throws {
    let runner = try CommandRunner()
    let session = await runner.recordCounter().replacing("$", with: runner.folder)
    let host = try ScriptedHost(row.script)
    let terminal = try PseudoTerminal(
      BuiltProgram.path("retcon"), [session, "--host", host.command.text] + row.options,
      columns: 130, rows: 30)
    // The report of the host's fault may replace the hints by then.
    try terminal.wait(for: " timeline ")
    terminal.type("10Gx")
    // The help stands over the names of the panes: opened and shut, each of them is written anew.
    let (help, panes) = ("move in time", " Effects ")
    for (key, words) in [("?", help), ("q", panes), ("?", help), ("q", panes)] {
      let (start, place) = (Deadline.now(), terminal.output.count)
      terminal.type(key)
      try terminal.wait(for: words, after: place)
      if Misbehaviour.isLong { #expect(Deadline.now() - start < 0.5) }
    }
    if let memory = terminal.largestMemory { #expect(memory < 256) }
    terminal.type("q")
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(host.isGone)
  }

  @Test(
    "a signal that ends verify ends a host that computes",
    arguments: [SIGINT, SIGTERM, SIGHUP, SIGKILL], ["begin", Misbehaviour.onlyReduces])
  func signals(_ signal: Int32, _ start: String) async throws {
    let runner = try CommandRunner()
    let session = await runner.recordCounter().replacing("$", with: runner.folder)
    let host = try ScriptedHost("\(start); while :; do :; done")
    var start = ChildStart(
      BuiltProgram.path("retcon"), ["verify", session, "--host", host.command.text])
    start.isApart = true
    start.files = [0: .nothing, 1: .nothing, 2: .nothing]
    let program = try start.run()
    host.waitForStart()
    kill(program, signal)
    var status: Int32 = 0
    _ = retryingInterrupted { waitpid(program, &status, 0) }
    #expect(status & 0x7F == signal)
    #expect(host.isGone)
  }

  @Test(
    "a fork ends with what its host did wrong, and the next request starts the host again",
    arguments: Misbehaviour.whileForking)
  func forking(_ row: Misbehaviour) async throws {
    let runner = try CommandRunner()
    let session = await runner.recordCounter().replacing("$", with: runner.folder)
    let host = try ScriptedHost(row.script)
    let reader = try SessionReader(path: session)
    let connection = HostConnection(
      host.command, limits: HostLimits(patience: .seconds(60), timeToStart: .seconds(60)))
    try await connection.load(session, as: reader)
    let script = Script(leavesAt: 30, edits: [.skip(step: 31)])
    let request = RunRequest(branch: BranchPath("fork", script), from: 31)
    var text = ""
    do {
      let report = try await connection.run(request)
      text = "\(report.lastStep) \(report.ending?.sentence ?? "complete")"
    } catch {
      text = error.sentence
    }
    #expect(text.contains(row.says), "it said: \(text)")
    if let trouble = connection.trouble {
      #expect(connection.report.contains(trouble.failure.sentence))
    }
    connection.end()
    #expect(host.isGone)
  }
}

/// A host's fault, and the message that the user gets.
struct Misbehaviour: Sendable, CustomTestStringConvertible {
  var name: String
  var script: String
  var says: String
  var status: Int32
  var options: [String]

  /// Long enough for a busy machine: only a row about time waits for it.
  private static let patient = ["--patience", "60", "--start-time", "60"]
  private static let hasty = ["--patience", "3", "--start-time", "60"]

  init(
    _ name: String, _ script: String, _ says: String, status: Int32 = 2,
    options: [String] = Misbehaviour.patient
  ) {
    (self.name, self.script, self.says) = (name, script, says)
    (self.status, self.options) = (status, options)
  }

  var testDescription: String { name }

  /// The long tests run on a machine that does nothing else: they look at the clock, too.
  static let isLong = environmentVariable("RETCON_LONG") != nil

  /// The faults that the debugger meets: all of them in the long tests, else one in twelve.
  static let inDebugger = (whileVerifying + whileForking).enumerated()
    .filter { isLong || $0.offset.isMultiple(of: 12) }.map(\.element)

  static let whileVerifying = starting + loading + verifying + silence + floods + pipes + liars

  private static let starting = [
    Misbehaviour("nothing at all", "rest", "did not greet within 0.3 seconds", options: hastyStart),
    Misbehaviour("it stays deaf", "stay", "did not greet within 0.3 seconds", options: hastyStart),
    Misbehaviour(
      "a log line first", "hear; say 'Listening on 80'", "not a message: Listening on 80"),
    Misbehaviour("an empty object", "hear; say '{}'", "“id” is missing"),
    Misbehaviour("an array", "hear; say '[1]'", "an object was expected"),
    Misbehaviour("a torn object", "hear; say '{\"id\":1'", "not a message: expected"),
    Misbehaviour(
      "invalid UTF-8", "hear; printf '{\"id\":1,\"answer\":\"\\377\"}\\n'",
      "bytes that are not UTF-8"),
    Misbehaviour(
      "no name", #"hear; say '{"id":1,"answer":"greeting","version":[2,0]}'"#,
      "“name” is missing, a value was expected, in what the host said about `greet`"),
    Misbehaviour(
      "a version of words", #"hear; say '{"id":1,"answer":"greeting","version":"1","name":"a"}'"#,
      "“version” is \"1\", two whole numbers was expected"),
    Misbehaviour(
      "another major version",
      #"hear; say '{"id":1,"answer":"greeting","version":[7,0],"name":"a"}'; rest"#,
      "the host speaks version 7.0 of the protocol, this is 2.3"),
    Misbehaviour(
      "a negative version",
      #"hear; say '{"id":1,"answer":"greeting","version":[-1,0],"name":"a"}'"#,
      "“version[0]” is -1, and it lies between 0 and 1000000"),
    Misbehaviour(
      "the id as a word", #"hear; say '{"id":"1","answer":"greeting"}'"#,
      "“id” is \"1\", a whole number was expected"),
    Misbehaviour(
      "an id that was not asked", #"hear; say '{"id":9,"answer":"done"}'"#,
      "“id” is 9, and no request with this id waits"),
    Misbehaviour(
      "a huge id", #"hear; say '{"id":9223372036854775807,"answer":"done"}'"#,
      "“id” is 9223372036854775807, a whole number was expected"),
    Misbehaviour(
      "an answer to something else", #"hear; say '{"id":1,"answer":"done"}'"#,
      "“answer” is “done”, which answers another request, in what the host said about `greet`"),
    Misbehaviour(
      "an unknown answer", #"hear; say '{"id":1,"answer":"hello"}'"#,
      "“answer” is \"hello\", an answer that is known was expected"),
    Misbehaviour(
      "it refuses to greet", #"hear; say '{"id":1,"refusal":"other","message":"Closed today."}'"#,
      "the host refused: Closed today."),
    Misbehaviour(
      "it leaves at once", "exit 3", "the host ended with exit status 3"),
    Misbehaviour(
      "it says why it leaves", "echo 'no config' >&2; exit 1",
      "the host ended with exit status 1: no config"),
    Misbehaviour(
      "a program that is not there", "exec /no/such/program", "the host ended with exit status 127"),
  ]

  private static let hastyStart = ["--patience", "60", "--start-time", "0.3"]

  /// A greeting of a host that only reduces.
  static let onlyReduces =
    #"hear; say '{"id":1,"answer":"greeting","version":[2,0],"name":"a","thin":true}'"#

  private static let loading = [
    Misbehaviour(
      "it is silent about the session", "greet; rest", "did not answer `load` within 3 seconds",
      options: ["--patience", "60", "--start-time", "3"]),
    Misbehaviour(
      "fewer steps", loads(#""steps":20,"grade":"fine""#) + "verified 20; rest",
      "“steps” is 20, and only 34 is possible"),
    Misbehaviour(
      "no steps", loads(#""steps":0,"grade":"fine""#) + "verified 0; rest",
      "“steps” is 0, and only 34 is possible"),
    Misbehaviour(
      "more steps", loads(#""steps":40,"grade":"fine""#) + "verified 40; rest",
      "“steps” is 40, and only 34 is possible"),
    Misbehaviour(
      "negative steps", loads(#""steps":-3,"grade":"fine""#),
      "“steps” is -3, and only 34 is possible, in what the host said about `load`"),
    Misbehaviour(
      "absurd steps", loads(#""steps":99999999999999999,"grade":"fine""#),
      "“steps” is 99999999999999999"),
    Misbehaviour(
      "an unknown grade", loads(#""steps":34,"grade":"great""#),
      "“grade” is \"great\", a known word"),
    Misbehaviour(
      "a finding at no step",
      loads(
        #""steps":34,"grade":"risky","findings":[{"step":-1,"type":"T","path":"","problem":"p"}]"#),
      "“findings.step” is -1"),
    Misbehaviour(
      "more unchecked than there are", loads(#""steps":34,"grade":"fine","unchecked":35"#),
      "“unchecked” is 35, and it lies between 0 and 34"),
    Misbehaviour(
      "risky is said",
      loads(
        #""steps":34,"grade":"risky","findings":[{"step":4,"type":"Int","path":"/a","problem":"gone"}]"#
      )
        + "verified 34; rest",
      "some of it cannot run again: step 4 at /a: gone (Int).", status: 0),
    Misbehaviour(
      "impossible", loads(#""steps":34,"grade":"impossible""#) + "rest",
      "it can be browsed but cannot run again"),
    Misbehaviour(
      "it refuses the session",
      #"greet; hear; say '{"id":2,"refusal":"unreadable","message":"no such file"}'; rest"#,
      "the host refused: no such file."),
    Misbehaviour(
      "it dies of the session", "greet; hear; echo 'out of range' >&2; kill -ILL $$",
      "the host ended with signal 4 (SIGILL): out of range"),
    Misbehaviour(
      "progress beyond the end",
      #"greet; hear; say '{"id":2,"news":"progress","done":99,"of":34}'"#,
      "“done” is 99, and it lies between 0 and 34, in what the host said about `load`"),
    Misbehaviour(
      "progress of nothing", #"greet; hear; say '{"id":2,"news":"progress","done":0,"of":-1}'"#,
      "“of” is -1"),
  ]

  private static func loads(_ members: String) -> String {
    "greet; hear; say '{\"id\":2,\"answer\":\"loaded\",\(members)}'; hear; "
  }

  private static let verifying = [
    Misbehaviour(
      "all is well", "begin; verified 34; rest", "34 steps were run again, all as recorded.",
      status: 0),
    Misbehaviour("it ran nothing", "begin; verified 0; rest", "the host ran 0 of 34 steps again"),
    Misbehaviour("it ran three", "begin; verified 3; rest", "the host ran 3 of 34 steps again"),
    Misbehaviour(
      "it ran a million", "begin; verified 1000000; rest", "the host ran 1,000,000 of 34 steps"),
    Misbehaviour("it ran minus three", "begin; verified -3", "“report.steps” is -3"),
    Misbehaviour(
      "it ran 10¹⁷ steps", "begin; verified 99999999999999999",
      "“report.steps” is 99999999999999999"),
    Misbehaviour(
      "steps of a fraction", "begin; verified 33.5", "“report.steps” is 33.5, a whole number"),
    Misbehaviour(
      "whole numbers as 1.0",
      #"hear; say '{"id":1.0,"answer":"greeting","version":[2.0,1.0],"name":"Lua"}'; hear;"#
        + #"say '{"id":2.0,"answer":"loaded","steps":34.0,"grade":"fine"}'; hear;"#
        + #"say '{"id":3.0,"answer":"verified","report":{"steps":34.0}}'; rest"#,
      "34 steps were run again, all as recorded.", status: 0),
    Misbehaviour(
      "it says partial", #"begin; verified 34 ',"partial":true'; rest"#,
      "the host says that it did not check everything"),
    Misbehaviour(
      "an action that does not decode",
      #"begin; verified 34 ',"undecodable":[{"step":4,"label":"a","reason":"gone"}]'; rest"#,
      "34 steps were run again, equal but for 1 whose action does not decode.", status: 1),
    Misbehaviour(
      "a divergence at no step",
      #"begin; verified 34 ',"divergences":[{"step":-4,"label":"a","kind":"different state"}]'"#,
      "“report.divergences.step” is -4"),
    Misbehaviour(
      "a divergence far away",
      #"begin; verified 34 ',"divergences":[{"step":9000000000,"label":"a","kind":"different state"}]'"#,
      "“report.divergences.step” is 9000000000, and it lies between 0 and 1000034"),
    Misbehaviour(
      "a divergence of no kind",
      #"begin; verified 34 ',"divergences":[{"step":4,"label":"a","kind":"odd"}]'"#,
      "“report.divergences[0].kind” is \"odd\", a known word"),
    Misbehaviour(
      "a thousand divergences",
      #"begin; d='{"step":4,"label":"a","kind":"different state","hint":"x"}'; l="$d";"#
        + #"for i in 1 2 3 4 5 6 7 8 9; do l="$l,$l"; done;"#
        + #"verified 34 ",\"divergences\":[$l]"; rest"#,
      "and 502 differences more; --all shows them", status: 1),
    Misbehaviour(
      "steps that nobody asked for", "begin; step 1", "and no steps were asked for"),
    Misbehaviour(
      "it dies in a step",
      #"begin; say '{"id":3,"news":"dying","step":12,"words":"signal"}'; kill -SEGV $$"#,
      "step 12", status: 1),
    Misbehaviour(
      "it dies somewhere", "begin; kill -KILL $$",
      "signal 9 (SIGKILL): it was killed, perhaps by the system when memory ran out"),
    Misbehaviour(
      "it dies at no step",
      #"begin; say '{"id":3,"news":"dying","step":-7,"words":""}'; kill -SEGV $$"#,
      "“step” is -7"),
    Misbehaviour("it leaves", "begin; exit 0", "the host ended with exit status 0"),
    Misbehaviour(
      "it refuses", #"begin; say '{"id":3,"refusal":"unknownRequest","message":"verify?"}'; rest"#,
      "the host refused: verify?."),
    Misbehaviour(
      "it answers twice", "begin; verified 34; verified 34; sleep 0.2; rest",
      "34 steps were run again, all as recorded.", status: 0),
    Misbehaviour(
      "progress below zero", #"begin; say '{"id":3,"news":"progress","done":-1,"of":9}'"#,
      "“done” is -1, and it lies between 0 and 9, in what the host said about `verify`"),
    Misbehaviour(
      "progress beyond all numbers",
      #"begin; say '{"id":3,"news":"progress","done":9223372036854775807,"of":9223372036854775807}'"#,
      "“done” is 9223372036854775807, a whole number was expected"),
    Misbehaviour(
      "progress of 10¹⁷",
      #"begin; say '{"id":3,"news":"progress","done":99999999999999999,"of":"#
        + #"99999999999999999}'; verified 34; rest"#,
      "34 steps were run again, all as recorded.", status: 0),
    Misbehaviour(
      "unknown news", #"begin; say '{"id":3,"news":"song","text":"la"}'; verified 34; rest"#,
      "34 steps were run again, all as recorded.", status: 0),
  ]

  private static let silence = [
    Misbehaviour(
      "it only reduces, and computes the first state without end",
      onlyReduces + "; while :; do :; done",
      "the host refused: the host did not answer in time; --start-time allows more",
      options: ["--patience", "60", "--start-time", "3"]),
    Misbehaviour(
      "it only reduces, and leaves", onlyReduces + "; hear; echo 'no' >&2; exit 3",
      "the host refused: the reducer ended its process with exit status 3"),
    Misbehaviour(
      "it only says where it is", "begin; where",
      "the host did not answer `verify` within 3 seconds and was stopped", options: hasty),
    Misbehaviour(
      "it stays in one step", #"begin; where ',"step":7'"#,
      "the reducer did not return in time", status: 1, options: hasty),
    Misbehaviour(
      "it is in a step that does not exist", #"begin; where ',"step":-7'"#, "“step” is -7",
      options: hasty),
    Misbehaviour(
      "it makes the same progress for ever",
      #"begin; while :; do say '{"id":3,"news":"progress","done":1,"of":9}'; sleep 0.05; done"#,
      "the host did not answer `verify` within 3 seconds", options: hasty),
    Misbehaviour(
      "its progress goes to and fro",
      #"begin; while :; do for i in 1 2 3 2; do say '{"id":3,"news":"progress","done":'$i',"of":9}';"#
        + "sleep 0.05; done; done",
      "the host did not answer `verify` within 3 seconds", options: hasty),
    Misbehaviour(
      "it finds more to do all the time",
      #"begin; i=1; while :; do say '{"id":3,"news":"progress","done":0,"of":'$i'}'; i=$((i+1)); done"#,
      "the host did not answer `verify` within 3 seconds", options: hasty),
    Misbehaviour(
      "it sings for ever",
      #"begin; while :; do say '{"id":3,"news":"song"}'; done"#,
      "the host did not answer `verify` within 3 seconds", options: hasty),
    Misbehaviour(
      "divergences as news for ever",
      #"begin; while :; do say '{"id":3,"news":"divergence","divergence":{"step":1,"label":"","kind":"different state"}}'; done"#,
      "the host did not answer `verify` within 3 seconds", options: hasty),
    Misbehaviour(
      "it computes without end", "begin; while :; do :; done",
      "the host did not answer `verify` within 3 seconds", options: hasty),
    Misbehaviour(
      "it stays when asked to quit", "begin; verified 34; stay",
      "34 steps were run again, all as recorded.", status: 0),
    Misbehaviour(
      "it computes when asked to quit", "begin; verified 34; while :; do :; done",
      "34 steps were run again, all as recorded.", status: 0),
    Misbehaviour(
      "what it started stays", "begin; verified 34; sleep 1000 & rest",
      "34 steps were run again, all as recorded.", status: 0),
  ]
}
