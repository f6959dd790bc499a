import Debugger
import Testing
import TextCanvas
import TimeTravel

@Suite("The screen")
struct FrameTests {
  private func frame(_ width: Int, _ height: Int, at step: Int, _ keys: Key...) async -> String {
    await DebuggerApp.print(
      Wishes.session, size: Size(width: width, height: height), position: Position(step: step),
      events: keys.map { .key($0) }
    ).text
  }

  @Test("shows the file, the timeline, the steps and what a step changed at 80×24")
  func small() async {
    expectFrame(
      await frame(80, 24, at: 5),
      """
       wishes.retcon   main   5/33   00:00:03.400                   no host  recorded
      ┌ timeline ────────────────────────────────────────────────────────────────────┐
      │▇▇▇▄▄▃▃▃▆▆▆▆███▂▂▁▁▇▇▇██████████████████████████████████████████████████████▁▁│
      │━━━━━━━━━━━━●──────✗──────────────────────────────────────────────────────────│
      ├ steps ────────────────────────┬Diff│State│Action│Effects│Reads│Watch─────────┤
      │  0          init              │~ button  "loading" → "enabled"               │
      │  1 +200ms   nameChanged "St"  │  items                                       │
      │  2  +1.1s   nameChanged "Stan…│+   ▾ [0]  {3}                                │
      │  3  +1.4s   discoverTapped    │+     title: "Tea"                            │
      │  4 +300ms   nameChanged "Stan"│+     price: 4.5                              │
      │▸ 5 +400ms ⚡wishesResponse {s…│+     quantity: 1                             │
      │  6 +100ms ↳ totalChanged      │+   ▾ [1]  {3}                                │
      │  7  +2.3s   quantityChanged {…│+     title: "Lamp"                           │
      │  8  +3.2s   couponApplied {co…│+     price: 22.64                            │
      │  9 +190ms   noteTyped "b"     │+     quantity: 1                             │
      │ 10  +97ms   noteTyped "bu"    │~ total  0 → 27.14                            │
      │ 11 +104ms   noteTyped "buy"   │                                              │
      │ 12 +111ms   noteTyped "buy "  │                                              │
      │ 13 +118ms   noteTyped "buy t" │                                              │
      │ 14 +125ms   noteTyped "buy th"│                                              │
      │ 15 +132ms   noteTyped "buy th…│                                              │
      │ 16 +139ms   noteTyped "buy th…│                                              │
      └───────────────────────────────┴────────────────────────── 4 changes, 3 kept ─┘
       33 steps in 16 s                                   ? help   : command   q quit
      """)
  }

