import Debugger
import Testing
import TextCanvas
import TimeTravel

@Suite("The screen")
struct FrameTests {
  @Test("shows the file, the timeline, the steps and what a step changed at 80×24")
  func small() async {
    expectFrame(
      await frame(80, 24, at: 5),
      """
       wishes.retcon   main   5/33   00:00:03.400                no reducer  recorded
      ┌ timeline  ▁▄█ steps in a second ─────────────────────────────────────────────┐
      │▇▇▇▄▄▃▃▃▆▆▆▆███▂▂▁▁▇▇▇██████████████████████████████████████████████████████▁▁│
      │━━━━━━━━━━━━●──────✗──────────────────────────────────────────────────────────│
      ├ steps ────────────────────────┬1Diff│2State│3Action│4Effects│5Reads│6Watch───┤
      │  0          init              │~  button  "loading" → "enabled"              │
      │  1 +200ms   nameChanged "St"  │   items                                      │
      │  2  +1.1s   nameChanged "Stan…│+  ▾ [0]  {3}                                 │
      │  3╭ +1.4s   discoverTapped    │+      title: "Tea"                           │
      │  4│+300ms   nameChanged "Stan"│+      price: 4.5                             │
      │▸ 5├+400ms ⚡wishesResponse {s…│+      quantity: 1                            │
      │  6╰+100ms ↳ totalChanged      │+  ▾ [1]  {3}                                 │
      │  7  +2.3s   quantityChanged {…│+      title: "Lamp"                          │
      │  8  +3.2s   ✗ couponApplied {…│+      price: 22.64                           │
      │  9 +190ms   noteTyped "b"     │+      quantity: 1                            │
      │ 10  +97ms   noteTyped "bu"    │~  total  0 → 27.14                           │
      │ 11 +104ms   noteTyped "buy"   │                                              │
      │ 12 +111ms   noteTyped "buy "  │                                              │
      │ 13 +118ms   noteTyped "buy t" │                                              │
      │ 14 +125ms   noteTyped "buy th"│                                              │
      │ 15 +132ms   noteTyped "buy th…│                                              │
      │ 16 +139ms   noteTyped "buy th…│                                              │
      └───────────────────────────────┴───────────────────── 4 changes, 3 unchanged ─┘
       33 steps in 16 s  c where it started   / search   : anything   ? help   q quit
      """)
  }

