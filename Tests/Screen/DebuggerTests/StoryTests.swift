import Platform
import SessionImports
import TestSupport
import Testing
import TextCanvas
import TimeTravel

@testable import Debugger

/// The story of the negative total, on a file that the Redux DevTools engine wrote.
@Suite("A Redux export")
struct StoryTests {
  @Test(
    "is at its author's position; the steps with a negative total are found",
    .needs(.samples))
  func negativeTotal() async throws {
    let reader = try SessionOpener.standard.open(SampleFiles.path("redux-shop.lifted.json"))
    let session = OpenSession(SessionRecording(reader))
    let size = Size(width: 100, height: 20)
    expectFrame(
      await DebuggerApp.print(session, size: size).text,
      """
       redux-shop.lifted.json   main   300/602   00:03:47.478                        no reducer  recorded
      ┌ timeline  ▁▄█ steps in a second ─────────────────────────────────────────────────────────────────┐
      │▂▅▇▃▂▂▃▅▄▃▅▇▂▃▄▆▃▄▃▄▄▄▃▃▅▅▃▆▃▄▃▅▂▅▃▄▃▅▄▅▆▃▃▂▃▃▅▅▃▆▅▅▃▆▅▄▂▂▅▃▇▆▇▆▇▆▄▅▄▅▃▆▃▃▂▄█▄▄▃▇▂▄▅▅▅▄▃▅▃▅▄▄▇▃▆▅▄│
      │━━━━━━✗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━✗━━●───✗────────────────────────✗────✗──────✗────────│
      ├ steps ────────────────────────────────┬1 Diff│2 State│3 Action│4 Effects│5 Reads│6 Watch─────────┤
      │ 294 +646ms   cart/couponApplied {code…│~  form.name  "Renée" → "Renée "                          │
      │▸300 +987ms   form/typed name: "Ren… ×7│                                                          │
      │ 302  +30ms   catalogue/fetch/pending …│                                                          │
      │ 303 +581ms ⚡…fetch/fulfilled request…│                                                          │
      │ 304  +1.4s   cart/added {sku: "sku-7"…│                                                          │
      │ 311 +840ms   form/typed name: "Ren… ×7│                                                          │
      │ 312  +1.3s   catalogue/fetch/pending …│                                                          │
      │ 313 +740ms ⚡…fetch/fulfilled request…│                                                          │
      │ 315 +704ms   cart/added {sku: "sku… ×2│                                                          │
      │ 317  +1.1s   cart/removed "sku-34"  ×2│                                                          │
      │ 318  +1.4s   cart/added {sku: "sku-26…│                                                          │
      │ 319 +907ms   catalogue/fetch/pending …│                                                          │
      │ 320  +1.4s ⚡✗ …fetch/rejected {meta:…│                                                          │
      └─ runs folded: r ──────────────────────┴──────────────────────────────── 1 change, 105 unchanged ─┘
       602 steps in 7 min 23 s, 2 skipped; the author was at step 300; 6 failures, e goes to the next
      """)
    let keys: [InputEvent] = [
      .key(.character("g")), .key(.character(";")), .paste("state.total < 0"), .key(.enter),
    ]
    expectFrame(
      await DebuggerApp.print(session, size: size, events: keys).text,
      """
       redux-shop.lifted.json   main   4/602   00:00:03.029                          no reducer  recorded
      ┌ timeline  ▁▄█ steps in a second ─────────────────────────────────────────────────────────────────┐
      │▂▅▇▃▂▂▃▅▄▃▅▇▂▃▄▆▃▄▃▄▄▄▃▃▅▅▃▆▃▄▃▅▂▅▃▄▃▅▄▅▆▃▃▂▃▃▅▅▃▆▅▅▃▆▅▄▂▂▅▃▇▆▇▆▇▆▄▅▄▅▃▆▃▃▂▄█▄▄▃▇▂▄▅▅▅▄▃▅▃▅▄▄▇▃▆▅▄│
      │━●◆◆──✗──────────────────────────────────────✗──────✗────────────────────────✗────✗──────✗────────│
      ├ steps ────────────────────────────────┬1 Diff│2 State│3 Action│4 Effects│5 Reads│6 Watch─────────┤
      │   0          init                     │~  total  27.14 → -0.75                                   │
      │   1          cart/added {sku: "sku-34…│                                                          │
      │   3  +1.3s   cart/removed "sku-17"  ×2│                                                          │
      │▸  4 +260ms   cart/couponApplied amoun…│                                                          │
      │   5 +814ms   cart/removed "sku-11"    │                                                          │
      │  13  +57ms   form/typed name: "Re"  ×8│                                                          │
      │◆ 14 +255ms   cart/couponApplied amoun…│                                                          │
      │◆ 15 +113ms   catalogue/fetch/pending …│                                                          │
      │◆ 16  +1.3s ⚡catalogue/fetch/fulfille…│                                                          │
      │  18 +573ms   cart/added {sku: "sku… ×2│                                                          │
      │  33 +977ms   form/typed name: "Re… ×15│                                                          │
      │  34  +1.1s   cart/couponApplied amoun…│                                                          │
      │  35  +1.4s   cart/removed "sku-8"     │                                                          │
      └─ runs folded: r ──────────────────────┴───────────────────────────────── 1 change, 10 unchanged ─┘
       ;state.total < 0  1 of 5 hits   n next  N previous         / search   : anything   ? help   q quit
      """)
  }

  @Test("opens with its runs folded, which needs no sidecar; r unfolds them, and that is kept")
  func folded() {
    var debugger = TestDebugger()
    #expect(debugger.state.filterAtStart == nil)
    debugger.state.session.isOfJavaScript = true
    debugger.state.branches[0].steps = 0...12
    debugger.send(.started)
    #expect(debugger.state.filter.now?.text == "runs")
    #expect(debugger.state.filterToKeep == nil)
    debugger.type("r")
    #expect(debugger.state.filter.now == nil)
    #expect(debugger.state.filterToKeep == "off")
  }

  @Test("opens whole if it is short; r folds it on request")
  func unfolded() {
    var debugger = TestDebugger()
    debugger.state.session.isOfJavaScript = true
    debugger.state.branches[0].steps = 0...11
    debugger.send(.started)
    let filter = debugger.state.filter.now
    #expect(filter?.folds(0...11) == false && filter?.folds(0...12) == true)
    #expect(filter?.words == "")
    debugger.type("r")
    #expect(debugger.state.filter.now?.folds(0...11) == true)
  }
}
