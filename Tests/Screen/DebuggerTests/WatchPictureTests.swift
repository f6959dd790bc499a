import TestSupport
import Testing
import TextCanvas

@testable import Debugger
@testable import TimeTravel

@Suite("A watched value is a picture, and a rule that is broken is red")
struct WatchPictureTests {
  private func app(
    at step: Int, _ keys: String, columns: Int = 120, rows: Int = 24
  ) async -> DebuggerApp {
    await .wishes(at: step, keys, columns: columns, rows: rows)
  }

  @Test(
    "its course stands under the slider, its values in a column, and since when it is so in Watch")
  func picture() async {
    let app = await app(at: 12, ":watch total⏎")
    await app.handle(.key(.alt("6"))).finish()
    expectFrame(
      app.frame.text,
      """
       wishes.retcon   main   12/33   00:00:09.502                                                       no reducer  recorded
      ┌ timeline  ▁▄█ steps in a second ─ total -8.36 ───────────────────────────────────────────────────────────────────────┐
      │▇▇▇▇▄▄▄▄▃▃▃▆▆▆▆▆▆▆████▂▂▂▂▁▁▁▇▇▇▇██████████████████████████████████████████████████████████████████████████████████▁▁▁│
      │━━━━━━━━━━━━━━━━━━━━━━━━━━━━✗━━━━━━━━━━━━━━●──────────────────────────────────────────────────────────────────────────│
      │▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂██████████▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁│
      ├ steps ────────────────────────────────── total┬1 Diff│3 Action│4 Effects│5 Reads─┬ 2 State │ 6 Watch ────────────────┤
      │  4 +300ms   nameChanged "Stan"               0│~  note  "buy" → "buy "           │   total: -8.36   since 8, 4 steps │
      │  5 +400ms ⚡wishesResponse {success:…    27.14│                                  │                                   │
      │  6 +100ms ↳ totalChanged                 27.14│                                  │                                   │
      │  7  +2.3s   quantityChanged {index: …    31.64│                                  │                                   │
      │  8  +3.2s   ✗ couponApplied {code: "…    -8.36│                                  │                                   │
      │  9 +190ms   noteTyped "b"                -8.36│                                  │                                   │
      │ 10  +97ms   noteTyped "bu"               -8.36│                                  │                                   │
      │ 11 +104ms   noteTyped "buy"              -8.36│                                  │                                   │
      │▸12 +111ms   noteTyped "buy "             -8.36│                                  │                                   │
      │ 13 +118ms   noteTyped "buy t"            -8.36│                                  │                                   │
      │ 14 +125ms   noteTyped "buy th"           -8.36│                                  │                                   │
      │ 15 +132ms   noteTyped "buy the"          -8.36│                                  │                                   │
      │ 16 +139ms   noteTyped "buy the "         -8.36│                                  │                                   │
      │ 17 +146ms   noteTyped "buy the l"        -8.36│                                  │                                   │
      │ 18  +93ms   noteTyped "buy the la"       -8.36│                                  │                                   │
      │ 19 +100ms   noteTyped "buy the lam"      -8.36│                                  │                                   │
      └───────────────────────────────────────────────┴───────── 1 change, 12 unchanged ─┴─────────────────────── 1 watched ─┘
                                                                      / search   : anything   Tab next pane   ? help   q quit
      """)
    #expect(app.state.watchedNow.map(\.since) == [8])
  }

  @Test("a place that is not there says how places are written")
  func noPlace() async {
    let app = await app(at: 12, ":watch total =⏎")
    #expect(
      app.state.message?.text
        == "“total =” is not a path in the state. Example: cart.items[0].total.")
  }

  @Test("e goes to where a rule begins to be broken, not to errors; the steps are red")
  func rule() async {
    let app = await app(at: 0, ":rule state.total >= 0⏎")
    #expect(app.state.message?.text == "Broken in 26 steps, first at 8: e goes to where it begins.")
    await app.handle(.key(.character("e"))).finish()
    #expect(app.state.here.step == 8)
    #expect(app.state.message?.text == "broken: state.total >= 0")
    let lines = app.frame.text.split(separator: "\n")
    #expect(lines[3].count { $0 == "▼" } == 25)
    #expect(lines.contains { $0.hasPrefix("│▼ 9") })
    let two = await self.app(at: 0, ":rule state.total < 100⏎:rule state.total >= 0⏎e")
    #expect(two.state.message?.text == "broken: state.total >= 0")
    #expect(two.state.brokenRules == ["state.total >= 0"])
    let off = await self.app(at: 0, ":rule state.total >= -10⏎")
    let all = "state.total >= -10 holds in all 34 steps with a known state."
    #expect(off.state.message?.text == all)
  }

  @Test(
    "values as far apart as doubles can be, and as near, have a bar each",
    arguments: [
      [1, .infinity], [-1.7e308, 1.7e308], [-.infinity, .infinity], [0, .leastNonzeroMagnitude],
    ])
  func extremes(_ numbers: [Double]) {
    var series = WatchSeries(
      ValuePath([.key("n")]), of: Branch("main", steps: 0...1), from: 0)
    series.add(
      WatchBatch(steps: 0...1, values: [(0, .number(numbers[0])), (1, .number(numbers[1]))]))
    let levels = (0...1).compactMap { series.levels(in: $0..<$0 + 1) }
    #expect(levels.count == 2 && levels.allSatisfy { $0.clamped(to: 0...1) == $0 })
    #expect(levels[0].upperBound < levels[1].lowerBound || numbers[0] == 0)
  }

  @Test("a column of many steps knows its lowest and highest value, however rare they are")
  func manySteps() {
    var values = (0..<10_000).map { Double($0 % 100) }
    values[6_543] = 1_000
    values[8_765] = -1_000
    var series = WatchSeries(
      ValuePath([.key("n")]), of: Branch("main", steps: 0...9_999), from: 0)
    series.add(
      WatchBatch(steps: 0...9_999, values: values.indices.map { ($0, .number(values[$0])) }))
    for (first, last) in [(0, 2_499), (2_500, 4_999), (6_001, 7_000), (8_764, 8_767)] {
      let own = values[first...last]
      let levels = (own.min()! + 1_000) / 2_000...(own.max()! + 1_000) / 2_000
      #expect(series.levels(in: first..<last + 1) == levels)
    }
    series.grow(to: 20_000)
    #expect(series.levels(in: 10_000..<10_001) == nil, "it is not read yet")
  }

  @Test("a series says at every step what a walk through all steps says", arguments: 0..<20)
  func series(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let last = Int.random(in: 4...200, using: &random)
    let branch = Branch("main", steps: 0...last)
    var value = 0
    let values = (0...last).map { _ in
      if Int.random(in: 0..<4, using: &random) == 0 {
        value = Int.random(in: -3...3, using: &random)
      }
      return value
    }
    var series = WatchSeries(
      ValuePath([.key("total")]), of: branch, from: Int.random(in: 0...last, using: &random))
    for part in series.parts {
      for first in stride(from: part.lowerBound, through: part.upperBound, by: 7) {
        let steps = first...min(first + 6, part.upperBound)
        let changes = steps.filter { $0 == first || values[$0] != values[$0 - 1] }
        series.add(
          WatchBatch(steps: steps, values: changes.map { ($0, .number(Double(values[$0]))) }))
      }
    }
    series.isRunning = false
    for step in 0...last {
      #expect(series.value(at: step) == .number(Double(values[step])))
      let since = (1...max(step, 1)).last { $0 <= step && values[$0] != values[$0 - 1] }
      #expect(series.lastChange(at: step) == since)
    }
  }
}
