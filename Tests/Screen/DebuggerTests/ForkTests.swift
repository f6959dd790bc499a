import SessionFile
import SessionWords
import TestSupport
import Testing
import TextCanvas
import ValueTree

@testable import Debugger
@testable import TimeTravel

@Suite("Forks")
struct ForkTests {
  private let ready = HostStatus.ready("WishesHost")

  @Test("an action that is no JSON stays in the line, with the trouble marked, also while typed")
  func problem() throws {
    var debugger = TestDebugger(at: 5, host: ready)
    debugger.type("fi")
    debugger.send(.input(.paste("{\"add\": }")))
    let words = "the action is not JSON: expected a value, found }, column 9."
    #expect(debugger.forkLine?.problem == words)
    debugger.type("⏎")
    #expect(debugger.forkLine?.problem == words)
    #expect(debugger.state.prompt?.line.cursor == "fork send ".count + 8)
  }

  @Test("a value needs no quotes to be a text")
  func unquoted() async throws {
    var debugger = TestDebugger(at: 5, host: ready)
    try await debugger.bringMoment()
    debugger.type(":fork set button=not now⏎")
    #expect(debugger.edits == [.set(step: 5, pointer: ["button"], value: "not now")])
  }

  @Test("a fork whose last edit is taken back is deleted")
  func movedBack() {
    var debugger = TestDebugger(at: 5, host: ready)
    let edit = Script(leavesAt: 4, edits: [.move(step: 5, after: 3)])
    debugger.state.branches.append(Branch("fork 1", script: edit, steps: 0...33))
    debugger.state.go(to: Position(branch: "fork 1", step: 5))
    let changed = ChangedScript(script: Script(leavesAt: 4), old: edit, shows: 5)
    debugger.send(.scriptChanged("fork 1", changed, left: debugger.state.here))
    #expect(debugger.work.contains(.deleteFork("fork 1")))
    #expect(debugger.state.here == Position(step: 5))
    #expect(debugger.state.branches.count == 1)
  }

