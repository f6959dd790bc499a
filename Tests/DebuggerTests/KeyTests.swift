import SessionLog
import Testing
import TextCanvas
import TimeTravel
import ValueTree

@testable import Debugger

/// The debugger's reducer with the work done by hand: keys in, state and wanted work out.
struct Desk {
  var state: DebuggerState
  var work: [Work] = []

  init(at step: Int = 5, host: HostStatus = .none, notices: [String] = []) {
    var summary = Wishes.recording.summary
    summary.notices = notices
    state = DebuggerState(session: summary, host: host, size: Size(width: 80, height: 24))
    state.go(to: Position(step: step), isJump: false)
    send(.started)
    for page in 0...0 {
      let id = StepPages.PageID(branch: "main", page: page)
      let rows = try? Wishes.session.rows(id.steps, of: "main")
      send(.stepsRead(id, rows ?? []))
    }
    work = []
  }

  mutating func send(_ action: DebuggerAction) {
    work += DebuggerFeature.work(of: action, on: &state)
  }

  /// Types each character; `⏎` is Enter and `⎋` Escape.
  mutating func type(_ text: String) {
    for character in text {
      switch character {
      case "⏎": send(.input(.key(.enter)))
      case "⎋": send(.input(.key(.escape)))
      case "⇥": send(.input(.key(.tab)))
      default: send(.input(.key(.character(character))))
      }
    }
  }

  mutating func press(_ key: Key) { send(.input(.key(key))) }

  /// The moment that is looked at, as the background would bring it.
  mutating func bringMoment() async throws {
    send(.momentRead(try await Wishes.session.moment(at: state.here)))
  }

  var step: Int { state.here.step }
}

@Suite("The keys that move in time")
struct MovingTests {
  @Test(
    "go to the step that less and vim would go to",
    arguments: [
      ("j", 6), ("k", 4), ("3j", 8), ("2k", 3), ("g", 0), ("G", 33), ("12G", 12), ("12g", 12),
      ("99G", 33), ("50%", 16), ("100%", 33), ("99j", 33), ("99k", 0), ("10j", 15),
    ])
  func moves(keys: String, step: Int) {
    var desk = Desk(at: 5)
    desk.type(keys)
    #expect(desk.step == step)
  }

  @Test("half pages and whole pages are those of the list that is seen")
  func pages() {
    var desk = Desk(at: 5)
    desk.press(.control("d"))
    #expect(desk.step == 13)
    desk.press(.control("u"))
    #expect(desk.step == 5)
    desk.type(" ")
    #expect(desk.step == 21)
    desk.type("b")
    #expect(desk.step == 5)
  }

  @Test("the step that is looked at stays in sight, in the middle after a jump")
  func scrolling() {
    var desk = Desk(at: 0)
    #expect(desk.state.listTop == 0)
    for _ in 0..<17 { desk.type("j") }
    #expect(desk.state.listTop == 1)
    desk.type("G")
    #expect(desk.state.listTop == 17)
    desk.type("g")
    #expect(desk.state.listTop == 0)
  }

  @Test("a jump can be taken back and forward; single steps are no jumps")
  func history() {
    var desk = Desk(at: 5)
    desk.type("jj20G")
    #expect(desk.step == 20)
    desk.type("[")
    #expect(desk.step == 7)
    desk.type("]")
    #expect(desk.step == 20)
    desk.type("[[")
    #expect(desk.step == 7)
  }

  @Test("a key asks for what can be seen next and waits for nothing")
  func asking() async throws {
    var desk = Desk(at: 5)
    try await desk.bringMoment()
    #expect(desk.work == [.readAhead([6, 4, 7, 3].map { Position(step: $0) })])
    desk.work = []
    desk.type("j")
    #expect(desk.work == [.readMoment(Position(step: 6))])
    #expect(desk.state.view.isStale(at: desk.state.here))
    desk.type("j")
    #expect(desk.work == [.readMoment(Position(step: 6)), .readMoment(Position(step: 7))])
    // A moment that comes late is kept, but not shown.
    desk.send(.momentRead(try await Wishes.session.moment(at: Position(step: 6))))
    #expect(desk.state.view.isStale(at: desk.state.here))
    try await desk.bringMoment()
    #expect(!desk.state.view.isStale(at: desk.state.here))
  }

