import HostProtocol
import Platform
import Samples
import SessionFile
import SessionWords
import TestSupport
import Testing
import TextCanvas
import TimeTravel
import ValueTree

@testable import Debugger
@testable import ForkSearch

@Suite("Searches in the debugger")
struct QuestTests {
  private let folder: TemporaryFolder
  private let app: DebuggerApp

  init() async throws {
    folder = try TemporaryFolder()
    await WishesSample.recordDemo(to: folder("wishes.retcon"))
    let reader = try SessionReader(path: folder("wishes.retcon"))
    let session = OpenSession(
      SessionRecording(reader), host: try EngineHost<WishesSample>(reader),
      sidecar: Sidecar(session: folder("wishes.retcon")))
    app = DebuggerApp(
      session: session, size: Size(width: 100, height: 34), position: Position(step: 5),
      output: { _ in }, onChange: {})
    await app.start().finish()
  }

  private func type(_ command: String) async {
    for event in [.key(.character(":")), .paste(command), .key(.enter)] as [InputEvent] {
      await app.handle(event).finish()
    }
  }

  private var lines: [String] {
    if case .list(.text(_, let lines), _)? = app.state.overlay { lines.map(\.text) } else { [] }
  }

  @Test(":minimize makes a fork of the smallest session, and says what is known of each action")
  func minimize() async throws {
    await type("minimize state.destination.alert")
    #expect(app.state.branches.map(\.name) == ["main", "fork 1"])
    #expect(app.state.branches[1].steps.upperBound == 3)
    // The verdict first, then the value that is broken, then the steps.
    #expect(lines.first?.hasPrefix("2 of 4 actions are enough") == true, "\(lines)")
    #expect(
      lines[1].hasPrefix("state.destination.alert: after step 5 of main, destination.alert is "),
      "\(lines)")
    #expect(lines[2] == "1 binding.name")
    #expect(app.state.searches.finding == nil)
    // The fork keeps its known marks.
    #expect(app.state.branches[1].note?.hasPrefix("2 of 4 actions are enough") == true)
    let marks = app.state.keeping.marks.filter { $0.key.branch == "fork 1" }
    #expect(marks.keys.map(\.step).sorted() == [1, 2])
    #expect(marks.values.allSatisfy { $0.hasPrefix("needed") }, "\(marks)")
  }

  @Test("the box of :minimize numbers the actions as the fork does, and names their steps")
  func numbers() async throws {
    await type("minimize state.name == 'Stef'")
    #expect(lines.contains("1 binding.name (9 of main)"), "\(lines)")
    #expect(app.state.branch.steps == 0...1)
  }

  @Test("Enter on a step of the box goes there, and :result lists what was found")
  func results() async throws {
    await type("minimize state.destination.alert")
    for key in "jj⏎" { await app.handle(.key(.typed(key))).finish() }
    #expect(app.state.overlay == nil)
    #expect(app.state.here == Position(branch: "fork 1", step: 1), "\(app.frame.text)")
    #expect(app.frame.text.contains("2 of 4 are enough"), "\(app.frame.text)")
    await type("goto main/5")
    // The same search again shows its result, and makes no second fork.
    await type("minimize state.destination.alert")
    #expect(lines.first?.hasPrefix("2 of 4 actions are enough") == true)
    #expect(app.state.branches.count == 2)
    await app.handle(.key(.escape)).finish()
    await type("why state.destination.alert")
    await app.handle(.key(.escape)).finish()
    await type("result")
    #expect(app.state.overlay == .list(.results), "\(app.frame.text)")
    // Each says what it was about.
    #expect(app.frame.text.contains("the reason: state.destination.alert"), "\(app.frame.text)")
    for key in "j⏎" { await app.handle(.key(.typed(key))).finish() }
    #expect(lines.first?.hasPrefix("2 of 4 actions are enough") == true, "\(lines)")
    // Asked on the fork that it found, it is the same search.
    await app.handle(.key(.escape)).finish()
    await type("goto fork 1/1")
    await type("minimize state.destination.alert")
    #expect(lines.first?.hasPrefix("2 of 4 actions are enough") == true, "\(lines)")
    #expect(app.state.branches.map(\.name).filter { $0.hasPrefix("fork") }.count <= 2)
  }

  @Test("S offers the rule that the step breaks")
  func rule() async {
    await type("rule !state.destination.alert")
    await app.handle(.key(.character("S"))).finish()
    #expect(app.state.prompt?.shownGhost == "!(!state.destination.alert)")
    await app.handle(.key(.enter)).finish()
    #expect(lines.first?.hasPrefix("2 of 4 actions are enough") == true, "\(lines)")
  }

  @Test(":minimize of the counter keeps a fork that shows it, with nothing unknown")
  func counter() async throws {
    await CounterSample.recordDemo(to: folder("counter.retcon"))
    let reader = try SessionReader(path: folder("counter.retcon"))
    let app = DebuggerApp(
      session: OpenSession(
        SessionRecording(reader), host: try EngineHost<CounterSample>(reader, onTape: true),
        sidecar: Sidecar(session: folder("counter.retcon"))),
      size: Size(width: 100, height: 34), output: { _ in }, onChange: {})
    await app.start().finish()
    for event in [.key(.character(":")), .paste("minimize state.message"), .key(.enter)]
      as [InputEvent]
    {
      await app.handle(event).finish()
    }
    for key in "⎋G" { await app.handle(.key(.typed(key))).finish() }
    #expect(app.state.branch.name == "fork 1", "\(app.frame.text)")
    #expect(app.state.moment?.state?["message"] != nil, "\(app.frame.text)")
    #expect(!app.frame.text.contains("Unknown"), "\(app.frame.text)")
  }

  @Test(":why draws under the slider how surely it happens, and forks the session without it")
  func why() async throws {
    await type("why state.destination.alert")
    #expect(lines.first?.hasPrefix("Necessary: ") == true, "\(lines)")
    #expect(lines[1].hasPrefix("5 wishesResponse  sent by fetchWishes"), "\(lines)")
    #expect(app.state.branches.count == 2)
    #expect(app.state.timeline.curve.last?.share == 1)
    #expect(app.state.timeline.curve.first.map { $0.share < 1 } == true)
    await app.handle(.key(.escape)).finish()
    #expect(app.frame.text.contains("█"))
    #expect(app.frame.text.contains("wishesResponse: "), "the jump has its name")
    await app.handle(.key(.escape)).finish()
    #expect(app.state.timeline.curve.isEmpty)
  }

  @Test(":why without a session that avoids it is still the reason, and says why no fork is there")
  func withoutFork() async throws {
    var update = DebuggerUpdate(app.state)
    update.state.searches.finding = .forks(.why)
    let reason = Reason(links: [], curve: [], verdict: Verdict(.happens))
    update.receiveForkSearch(.why, ForkSearchUpdate(lines: reason.sentences))
    guard case .list(.text("the reason", let lines), _)? = update.state.overlay else {
      Issue.record("\(String(describing: update.state.overlay))")
      return
    }
    #expect(lines.first?.text == "No single change that was tried avoids it, so there is no fork.")
  }

  @Test("what :explore finds is a fork of the fewest actions, named by the order that they need")
  func exploreFinds() async throws {
    await type("24")
    await type("explore !(state.destination.submit && label == 'binding.name')")
    let name = "answer 25 of close comes after 26 binding.name"
    #expect(lines.first?.hasPrefix("1 session tried") == true && lines[1] == "✗ \(name)")
    let fork = try #require(app.state.branches.last)
    #expect(fork.name == name && fork.note != nil)
    #expect(fork.steps.upperBound < 12, "it is minimised")
  }

  @Test(
    "what does not happen again in a new process is told, and makes no fork",
    arguments: [
      (
        "minimize state.destination.alert", "the smallest session was found, but it does not happen"
      ),
      ("why state.destination.alert", "the smallest session was found, but it does not happen"),
      (
        "explore !(state.destination.submit && label == 'binding.name')",
        "an order that breaks the rule was found, but it does not happen"
      ),
    ])
  func remembered(command: String, words: String) async throws {
    let reader = try SessionReader(path: folder("wishes.retcon"))
    let host = ForgetfulHost(host: try EngineHost<WishesSample>(reader))
    let app = DebuggerApp(
      session: OpenSession(SessionRecording(reader), host: host),
      size: Size(width: 200, height: 34),
      position: Position(step: 24), output: { _ in }, onChange: {})
    await app.start().finish()
    for event in [.key(.character(":")), .paste(command), .key(.enter)] as [InputEvent] {
      await app.handle(event).finish()
    }
    #expect(
      app.state.message?.text
        == "\(words) when that runs again. Its reducer gives another result each "
        + "time; retcon verify shows where.", "\(app.frame.text)")
    #expect(app.state.branches.count == 1)
  }

  @Test("the last run of a search starts in a new process, and the fork stays")
  func ownProcess() async throws {
    let reader = try SessionReader(path: folder("wishes.retcon"))
    let host = SharedHost(host: try EngineHost<WishesSample>(reader))
    let app = DebuggerApp(
      session: OpenSession(SessionRecording(reader), host: host),
      size: Size(width: 100, height: 34), position: Position(step: 5), output: { _ in },
      onChange: {})
    await app.start().finish()
    for event in [.key(.character(":")), .paste("minimize state.destination.alert"), .key(.enter)]
      as [InputEvent]
    {
      await app.handle(event).finish()
    }
    #expect(app.state.branches.count == 2)
    #expect(host.restarts.withLock { $0 } == 1)
  }

  @Test("a fork behind a step that today's reducer takes differently says so")
  func differentBefore() async throws {
    let text = folder.text("wishes.retcon")
    let otherwise = text.replacing(#""value":"Stf""#, with: #""value":"Stx""#)
    try #require(text != otherwise)
    _ = try folder.write(otherwise, to: "old.retcon")
    let reader = try SessionReader(path: folder("old.retcon"))
    let app = DebuggerApp(
      session: OpenSession(SessionRecording(reader), host: try EngineHost<WishesSample>(reader)),
      size: Size(width: 100, height: 34), position: Position(step: 5), output: { _ in },
      onChange: {})
    await app.start().finish()
    await app.handle(.key(.character("x"))).finish()
    let message = try #require(app.state.message)
    #expect(message.text.contains("oday's reducer takes a step before the fork"), "\(message)")
  }

  @Test("S, W and X ask for what they need, and offer the condition of the last search")
  func keys() throws {
    var debugger = TestDebugger(host: .ready("Wishes"))
    for (key, command) in [("S", "minimize "), ("W", "why "), ("X", "explore ")] {
      debugger.type(key)
      #expect(debugger.state.prompt?.line.text == command)
      #expect(debugger.state.prompt?.shownGhost.contains("as in state.total") == true)
      debugger.press(.escape)
    }
    debugger.type(";state.destination.alert⏎")
    debugger.work = []
    debugger.type("S⏎")
    #expect(debugger.state.searches.finding?.words == "smallest session")
    #expect(debugger.work.contains { $0.name == "search forks" })
  }

  @Test(":explore names the order that breaks a rule; what cannot be asked is said")
  func explore() async throws {
    await type("explore state.name != 'nobody'")
    #expect(lines.last?.contains("the rule breaks in 0") == true, "\(lines)")
    await app.handle(.key(.escape)).finish()
    await type("explore state.name == 'nobody'")
    #expect(app.state.message?.text.contains("does not hold at step 0") == true)
    await type("minimize --divergence")
    #expect(app.state.message?.text.contains("it never happens") == true)
    await type("minimize state.name ==")
    #expect(app.state.message?.kind == .warning)
  }

  @Test("Ctrl-C makes a fork of the best so far")
  func stopping() throws {
    var debugger = TestDebugger(host: .ready("Wishes"))
    debugger.type(":minimize state.total < 0⏎")
    #expect(debugger.state.searches.finding?.words == "smallest session")
    let best = Script(leavesAt: 3, edits: [.skip(step: 4)])
    debugger.send(
      .questGrew(
        .minimize,
        ForkSearchUpdate(
          progress: "7 runs, 3 of 9 left", script: best,
          kept: KeptSteps(steps: [5, 7, 8], of: 9, last: 8))))
    #expect(debugger.state.message?.text.contains("7 runs, 3 of 9 left") == true)
    // The timeline thins out while it runs.
    let lines = DebuggerView.draw(debugger.state).text.split(separator: "\n")
    #expect(lines.contains { $0.contains("█") && $0.contains(" 3 of 9 left ") })
    debugger.press(.control("c"))
    #expect(debugger.work.contains(.cancel(id: Background.Job.finding)))
    #expect(debugger.work.contains(.addFork("fork 1", best)))
    // It waits in the list with what it was about, and the same search again goes on from it.
    let stopped = try #require(debugger.state.searches.results.first)
    #expect(stopped.title == "the smallest session, stopped" && stopped.about == "state.total < 0")
    #expect(stopped.lines.map(\.text).contains("The best so far is “fork 1”."))
    #expect(stopped.best == "fork 1")
  }

  @Test("the same search again goes on from a stopped one, and shows one that has ended")
  func goingOn() throws {
    var debugger = TestDebugger(host: .ready("Wishes"))
    debugger.type(":why state.total < 0⏎")
    debugger.press(.control("c"))
    let stopped = try #require(debugger.state.searches.results.first)
    #expect(stopped.title == "the reason, stopped" && stopped.about == "state.total < 0")
    #expect(debugger.state.message?.text.contains("goes on from here") == true)
    debugger.work = []
    debugger.type(":why state.total < 1⏎")
    #expect(debugger.state.searches.search?.memory !== stopped.search?.memory)
    debugger.press(.control("c"))
    debugger.type(":why state.total < 0⏎")
    #expect(debugger.state.searches.finding?.words == "reason")
    #expect(debugger.work.contains { $0.name == "search forks" })
    #expect(debugger.state.searches.search?.memory === stopped.search?.memory)
    #expect(debugger.state.searches.results.map(\.about) == ["state.total < 1"])
    debugger.send(.questGrew(.why, ForkSearchUpdate(lines: ["Necessary: 4 b."])))
    debugger.press(.escape)
    debugger.type(":why state.total < 0⏎")
    #expect(debugger.state.searches.finding == nil)
    #expect(debugger.state.searches.results.map(\.about) == ["state.total < 0", "state.total < 1"])
  }
}