  @Test("Enter runs the script that the line describes")
  func script() {
    var debugger = TestDebugger(at: 5, host: ready)
    debugger.type("fi")
    debugger.send(
      .forkLine(.found([ActionTemplate(label: "add", action: ["add": 1], step: 3)], isDone: true)))
    debugger.type("⏎")
    #expect(debugger.state.prompt == nil)
    #expect(
      debugger.work.contains(
        .addFork("fork 1", Script(leavesAt: 5, edits: [.insert(after: 5, action: ["add": 1])]))))
    #expect(DebuggerView.draw(debugger.state).text.contains("running “fork 1” …"))
  }

  @Test("a skipped step leaves where the step before it stands")
  func skip() {
    var debugger = TestDebugger(at: 5, host: ready)
    debugger.type(":fork --stop skip⏎")
    #expect(
      debugger.work.contains(
        .addFork("fork 1", Script(leavesAt: 4, rest: .nothing, edits: [.skip(step: 5)]))))
  }

  @Test("a fork is shown as soon as it has a step of its own; its news keep the screen free")
  func growing() {
    var debugger = TestDebugger(at: 5, host: ready)
    let script = Script(leavesAt: 5, edits: [.insert(after: 5, action: ["add": 1])])
    debugger.type("fi")
    debugger.send(
      .forkLine(.found([ActionTemplate(label: "add", action: ["add": 1], step: 3)], isDone: true)))
    debugger.type("⏎")
    debugger.send(
      .forkGrew(Branch("fork 1", script: script, steps: 0...6, progress: .running)))
    #expect(debugger.state.here == Position(branch: "fork 1", step: 6))
    debugger.type("k")
    debugger.send(.forkGrew(Branch("fork 1", script: script, steps: 0...34)))
    #expect(debugger.state.here == Position(branch: "fork 1", step: 5))
    #expect(debugger.state.forks.running == nil)
    debugger.type("z")
    #expect(debugger.state.here == Position(step: 5))
    #expect(debugger.state.branches.map(\.name) == ["main"])
    #expect(debugger.work.last != .addFork("fork 1", script))
    debugger.type("Z")
    #expect(debugger.work.contains(.addFork("fork 1", script)))
  }

  @Test("the list of a fork stands where it would if all of its steps had come at once")
  func growsBelow() {
    let fork = Branch(
      "fork 1", script: Script(leavesAt: 8, edits: [.insert(after: 8, action: ["add": 1])]),
      steps: 0...34)
    func listTop(_ first: ClosedRange<Int>) -> Int {
      var debugger = TestDebugger(at: 8, host: ready)
      debugger.type("fi")
      debugger.send(
        .forkLine(.found([ActionTemplate(label: "add", action: ["add": 1], step: 3)], isDone: true))
      )
      debugger.type("⏎")
      var growing = fork
      (growing.steps, growing.progress) = (first, .running)
      debugger.send(.forkGrew(growing))
      debugger.send(.forkGrew(fork))
      #expect(debugger.state.here == Position(branch: "fork 1", step: 9))
      return debugger.state.travel.listTop
    }
    #expect(listTop(0...9) == listTop(0...34))
  }

  @Test("an exported branch shows in list and title what its steps rest on")
  func exported() async throws {
    let steps = [
      Step(number: 0, label: "", action: .null), Step(number: 1, label: "added", action: .null),
      Step(number: 2, label: "bought", action: .null, standing: Standing(.assumed, .equal)),
    ]
    let folder = try TemporaryFolder()
    let writer = try SessionWriter(path: folder("b.retcon"), header: SessionHeader(state: 0))
    for step in steps.dropFirst() { try writer.append(step, state: .number(Number(step.number))) }
    try writer.finish()
    let frame = await DebuggerApp.print(
      OpenSession(SessionRecording(try SessionReader(path: folder("b.retcon")))),
      size: Size(width: 80, height: 24), position: Position(step: 2), events: [])
    let lines = frame.text.split(separator: "\n")
    #expect(lines[0].contains("as recorded, assumed"))
    #expect(lines.contains { $0.contains("=?") && $0.contains("bought") })
    #expect(lines.contains { $0.contains("│ ") && $0.contains("added") && !$0.contains("=?") })
  }

  @Test("a doubt about all steps of a fork is said once, in the title, and :doubt does not deny it")
  func doubtOfAll() {
    var debugger = TestDebugger(at: 5, host: ready)
    let script = Script(leavesAt: 5, edits: [.skip(step: 6)])
    var fork = Branch("fork 1", script: script, steps: 0...9)
    fork.endsInDoubt = true
    debugger.state.branches.append(fork)
    debugger.state.go(to: Position(branch: "fork 1", step: 7))
    let rows = (0...9).map { number in
      StepRow(
        Step(number: number, label: "typed", action: ["typed": 1]),
        standing: number > 5 ? Standing(.assumed, number == 7 ? .different : .equal) : nil)
    }
    debugger.send(.stepsRead(StepPages.PageID(branch: "fork 1", page: 0), rows))
    let lines = debugger.lines(0..<22)
    #expect(lines[0].contains("fork 1 ? assumed   7/9") && lines[0].hasSuffix("  differs"))
    #expect(!lines[0].contains("differs, assumed"))
    #expect(lines.contains { $0.contains("▸7        ≠   typed") })
    #expect(lines.contains { $0.contains(" 8        =   typed") })
    debugger.type(":doubt⏎")
    #expect(debugger.message?.contains("is assumed, and no key settles that") == true)
  }

  @Test("an answer is for the effect that the step is open by, before others in flight")
  func answersTheOpenOne() {
    var debugger = TestDebugger(at: 5, host: ready)
    var moment = Moment(
      position: debugger.state.here, step: Step(number: 5, label: "add", action: .null))
    moment.effects = [1, 2].map { (id: EffectID) in
      EffectSpan(number: id, origin: EffectOrigin(step: 3, file: "Cart.swift", line: 9))
    }
    moment.assumptions = [Assumption(.open, .effect(2), from: 4, "it may speak")]
    debugger.send(.momentRead(moment))
    debugger.type("a")
    #expect(debugger.forkLine?.chosenEffect?.number == 2)
  }

  @Test("what a fork asked for real is said when it has run")
  func ranForReal() {
    var report = BranchReport(lastStep: 7)
    report.remarks = ["“track” was really called, first at step 6", "another thing"]
    var fork = Branch("fork 1", script: Script(leavesAt: 5), steps: 0...7)
    fork.report = report
    #expect(
      fork.outcomeWords(in: [fork])
        == "“fork 1” ran 2 steps. “track” was really called, first at step 6 (and 1 more)")
  }

  @Test("a reducer that crashes ends its branch with its last words, and nothing else")
  func crash() async {
    let session = OpenSession(Wishes.recording, host: FakeHost(recording: Wishes.recording))
    let canvas = await DebuggerApp.print(
      session, size: Size(width: 100, height: 24), position: Position(step: 8),
      events: [
        .key(.character("f")), .key(.character("i")),
        .paste(#"{"boom": 1}"#),
        .key(.enter),
      ])
    expectFrame(
      canvas.text,
      """
       wishes.retcon   fork 1   9/9                       reducer: WishesHost ●  crashed, after your edit
      ┌ timeline  ▁▄█ steps in a second ─────────────────────────────────────────────────────────────────┐
      │▇▇▇▄▄▄▃▃▃▆▆▆▆▆▆███▂▂▂▁▁▁▇▇▇█████████████████████████████████████████████████████████████████████▁▁│
      │━━━━━━━━━━━━━━━━━━━━━━━━┬─────────────────────────────────────────────────────────────────────────│
      │                 fork 1 └─●                                                                       │
      ├ steps ────────────────────────────────┬1Diff│2State│3Action│4Effects│5Reads│6Watch│7Compare──────┤
      │ 0        │   init                     │   Fatal error: Index out of range                        │
      │ 1 +200ms │   nameChanged "St"         │                                                          │
      │ 2  +1.1s │   nameChanged "Stanislav"  │                                                          │
      │ 3  +1.4s │   discoverTapped           │                                                          │
      │ 4 +300ms │   nameChanged "Stan"       │                                                          │
      │ 5 +400ms │ ⚡wishesResponse {success:…│                                                          │
      │ 6 +100ms │ ↳ totalChanged             │                                                          │
      │ 7  +2.3s │   quantityChanged {index: …│                                                          │
      │ 8  +3.2s │   ✗ couponApplied {code: "…│                                                          │
      │▸9        ✗*  ✗ boom 1                 │                                                          │
      │                                       │                                                          │
      │                                       │                                                          │
      │                                       │                                                          │
      │                                       │                                                          │
      │                                       │                                                          │
      │                                       │                                                          │
      └───────────────────────────────────────┴──────────────────────────────────────────────────────────┘
       “fork 1” crashed at step 9: Fatal error: Index out of range   D first difference   ? help   q quit
      """)
  }
}
