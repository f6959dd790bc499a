import SessionWords
import Testing
import TextCanvas
import TimeTravel

@testable import Debugger

@Suite("Two branches stand side by side, in step with each other")
struct SideBySideTests {
  private func frame(_ keys: String, columns: Int = 120, rows: Int = 24) async -> String {
    let session = OpenSession(Wishes.recording, host: FakeHost(recording: Wishes.recording))
    return await DebuggerApp.print(
      session, size: Size(width: columns, height: rows), position: Position(step: 8),
      events: keys.map { .key(.typed($0)) }
    ).text
  }

  @Test("what only one has leaves a gap in the other")
  func beside() async {
    expectFrame(
      await frame("fi⏎T"),
      """
       wishes.retcon   fork 1   9/34   00:00:09.190                          reducer: WishesHost ●  new step, after your edit
      ┌ timeline  ▁▄█ steps in a second ─────────────────────────────────────────────────────────────────────────────────────┐
      │▇▇▇▇▄▄▄▃▃▃▃▆▆▆▆▆▆▆███▂▂▂▂▁▁▁▇▇▇▇████████████████████████████████████████████████████████████████████████████████▁▁▁   │
      │━━━━━━━━━━━━━━━━━━━━━━━━━━━━┬──────────────────────────────────────────────────────────────────────────────────────   │
      │                     fork 1 └──●─────────────────────────────────────────────────────────────────────────────────────○│
      ├ steps ───────────────────────────── main ─────────────────────────────┬1 Diff│3│4│5│7────────┬ 2 State │ 6 Watch ────┤
      │  0        │   init                │    0 init                         │   The reducer        │   name: "Stan"        │
      │  1 +200ms │   nameChanged "St"    │    1 nameChanged "St"             │   returned the same  │   button: "enabled"   │
      │  2  +1.1s │   nameChanged "Stanis…│    2 nameChanged "Stanislav"      │   state.             │ ▾ items  [2]          │
      │  3  +1.4s │   discoverTapped      │    3 discoverTapped               │                      │   ▾ 0  {3}            │
      │  4 +300ms │   nameChanged "Stan"  │    4 nameChanged "Stan"           │                      │       title: "Tea"    │
      │  5 +400ms │ ⚡wishesResponse {suc…│    5 wishesResponse {success: ["T…│                      │       price: 4.5      │
      │  6 +100ms │ ↳ totalChanged        │    6 totalChanged                 │                      │       quantity: 2     │
      │  7  +2.3s │   quantityChanged {in…│    7 quantityChanged {index: 0, q…│                      │   ▾ 1  {3}            │
      │  8  +3.2s │   ✗ couponApplied {co…│    8 ✗ couponApplied {code: "TENO…│                      │       title: "Lamp"   │
      │▸ 9 +190ms +*  couponApplied {code…│ ·                                 │                      │       price: 22.64    │
      │ 10  +97ms ≠*  noteTyped "b"       │ ≠  9 noteTyped "b"                │                      │       quantity: 1     │
      │ 11 +104ms ≠*  noteTyped "bu"      │ ≠ 10 noteTyped "bu"               │                      │   total: -8.36        │
      │ 12 +111ms ≠*  noteTyped "buy"     │ ≠ 11 noteTyped "buy"              │                      │   note: ""            │
      │ 13 +118ms ≠*  noteTyped "buy "    │ ≠ 12 noteTyped "buy "             │                      │   checked: true       │
      │ 14 +125ms ≠*  noteTyped "buy t"   │ ≠ 13 noteTyped "buy t"            │                      │ ▾ coupon  {2}         │
      │ 15 +132ms ≠*  noteTyped "buy th"  │ ≠ 14 noteTyped "buy th"           │                      │     code: "TENOFF"    │
      └───────────────────────────────────────────────────────────────────────┴─ 0 changes, 13 unc… ─┴──────────── 7 fields ─┘
       “main” beside it; C shows another branch, T closes it.       D first difference   z undo   f what if   ? help   q quit
      """)
  }

  @Test("on main, T shows another session of the app, by their clocks")
  func sessions() {
    var debugger = TestDebugger(at: 3)
    debugger.state.size = Size(width: 120, height: 24)
    debugger.state.driving.session = "a"
    debugger.send(
      .sessionsListed([
        AppSession(id: "old", name: "shop", steps: 3, end: "the page was left"),
        AppSession(id: "a", name: "shop", steps: 33, end: nil),
        AppSession(
          id: "b", name: "ticks", steps: Wishes.recording.summary.steps.upperBound, end: nil),
      ]))
    debugger.type("T")
    #expect(debugger.message == "“ticks” beside it, by their clocks; T shows another one, or none.")
    let branch = BranchID("session b")
    #expect(debugger.work.contains { $0.name == "align sessions" })
    let page = StepPages.PageID(branch: branch, page: 0)
    let rows = (try? Wishes.session.rows(page.steps, of: .main)) ?? []
    debugger.send(.stepsRead(page, rows))
    debugger.send(.aligned(.main, branch, [0: 0, 1: 2, 3: 3]))
    let lines = debugger.lines(5..<11).map { $0.drop { $0 == "│" } }
    func right(_ row: Int) -> String {
      let half = lines[row].split(separator: "│", omittingEmptySubsequences: false)
      return half.count > 1 ? String(half[1].drop { $0 == " " }.prefix(20)) : ""
    }
    #expect(right(0).hasPrefix("0 init"), "\(lines)")
    #expect(right(1).hasPrefix("1 nameChanged"), "\(lines)")
    #expect(right(2).hasPrefix("2 nameChanged"), "\(lines)")
    #expect(right(3).hasPrefix("·"), "\(lines)")
    #expect(right(4).hasPrefix("3 discoverTapped"), "\(lines)")
    debugger.type("T")
    #expect(debugger.state.otherBeside?.id == BranchID("session old"))
    debugger.type("T")
    #expect(debugger.state.otherBeside == nil && debugger.state.driving.beside == nil)
  }

  @Test("the line between the lists goes down to the frame, below the last steps too")
  func edge() async {
    let lines = await frame("fi⏎T", rows: 60).split(separator: "\n")
    let last = lines.last { $0.hasPrefix("│") } ?? ""
    #expect(last.dropFirst(36).first == "│", "\(last)")
  }

  @Test("a step that the fork left out has a row of its own, and the fork a gap")
  func leftOut() async {
    let text = await frame("xT")
    #expect(
      text.split(separator: "\n").contains { $0.contains("· ") && $0.contains("8 couponApplied") },
      "\(text)")
  }

  @Test("on the recording and where there is no room it says so")
  func nothing() async {
    #expect(await frame("T").contains("T shows a fork and another branch side by side"))
    #expect(
      await frame("fi⏎T", columns: 90).contains("Two branches side by side need 100 columns."))
  }
}
