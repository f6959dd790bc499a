import SessionWords
import StoreTesting
import TestSupport
import Testing
import TextCanvas

@testable import Debugger
@testable import TimeTravel

@Suite("A filter lists only, hides or dims steps, and runs of alike ones stand in one row")
struct FilterTests {
  private func app(
    at step: Int, _ keys: String, columns: Int = 80, rows: Int = 24
  ) async -> DebuggerApp {
    await .wishes(at: step, keys, columns: columns, rows: rows)
  }

  @Test("only what fits is listed, j goes from one to the next, and the hidden ones are counted")
  func only() async {
    let app = await app(at: 5, "Fonly cause == 'user' && label != 'noteTyped'⏎j")
    #expect(app.state.here.step == 7)
    expectFrame(
      app.frame.text,
      """
       wishes.retcon   main   7/33   00:00:05.800                no reducer  recorded
      ┌ timeline  ▁▄█ steps in a second ─────────────────────────────────────────────┐
      │▇▇▇▄▄▃▃▃▆▆▆▆███▂▂▁▁▇▇▇██████████████████████████████████████████████████████▁▁│
      │━━━━━━━━━━━━┄┄┄┄●──✗─┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄─│
      ├ steps ────────────────────────┬1Diff│2State│3Action│4Effects│5Reads│6Watch───┤
      │  0          init              │~  items[0].quantity  1 → 2                   │
      │  1 +200ms   nameChanged "St"  │~  total  27.14 → 31.64                       │
      │  2  +1.1s   nameChanged "Stan…│                                              │
      │  3  +1.4s   discoverTapped    │                                              │
      │  4 +300ms   nameChanged "Stan"│                                              │
      │▸ 7  +2.3s   quantityChanged {…│                                              │
      │  8  +3.2s   ✗ couponApplied {…│                                              │
      │ 33  +5.0s   saveTapped        │                                              │
      │                               │                                              │
      │                               │                                              │
      │                               │                                              │
      │                               │                                              │
      │                               │                                              │
      │                               │                                              │
      │                               │                                              │
      │                               │                                              │
      │                               │                                              │
      └─ 26 of 34 hidden: F ──────────┴───────────────────── 2 changes, 9 unchanged ─┘
                              / search   : anything   Tab next pane   ? help   q quit
      """)
    for (key, step) in [("j", 8), ("j", 33), ("k", 8), ("J", 9)] as [(Character, Int)] {
      await app.handle(.key(.character(key))).finish()
      #expect(app.state.here.step == step)
    }
    // A hidden step that is looked at is listed as such.
    #expect(app.frame.text.contains("▸ 9 +190ms   noteTyped"))
    #expect(app.frame.text.contains("hidden│"))
  }

