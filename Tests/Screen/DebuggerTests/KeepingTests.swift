import Platform
import SessionFile
import SessionWords
import TestSupport
import Testing
import TextCanvas
import ValueTree

@testable import Debugger
@testable import TimeTravel

@Suite("Nothing that was made is lost on the way out")
struct KeepingTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try folder.write("{\"retcon\":\"1.0\"}\n", to: "wishes.retcon")
  }

  private func open(patience: Duration = .seconds(5)) -> OpenSession {
    OpenSession(
      Wishes.recording, host: FakeHost(recording: Wishes.recording),
      sidecar: Sidecar(session: path, patience: patience))
  }

  /// A debugger whose outputs are collected.
  private func app(_ session: OpenSession) -> (DebuggerApp, Locked<[DebuggerOutput]>) {
    let outputs = Locked<[DebuggerOutput]>([])
    let app = DebuggerApp(
      session: session, size: Size(width: 120, height: 24), position: Position(step: 5),
      output: { output in outputs.withLock { $0.append(output) } }, onChange: {})
    return (app, outputs)
  }

  @Test("a mark made right before q is there the next time")
  func markAndLeave() async throws {
    let (app, outputs) = app(open())
    await app.start().finish()
    // No work finishes between the keys.
    let mark = app.handle(.key(.character("m")))
    let leave = app.handle(.key(.character("q")))
    await mark.finish()
    await leave.finish()
    #expect(outputs.withLock { $0 } == [.quit])
    #expect(open().marks == [Position(step: 5): ""])
  }

  @Test("a saved rule that is code is shown, stays saved, and does not run before it is typed")
  func codeWaits() async throws {
    let code = "rules.mjs#isSorted"
    let view: Value = [
      "rules": [.string(code), "state.name != 'x'"], "filter": .string("only \(code)"),
      "search": .string("!\(code)"),
    ]
    try Sidecar(session: path).update { $0.view["asked"] = view }
    let session = open()
    try #require(session.savedView.rules == ["state.name != 'x'"])
    #expect(session.savedView.waiting == [code])
    #expect(session.savedView.filter == nil && session.savedView.search == nil)
    let (app, _) = app(session)
    await app.start().finish()
    #expect(app.state.searches.rules == ["state.name != 'x'"])
    let words = "The rule \(code) is code, which waits: :rule \(code) runs it."
    #expect(app.state.message?.text == words)
    for character in ":rule step >= 0" { await app.handle(.key(.character(character))).finish() }
    await app.handle(.key(.enter)).finish()
    await app.handle(.key(.character("q"))).finish()
    #expect(open().savedView.waiting == [code])
  }

  @Test("rules, watches and the filter come back, whatever is told before the session is shown")
  func viewComesBack() async throws {
    let (app, _) = app(open())
    await app.start().finish()
    for key in [":rule state.name != 'x'", ":watch name", ":watch wishes", ":filter step > 2"] {
      for character in key { await app.handle(.key(.character(character))).finish() }
      await app.handle(.key(.enter)).finish()
    }
    let (again, _) = self.app(open())
    again.arrange("17/26/345 0")
    again.hostChanged(.ready("Wishes"))
    await again.start().finish()
    #expect(again.state.searches.rules == ["state.name != 'x'"])
    #expect(again.state.watch.places.map(\.text) == ["name", "wishes"])
    #expect(again.state.filter.now?.question != nil)
    #expect(open().savedView.rules == ["state.name != 'x'"])
    #expect(open().savedView.watches == ["name", "wishes"])
  }

  @Test(
    "a session comes back at the branch and the step where it was left, unless one is asked for")
  func comingBack() async throws {
    let (app, outputs) = app(open())
    await app.start().finish()
    for key in "x20Gq" { await app.handle(.key(.character(key))).finish() }
    #expect(outputs.withLock { $0 } == [.quit])
    #expect(app.state.here == Position(branch: "fork 1", step: 20))
    let size = Size(width: 120, height: 24)
    let again = DebuggerApp(session: open(), size: size, output: { _ in }, onChange: {})
    #expect(again.state.here == Position(step: 20))
    await again.start().finish()
    #expect(again.state.here == Position(branch: "fork 1", step: 20))
    let elsewhere = DebuggerApp(
      session: open(), size: size, position: Position(step: 7), output: { _ in }, onChange: {})
    await elsewhere.start().finish()
    #expect(elsewhere.state.here == Position(step: 7))
  }

  @Test("what cannot be saved is said in B, in :notices and by q, which asks")
  func notSaved() async throws {
    try folder.write("", to: "wishes.retcon.sidecar.lock")
    let descriptor = Platform.open(path + ".sidecar.lock", O_RDWR | O_CLOEXEC)
    try #require(flock(descriptor, LOCK_EX) == 0)
    let (app, outputs) = app(open(patience: .zero))
    await app.start().finish()
    func type(_ text: String) async {
      for key in text {
        await app.handle(.key(key == "⏎" ? .enter : key == "⎋" ? .escape : .character(key)))
          .finish()
      }
    }
    await type("xB")
    let reason = "\(path).sidecar.lock: another program holds this lock."
    #expect(app.frame.text.contains("not saved: /"))
    await type("⎋:notices⏎")
    #expect(app.frame.text.contains("The fork “fork 1” is not saved"))
    await type("⎋q")
    #expect(outputs.withLock { $0 } == [])
    #expect(app.state.keeping.notKept == ["The fork “fork 1” is not saved: \(reason)"])
    #expect(app.frame.text.contains("q leaves anyway, any other key stays"))
    await type("jq")
    #expect(outputs.withLock { $0 } == [])
    await type("q")
    #expect(outputs.withLock { $0 } == [.quit])
    // As soon as it can be saved, q saves it.
    await type("⎋")
    close(descriptor)
    await type("q")
    #expect(outputs.withLock { $0 } == [.quit, .quit])
    #expect(open().branches.map(\.name) == ["main", "fork 1"])
  }

  @Test("a fork that was stopped before its first step is listed, and runs when one wants")
  func stopped() throws {
    var debugger = TestDebugger(at: 5, host: .ready("WishesHost"))
    debugger.type("x")
    let script = Script(leavesAt: 4, edits: [.skip(step: 5)])
    let session = OpenSession(Wishes.recording, host: FakeHost(recording: Wishes.recording))
    let changed = ChangedScript(script: script, shows: 4)
    debugger.send(.scriptChanged("fork 1", changed, left: Position(step: 5)))
    _ = try session.addFork("fork 1", script)
    var report = KeepingReport(session)
    report.fork = "fork 1"
    debugger.send(.kept(report))
    #expect(debugger.work.contains(.runFork("fork 1")))
    debugger.press(.control("c"))
    #expect(debugger.state.branches.map(\.progress) == [.complete, .stopped])
    debugger.type("B")
    #expect(DebuggerView.draw(debugger.state).text.contains("stopped; Enter runs it again"))
    debugger.work = []
    debugger.type("j⏎")
    #expect(debugger.work.contains(.runFork("fork 1")))
    #expect(debugger.state.forks.running == "fork 1")
  }

  @Test("a fork that somebody else has given the name gets another one here, and z takes it back")
  func nameTaken() throws {
    var debugger = TestDebugger(at: 5, host: .ready("WishesHost"))
    let script = Script(leavesAt: 4, edits: [.skip(step: 5)])
    debugger.send(
      .scriptChanged(
        "fork 1", ChangedScript(script: script, shows: 4), left: Position(step: 5)))
    let session = OpenSession(Wishes.recording, host: FakeHost(recording: Wishes.recording))
    _ = try session.addFork("fork 1", script)
    try session.renameFork("fork 1", to: "fork 2")
    var report = KeepingReport(session)
    report.fork = "fork 1"
    report.remarks = ["Another debugger has made a “fork 1”: this one is “fork 2”."]
    debugger.send(.kept(report))
    #expect(debugger.state.branches.map(\.name) == ["main", "fork 2"])
    #expect(debugger.state.forks.running == "fork 1")
    #expect(debugger.state.message?.text == report.remarks[0])
    debugger.type("z")
    #expect(debugger.work.contains(.deleteFork("fork 1")))
  }

  @Test("forks of others come and go; z brings back what they have deleted")
  func others() throws {
    var debugger = TestDebugger(at: 5, host: .ready("WishesHost"))
    let session = OpenSession(Wishes.recording, host: FakeHost(recording: Wishes.recording))
    _ = try session.addFork("theirs", Script(leavesAt: 7))
    _ = session.setMark(Position(step: 3), "look")
    var report = KeepingReport(session)
    report.remarks = ["Another debugger has made “theirs”."]
    report.marks = [Position(step: 3): "look"]
    debugger.send(.othersWorked(report))
    #expect(debugger.state.branches.map(\.name) == ["main", "theirs"])
    #expect(debugger.state.keeping.marks == [Position(step: 3): "look"])
    debugger.state.go(to: Position(branch: "theirs", step: 7))
    let theirs = try #require(session.branch("theirs"))
    _ = try session.deleteFork("theirs")
    debugger.send(.othersWorked(KeepingReport(session)))
    #expect(debugger.state.branches.map(\.name) == ["main"])
    #expect(debugger.state.here == Position(step: 7))
    debugger.type("z")
    #expect(debugger.work.contains(.restoreForks([theirs])))
  }

  @Test("one Backspace too many leaves the prompt open: what is typed then is no command")
  func backspace() {
    for key in [":", "/", ";", "M"] {
      var debugger = TestDebugger(at: 5)
      debugger.type(key + "a")
      for _ in 0..<3 { debugger.press(.backspace) }
      debugger.type("xq")
      #expect(debugger.state.prompt?.line.text == "xq")
      #expect(!debugger.work.contains(.output(.quit)))
    }
  }
}

