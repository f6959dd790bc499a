import Samples
import SessionFile
import SessionWords
import TestSupport
import Testing
import TextCanvas
import TimeTravel

@testable import Debugger

@Suite("The timeline as an instrument")
struct TimelineTests {
  @Test("zooming in halves what is seen around the step, zooming out doubles it up to all")
  func zoom() {
    var debugger = TestDebugger(at: 8)
    debugger.type("i")
    #expect(debugger.state.timeline.zoom == 4...20)
    debugger.type("i")
    #expect(debugger.state.timeline.zoom == 6...13)
    debugger.type("i")
    #expect(debugger.message == "These are 8 steps: the timeline shows each of them.")
    debugger.type("I")
    #expect(debugger.state.timeline.zoom == 4...19)
    debugger.type("3I")
    #expect(debugger.state.timeline.zoom == nil)
    debugger.type("I")
    #expect(debugger.message == "The whole session is visible.")
  }

  @Test("the wheel zooms around the pointer, wherever one stands")
  func wheel() {
    var debugger = TestDebugger(at: 3)
    debugger.send(.input(.mouse(Mouse(.wheelUp, column: 60, row: 3))))
    #expect(debugger.state.timeline.zoom == 12...28)
    #expect(debugger.step == 3)
    #expect(debugger.lines(2..<4).last?.hasPrefix("‹────") == true)
    debugger.send(.input(.mouse(Mouse(.wheelDown, column: 60, row: 3))))
    #expect(debugger.state.timeline.zoom == nil)
  }

  @Test("what is seen can be moved, and follows who moves out of it")
  func pan() {
    var debugger = TestDebugger(at: 8)
    debugger.type("t(")
    #expect(debugger.message == "The whole session is visible: i zooms in.")
    debugger.type("i)")
    #expect(debugger.state.timeline.zoom == 12...28)
    #expect(debugger.step == 8)
    debugger.press(.shiftRight)
    #expect(debugger.state.timeline.zoom == 17...33)
    debugger.type("2(")
    #expect(debugger.state.timeline.zoom == 1...17)
    debugger.type("G")
    #expect(debugger.state.timeline.zoom == 17...33)
    debugger.type("a")
    #expect(debugger.state.timeline.zoom == nil)
  }

  @Test("by time a long pause is long, and a busy second is one column")
  func byTime() async {
    expectFrame(
      await top(of: "tt⎋", at: 5, columns: 80, rows: 24),
      """
      ┌ timeline  by time  ▁▄█ steps in a second ────────────────────────────────────┐
      │▅▅    ▅     ▅ ▅▅▅         ▅              ▅███▅█████▅███                      ▅│
      │━━━━━━━━━━━━━━━●─────────────────────────✗────────────────────────────────────│
      """)
  }