  @Test("shows the same and the effects in the timeline at 200×60")
  func large() async {
    expectFrame(
      await frame(200, 60, at: 8, .alt("2")),
      """
       wishes.retcon   main   8/33   00:00:09.000                                                                                                                                           no host  recorded
      ┌ timeline ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────┐
      │▇▇▇▇▇▇▄▄▄▄▄▄▃▃▃▃▃▃▆▆▆▆▆▆▆▆▆▆▆▆██████▂▂▂▂▂▂▁▁▁▁▁▁▇▇▇▇▇▇██████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████████▁▁▁▁▁▁│
      │━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━●─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────│
      │      fetchWishes ├───────────┤            save ├✗                                                                                                                                             save ├▸│
      ├ steps ────────────────────────────────────────────────────────────────┬ Diff │ State │ Action │ Effects │ Reads │ Watch ─────────────────────────────────────────────────────────────────────────────┤
      │  0          init                                                      │  name: "Stan"                                                                                                                │
      │  1 +200ms   nameChanged "St"                                          │  button: "enabled"                                                                                                           │
      │  2  +1.1s   nameChanged "Stanislav"                                   │  ▾ items  [2]                                                                                                                │
      │  3  +1.4s   discoverTapped                                            │    ▸ 0: {title: "Tea", price: 4.5, quantity: 2}                                                                              │
      │  4 +300ms   nameChanged "Stan"                                        │    ▸ 1: {title: "Lamp", price: 22.64, quantity: 1}                                                                           │
      │  5 +400ms ⚡wishesResponse {success: ["Tea", "Lamp"]}                 │~ total: -8.36                                                                                                                │
      │  6 +100ms ↳ totalChanged                                              │  note: ""                                                                                                                    │
      │  7  +2.3s   quantityChanged {index: 0, quantity: 2}                   │  checked: true                                                                                                               │
      │▸ 8  +3.2s   couponApplied {code: "TENOFF", amount: 40}                │+ ▸ coupon: {code: "TENOFF", amount: 40}                                                                                      │
      │  9 +190ms   noteTyped "b"                                             │                                                                                                                              │
      │ 10  +97ms   noteTyped "bu"                                            │                                                                                                                              │
      │ 11 +104ms   noteTyped "buy"                                           │                                                                                                                              │
      │ 12 +111ms   noteTyped "buy "                                          │                                                                                                                              │
      │ 13 +118ms   noteTyped "buy t"                                         │                                                                                                                              │
      │ 14 +125ms   noteTyped "buy th"                                        │                                                                                                                              │
      │ 15 +132ms   noteTyped "buy the"                                       │                                                                                                                              │
      │ 16 +139ms   noteTyped "buy the "                                      │                                                                                                                              │
      │ 17 +146ms   noteTyped "buy the l"                                     │                                                                                                                              │
      │ 18  +93ms   noteTyped "buy the la"                                    │                                                                                                                              │
      │ 19 +100ms   noteTyped "buy the lam"                                   │                                                                                                                              │
      │ 20 +107ms   noteTyped "buy the lamp"                                  │                                                                                                                              │
      │ 21 +114ms   noteTyped "buy the lamp "                                 │                                                                                                                              │
      │ 22 +121ms   noteTyped "buy the lamp b"                                │                                                                                                                              │
      │ 23 +128ms   noteTyped "buy the lamp be"                               │                                                                                                                              │
      │ 24 +135ms   noteTyped "buy the lamp bef"                              │                                                                                                                              │
      │ 25 +142ms   noteTyped "buy the lamp befo"                             │                                                                                                                              │
      │ 26 +149ms   noteTyped "buy the lamp befor"                            │                                                                                                                              │
      │ 27  +96ms   noteTyped "buy the lamp before"                           │                                                                                                                              │
      │ 28 +103ms   noteTyped "buy the lamp before "                          │                                                                                                                              │
      │ 29 +110ms   noteTyped "buy the lamp before F"                         │                                                                                                                              │
      │ 30 +117ms   noteTyped "buy the lamp before Fr"                        │                                                                                                                              │
      │ 31 +124ms   noteTyped "buy the lamp before Fri"                       │                                                                                                                              │
      │ 32 +131ms   noteTyped "buy the lamp before Frid"                      │                                                                                                                              │
      │ 33  +5.0s   saveTapped                                                │                                                                                                                              │
      │                                                                       │                                                                                                                              │
      │                                                                       │                                                                                                                              │
      │                                                                       │                                                                                                                              │
      │                                                                       │                                                                                                                              │
      │                                                                       │                                                                                                                              │
      │                                                                       │                                                                                                                              │
      │                                                                       │                                                                                                                              │
      │                                                                       │                                                                                                                              │
      │                                                                       │                                                                                                                              │
      │                                                                       │                                                                                                                              │
      │                                                                       │                                                                                                                              │
      │                                                                       │                                                                                                                              │
      │                                                                       │                                                                                                                              │
      │                                                                       │                                                                                                                              │
      │                                                                       │                                                                                                                              │
      │                                                                       │                                                                                                                              │
      │                                                                       │                                                                                                                              │
      │                                                                       │                                                                                                                              │
      └───────────────────────────────────────────────────────────────────────┴───────────────────────────────────────────────────────────────────────────────────────────────────────────────────── 7 keys ─┘
                                                                                                                                                                                  ? help   : command   q quit
      """)
  }