/// A host whose reducer acts otherwise in a new process: no step of it changes the state.
private struct ForgetfulHost: BranchHost {
  let host: EngineHost<WishesSample>
  private let isNew = Locked(false)
  var name: String { host.name }

  init(host: EngineHost<WishesSample>) { self.host = host }

  func restart() { isNew.withLock { $0 = true } }

  func run(
    _ branch: BranchPath, from step: Int, onStep: @escaping @Sendable (BranchStep) -> Void
  ) async throws -> BranchReport {
    guard isNew.withLock({ $0 }) else {
      return try await host.run(branch, from: step, onStep: onStep)
    }
    return BranchReport(lastStep: step)
  }

  func state(of branch: BranchPath, after step: Int) async throws -> Value {
    try await host.state(of: branch, after: step)
  }
}

/// A host that counts how often it is ended; a search gets another one.
private struct SharedHost: BranchHost {
  let host: EngineHost<WishesSample>
  let restarts = Locked(0)
  var name: String { host.name }

  init(host: EngineHost<WishesSample>) { self.host = host }

  func restart() { restarts.withLock { $0 += 1 } }

  func another() async -> any BranchHost { host }

  func run(
    _ branch: BranchPath, from step: Int, onStep: @escaping @Sendable (BranchStep) -> Void
  ) async throws -> BranchReport { try await host.run(branch, from: step, onStep: onStep) }

  func state(of branch: BranchPath, after step: Int) async throws -> Value {
    try await host.state(of: branch, after: step)
  }
}