  @Test("the cause of a step is where its effect started")
  func cause() async throws {
    var desk = Desk(at: 5)
    try await desk.bringMoment()
    desk.type("c")
    #expect(desk.step == 3)
    desk = Desk(at: 6)
    try await desk.bringMoment()
    desk.type("c")
    #expect(desk.step == 5)
  }

  @Test("marks are set, visited, listed, and taken back")
  func marks() {
    var desk = Desk(at: 5)
    desk.type("m20Gm10G")
    desk.type("u")
    #expect(desk.step == 20)
    desk.type("u")
    #expect(desk.step == 5)
    desk.type("U")
    #expect(desk.step == 20)
    desk.type("'j⏎")
    #expect(desk.step == 20)
    desk.type("'⏎")
    #expect(desk.step == 5)
    desk.type("z")
    #expect(desk.state.marks.keys.map(\.step) == [5])
    desk.type("Z")
    #expect(desk.state.marks.count == 2)
  }
}

@Suite("Looking for something")
struct SearchTests {
  @Test("goes to the first hit as soon as it is known, then to the next ones, around the end")
  func hits() {
    var desk = Desk(at: 5)
    desk.type("/note⏎")
    #expect(
      desk.work.contains(.search(.text("note"), number: 1, branch: "main", start: 5)))
    #expect(desk.step == 5)
    desk.send(.searchFound(1, SearchBatch(hits: [9, 10], searched: 8, total: 34)))
    #expect(desk.step == 9)
    desk.type("n")
    #expect(desk.step == 10)
    // Nothing more is known: the next hit is waited for.
    desk.type("n")
    #expect(desk.step == 10)
    desk.send(.searchFound(1, SearchBatch(hits: [30], searched: 29, total: 34)))
    #expect(desk.step == 30)
    desk.send(.searchFound(1, SearchBatch(hits: [2], searched: 34, total: 34)))
    desk.send(.searchEnded(1, failure: nil))
    desk.type("n")
    #expect(desk.step == 2)
    #expect(desk.state.message?.text == "The search went on from the other end.")
    desk.type("N")
    #expect(desk.step == 30)
  }

  @Test("can be stopped with one key, and says how far it came")
  func stopping() {
    var desk = Desk(at: 5)
    desk.type("/note⏎")
    desk.send(.searchFound(1, SearchBatch(hits: [9], searched: 8, total: 34)))
    desk.work = []
    desk.press(.control("c"))
    #expect(desk.work == [.stopSearch(1)])
    #expect(DebuggerView.draw(desk.state).text.contains("1 hit in 8 steps, stopped"))
    // Nothing is left to stop: now it leaves.
    desk.press(.control("c"))
    #expect(desk.work.last == .output(.quit))
  }

  @Test("on another branch the same is searched there")
  func otherBranch() {
    var desk = Desk(at: 5, host: .ready("WishesHost"))
    desk.type("/note⏎")
    desk.send(.searchFound(1, SearchBatch(hits: [9], searched: 34, total: 34)))
    desk.send(.searchEnded(1, failure: nil))
    desk.state.runningFork = "fork 1"
    desk.send(.forkGrew(Branch(name: "fork 1", script: Script(leavesAt: 5), steps: 0...20)))
    desk.state.go(to: Position(branch: "fork 1", step: 7))
    desk.work = []
    desk.type("n")
    #expect(desk.step == 7)
    #expect(desk.work.contains(.search(.text("note"), number: 2, branch: "fork 1", start: 7)))
  }

  @Test("news of an earlier search is not taken for that of a later one")
  func late() {
    var desk = Desk(at: 5)
    desk.type("/note⏎/save⏎")
    desk.send(.searchFound(1, SearchBatch(hits: [9], searched: 8, total: 34)))
    #expect(desk.step == 5)
    #expect(desk.state.search?.count == 0)
  }

  @Test("a condition that cannot be understood stays in its line with the reason")
  func condition() {
    var desk = Desk(at: 5)
    desk.type(";state.total <⏎")
    #expect(desk.state.prompt?.problem?.hasPrefix("column 14: ") == true)
    desk.type(" 0⏎")
    #expect(desk.state.prompt == nil)
    #expect(desk.state.search?.question.text == ";state.total < 0")
  }

  @Test("a condition is answered by the states of the steps")
  func conditionHits() async {
    let canvas = await DebuggerApp.print(
      Wishes.session, size: Size(width: 80, height: 24), position: Position(step: 0),
      events: [.key(.character(";")), .paste("state.total < 0 && step < 12"), .key(.enter)])
    #expect(canvas.text.contains("\n ;state.total < 0 && step < 12  4 hits   n next  N previous"))
    #expect(canvas.text.contains("▸ 8"))
  }

  @Test("errors are found in the background: e goes to the step where an effect failed")
  func errors() async {
    let canvas = await DebuggerApp.print(
      Wishes.session, size: Size(width: 80, height: 24), position: Position(step: 0),
      events: [.key(.character("e"))])
    #expect(canvas.text.contains("▸ 8"))
  }

  @Test("the next change of the value under the cursor is found")
  func change() async {
    var events: [InputEvent] = [.key(.alt("2")), .key(.enter)]
    events += [.key(.character("*"))]
    let canvas = await DebuggerApp.print(
      Wishes.session, size: Size(width: 80, height: 24), position: Position(step: 2),
      events: events)
    // The cursor stands on the name, which changes at step 4.
    #expect(canvas.text.contains("▸ 4"))
  }
}

