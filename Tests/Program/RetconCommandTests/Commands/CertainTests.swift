import TerminalDriver
import TerminalKit
import TestSupport
import Testing
import TextCanvas

@testable import RetconCommand

@Suite(
  "What a search claims, it has tried", .needs(.node),
  .timeLimit(.minutes(20)))
struct CertainTests {
  private let runner: CommandRunner
  private let log: String

  init() throws {
    runner = try CommandRunner()
    _ = try runner.write(
      "export default (s = { n: 0 }, a) => (a.type === 'i' ? { n: s.n + 1 } : s);", as: "i.mjs")
    log = try runner.write(
      String(repeating: #"{"action":{"type":"i"}}"# + "\n", count: 3), as: "log.jsonl")
  }

  private func run(_ words: String...) async -> CommandRunner.Answer {
    await runner.run(words + ["--reducer", "$/i.mjs"])
  }

  @Test("a rule is not kept by orders that nobody could try")
  func nothingTried() async {
    let answer = await run("explore", log, "--rule", "state.n < 9")
    #expect(answer.status == .trouble, "\(answer)")
    #expect(answer.data.hasPrefix("0 sessions tried"), "\(answer)")
  }

  @Test(
    "a smallest session that only the runs before it made happen is none, in the debugger too",
    // For the second condition, no run of the search but the first reaches it.
    arguments: ["minimize", "why"], ["state.n >= 3", "state.n == 3"])
  func remembered(command: String, condition: String) async throws {
    let reducer = try runner.write(
      "export default (s = { n: 0 }, a) => a.type === 'i' ? { n: globalThis.q = (globalThis.q ?? 0) + 1 } : s;",
      as: "global.mjs")
    let states = try runner.write(
      (1...3).map { #"{"action":{"type":"i"},"state":{"n":\#($0)}}"# + "\n" }.joined(),
      as: "global.jsonl")
    let answer = await runner.run(command, states, "--until", condition, "--reducer", reducer)
    #expect(answer.status == .trouble && !answer.data.contains("certain"), "\(answer)")
    #expect(answer.messages.contains("when that runs again"), "\(answer)")
    let file = states.replacing("$", with: runner.folder)
    let given = try ParsedArguments(
      ["--reducer", reducer.replacing("$", with: runner.folder)], for: HostOptions.declarations)
    let context = runner.context(data: { _ in }, messages: { _ in })
    let workFolder = WorkFolder(context.environment)
    let host = try HostOptions(given).connection(in: context, workFolder, for: file)
    defer { host?.end() }
    let screen = MemoryScreen(size: Size(width: 200, height: 24))
    var session = SessionArgument(file: file)
    session.position.step = 1
    let debugger = DebuggerRun(session: session, host: host, workFolder: workFolder)
    let running = Task { try await debugger.show(on: screen, context) }
    await screen.shows("1/3")
    for event in [.key(.character(":")), .paste("\(command) \(condition)"), .key(.enter)]
      as [InputEvent]
    {
      screen.send(event)
    }
    await screen.shows("when that runs again")
    for _ in 0..<3 { screen.send(.key(.character("q"))) }
    _ = try await running.value
  }

  @Test("a test of what was minimized, or of an active rule, fails while the bug is there")
  func redTest() async throws {
    let file = log.replacing("$", with: runner.folder)
    let given = try ParsedArguments(
      ["--reducer", "\(runner.folder)/i.mjs"], for: HostOptions.declarations)
    let context = runner.context(data: { _ in }, messages: { _ in })
    let workFolder = WorkFolder(context.environment)
    let host = try HostOptions(given).connection(in: context, workFolder, for: file)
    defer { host?.end() }
    let screen = MemoryScreen(size: Size(width: 200, height: 24))
    let debugger = DebuggerRun(
      session: SessionArgument(file: file), host: host,
      script: try HostOptions(given).reducer?.script, workFolder: workFolder)
    let running = Task { try await debugger.show(on: screen, context) }
    await screen.shows("0/3")
    func type(_ events: [InputEvent]) { for event in events { screen.send(event) } }
    type([.key(.character(":")), .paste("rule state.n < 3"), .key(.enter)])
    type([.key(.character(":")), .paste("test \(runner.folder)/rule.test.mjs"), .key(.enter)])
    await screen.shows(
      "rule.test.mjs, with retcon-load.mjs and retcon-steps.mjs beside it. It fails as long as")
    type([.key(.character(":")), .paste("minimize state.n == 2"), .key(.enter)])
    await screen.shows("keep it as a test")
    type([.key(.enter)])
    await screen.shows(":test Fork")
    type([.key(.control("u")), .paste("test \(runner.folder)/small.test.mjs"), .key(.enter)])
    await screen.shows("small.test.mjs. It fails as long as the bug is there")
    for _ in 0..<3 { screen.send(.key(.character("q"))) }
    _ = try await running.value
    for (name, steps) in [("rule", 3), ("small", 2)] {
      let test = "\(runner.folder)/\(name).test.mjs"
      let text = try CommandRunner.text(ofFile: test)
      #expect(text.contains("Fails until the reducer keeps the rule: "), "\(text.suffix(600))")
      #expect(text.contains("steps 1 to \(steps)\""), "\(text.suffix(600))")
      #expect(try Subprocess.run("node", ["--test", test], input: "") != 0)
    }
    FileSystem.remove("\(runner.folder)/i.mjs")
    _ = try runner.write(
      "export default (s = { n: 0 }, a) => ({ n: Math.min(1, s.n + 1) });", as: "i.mjs")
    for name in ["rule", "small"] {
      let test = "\(runner.folder)/\(name).test.mjs"
      #expect(try Subprocess.run("node", ["--test", test], input: "") == 0)
    }
  }

  @Test("a name that no fork may have is refused before the search")
  func names() async {
    for command in ["minimize", "why", "explore", "fork"] {
      let answer = await run(
        command, "$/none.jsonl@2", command == "fork" ? "--skip" : "--crash", "--name", "a/b")
      #expect(answer.messages.contains("a name cannot hold /"), "\(answer)")
    }
  }

  @Test("computed and lost steps are not called recorded")
  func standings() async throws {
    let computed = await run("steps", log, "--json")
    #expect(computed.status == .yes && !computed.data.contains("standing"), "\(computed)")
    let lines = #"{"state":{"n":0}}"# + "\n" + #"{"action":{"type":"i"},"state":{"n":1}}"#
    let file = try runner.write(lines + "\n" + #"{"action":"# + "\n", as: "lost.jsonl")
    let steps = await runner.run("steps", file, "--json").data.split(separator: "\n")
    #expect(steps.map { $0.contains(#""standing":{"values":"recorded""#) } == [true, true, false])
  }

  @Test("where the reducer runs alone nothing is certain, so --known refuses to start")
  func known() async {
    let guess = await run("why", log + "@3", "n")
    #expect(guess.status == .yes && guess.data.contains("a guess"), "\(guess)")
    let known = await run("why", log + "@3", "n", "--known")
    #expect(known.status == .trouble && known.data.isEmpty, "\(known)")
    #expect(known.messages.contains("--known starts from what is known"), "\(known)")
  }
}
