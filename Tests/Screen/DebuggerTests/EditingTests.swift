import SessionFile
import SessionWords
import Testing
import TextCanvas
import ValueTree

@testable import Debugger
@testable import TimeTravel

@Suite("A fork that is there can be changed")
struct EditingTests {
  private let script = Script(
    leavesAt: 5, edits: [.insert(after: 5, action: ["add": 1]), .skip(step: 8)])

  /// A debugger with “fork 1”, which has run, and “fork 2”, which leaves it.
  private func debugger(at step: Int = 6) -> TestDebugger {
    var debugger = TestDebugger(at: 5, host: .ready("WishesHost"))
    var fork = Branch("fork 1", script: script, steps: 0...33)
    fork.note = "for the report"
    fork.editSteps = [6, nil]
    debugger.state.branches.append(fork)
    debugger.state.branches.append(
      Branch(
        "fork 2", script: Script(parent: "fork 1", leavesAt: 9), steps: 0...33,
        progress: .notRun))
    debugger.state.go(to: Position(branch: "fork 1", step: step), isJump: false)
    return debugger
  }

  @Test("the list of branches has the edits of each, its note, and what can be done with them")
  func list() {
    var debugger = debugger()
    debugger.type("B")
    expectFrame(
      DebuggerView.draw(debugger.state).text,
      """
       wishes.retcon   fork 1   6/33          reducer: WishesHost ●  shared with main
      ┌ timeline  ▁▄█ steps in a second ───────────────────────────── 1 more fork: B ┐
      │                                                                              │
      │━━━━━━━━━━━━┬─────────────────────────────────────────────────────────────────│
      │     fork 1 └─●──────────────────────────────────────────────────────────────○│
      ├ steps ────────────────────────┬1Diff│2Stat│3Actio│4Effec│5Reads│6Watch│7Compa┤
      │  0 …                          │                                              │
      │ ┌ branches ────────────────────────────────────────────────────────────────┐ │
      │ │   main  the recording, 33 steps                                          │ │
      │ │ ▸ fork 1  “for the report”  leaves main at 5, 28 steps                   │ │
      │ │     sends add 1 after 5                                                  │ │
      │ │     skips 8 couponApplied of main                                        │ │
      │▸│   fork 2  leaves fork 1 at 9  saved; Enter runs it                       │ │
      │ │                                                                          │ │
      │ │ Enter look at it   d delete   r rename   M note   z undo   q back        │ │
      │ └──────────────────────────────────────────────────────────────────────────┘ │
      │ 10 …                          │                                              │
      │ 11 …                          │                                              │
      │ 12 …                          │                                              │
      │ 13 …                          │                                              │
      │ 14 …                          │                                              │
      │ 15 …                          │                                              │
      └───────────────────────────────┴──────────────────────────────────────────────┘
                                                                               q back
      """)
  }