  @Test("one key hides the steps with the label under the cursor, then more of them")
  func hideLabel() async {
    let app = await app(at: 12, "-")
    #expect(app.state.filter.now?.text == "hide label == 'noteTyped'")
    #expect(app.state.filter.now?.rows.hidden == 24)
    #expect(
      app.state.message?.text
        == "“noteTyped” is hidden: F changes the filter, :filter off shows all.")
    for key in "8G-" { await app.handle(.key(.character(key))).finish() }
    #expect(app.state.filter.now?.text == "hide (label == 'noteTyped') || label == 'couponApplied'")
    #expect(app.state.filter.now?.rows.hidden == 25)
    for key in ":filter off" { await app.handle(.key(.character(key))).finish() }
    await app.handle(.key(.enter)).finish()
    #expect(app.state.filter.now == nil)
    #expect(app.state.message?.text == "All steps are listed.")
  }

  @Test("F offers the filter that is set; another word takes its place")
  func offered() async {
    let app = await app(at: 5, "/note⏎Fonly step > 30⏎")
    #expect(
      app.state.message?.text == "only step > 30: F changes it, :filter off lists all.")
    for key in "F⏎" { await app.handle(.key(.typed(key))).finish() }
    #expect(app.state.filter.now?.text == "only step > 30")
    for key in "Foff⏎" { await app.handle(.key(.typed(key))).finish() }
    #expect(app.state.filter.now == nil)
  }

  @Test(
    "a run of alike steps stands in one row; J and K go through it, and a jump into it shows where")
  func runs() async {
    let app = await app(at: 8, "r")
    expectFrame(
      app.frame.text,
      """
       wishes.retcon   main   8/33   00:00:09.000                no reducer  recorded
      ┌ timeline  ▁▄█ steps in a second ─────────────────────────────────────────────┐
      │▇▇▇▄▄▃▃▃▆▆▆▆███▂▂▁▁▇▇▇██████████████████████████████████████████████████████▁▁│
      │━━━━━━━━━━━━━━━━━━━●──────────────────────────────────────────────────────────│
      ├ steps ────────────────────────┬1Diff│2State│3Action│4Effects│5Reads│6Watch───┤
      │  0          init              │~  total  31.64 → -8.36                       │
      │  2  +1.1s   nameChanged "S… ×2│+▸ coupon: {code: "TENOFF", amount: 40}       │
      │  3  +1.4s   discoverTapped    │                                              │
      │  4 +300ms   nameChanged "Stan"│                                              │
      │  5 +400ms ⚡wishesResponse {s…│                                              │
      │  6 +100ms ↳ totalChanged      │                                              │
      │  7  +2.3s   quantityChanged {…│                                              │
      │▸ 8  +3.2s   ✗ couponApplied {…│                                              │
      │ 32 +131ms   noteTyped "bu… ×24│                                              │
      │ 33  +5.0s   saveTapped        │                                              │
      │                               │                                              │
      │                               │                                              │
      │                               │                                              │
      │                               │                                              │
      │                               │                                              │
      │                               │                                              │
      │                               │                                              │
      └─ runs folded: r ──────────────┴──────────────────── 2 changes, 10 unchanged ─┘
       Steps of one kind share a row; J and K go into it; r unfolds them.      ? help
      """)
    await app.handle(.key(.character("j"))).finish()
    #expect(app.state.here.step == 32)
    for _ in 1...22 { await app.handle(.key(.character("K"))).finish() }
    #expect(app.state.here.step == 10)
    #expect(app.frame.text.contains("▸10  +97ms   noteTyped \"bu\""))
    await app.handle(.key(.character("j"))).finish()
    #expect(app.state.here.step == 33)
    await app.handle(.key(.character("r"))).finish()
    #expect(app.state.filter.now == nil)
  }

  @Test("dimmed steps stay; a bare word is a part of the label")
  func dim() async {
    let app = await app(at: 8, "Fdim note⏎")
    #expect(app.state.filter.now?.question?.condition.text == "search(label, 'note')")
    #expect(app.state.filter.now?.rows.hidden == 0)
    let frame = app.frame
    let row = frame.text.split(separator: "\n").firstIndex { $0.contains("noteTyped \"b\"") } ?? 0
    #expect(frame[Point(column: 16, row: row)]?.style.attributes.contains(.dim) == true)
    #expect(frame[Point(column: 16, row: row - 1)]?.style.attributes.contains(.dim) == false)
  }

  @Test("what a key tells the filter is settled once, after the filter knows it")
  func settledOnce() {
    var state = TestDebugger(at: 5).state
    state.reading.awaited = nil
    let key = DebuggerAction.input(.key(.character("-")))
    var update = DebuggerUpdate(state)
    update.act(on: key)
    #expect(update.sent.count == 1 && update.effects.isEmpty)
    let moments = DebuggerFeature.turn(of: key, on: &state).count {
      $0 == .readMoment(Position(step: 5))
    }
    #expect(moments == 1)
  }

  @Test("hits that are hidden are passed over, and have no tick on the slider")
  func hits() async {
    let app = await app(at: 0, "Fhide label == 'noteTyped'⏎;state.total < 0⏎n")
    #expect(app.state.here.step == 33)
    #expect(app.state.searches.asked?.count == 26)
    let slider = app.frame.text.split(separator: "\n")[3]
    #expect(slider.contains("┄┄┄┄"))
    #expect(slider.filter { $0 == "◆" }.count < 4)
  }

  @Test("a condition that cannot be understood stays in its line, and nothing is hidden")
  func problem() async {
    let app = await app(at: 0, "Fonly state.total <⏎")
    #expect(app.state.prompt?.problem?.hasPrefix("column ") == true)
    #expect(app.state.filter.now == nil)
  }

  @Test("where nothing is left that is said, and a fork is filtered by its own steps")
  func nothing() async {
    let app = await app(at: 4, "Fonly label == 'none'⏎")
    #expect(
      app.state.message?.text
        == "All steps are hidden: F changes the filter, :filter off shows all.")
    #expect(app.frame.text.contains("▸ 4"))
  }

  @Test("the current step is listed before all that fit")
  func first() async {
    let app = await app(at: 0, "Fonly label == 'couponApplied'⏎", rows: 12)
    #expect(app.frame.text.contains("▸ 0          init"), "\(app.frame.text)")
  }

  @Test("rows are what a plain list of the steps says", arguments: 0..<20)
  func rows(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let steps = 3...Int.random(in: 3...300, using: &random)
    var rows = StepRows(steps, foldsRuns: true)
    let labels = steps.map { _ in "abc".randomElement(using: &random) ?? "a" }
    let isHit = steps.map { _ in Bool.random(using: &random) }
    // In two parts, the later one first, as it is looked through.
    let middle = Int.random(in: steps, using: &random)
    for part in [middle...steps.upperBound] + (middle > 3 ? [3...middle - 1] : []) {
      rows.add(
        ScanBatch(
          steps: part, hits: part.filter { isHit[$0 - 3] },
          runs: part.map { .init(first: $0, label: String(labels[$0 - 3]), sign: "") }),
        hiding: .only)
    }
    var starts: [Int] = []
    var last: Character?
    for step in steps where isHit[step - 3] {
      if labels[step - 3] != last { starts.append(step) }
      last = labels[step - 3]
    }
    #expect(rows.hidden == isHit.count { !$0 })
    for (index, start) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1] : steps.upperBound + 1
      #expect(rows.length(ofRow: start) == (start..<end).count { isHit[$0 - 3] })
      #expect(rows.row(start, by: 1) == (index + 1 < starts.count ? starts[index + 1] : start))
      #expect(rows.row(start, by: -2) == starts[max(0, index - 2)])
      #expect(rows.count(from: starts[0], to: start) == index)
    }
  }

  @Test("a branch is looked through once, and on where it grows, until the filter is put away")
  func feature() async throws {
    let store = TestStore(Filter.State(), on: Wishes.session) { Filter() }
    store.exhaustivity = .off
    var branch = Branch("main", steps: 0...20)
    var filter = StepFilter(mode: .hide)
    filter.question = try StepQuestion("label == 'noteTyped'")
    await store.send(.chosen(filter, of: branch, from: 5))
    #expect(store.state.now?.isRunning == true)
    await store.receive(.ended(failure: nil))
    #expect(store.state.now?.rows.hidden == 12)
    branch.steps = 0...33
    #expect(!store.state.isCurrent(for: branch))
    await store.send(.looked(at: branch, from: 5))
    await store.receive(.ended(failure: nil))
    #expect(store.state.now?.rows.hidden == 24)
    branch.run = 1
    await store.send(.looked(at: branch, from: 5))
    await store.receive(.ended(failure: nil))
    #expect(store.state.now?.rows.hidden == 24)
    await store.send(.putAway)
    #expect(store.state.now == nil)
    await store.finish()
  }
}