@Suite("Nothing that was typed is lost")
struct TypedAheadTests {
  private func session() -> OpenSession {
    OpenSession(Wishes.recording, host: FakeHost(recording: Wishes.recording))
  }

  @Test("keys typed while a fork runs are done in their order when it has run")
  func running() async {
    let app = DebuggerApp(
      session: session(), size: Size(width: 120, height: 24), position: Position(step: 7),
      output: { _ in }, onChange: {})
    await app.start().finish()
    // Three steps are skipped, and then the fork's tenth step, without a pause between the keys.
    for key in "xkxkx10Gx" { app.handle(.key(.character(key))) }
    while !app.state.input.waiting.isEmpty || app.state.forks.busy != nil { await Task.yield() }
    #expect(
      app.state.branches[1].script
        == Script(
          leavesAt: 4,
          edits: [.skip(step: 7), .skip(step: 6), .skip(step: 5), .skip(step: 13)]))
  }

  @Test("Escape forgets what waits, and Ctrl-C stops the fork too")
  func forgetting() {
    var debugger = TestDebugger(at: 5, host: .ready("WishesHost"))
    debugger.type("x3>j")
    #expect(debugger.state.here == Position(step: 5))
    debugger.type("⎋")
    let changed = ChangedScript(script: Script(leavesAt: 4), shows: 4)
    debugger.send(.scriptChanged("fork 1", changed, left: Position(step: 5)))
    #expect(debugger.state.here == Position(step: 5))
    debugger.type("3>j")
    #expect(debugger.state.here == Position(step: 5))
    #expect(
      debugger.state.message?.text == "Waits until “fork 1” has run; Esc cancels it.")
    debugger.type("⎋j")
    #expect(debugger.state.here == Position(step: 6))
    #expect(debugger.state.input.waiting.isEmpty)
  }

  @Test("a choice in the menu of f waits, with its f, for a fork that began since")
  func choosing() {
    var debugger = TestDebugger(at: 5, host: .ready("WishesHost"))
    debugger.type("f")
    debugger.state.forks.running = "it answers"
    debugger.type("i")
    #expect(debugger.state.input.waiting.events == "fi".map { .key(.character($0)) })
    debugger.state.forks.running = nil
    debugger.type("⎋fi")
    #expect(debugger.state.input.waiting.isEmpty)
    #expect(DebuggerView.draw(debugger.state).text.contains("fork at step 5 of main"))
  }

  @Test("help waits for no fork, and what waits is counted")
  func helping() {
    var debugger = TestDebugger(at: 5, host: .ready("WishesHost"))
    debugger.type("x?")
    #expect(debugger.state.overlay == .list(.help))
    debugger.type("⎋jj")
    let changed = ChangedScript(script: Script(leavesAt: 4), shows: 4)
    debugger.send(.scriptChanged("fork 1", changed, left: Position(step: 5)))
    #expect(
      DebuggerView.draw(debugger.state).text.contains(
        "running “fork 1” …  Ctrl-C stops it, 2 keys after it; Esc drops them"))
  }

  @Test("what is typed behind a key that waits for its moment goes into the line of the fork")
  func behind() async throws {
    var debugger = TestDebugger(at: 5, host: .ready("WishesHost"))
    debugger.type("j=")
    debugger.press(.control("w"))
    debugger.type("{}q")
    #expect(debugger.state.prompt == nil)
    try await debugger.bringMoment()
    #expect(debugger.line == "fork replace {}q")
    #expect(debugger.forkLine?.position == Position(step: 6))
  }

  @Test("a step that a running fork does not have yet is gone to when it has")
  func ahead() {
    var debugger = TestDebugger(at: 5, host: .ready("WishesHost"))
    let script = Script(leavesAt: 5, edits: [.skip(step: 6)])
    debugger.state.branches.append(
      Branch("fork 1", script: script, steps: 0...6, progress: .running))
    debugger.state.go(to: Position(branch: "fork 1", step: 6))
    debugger.type("20G")
    #expect(debugger.state.here.step == 6)
    debugger.send(.forkGrew(Branch("fork 1", script: script, steps: 0...32)))
    #expect(debugger.state.here == Position(branch: "fork 1", step: 20))
  }
}