  @Test("without times there is nothing to show by time")
  func noTimes() {
    var debugger = TestDebugger()
    debugger.state.timeline.density = Density(0...33, edgeTimes: [])
    debugger.type("tt")
    #expect(
      debugger.message == "The session has no times: all steps have the same width.")
  }

  @Test("the effects are walked into: each says what became of it, Enter goes to its other end")
  func effects() async {
    let app = await DebuggerApp.wishes(at: 0, "tj", columns: 80, rows: 24)
    expectFrame(
      app.frame.text,
      """
       wishes.retcon   main   3/33   00:00:02.700                no reducer  recorded
      ┌ timeline  ▁▄█ steps in a second ─────────────────────────────────────────────┐
      │▇▇▇▄▄▃▃▃▆▆▆▆███▂▂▁▁▇▇▇██████████████████████████████████████████████████████▁▁│
      │━━━━━━━●───────────✗──────────────────────────────────────────────────────────│
      │fetchWishes ├┤                                                         save ├▸│
      │              save ├✗                                                         │
      ├ steps ────────────────────────┬1Diff│2State│3Action│4Effects│5Reads│6Watch───┤
      │  0          init              │~  button  "disabled" → "loading"             │
      │  1 +200ms   nameChanged "St"  │                                              │
      │  2  +1.1s   nameChanged "Stan…│                                              │
      │▸ 3╭ +1.4s   discoverTapped    │                                              │
      │  4│+300ms   nameChanged "Stan"│                                              │
      │  5╰+400ms ⚡wishesResponse {s…│                                              │
      │  6 +100ms ↳ totalChanged      │                                              │
      │  7  +2.3s   quantityChanged {…│                                              │
      │  8  +3.2s   ✗ couponApplied {…│                                              │
      │  9 +190ms   noteTyped "b"     │                                              │
      │ 10  +97ms   noteTyped "bu"    │                                              │
      │ 11 +104ms   noteTyped "buy"   │                                              │
      │ 12 +111ms   noteTyped "buy "  │                                              │
      │ 13 +118ms   noteTyped "buy t" │                                              │
      │ 14 +125ms   noteTyped "buy th"│                                              │
      └───────────────────────────────┴────────────────────── 1 change, 5 unchanged ─┘
       fetchWishes  3 → 5  800ms  finished       ↓ effects   i zoom   ? help   q back
      """)
    #expect(app.state.here.step == 3)
    await app.handle(.key(.enter)).finish()
    #expect(app.state.here.step == 5)
    for (key, step) in [("j", 8), ("j", 33), ("j", 33), ("k", 8)] as [(Character, Int)] {
      await app.handle(.key(.character(key))).finish()
      #expect(app.state.here.step == step)
    }
    await app.handle(.key(.escape)).finish()
    #expect(app.state.paneSet.focus == .steps)
  }

  @Test("keys move by columns, over those in which no step stands")
  func columns() {
    var debugger = TestDebugger(at: 5)
    debugger.type("tl")
    #expect(debugger.step == 6)
    debugger.type("3h")
    #expect(debugger.step == 4)
  }

  @Test("a click on a bar goes to its effect, one on the line of a fork to the fork")
  func clicks() async {
    let app = await DebuggerApp.wishes(at: 0, "t", columns: 80, rows: 24)
    await app.handle(.mouse(Mouse(.press, column: 5, row: 4))).finish()
    #expect(app.state.here.step == 3)
    #expect(app.state.chosenEffect?.name == "fetchWishes")
    var debugger = TestDebugger(at: 5)
    debugger.state.branches.append(
      Branch("try", script: Script(parent: "main", leavesAt: 8, edits: []), steps: 0...33))
    debugger.send(.input(.mouse(Mouse(.press, column: 60, row: 4))))
    #expect(debugger.state.here == Position(branch: "try", step: 25))
    debugger.state.here = Position(step: 20)
    debugger.send(.input(.mouse(Mouse(.press, column: 16, row: 4))))
    #expect(debugger.state.here == Position(branch: "try", step: 20), "its name left of the line")
  }

  @Test("thousands of forks and marks leave the slider readable, and are counted")
  func thousands() {
    var debugger = TestDebugger(at: 5)
    for index in 0..<5_000 {
      let script = Script(
        parent: "main", leavesAt: index < 3_000 ? 8 + index % 20 : 30, edits: [])
      debugger.state.branches.append(
        Branch(BranchID("try \(index)"), script: script, steps: 0...33))
      debugger.state.keeping.marks[Position(branch: "main", step: 10 + index % 12)] =
        "note \(index)"
    }
    debugger.state.keeping.marks[Position(step: 2)] = ""
    debugger.send(.playing(.stepIsOver))
    expectFrame(
      debugger.lines(1..<5).joined(separator: "\n"),
      """
      ┌ timeline  ▁▄█ steps in a second ──────────────────────── 4,999 more forks: B ┐
      │                                                                              │
      │━━━━━▲━━━━━━●──────────▲──▲─▲─▲──▲─▲─▲──▲─▲─▲──▲─▲────────────────────────────│
      │                   ▁ ▁ ▁  ▁ ▁ ▁  ▁ ▁ ▁  ▁ ▁ ▁  ▁ ▁ ▁  ▁ ▁ ▁  try 4999 └──────○│
      """)
  }
}