  @Test("shows who sent an action and which effects ran at 120×40")
  func effects() async {
    expectFrame(
      await frame(120, 40, at: 5, .alt("4")),
      """
       wishes.retcon   main   5/33   00:00:03.400                                                           no host  recorded
      ┌ timeline ────────────────────────────────────────────────────────────────────────────────────────────────────────────┐
      │▇▇▇▇▄▄▄▄▃▃▃▆▆▆▆▆▆▆████▂▂▂▂▁▁▁▇▇▇▇██████████████████████████████████████████████████████████████████████████████████▁▁▁│
      │━━━━━━━━━━━━━━━━━━●─────────✗─────────────────────────────────────────────────────────────────────────────────────────│
      │fetchWishes ├─────┤    save ├✗                                                                                 save ├▸│
      ├ steps ────────────────────────────────────────┬ Diff │ State │ Action │ Effects │ Reads │ Watch ─────────────────────┤
      │  0          init                              │  sent this action                                                    │
      │  1 +200ms   nameChanged "St"                  │    fetchWishes  3 → 5  800ms  finished  WishList.swift:43            │
      │  2  +1.1s   nameChanged "Stanislav"           │                                                                      │
      │  3  +1.4s   discoverTapped                    │                                                                      │
      │  4 +300ms   nameChanged "Stan"                │                                                                      │
      │▸ 5 +400ms ⚡wishesResponse {success: ["Tea", …│                                                                      │
      │  6 +100ms ↳ totalChanged                      │                                                                      │
      │  7  +2.3s   quantityChanged {index: 0, quanti…│                                                                      │
      │  8  +3.2s   couponApplied {code: "TENOFF", am…│                                                                      │
      │  9 +190ms   noteTyped "b"                     │                                                                      │
      │ 10  +97ms   noteTyped "bu"                    │                                                                      │
      │ 11 +104ms   noteTyped "buy"                   │                                                                      │
      │ 12 +111ms   noteTyped "buy "                  │                                                                      │
      │ 13 +118ms   noteTyped "buy t"                 │                                                                      │
      │ 14 +125ms   noteTyped "buy th"                │                                                                      │
      │ 15 +132ms   noteTyped "buy the"               │                                                                      │
      │ 16 +139ms   noteTyped "buy the "              │                                                                      │
      │ 17 +146ms   noteTyped "buy the l"             │                                                                      │
      │ 18  +93ms   noteTyped "buy the la"            │                                                                      │
      │ 19 +100ms   noteTyped "buy the lam"           │                                                                      │
      │ 20 +107ms   noteTyped "buy the lamp"          │                                                                      │
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
      └───────────────────────────────────────────────┴─────────────────────────────────────────────────────────── 1 effect ─┘
                                                                                                  ? help   : command   q quit
      """)
  }

  @Test("shows the steps alone where there is little room")
  func narrow() async {
    expectFrame(
      await frame(40, 10, at: 5),
      """
       wishes.retcon   main   5/33   recorded
      ━━━━━━●──✗──────────────────────────────
      Diff│State│Action│Effects│Reads│Watch
        2  +1.1s   nameChanged "Stanislav"
        3  +1.4s   discoverTapped
        4 +300ms   nameChanged "Stan"
      ▸ 5 +400ms ⚡wishesResponse {success: […
        6 +100ms ↳ totalChanged
        7  +2.3s   quantityChanged {index: 0,…
       33 steps in 16 s
      """)
  }

