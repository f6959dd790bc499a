import SessionWords
import Testing
import TextCanvas
import TimeTravel

@testable import Debugger

@Suite("The timeline as an instrument")
struct TimelineTests {
  @Test("zooming in halves what is seen around the step, zooming out doubles it up to all")
  func zoom() {
    var desk = Desk(at: 8)
    desk.type("i")
    #expect(desk.state.timeline.zoom == 4...20)
    desk.type("i")
    #expect(desk.state.timeline.zoom == 6...13)
    desk.type("i")
    #expect(desk.message == "These are 8 steps: the timeline shows each of them.")
    desk.type("I")
    #expect(desk.state.timeline.zoom == 4...19)
    desk.type("3I")
    #expect(desk.state.timeline.zoom == nil)
    desk.type("I")
    #expect(desk.message == "The whole session is visible.")
  }

  @Test("the wheel zooms around the pointer, wherever one stands")
  func wheel() {
    var desk = Desk(at: 3)
    desk.send(.input(.mouse(Mouse(.wheelUp, column: 60, row: 3))))
    #expect(desk.state.timeline.zoom == 12...28)
    #expect(desk.step == 3)
    #expect(desk.lines(2..<4).last?.hasPrefix("‹────") == true)
    desk.send(.input(.mouse(Mouse(.wheelDown, column: 60, row: 3))))
    #expect(desk.state.timeline.zoom == nil)
  }

  @Test("what is seen can be moved, and follows who moves out of it")
  func pan() {
    var desk = Desk(at: 8)
    desk.type("t(")
    #expect(desk.message == "The whole session is visible: i zooms in.")
    desk.type("i)")
    #expect(desk.state.timeline.zoom == 12...28)
    #expect(desk.step == 8)
    desk.press(.shiftRight)
    #expect(desk.state.timeline.zoom == 17...33)
    desk.type("2(")
    #expect(desk.state.timeline.zoom == 1...17)
    desk.type("G")
    #expect(desk.state.timeline.zoom == 17...33)
    desk.type("a")
    #expect(desk.state.timeline.zoom == nil)
  }

  @Test("by time a long pause is long, and a busy second is one column")
  func byTime() async {
    expectFrame(
      await top(of: "tt⎋", at: 5, columns: 80, rows: 24),
      """
      ┌ timeline  by time ───────────────────────────────────────────────────────────┐
      │▅▅    ▅     ▅ ▅▅▅         ▅              ▅███▅█████▅███                      ▅│
      │━━━━━━━━━━━━━━━●─────────────────────────✗────────────────────────────────────│
      """)
  }