  @Test("a fork that sets a part of the state is not offered as a test")
  func setIsNoTest() {
    var debugger = debugger()
    debugger.type("Bjd")
    let edit = Edit.set(step: 6, pointer: ["total"], value: 0)
    let script = Script(leavesAt: 5, edits: [edit])
    debugger.send(.forkGrew(Branch("fork 1", script: script, steps: 0...32)))
    #expect(
      debugger.message == "The edit was removed, z restores it. “fork 1” ran 27 steps")
  }

  @Test("d takes an edit out of its fork, and z puts it back")
  func removeEdit() {
    var debugger = debugger()
    debugger.type("Bjd")
    let without = Script(leavesAt: 5, edits: [.skip(step: 8)])
    #expect(debugger.work.contains(.changeFork("fork 1", without)))
    #expect(debugger.state.branches[1].script == without)
    #expect(debugger.state.here == Position(branch: "fork 1", step: 5))
    debugger.send(.forkGrew(Branch("fork 1", script: without, steps: 0...32)))
    #expect(debugger.state.here == Position(branch: "fork 1", step: 6))
    #expect(
      debugger.state.message?.text
        == "The edit was removed, z restores it. “fork 1” ran 27 steps\n:test keeps it as a test."
    )
    debugger.work = []
    debugger.type("⎋z")
    #expect(debugger.work.contains(.changeFork("fork 1", script)))
    debugger.work = []
    debugger.type("Z")
    #expect(debugger.work.contains(.changeFork("fork 1", without)))
  }

  @Test("r gives a fork another name wherever it is named, and z the old one")
  func rename() {
    var debugger = debugger()
    debugger.type("m")
    debugger.type("Br")
    debugger.press(.control("u"))
    debugger.type("main⏎")
    #expect(debugger.state.prompt?.problem == "there is a branch “main” already")
    debugger.press(.control("u"))
    debugger.type("api fails⏎")
    #expect(debugger.work.contains(.renameFork("fork 1", to: "api fails")))
    debugger.send(.forkGrew(Branch("fork 1", script: script, steps: 0...33)))
    #expect(debugger.state.branches.map(\.name) == ["main", "api fails", "fork 2"])
    #expect(debugger.state.branches[2].script?.parent == "fork 1")
    #expect(debugger.state.text(of: debugger.state.here) == "api fails/6")
    #expect(debugger.state.keeping.marks[debugger.state.here] == "")
    #expect(debugger.state.branches.freeID(for: "fork 1") != "fork 1")
    debugger.type("⎋z")
    #expect(debugger.state.branches.map(\.name) == ["main", "fork 1", "fork 2"])
    #expect(debugger.work.contains(.renameFork("fork 1", to: "fork 1")))
  }

  @Test("M writes a note on a fork")
  func note() {
    var debugger = debugger()
    debugger.type("BM")
    #expect(debugger.state.prompt?.line.text == "for the report")
    debugger.press(.control("u"))
    debugger.type("so the reducer is right⏎")
    #expect(debugger.work.contains(.saveNote("fork 1", "so the reducer is right")))
    debugger.send(.forkGrew(Branch("fork 1", script: script, steps: 0...33)))
    #expect(debugger.state.branches[1].note == "so the reducer is right")
    debugger.type("z")
    #expect(debugger.state.branches[1].note == "for the report")
  }

  @Test("a deleted fork takes those that leave it along, and z brings all of them back")
  func delete() {
    var debugger = debugger()
    let forks = Array(debugger.state.branches.dropFirst())
    debugger.type("Bd")
    #expect(debugger.state.branches.map(\.name) == ["main"])
    #expect(
      debugger.state.message?.text
        == "“fork 1” was deleted with 1 fork that left it; z restores it.")
    debugger.type("z")
    #expect(debugger.state.branches.map(\.name) == ["main", "fork 1", "fork 2"])
    #expect(debugger.work.contains(.restoreForks(forks)))
  }

  @Test("on a fork the line changes the fork itself, unless a new one is asked for")
  func inItself() async throws {
    var debugger = debugger()
    var moment = try await Wishes.session.moment(at: Position(step: 6))
    moment.position = Position(branch: "fork 1", step: 6)
    debugger.send(.momentRead(moment))
    debugger.type("=")
    #expect(debugger.line == "fork replace totalChanged")
    debugger.type(" {\"now\":true}⏎")
    #expect(
      debugger.work.contains(
        .change(
          [.replace(step: 6, action: ["totalChanged": ["now": true]])],
          at: Position(branch: "fork 1", step: 6), newFork: nil)))
    let changed = ChangedScript(
      script: Script(leavesAt: 5, edits: [.skip(step: 7)]), old: script, shows: 6)
    debugger.send(.scriptChanged("fork 1", changed, left: debugger.state.here))
    #expect(debugger.work.contains(.changeFork("fork 1", changed.script)))
  }

  @Test("x skips the step, < and > move it: in the fork that is looked at, else in a new one")
  func steps() {
    var debugger = debugger()
    debugger.type("x")
    #expect(
      debugger.work.contains(
        .change([.skip(step: 6)], at: Position(branch: "fork 1", step: 6), newFork: nil)))
    // Keys that are typed while the edit is computed wait for it.
    debugger.work = []
    debugger.type("3>")
    #expect(debugger.work.isEmpty)
    let skipped = ChangedScript(script: Script(leavesAt: 5), old: script, shows: 6)
    debugger.send(.scriptChanged("fork 1", skipped, left: debugger.state.here))
    debugger.send(.forkGrew(Branch("fork 1", script: skipped.script, steps: 0...33)))
    #expect(
      debugger.work.contains(
        .change(
          [.move(step: 6, after: 9)], at: Position(branch: "fork 1", step: 6), newFork: nil)))
    var main = TestDebugger(at: 7, host: .ready("WishesHost"))
    main.type("<")
    #expect(
      main.work.contains(
        .change([.move(step: 7, after: 5)], at: Position(step: 7), newFork: "fork 1")))
    let changed = ChangedScript(
      script: Script(leavesAt: 5, edits: [.move(step: 7, after: 5)]), shows: 6)
    main.send(.scriptChanged("fork 1", changed, left: Position(step: 7)))
    #expect(main.work.contains(.addFork("fork 1", changed.script)))
  }

  @Test("a change that cannot be made says why, and nothing runs")
  func refused() async {
    let session = OpenSession(Wishes.recording, host: FakeHost(recording: Wishes.recording))
    let canvas = await DebuggerApp.print(
      session, size: Size(width: 80, height: 24), position: Position(step: 0),
      events: [.key(.character("x"))])
    #expect(
      canvas.text.contains("no action led to the first state. Set a value in it instead."))
  }
}