  @Test("shows the pane alone where there is little room and the cursor is in it")
  func narrowPane() async {
    expectFrame(
      await frame(40, 10, at: 5, .enter),
      """
       wishes.retcon   main   5/33   recorded
      ━━━━━━●──✗──────────────────────────────
      Diff│State│Action│Effects│Reads│Watch
      ~ button  "loading" → "enabled"
        items
      +   ▾ [0]  {3}
      +     title: "Tea"
      +     price: 4.5
      +     quantity: 1
          ? help   h l fold   y copy   q back
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

  @Test("tells what can be done here and now")
  func help() async {
    expectFrame(
      await frame(80, 24, at: 5, .character("?")),
      """
       wi┌ help ──────────────────────────────────────────────────────────────────┐ed
      ┌ t│ move in time                                                           │──┐
      │▇▇│   j k  ↓ ↑        one step later, earlier; 5j: five                    │▁▁│
      │━━│   Ctrl-d Ctrl-u   half a page; Space and b a whole one                 │──│
      ├ s│   g G             start and end; 40G step 40, 25% a quarter            │──┤
      │  │   [ ]             back and forward to where you were                   │  │
      │  │   e E             next and previous error                              │  │
      │  │   o O             next and previous of the same effect                 │  │
      │  │   c               to the step that caused this one                     │  │
      │  │   * #             next and previous step with this label               │  │
      │▸ │   m M             mark the step; mark it with a note                   │  │
      │  │   ' u U           list of marks, next and previous mark                │  │
      │  │   p < >           play as recorded; slower, faster; any key stops      │  │
      │  │                                                                        │  │
      │  │ look                                                                   │  │
      │ 1│   Tab  Alt-1…     next pane; a pane by its number                      │  │
      │ 1│   Enter l         into the pane                                        │  │
      │ 1│   + _             more or less room for the steps                      │  │
      │ 1│   / n N           search a text; next and previous hit                 │  │
      │ 1│   ; n N           search by a condition, as state.total < 0            │  │
      │ 1│                                                                        │  │
      │ 1│ change the past                                             ↓ 15 more  │  │
      └──└────────────────────────────────────────────────────────────────────────┘ ─┘
                                                                               q back
      """)
  }

  @Test("says how to attach a host when a fork needs one")
  func noHost() async {
    expectFrame(
      await frame(80, 24, at: 5, .character("f")),
      """
       wishes.retcon   main   5/33   00:00:03.400                   no host  recorded
      ┌ timeline ────────────────────────────────────────────────────────────────────┐
      │▇▇▇▄▄▃▃▃▆▆▆▆███▂▂▁▁▇▇▇██████████████████████████████████████████████████████▁▁│
      │━━━━━━━━━━━━●──────✗──────────────────────────────────────────────────────────│
      ├ steps ────────────────────────┬Diff│State│Action│Effects│Reads│Watch─────────┤
      │  0          init              │~ button  "loading" → "enabled"               │
      │  1 +┌ a fork needs the app's reducer ──────────────────────────────────┐     │
      │  2  │ A fork runs your reducer in a process of its own: the host.      │     │
      │  3  │ Leave with q and open the session again with it:                 │     │
      │  4 +│                                                                  │     │
      │▸ 5 +│   retcon wishes.retcon --host .build/debug/WishesHost            │     │
      │  6 +│                                                                  │     │
      │  7  │ Or give your app Retcon's command line; then it is its own host: │     │
      │  8  │                                                                  │     │
      │  9 +│   try await RetconCommand.main(hosting: AppFeature())            │     │
      │ 10  └──────────────────────────────────────────────────────────────────┘     │
      │ 11 +104ms   noteTyped "buy"   │                                              │
      │ 12 +111ms   noteTyped "buy "  │                                              │
      │ 13 +118ms   noteTyped "buy t" │                                              │
      │ 14 +125ms   noteTyped "buy th"│                                              │
      │ 15 +132ms   noteTyped "buy th…│                                              │
      │ 16 +139ms   noteTyped "buy th…│                                              │
      └───────────────────────────────┴────────────────────────── 4 changes, 3 kept ─┘
                                                                               q back
      """)
  }

  @Test("shows the form of a fork with the recorded actions to start from")
  func forkForm() async {
    let session = OpenSession(Wishes.recording, host: FakeHost(recording: Wishes.recording))
    expectFrame(
      await DebuggerApp.print(
        session, size: Size(width: 80, height: 24), position: Position(step: 8),
        events: [.key(.character("f"))]
      ).text,
      """
       ┌ fork at step 8 of main ────────────────────────────────────────────────────┐
      ┌│   name   fork 1                                                            │┐
      ││   change send an action after this step                                    ││
      ││ ▸ from     type to filter the recorded actions, ↑ ↓ pick one               ││
      ├│          couponApplied {code: "TENOFF", amount: 40}  step 8                │┤
      ││          quantityChanged {index: 0, quantity: 2}  step 7                   ││
      ││          totalChanged  step 6                                              ││
      ││          wishesResponse {success: ["Tea", "Lamp"]}  step 5                 ││
      ││          nameChanged "Stan"  step 4                                        ││
      ││          discoverTapped  step 3                                            ││
      ││          noteTyped "b"  step 9                                             ││
      ││          saveTapped  step 33                                               ││
      ││                                                                            ││
      ││                                                                            ││
      ││                                                                            ││
      ││                                                                            ││
      ││   action {"couponApplied":{"code":"TENOFF","amount":40}}                   ││
      ││   then   run the 25 later steps again                                      ││
      ││                                                                            ││
      ││                                                                            ││
      ││ Enter runs it   Tab next field   Esc back                                  ││
      │└────────────────────────────────────────────────────────────────────────────┘│
      └───────────────────────────────┴───────────────────────── 2 changes, 10 kept ─┘
                                                Tab next field   Enter run   Esc back
      """)
  }

  @Test("shows a fork beside the recording, with the standing of each of its steps")
  func fork() async {
    let session = OpenSession(Wishes.recording, host: FakeHost(recording: Wishes.recording))
    let events: [InputEvent] =
      [.key(.character("f")), .key(.tab), .key(.control("u"))]
      + [.paste(#"{"add": 40}"#), .key(.enter), .key(.character("j")), .key(.alt("7"))]
    expectFrame(
      await DebuggerApp.print(
        session, size: Size(width: 120, height: 30), position: Position(step: 8), events: events
      ).text,
      """
       wishes.retcon   fork 1   10/34   00:00:09.287                                    host: WishesHost ●  edited, different
      ┌ timeline ────────────────────────────────────────────────────────────────────────────────────────────────────────────┐
      │▇▇▇▇▄▄▄▃▃▃▃▆▆▆▆▆▆▆███▂▂▂▂▁▁▁▇▇▇▇████████████████████████████████████████████████████████████████████████████████▁▁▁   │
      │━━━━━━━━━━━━━━━━━━━━━━━━━━━━┬──────────────────────────────────────────────────────────────────────────────────────   │
      │                     fork 1 └─────●──────────────────────────────────────────────────────────────────────────────────○│
      │fetchWishes ├────┤     save ├✗                                                                               save ├▸  │
      ├ steps ────────────────────────────────────────┬ Diff │ State │ Action │ Effects │ Reads │ Watch │ Compare ───────────┤
      │  0        │   init                            │  − main 9 noteTyped                                                  │
      │  1 +200ms │   nameChanged "St"                │  + fork 1 10 noteTyped                                               │
      │  2  +1.1s │   nameChanged "Stanislav"         │~ total  -8.36 → 31.64                                                │
      │  3  +1.4s │   discoverTapped                  │                                                                      │
      │  4 +300ms │   nameChanged "Stan"              │                                                                      │
      │  5 +400ms │ ⚡wishesResponse {success: ["Tea"…│                                                                      │
      │  6 +100ms │ ↳ totalChanged                    │                                                                      │
      │  7  +2.3s │   quantityChanged {index: 0, quan…│                                                                      │
      │  8  +3.2s │   couponApplied {code: "TENOFF", …│                                                                      │
      │  9 +190ms +*  add 40                          │                                                                      │
      │▸10  +97ms ≠*  noteTyped "b"                   │                                                                      │
      │ 11 +104ms ≠*  noteTyped "bu"                  │                                                                      │
      │ 12 +111ms ≠*  noteTyped "buy"                 │                                                                      │
      │ 13 +118ms ≠*  noteTyped "buy "                │                                                                      │
      │ 14 +125ms ≠*  noteTyped "buy t"               │                                                                      │
      │ 15 +132ms ≠*  noteTyped "buy th"              │                                                                      │
      │ 16 +139ms ≠*  noteTyped "buy the"             │                                                                      │
      │ 17 +146ms ≠*  noteTyped "buy the "            │                                                                      │
      │ 18  +93ms ≠*  noteTyped "buy the l"           │                                                                      │
      │ 19 +100ms ≠*  noteTyped "buy the la"          │                                                                      │
      │ 20 +107ms ≠*  noteTyped "buy the lam"         │                                                                      │
      └───────────────────────────────────────────────┴────────────────────────────────────────────────── 1 change, 12 kept ─┘
                                                                                                  ? help   : command   q quit
      """)
  }

  @Test("shows a notice of the file as it opens, and all of them in full when asked")
  func notices() async {
    var recording = Wishes.recording
    recording.summary.notices = [
      "line 90,412 is incomplete and was left out; 90,411 steps are intact.",
      "line 12: the session has the newer format 1.4; what this program does not know of it is "
        + "ignored.",
    ]
    let session = OpenSession(recording)
    let size = Size(width: 72, height: 12)
    expectFrame(
      await DebuggerApp.print(session, size: size).text,
      """
       wishes.retcon   main   0/33   00:00:00.000           no host  recorded
      ┌ timeline ────────────────────────────────────────────────────────────┐
      │●────────────────✗────────────────────────────────────────────────────│
      ├ steps ────────────────────┬Diff│State│Action│Effects│Reads│Watch─────┤
      │▸ 0          init          │  The first state of the session.         │
      │  1 +200ms   nameChanged "…│  State shows all of it.                  │
      │  2  +1.1s   nameChanged "…│                                          │
      │  3  +1.4s   discoverTapped│                                          │
      │  4 +300ms   nameChanged "…│                                          │
      │  5 +400ms ⚡wishesRespons…│                                          │
      └───────────────────────────┴──────────────────────────────────────────┘
       1 of 2, :notices shows all: line 90,412 is incomplete and was left ou…
      """)
    expectFrame(
      await DebuggerApp.print(
        session, size: size, events: [.key(.character(":")), .paste("notices"), .key(.enter)]
      ).text,
      """
       wishes.retcon   main   0/33   00:00:00.000           no host  recorded
      ┌ timeline ────────────────────────────────────────────────────────────┐
      │●────────────────✗────────────────────────────────────────────────────│
      ┌ notices ─────────────────────────────────────────────────────────────┐
      │ line 90,412 is incomplete and was left out; 90,411 steps are intact. │
      │ line 12: the session has the newer format 1.4; what this program     │
      │ does not know of it is ignored.                                      │
      └──────────────────────────────────────────────────────────────────────┘
      │  4 +300ms   nameChanged "…│                                          │
      │  5 +400ms ⚡wishesRespons…│                                          │
      └───────────────────────────┴──────────────────────────────────────────┘
                                                                       q back
      """)
  }
}