@Suite("The pane")
struct PaneTests {
  @Test("opens and closes values, and h leaves it for the steps")
  func folding() async throws {
    var desk = Desk(at: 7)
    desk.type("⇥l")
    try await desk.bringMoment()
    #expect(desk.state.pane == .state)
    #expect(desk.state.focus == .pane)
    desk.type("jj")
    #expect(desk.state.view.row?.text == "items  [2]")
    desk.type("h")
    #expect(desk.state.view.row?.fold == .closed)
    desk.type("l")
    #expect(desk.state.view.row?.fold == .open)
    desk.type("hh")
    #expect(desk.state.focus == .steps)
  }

  @Test("y copies the value, its key or its path, with controls made visible")
  func copying() async throws {
    var desk = Desk(at: 8)
    desk.type("l")
    try await desk.bringMoment()
    desk.work = []
    desk.type("yvykyp")
    #expect(
      desk.work == [
        .output(.copy("-8.36")), .output(.copy("total")), .output(.copy("total")),
      ])
  }

  @Test("the cursor stays on its value when time moves")
  func staying() async throws {
    var desk = Desk(at: 7)
    desk.type("⇥l")
    try await desk.bringMoment()
    desk.type("G")
    #expect(desk.state.view.row?.path?.text == "checked")
    desk.type("J")
    try await desk.bringMoment()
    #expect(desk.step == 8)
    #expect(desk.state.view.row?.path?.text == "checked")
  }
}

@Suite("Playing")
struct PlayingTests {
  @Test("goes on as it was recorded, faster and slower, until any key stops it")
  func playing() {
    var desk = Desk(at: 6)
    desk.type("p")
    #expect(desk.work == [.play(after: .seconds(2))])
    desk.work = []
    desk.type(">")
    #expect(desk.work == [.play(after: .milliseconds(1_150))])
    desk.work = []
    desk.send(.playOn)
    #expect(desk.step == 7)
    #expect(desk.work.contains(.play(after: .milliseconds(1_600))))
    desk.type(" ")
    #expect(desk.work.last == .stopPlaying)
    #expect(desk.step == 7)
    desk.send(.playOn)
    #expect(desk.step == 7)
  }

  @Test("ends at the last step")
  func end() {
    var desk = Desk(at: 32)
    desk.type("p")
    desk.send(.playOn)
    #expect(desk.step == 33)
    #expect(desk.state.playingSpeed == nil)
  }
}

@Suite("Watching")
struct WatchTests {
  @Test("a watched value is shown at every step, with what it was before")
  func watching() async throws {
    var desk = Desk(at: 7)
    desk.type("l")
    try await desk.bringMoment()
    desk.type("Gw")
    #expect(desk.state.watched.map(\.text) == ["total"])
    desk.press(.alt("6"))
    desk.type("J")
    try await desk.bringMoment()
    #expect(desk.state.view.content.rows.map(\.text) == ["total: -8.36   was 31.64"])
    desk.type("w")
    #expect(desk.state.watched.isEmpty)
  }
}

