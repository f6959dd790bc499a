import Debugger
import Platform
import SessionImports
import TestSupport
import Testing
import TextCanvas
import TimeTravel

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
      │ 295  +1.2s   form/typed name: "R"     │                                                          │
      │ 296 +146ms   form/typed "Re"          │                                                          │
      │ 297  +1.3s   form/typed "Ren"         │                                                          │
      │ 298 +179ms   form/typed "René"        │                                                          │
      │ 299 +311ms   form/typed "Renée"       │                                                          │
      │▸300 +987ms   form/typed "Renée "      │                                                          │
      │ 301 +642ms   form/typed "Renée Ł"     │                                                          │
      │ 302  +30ms   catalogue/fetch/pending …│                                                          │
      │ 303 +581ms ⚡catalogue/fetch/fulfille…│                                                          │
      │ 304  +1.4s   cart/added {sku: "sku-7"…│                                                          │
      │ 305  +39ms   form/typed name: "R"     │                                                          │
      │ 306  +1.1s   form/typed "Re"          │                                                          │
      └───────────────────────────────────────┴──────────────────────────────── 1 change, 105 unchanged ─┘
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
      │   0        init                       │~  total  27.14 → -0.75                                   │
      │   1        cart/added {sku: "sku-34",…│                                                          │
      │   2  +1.3s cart/removed "sku-9"       │                                                          │
      │   3  +1.3s cart/removed "sku-17"      │                                                          │
      │▸  4 +260ms cart/couponApplied {code: …│                                                          │
      │   5 +814ms cart/removed "sku-11"      │                                                          │
      │   6  +36ms form/typed name: "R"       │                                                          │
      │   7 +692ms form/typed "Re"            │                                                          │
      │   8 +297ms form/typed "Ren"           │                                                          │
      │   9  +1.0s form/typed "René"          │                                                          │
      │  10  +1.2s form/typed "Renée"         │                                                          │
      │  11  +1.1s form/typed "Renée "        │                                                          │
      │  12  +1.0s form/typed "R"             │                                                          │
      └───────────────────────────────────────┴───────────────────────────────── 1 change, 10 unchanged ─┘
       ;state.total < 0  1 of 5 hits   n next  N previous         / search   : anything   ? help   q quit
      """)
  }
}