/// The demo of the counter with its reducer: a fork without step 13, and one of that fork.
@Suite("The tree of forks")
struct ForkTreeTests {
  private let folder: TemporaryFolder
  private let app: DebuggerApp

  init() async throws {
    folder = try TemporaryFolder()
    await CounterSample.recordDemo(to: folder("counter.retcon"))
    let reader = try SessionReader(path: folder("counter.retcon"))
    let host = try EngineHost<CounterSample>(reader, onTape: true)
    app = DebuggerApp(
      session: OpenSession(SessionRecording(reader), host: host),
      size: Size(width: 100, height: 48), output: { _ in }, onChange: {})
    await app.start().finish()
    await type("13Gx14Gfo")
  }

  private func type(_ keys: String) async {
    for key in keys { await app.handle(.key(.typed(key))).finish() }
  }

  private var timeline: String {
    app.frame.text.split(separator: "\n")[3..<6].joined(separator: "\n")
  }

  @Test("a fork of a fork leaves it, and its steps say what differs from the recording")
  func tree() async {
    #expect(app.state.branch.script?.parent == app.state.branches[1].id)
    await type("20G")
    #expect(app.frame.text.contains("differs, as in fork 1"), "\(app.frame.text)")
    expectFrame(
      timeline,
      """
      │━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┬───────────────────────────────────────✗───────────────────────│
      │                           fork 1 └─────┬──────────────────────────────────────────────────○      │
      │                                 fork 2 └────────────────●─────────────────────────────────○      │
      """)
  }

  @Test("hits and marks of a fork are on its own line")
  func signs() async {
    await type("20Gm⎋/randomizeTapped⏎30G")
    expectFrame(
      timeline,
      """
      │━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┬───────────────────────────────────────✗───────────────────────│
      │                           fork 1 └─────┬──────────────────────────────────────────────────○      │
      │                                 fork 2 └──────────◆──◆──▲────────────────────────────●────○      │
      """)
  }
}

@Suite("A range of steps")
struct StepRangeTests {
  @Test("V begins a range, moving chooses its other end, and what changed in it stands in Diff")
  func choosing() async {
    let app = await DebuggerApp.wishes(at: 4, "V4j", columns: 80, rows: 24)
    expectFrame(
      app.frame.text,
      """
       wishes.retcon   main   8/33   00:00:09.000                no reducer  recorded
      ┌ timeline  ▁▄█ steps in a second ─────────────────────────────────────────────┐
      │▇▇▇▄▄▃▃▃▆▆▆▆███▂▂▁▁▇▇▇██████████████████████████████████████████████████████▁▁│
      │━━━━━━━━━══════════●──────────────────────────────────────────────────────────│
      ├ steps ────────────────────────┬1Diff│2State│3Action│4Effects│5Reads│6Watch───┤
      │  0          init              │~  name  "Stanislav" → "Stan"                 │
      │  1 +200ms   nameChanged "St"  │~  button  "loading" → "enabled"              │
      │  2  +1.1s   nameChanged "Stan…│   items                                      │
      │  3  +1.4s   discoverTapped    │+  ▾ [0]  {3}                                 │
      │┃ 4 +300ms   nameChanged "Stan"│+      title: "Tea"                           │
      │┃ 5 +400ms ⚡wishesResponse {s…│+      price: 4.5                             │
      │┃ 6 +100ms ↳ totalChanged      │+      quantity: 2                            │
      │┃ 7  +2.3s   quantityChanged {…│+  ▾ [1]  {3}                                 │
      │▸ 8  +3.2s   ✗ couponApplied {…│+      title: "Lamp"                          │
      │  9 +190ms   noteTyped "b"     │+      price: 22.64                           │
      │ 10  +97ms   noteTyped "bu"    │+      quantity: 1                            │
      │ 11 +104ms   noteTyped "buy"   │~  total  0 → -8.36                           │
      │ 12 +111ms   noteTyped "buy "  │~  checked  false → true                      │
      │ 13 +118ms   noteTyped "buy t" │+▸ coupon: {code: "TENOFF", amount: 40}       │
      │ 14 +125ms   noteTyped "buy th"│                                              │
      │ 15 +132ms   noteTyped "buy th…│                                              │
      │ 16 +139ms   noteTyped "buy th…│                                              │
      └───────────────────────────────┴───────────── 4 to 8: 7 changes, 1 unchanged ─┘
       4 to 8: 5 steps, 6 s   C compare   F only these   s save   V no range   ? help
      """)
    await app.handle(.key(.escape)).finish()
    #expect(app.state.range == nil)
    #expect(app.frame.text.contains("2 changes, "))
    #expect(!app.frame.text.contains("4 to 8"))
  }