@Suite("The mouse")
struct MouseTests {
  @Test("a click selects a step, a drag on the slider moves in time until it is let go")
  func clicking() {
    var desk = Desk(at: 5)
    desk.send(.input(.mouse(Mouse(.press, column: 5, row: 8))))
    #expect(desk.step == 3)
    desk.send(.input(.mouse(Mouse(.press, column: 1, row: 3))))
    #expect(desk.step == 0)
    desk.send(.input(.mouse(Mouse(.drag, column: 40, row: 9))))
    #expect(desk.step == 17)
    desk.send(.input(.mouse(Mouse(.drag, column: 200, row: 9))))
    #expect(desk.step == 33)
    desk.send(.input(.mouse(Mouse(.release, column: 200, row: 9))))
    desk.send(.input(.mouse(Mouse(.drag, column: 40, row: 9))))
    #expect(desk.step == 33)
    desk.type("[")
    #expect(desk.step == 3)
  }

  @Test("a click on a tab shows its pane; the wheel moves what is under it")
  func tabsAndWheel() async throws {
    var desk = Desk(at: 5)
    desk.send(.input(.mouse(Mouse(.press, column: 40, row: 4))))
    #expect(desk.state.pane == .state)
    desk.send(.input(.mouse(Mouse(.wheelDown, column: 10, row: 10))))
    #expect(desk.step == 8)
    desk.send(.input(.mouse(Mouse(.wheelUp, column: 10, row: 2))))
    #expect(desk.step == 7)
  }
}

@Suite("Forks")
struct ForkTests {
  private let ready = HostStatus.ready("WishesHost")

  @Test("an action that is no JSON stays in the form, with the column of the trouble")
  func problem() {
    var desk = Desk(at: 5, host: ready)
    desk.type("f⇥")
    desk.send(.input(.paste("{\"add\": }")))
    desk.type("⏎")
    guard case .fork(let form)? = desk.state.overlay else {
      Issue.record("the form is gone")
      return
    }
    #expect(form.problem == "column 9: expected a value, found }")
    #expect(form.field == .action)
  }