  @Test("without times there is nothing to show by time")
  func noTimes() {
    var desk = Desk()
    desk.state.timeline.density = Density(0...33, edgeTimes: [])
    desk.type("tt")
    #expect(
      desk.message == "The session has no times: all steps have the same width.")
  }

  @Test("the effects are walked into: each says what became of it, Enter goes to its other end")
  func effects() async {
    let app = await DebuggerApp.wishes(at: 0, "tj", columns: 80, rows: 24)
    expectFrame(
      app.frame.text,
      """
       wishes.retcon   main   3/33   00:00:02.700                no reducer  recorded
      ┌ timeline ────────────────────────────────────────────────────────────────────┐
      │▇▇▇▄▄▃▃▃▆▆▆▆███▂▂▁▁▇▇▇██████████████████████████████████████████████████████▁▁│
      │━━━━━━━●───────────✗──────────────────────────────────────────────────────────│
      │fetchWishes ├┤                                                         save ├▸│
      │              save ├✗                                                         │
      ├ steps ────────────────────────┬Diff│State│Action│Effects│Reads│Watch─────────┤
      │  0          init              │~  button  "disabled" → "loading"             │
      │  1 +200ms   nameChanged "St"  │                                              │
      │  2  +1.1s   nameChanged "Stan…│                                              │
      │▸ 3  +1.4s   discoverTapped    │                                              │
      │  4 +300ms   nameChanged "Stan"│                                              │
      │  5 +400ms ⚡wishesResponse {s…│                                              │
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
    var desk = Desk(at: 5)
    desk.type("tl")
    #expect(desk.step == 6)
    desk.type("3h")
    #expect(desk.step == 4)
  }

  @Test("a click on a bar goes to its effect, one on the line of a fork to the fork")
  func clicks() async {
    let app = await DebuggerApp.wishes(at: 0, "t", columns: 80, rows: 24)
    await app.handle(.mouse(Mouse(.press, column: 5, row: 4))).finish()
    #expect(app.state.here.step == 3)
    #expect(app.state.chosenEffect?.name == "fetchWishes")
    var desk = Desk(at: 5)
    desk.state.branches.append(
      Branch(name: "try", script: Script(parent: "main", leavesAt: 8, edits: []), steps: 0...33))
    desk.send(.input(.mouse(Mouse(.press, column: 60, row: 4))))
    #expect(desk.state.here == Position(branch: "try", step: 25))
  }

  @Test("thousands of forks and marks leave the slider readable, and are counted")
  func thousands() {
    var desk = Desk(at: 5)
    for index in 0..<5_000 {
      let script = Script(
        parent: "main", leavesAt: index < 3_000 ? 8 + index % 20 : 30, edits: [])
      desk.state.branches.append(Branch(name: "try \(index)", script: script, steps: 0...33))
      desk.state.keeping.marks[Position(branch: "main", step: 10 + index % 12)] = "note \(index)"
    }
    desk.state.keeping.marks[Position(step: 2)] = ""
    desk.send(.playing(.stepIsOver))
    expectFrame(
      desk.lines(1..<5).joined(separator: "\n"),
      """
      ┌ timeline ─────────────────────────────────────────────── 4,999 more forks: B ┐
      │                                                                              │
      │━━━━━▲━━━━━━●──────────▲──▲─▲─▲──▲─▲─▲──▲─▲─▲──▲─▲────────────────────────────│
      │                   ▁ ▁ ▁  ▁ ▁ ▁  ▁ ▁ ▁  ▁ ▁ ▁  ▁ ▁ ▁  ▁ ▁ ▁  try 4999 └──────○│
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
      ┌ timeline ────────────────────────────────────────────────────────────────────┐
      │▇▇▇▄▄▃▃▃▆▆▆▆███▂▂▁▁▇▇▇██████████████████████████████████████████████████████▁▁│
      │━━━━━━━━━══════════●──────────────────────────────────────────────────────────│
      ├ steps ────────────────────────┬Diff│State│Action│Effects│Reads│Watch─────────┤
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
    var desk = Desk(at: 5)
    desk.send(.input(.mouse(Mouse(.press, column: 5, row: 8))))
    #expect(desk.state.range == nil)
    desk.send(.input(.mouse(Mouse(.drag, column: 5, row: 11))))
    desk.send(.input(.mouse(Mouse(.release, column: 5, row: 11))))
    #expect(desk.state.range == 3...6)
    desk.send(.input(.mouse(Mouse(.press, column: 20, row: 2))))
    desk.send(.input(.mouse(Mouse(.drag, column: 40, row: 2))))
    #expect(desk.state.range == 8...17)
    desk.send(.input(.mouse(Mouse(.press, column: 20, row: 3))))
    #expect(desk.state.range == nil)
  }

  @Test("it is listed, hidden, zoomed to or written")
  func uses() {
    var desk = Desk(at: 8)
    desk.type("V4jF")
    #expect(desk.state.filter.now?.text == "only step >= 8 && step <= 12")
    #expect(desk.message == "Steps 8 to 12 are listed; :filter off lists all.")
    desk.type("V2k-")
    #expect(desk.state.filter.now?.text == "hide step >= 10 && step <= 12")
    desk.type("V10ji")
    #expect(desk.state.timeline.zoom == 10...20)
    desk.type("V2ks")
    #expect(desk.state.prompt?.line.text == "trim 18-20 ")
    desk.type("⎋:trim small.retcon⏎")
    #expect(desk.work.last == .trim(18...20, path: "small.retcon", RedactionWords()))
  }

  @Test("it ends where another branch is looked at, and cannot be written of a fork")
  func otherBranch() {
    var desk = Desk(at: 8)
    let script = Script(parent: "main", leavesAt: 8, edits: [])
    desk.state.branches.append(Branch(name: "try", script: script, steps: 0...33))
    desk.type("V2j")
    desk.state.go(to: Position(branch: "try", step: 12))
    desk.send(.playing(.stepIsOver))
    #expect(desk.state.range == nil)
    desk.type("V2js")
    #expect(
      desk.message == "A fork is written as a whole, from its start: :export FILE")
  }
}

/// The timeline after some keys.
private func top(of keys: String, at step: Int, columns: Int, rows: Int) async -> String {
  let app = await DebuggerApp.wishes(at: step, keys, columns: columns, rows: rows)
  return app.frame.text.split(separator: "\n")[1..<4].joined(separator: "\n")
}