  @Test("shows the same and the effects in the timeline at 200×60")
  func large() async {
    expectFrame(
      await frame(200, 60, at: 8, .alt("2")),
      """
       wishes.retcon   main   8/33   00:00:09.000                                                                                                                                        no reducer  recorded
      ┌ timeline  ▁▄█ steps in a second ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────┐
      │▇▇▇▇▇▇▄▄▄▄▄▄▃▃▃▃▃▃▆▆▆▆▆▆▆▆▆▆▆▆██████▂▂▂▂▂▂▁▁▁▁▁▁▇▇▇▇▇▇██████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████▁▁▁▁▁▁│
      │━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━●─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────│
      │      fetchWishes ├───────────┤            save ├✗                                                                                                                                                  ├▸│
      ├ steps ────────────────────────────────────────────────────┬ 1 Diff ────────────────────────────────── 2 changes, 10 unchanged ─┬ 2 State │ 6 Watch ──────────────────────────────────────────────────┤
      │  0          init                                          │~  total  31.64 → -8.36                                             │   name: "Stan"                                                      │
      │  1 +200ms   nameChanged "St"                              │+▸ coupon: {code: "TENOFF", amount: 40}                             │   button: "enabled"                                                 │
      │  2  +1.1s   nameChanged "Stanislav"                       │                                                                    │ ▾ items  [2]                                                        │
      │  3  +1.4s   discoverTapped                                │                                                                    │   ▸ 0: {title: "Tea", price: 4.5, quantity: 2}                      │
      │  4 +300ms   nameChanged "Stan"                            │                                                                    │   ▸ 1: {title: "Lamp", price: 22.64, quantity: 1}                   │
      │  5 +400ms ⚡wishesResponse {success: ["Tea", "Lamp"]}     │                                                                    │~  total: -8.36                                                      │
      │  6 +100ms ↳ totalChanged                                  │                                                                    │   note: ""                                                          │
      │  7  +2.3s   quantityChanged {index: 0, quantity: 2}       │                                                                    │   checked: true                                                     │
      │▸ 8  +3.2s   ✗ couponApplied {code: "TENOFF", amount: 40}  │                                                                    │+▸ coupon: {code: "TENOFF", amount: 40}                              │
      │  9 +190ms   noteTyped "b"                                 │                                                                    │                                                                     │
      │ 10  +97ms   noteTyped "bu"                                │                                                                    │                                                                     │
      │ 11 +104ms   noteTyped "buy"                               │                                                                    │                                                                     │
      │ 12 +111ms   noteTyped "buy "                              │                                                                    │                                                                     │
      │ 13 +118ms   noteTyped "buy t"                             │                                                                    │                                                                     │
      │ 14 +125ms   noteTyped "buy th"                            │                                                                    │                                                                     │
      │ 15 +132ms   noteTyped "buy the"                           │                                                                    │                                                                     │
      │ 16 +139ms   noteTyped "buy the "                          │                                                                    │                                                                     │
      │ 17 +146ms   noteTyped "buy the l"                         │                                                                    │                                                                     │
      │ 18  +93ms   noteTyped "buy the la"                        │                                                                    │                                                                     │
      │ 19 +100ms   noteTyped "buy the lam"                       │                                                                    │                                                                     │
      │ 20 +107ms   noteTyped "buy the lamp"                      │                                                                    │                                                                     │
      │ 21 +114ms   noteTyped "buy the lamp "                     │                                                                    │                                                                     │
      │ 22 +121ms   noteTyped "buy the lamp b"                    │                                                                    │                                                                     │
      │ 23 +128ms   noteTyped "buy the lamp be"                   │                                                                    │                                                                     │
      │ 24 +135ms   noteTyped "buy the lamp bef"                  │                                                                    │                                                                     │
      │ 25 +142ms   noteTyped "buy the lamp befo"                 ├ 3 Action │ 4 Effects │ 5 Reads ────────────────────────────────────┤                                                                     │
      │ 26 +149ms   noteTyped "buy the lamp befor"                │   couponApplied                                                    │                                                                     │
      │ 27  +96ms   noteTyped "buy the lamp before"               │   sent by the user                                                 │                                                                     │
      │ 28 +103ms   noteTyped "buy the lamp before "              │                                                                    │                                                                     │
      │ 29 +110ms   noteTyped "buy the lamp before F"             │ ▸ couponApplied: {code: "TENOFF", amount: 40}                      │                                                                     │
      │ 30 +117ms   noteTyped "buy the lamp before Fr"            │                                                                    │                                                                     │
      │ 31 +124ms   noteTyped "buy the lamp before Fri"           │                                                                    │                                                                     │
      │ 32 +131ms   noteTyped "buy the lamp before Frid"          │                                                                    │                                                                     │
      │ 33  +5.0s   saveTapped                                    │                                                                    │                                                                     │
      │                                                           │                                                                    │                                                                     │
      │                                                           │                                                                    │                                                                     │
      │                                                           │                                                                    │                                                                     │
      │                                                           │                                                                    │                                                                     │
      │                                                           │                                                                    │                                                                     │
      │                                                           │                                                                    │                                                                     │
      │                                                           │                                                                    │                                                                     │
      │                                                           │                                                                    │                                                                     │
      │                                                           │                                                                    │                                                                     │
      │                                                           │                                                                    │                                                                     │
      │                                                           │                                                                    │                                                                     │
      │                                                           │                                                                    │                                                                     │
      │                                                           │                                                                    │                                                                     │
      │                                                           │                                                                    │                                                                     │
      │                                                           │                                                                    │                                                                     │
      │                                                           │                                                                    │                                                                     │
      │                                                           │                                                                    │                                                                     │
      │                                                           │                                                                    │                                                                     │
      └───────────────────────────────────────────────────────────┴────────────────────────────────────────────────────────────────────┴────────────────────────────────────────────────────────── 7 fields ─┘
       "Stanislav" → "Stan" by 4 nameChanged, 6 s ago                                                                          Enter go there   * next change   h l fold   w watch   y copy   ? help   q back
      """)
  }