  @Test("Enter runs the script that the form describes")
  func script() {
    var desk = Desk(at: 5, host: ready)
    desk.type("f")
    desk.send(
      .templatesFound([ActionTemplate(label: "add", action: ["add": 1], step: 3)], isDone: true))
    desk.type("⏎")
    #expect(desk.state.overlay == nil)
    #expect(
      desk.work.contains(
        .fork("fork 1", Script(leavesAt: 5, edits: [.insert(after: 5, action: ["add": 1])]))))
    #expect(DebuggerView.draw(desk.state).text.contains("running “fork 1” …"))
  }

  @Test("a skipped step leaves where the step before it stands")
  func skip() {
    var desk = Desk(at: 5, host: ready)
    desk.type("f")
    desk.press(.backTab)
    desk.press(.left)
    desk.type("⇥")
    desk.press(.right)
    desk.type("⏎")
    #expect(
      desk.work.contains(
        .fork("fork 1", Script(leavesAt: 4, rest: .nothing, edits: [.skip(step: 5)]))))
  }

  @Test("a fork is shown as soon as it has a step of its own; its news keep the screen free")
  func growing() {
    var desk = Desk(at: 5, host: ready)
    let script = Script(leavesAt: 5, edits: [.insert(after: 5, action: ["add": 1])])
    desk.type("f")
    desk.send(
      .templatesFound([ActionTemplate(label: "add", action: ["add": 1], step: 3)], isDone: true))
    desk.type("⏎")
    desk.send(.forkGrew(Branch(name: "fork 1", script: script, steps: 0...6, progress: .running)))
    #expect(desk.state.here == Position(branch: "fork 1", step: 6))
    desk.type("k")
    desk.send(.forkGrew(Branch(name: "fork 1", script: script, steps: 0...34)))
    #expect(desk.state.here == Position(branch: "fork 1", step: 5))
    #expect(desk.state.runningFork == nil)
    desk.type("z")
    #expect(desk.state.here == Position(step: 5))
    #expect(desk.state.branches.map(\.name) == ["main"])
    #expect(desk.work.last != .fork("fork 1", script))
    desk.type("Z")
    #expect(desk.work.contains(.fork("fork 1", script)))
  }

  @Test("a reducer that crashes ends its branch with its last words, and nothing else")
  func crash() async {
    let session = OpenSession(Wishes.recording, host: FakeHost(recording: Wishes.recording))
    let canvas = await DebuggerApp.print(
      session, size: Size(width: 100, height: 24), position: Position(step: 8),
      events: [
        .key(.character("f")), .key(.tab), .key(.control("u")), .paste(#"{"boom": 1}"#),
        .key(.enter),
      ])
    expectFrame(
      canvas.text,
      """
       wishes.retcon   fork 1   9/9                                   host: WishesHost ●  edited, crashed
      ┌ timeline ────────────────────────────────────────────────────────────────────────────────────────┐
      │▇▇▇▄▄▄▃▃▃▆▆▆▆▆▆███▂▂▂▁▁▁▇▇▇█████████████████████████████████████████████████████████████████████▁▁│
      │━━━━━━━━━━━━━━━━━━━━━━━━┬─────────────────────────────────────────────────────────────────────────│
      │                 fork 1 └─●                                                                       │
      ├ steps ────────────────────────────────┬Diff│State│Action│Effects│Reads│Watch│Compare─────────────┤
      │ 0        │   init                     │  Fatal error: Index out of range                         │
      │ 1 +200ms │   nameChanged "St"         │                                                          │
      │ 2  +1.1s │   nameChanged "Stanislav"  │                                                          │
      │ 3  +1.4s │   discoverTapped           │                                                          │
      │ 4 +300ms │   nameChanged "Stan"       │                                                          │
      │ 5 +400ms │ ⚡wishesResponse {success:…│                                                          │
      │ 6 +100ms │ ↳ totalChanged             │                                                          │
      │ 7  +2.3s │   quantityChanged {index: …│                                                          │
      │ 8  +3.2s │   couponApplied {code: "TE…│                                                          │
      │▸9        ✗*  ✗ boom 1                 │                                                          │
      │                                       │                                                          │
      │                                       │                                                          │
      │                                       │                                                          │
      │                                       │                                                          │
      │                                       │                                                          │
      │                                       │                                                          │
      └───────────────────────────────────────┴──────────────────────────────────────────────────────────┘
       “fork 1” crashed at step 9: Fatal error: Index out of range            ? help   : command   q quit
      """)
  }
}

@Suite("What is kept beside a session")
struct SidecarTests {
  @Test("marks, notes and forks are there again; a saved fork runs when somebody looks at it")
  func keeping() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/wishes.retcon"
    let size = Size(width: 100, height: 24)
    func open() -> OpenSession {
      OpenSession(
        Wishes.recording, host: FakeHost(recording: Wishes.recording),
        sidecar: Sidecar(session: path))
    }
    _ = await DebuggerApp.print(
      open(), size: size, position: Position(step: 8),
      events: [
        .key(.character("m")), .key(.character("G")), .key(.character("M")), .paste("look here"),
        .key(.enter), .key(.character("[")), .key(.character("f")), .key(.tab), .key(.control("u")),
        .paste(#"{"add": 40}"#), .key(.enter),
      ])
    let again = open()
    #expect(again.marks == [Position(step: 8): "", Position(step: 33): "look here"])
    #expect(again.branches.map(\.name) == ["main", "fork 1"])
    #expect(again.branch("fork 1")?.progress == .notRun)
    let canvas = await DebuggerApp.print(
      again, size: size, position: Position(step: 0),
      events: [.key(.character("B")), .key(.character("j")), .key(.enter)])
    #expect(canvas.text.contains(" fork 1   9/34"))
    #expect(again.branch("fork 1")?.progress == .complete)
    _ = await DebuggerApp.print(
      again, size: size,
      events: [.key(.character("B")), .key(.character("j")), .key(.character("d"))])
    #expect(open().branches.map(\.name) == ["main"])
  }
}