  @Test("a drag over the list or over the bars of the timeline chooses one; a click ends it")
  func mouse() {
    var debugger = TestDebugger(at: 5)
    debugger.send(.input(.mouse(Mouse(.press, column: 5, row: 8))))
    #expect(debugger.state.range == nil)
    debugger.send(.input(.mouse(Mouse(.drag, column: 5, row: 11))))
    debugger.send(.input(.mouse(Mouse(.release, column: 5, row: 11))))
    #expect(debugger.state.range == 3...6)
    debugger.send(.input(.mouse(Mouse(.press, column: 20, row: 2))))
    debugger.send(.input(.mouse(Mouse(.drag, column: 40, row: 2))))
    #expect(debugger.state.range == 8...17)
    debugger.send(.input(.mouse(Mouse(.press, column: 20, row: 3))))
    #expect(debugger.state.range == nil)
  }

  @Test("it is listed, hidden, zoomed to or written")
  func uses() {
    var debugger = TestDebugger(at: 8)
    debugger.type("V4jF")
    #expect(debugger.state.filter.now?.text == "only step >= 8 && step <= 12")
    #expect(debugger.message == "Steps 8 to 12 are listed; :filter off lists all.")
    debugger.type("V2k-")
    #expect(debugger.state.filter.now?.text == "hide step >= 10 && step <= 12")
    debugger.type("V10ji")
    #expect(debugger.state.timeline.zoom == 10...20)
    debugger.type("V2ks")
    #expect(debugger.state.prompt?.line.text == "trim 18-20 ")
    debugger.type("⎋:trim small.retcon⏎")
    #expect(debugger.work.last == .trim(18...20, path: "small.retcon", RedactionWords()))
    debugger.send(.exported(Message("written")))
    debugger.work = []
    debugger.type(":trim 5-8⏎")
    #expect(debugger.work.isEmpty)
    #expect(
      debugger.message == "5-8 is a range of steps: write FILE behind it, as in 5-8 small.retcon")
  }

  @Test("it ends where another branch is looked at, and cannot be written of a fork")
  func otherBranch() {
    var debugger = TestDebugger(at: 8)
    let script = Script(parent: "main", leavesAt: 8, edits: [])
    debugger.state.branches.append(Branch("try", script: script, steps: 0...33))
    debugger.type("V2j")
    debugger.state.go(to: Position(branch: "try", step: 12))
    debugger.send(.playing(.stepIsOver))
    #expect(debugger.state.range == nil)
    debugger.type("V2js")
    #expect(
      debugger.message == "A fork is written as a whole, from its start: :export FILE")
  }
}

/// The timeline after some keys.
private func top(of keys: String, at step: Int, columns: Int, rows: Int) async -> String {
  let app = await DebuggerApp.wishes(at: step, keys, columns: columns, rows: rows)
  return app.frame.text.split(separator: "\n")[1..<4].joined(separator: "\n")
}