  @Test("shows who sent an action and which effects ran at 120×40")
  func effects() async {
    expectFrame(
      await frame(120, 40, at: 5, .alt("4")),
      """
       wishes.retcon   main   5/33   00:00:03.400                                                        no reducer  recorded
      ┌ timeline  ▁▄█ steps in a second ─────────────────────────────────────────────────────────────────────────────────────┐
      │▇▇▇▇▄▄▄▄▃▃▃▆▆▆▆▆▆▆████▂▂▂▂▁▁▁▇▇▇▇██████████████████████████████████████████████████████████████████████████████████▁▁▁│
      │━━━━━━━━━━━━━━━━━━●─────────✗─────────────────────────────────────────────────────────────────────────────────────────│
      │fetchWishes ├─────┤    save ├✗                                                                                      ├▸│
      ├ steps ────────────────────────────────────────┬ 1 Diff │ 3 Action │ 4 Effects │ 5 Reads ────────────────── 1 effect ─┤
      │  0          init                              │   sent this action                                                   │
      │  1 +200ms   nameChanged "St"                  │     fetchWishes  3 → 5  800ms  finished  WishList.swift:43           │
      │  2  +1.1s   nameChanged "Stanislav"           │                                                                      │
      │  3╭ +1.4s   discoverTapped                    │                                                                      │
      │  4│+300ms   nameChanged "Stan"                │                                                                      │
      │▸ 5├+400ms ⚡wishesResponse {success: ["Tea", …│                                                                      │
      │  6╰+100ms ↳ totalChanged                      │                                                                      │
      │  7  +2.3s   quantityChanged {index: 0, quanti…│                                                                      │
      │  8  +3.2s   ✗ couponApplied {code: "TENOFF", …│                                                                      │
      │  9 +190ms   noteTyped "b"                     │                                                                      │
      │ 10  +97ms   noteTyped "bu"                    │                                                                      │
      │ 11 +104ms   noteTyped "buy"                   │                                                                      │
      │ 12 +111ms   noteTyped "buy "                  ├ 2 State │ 6 Watch ───────────────────────────────────────────────────┤
      │ 13 +118ms   noteTyped "buy t"                 │   name: "Stan"                                                       │
      │ 14 +125ms   noteTyped "buy th"                │~  button: "enabled"                                                  │
      │ 15 +132ms   noteTyped "buy the"               │·▾ items  [2]                                                         │
      │ 16 +139ms   noteTyped "buy the "              │+  ▸ 0: {title: "Tea", price: 4.5, quantity: 1}                       │
      │ 17 +146ms   noteTyped "buy the l"             │+  ▸ 1: {title: "Lamp", price: 22.64, quantity: 1}                    │
      │ 18  +93ms   noteTyped "buy the la"            │~  total: 27.14                                                       │
      │ 19 +100ms   noteTyped "buy the lam"           │   note: ""                                                           │
      │ 20 +107ms   noteTyped "buy the lamp"          │   checked: false                                                     │
      │ 21 +114ms   noteTyped "buy the lamp "         │                                                                      │
      │ 22 +121ms   noteTyped "buy the lamp b"        │                                                                      │
      │ 23 +128ms   noteTyped "buy the lamp be"       │                                                                      │
      │ 24 +135ms   noteTyped "buy the lamp bef"      │                                                                      │
      │ 25 +142ms   noteTyped "buy the lamp befo"     │                                                                      │
      │ 26 +149ms   noteTyped "buy the lamp befor"    │                                                                      │
      │ 27  +96ms   noteTyped "buy the lamp before"   │                                                                      │
      │ 28 +103ms   noteTyped "buy the lamp before "  │                                                                      │
      │ 29 +110ms   noteTyped "buy the lamp before F" │                                                                      │
      │ 30 +117ms   noteTyped "buy the lamp before Fr"│                                                                      │
      │ 31 +124ms   noteTyped "buy the lamp before Fr…│                                                                      │
      └───────────────────────────────────────────────┴─────────────────────────────────────────────────────────── 6 fields ─┘
                                                 c where it started   / search   : anything   Tab next pane   ? help   q quit
      """)
  }

  @Test("shows the steps alone where there is little room")
  func narrow() async {
    expectFrame(
      await frame(40, 10, at: 5),
      """
       wishes.retcon   main   5/33   recorded
      ━━━━━━●──✗──────────────────────────────
      1Diff│2State│3Actio│4Effec│5Reads│6Watch
        2  +1.1s   nameChanged "Stanislav"
        3╭ +1.4s   discoverTapped
        4│+300ms   nameChanged "Stan"
      ▸ 5├+400ms ⚡wishesResponse {success: […
        6╰+100ms ↳ totalChanged
        7  +2.3s   quantityChanged {index: 0,…
       33 steps in 16 s       ? help   q quit
      """)
  }

  @Test("shows the pane alone where there is little room and the cursor is in it")
  func narrowPane() async {
    expectFrame(
      await frame(40, 10, at: 5, .enter),
      """
       wishes.retcon   main   5/33   recorded
      ━━━━━━●──✗──────────────────────────────
      1Diff│2State│3Actio│4Effec│5Reads│6Watch
      ~  button  "loading" → "enabled"
         items
      +  ▾ [0]  {3}
      +      title: "Tea"
      +      price: 4.5
      +      quantity: 1
       "loading" → "enabled" by this step
      """)
  }

  @Test("says politely that a window is too small")
  func tiny() async {
    expectFrame(
      await frame(19, 5, at: 5),
      """
      Retcon needs
      20×5 cells.
      Step 5. q quits.


      """)
  }
}
