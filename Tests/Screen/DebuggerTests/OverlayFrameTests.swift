import Debugger
import Testing
import TextCanvas
import TimeTravel

@Suite("The screen while something is asked or told")
struct OverlayFrameTests {
  @Test("tells what can be done here and now")
  func help() async {
    expectFrame(
      await frame(80, 24, at: 5, .character("?")),
      """
      ┌ help ────────────────────────────────────────────────────────────────────────┐
      │ move in time                                                                 │
      │   j k             one step later, earlier; 5j: five                          │
      │   J K             the same, also through hidden and folded steps             │
      │   Ctrl-d Ctrl-u   half a page later, earlier                                 │
      │   Space b         a page later, earlier                                      │
      │   g G %           start and end; 40G step 40, 25% a quarter                  │
      │   H L             first and last step on the screen                          │
      │   } {             next and previous action of the user                       │
      │   [ ]             back and forward to where you were                         │
      │   e E             next and previous error; with a rule, where it is broken   │
      │   o O             next and previous step of the same effect                  │
      │   c               to the step that caused this one                           │
      │   * #             next and previous step with this label                     │
      │   m M             mark the step; mark it with a note                         │
      │   ' u U           list of marks, next and previous mark                      │
      │   p               play as recorded; < slower, > faster, any key stops        │
      │                                                                              │
      │ look                                                                         │
      │   Tab Shift-Tab   next and previous pane                                     │
      │   Alt-1…          a pane by its number; 2 alone goes there, too, and 5j      │
      │                   counts                                          ↓ 74 more  │
      └──────────────────────────────────────────────────────────────────────────────┘
                                                                               q back
      """)
  }

  @Test("says how to attach a host when a fork needs one")
  func noHost() async {
    expectFrame(
      await frame(80, 24, at: 5, .character("f")),
      """
       wishes.retcon   main   5/33   00:00:03.400                no reducer  recorded
      ┌ timeline  ▁▄█ steps in a second ─────────────────────────────────────────────┐
      │▇▇▇▄▄▃▃▃▆▆▆▆███▂▂▁▁▇▇▇██████████████████████████████████████████████████████▁▁│
      │━━━━━━━━━━━━●──────✗──────────────────────────────────────────────────────────│
      ├ steps ────────────────────────┬1Diff│2State│3Action│4Effects│5Reads│6Watch───┤
      │  0          init              │~  button  "loading" → "enabled"              │
      │  1 +┌ a fork needs the app's reducer ──────────────────────────────────┐     │
      │  2  │ A fork runs your reducer in a process of its own: the host.      │     │
      │  3╭ │ Leave with q and open the session again with it:                 │     │
      │  4│+│                                                                  │     │
      │▸ 5├+│   retcon wishes.retcon --host .build/debug/WishesHost            │     │
      │  6╰+│                                                                  │     │
      │  7  │ Or give your app Retcon's command line; then it is its own host: │     │
      │  8  │                                                                  │     │
      │  9 +│   await RetconCommand.main(hosting: AppFeature())                │     │
      │ 10  └──────────────────────────────────────────────────────────────────┘     │
      │ 11 +104ms   noteTyped "buy"   │                                              │
      │ 12 +111ms   noteTyped "buy "  │                                              │
      │ 13 +118ms   noteTyped "buy t" │                                              │
      │ 14 +125ms   noteTyped "buy th"│                                              │
      │ 15 +132ms   noteTyped "buy th…│                                              │
      │ 16 +139ms   noteTyped "buy th…│                                              │
      └───────────────────────────────┴───────────────────── 4 changes, 3 unchanged ─┘
                                                                               q back
      """)
  }

  @Test("shows the line of a fork with the recorded actions to start from")
  func forkLine() async {
    let session = OpenSession(Wishes.recording, host: FakeHost(recording: Wishes.recording))
    expectFrame(
      await DebuggerApp.print(
        session, size: Size(width: 80, height: 24), position: Position(step: 8),
        events: [.key(.character("f")), .key(.character("i"))]
      ).text,
      """
       wishes.retcon   main   8/33   00:00:09.000     reducer: WishesHost ●  recorded
      ┌ timeline  ▁▄█ steps in a second ─────────────────────────────────────────────┐
      │▇▇▇▄▄▃▃▃▆▆▆▆███▂▂▁▁▇▇▇██████████████████████████████████████████████████████▁▁│
      │━━━━━━━━━━━━━━━━━━━●──────────────────────────────────────────────────────────│
      ├ steps ────────────────────────┬1Diff│2State│3Action│4Effects│5Reads│6Watch───┤
      │  0          init              │~  total  31.64 → -8.36                       │
      │  1 +200ms   nameChanged "St"  │+▸ coupon: {code: "TENOFF", amount: 40}       │
      │  2  +1.1s   nameChanged "Stan…│                                              │
      │  3  +1.4s   discoverTapped    │                                              │
      │  4 +300ms   nameChanged "Stan"│                                              │
      │  5 +400ms ⚡wishesResponse {s…│                                              │
      ┌ new fork at step 8 of main · ↑ ↓ Tab take, Enter runs, Esc back ─────────────┐
      │ couponApplied {code: "TENOFF", amount: 40}  step 8                           │
      │ quantityChanged {index: 0, quantity: 2}  step 7                              │
      │ totalChanged  step 6                                                         │
      │ wishesResponse {success: ["Tea", "Lamp"]}  step 5                            │
      │ nameChanged "Stan"  step 4                                                   │
      │ discoverTapped  step 3                                                       │
      │ noteTyped "b"  step 9                                                        │
      │ saveTapped  step 33                                                          │
      │ ▸ sends couponApplied {code: "TENOFF", amount: 40} after 8 of main           │
      │   then 25 later steps run again                                              │
      └──────────────────────────────────────────────────────────────────────────────┘
      :fork send couponApplied {"code":"TENOFF","amount":40}
      """)
  }

  @Test("shows a fork beside the recording, with the standing of each of its steps")
  func fork() async {
    let session = OpenSession(Wishes.recording, host: FakeHost(recording: Wishes.recording))
    let events: [InputEvent] =
      [.key(.character("f")), .key(.character("i"))]
      + [.paste(#"{"add": 40}"#), .key(.enter), .key(.character("j")), .key(.alt("7"))]
    expectFrame(
      await DebuggerApp.print(
        session, size: Size(width: 120, height: 30), position: Position(step: 8), events: events
      ).text,
      """
       wishes.retcon   fork 1   10/34   00:00:09.287                          reducer: WishesHost ●  differs, after your edit
      ┌ timeline  ▁▄█ steps in a second ─────────────────────────────────────────────────────────────────────────────────────┐
      │▇▇▇▇▄▄▄▃▃▃▃▆▆▆▆▆▆▆███▂▂▂▂▁▁▁▇▇▇▇████████████████████████████████████████████████████████████████████████████████▁▁▁   │
      │━━━━━━━━━━━━━━━━━━━━━━━━━━━━┬──────────────────────────────────────────────────────────────────────────────────────   │
      │                     fork 1 └─────●──────────────────────────────────────────────────────────────────────────────────○│
      │fetchWishes ├────┤     save ├✗                                                                                        │
      ├ steps ────────────────────────────────────────┬ 1 Diff │ 3 Action │ 4 Effects │ 5 Reads │ 7 Compare ────── 1 change ─┤
      │  0        │   init                            │−  main 9 noteTyped                                                   │
      │  1 +200ms │   nameChanged "St"                │+  fork 1 10 noteTyped                                                │
      │  2  +1.1s │   nameChanged "Stanislav"         │                                                                      │
      │  3  +1.4s │   discoverTapped                  │~  total  -8.36 → 31.64                                               │
      │  4 +300ms │   nameChanged "Stan"              │                                                                      │
      │  5 +400ms │ ⚡wishesResponse {success: ["Tea"…│                                                                      │
      │  6 +100ms │ ↳ totalChanged                    │                                                                      │
      │  7  +2.3s │   quantityChanged {index: 0, quan…├ 2 State │ 6 Watch ───────────────────────────────────────────────────┤
      │  8  +3.2s │   ✗ couponApplied {code: "TENOFF"…│   name: "Stan"                                                       │
      │  9 +190ms +*  add 40                          │   button: "enabled"                                                  │
      │▸10  +97ms ≠*  noteTyped "b"                   │ ▾ items  [2]                                                         │
      │ 11 +104ms ≠*  noteTyped "bu"                  │   ▸ 0: {title: "Tea", price: 4.5, quantity: 2}                       │
      │ 12 +111ms ≠*  noteTyped "buy"                 │   ▸ 1: {title: "Lamp", price: 22.64, quantity: 1}                    │
      │ 13 +118ms ≠*  noteTyped "buy "                │   total: 31.64                                                       │
      │ 14 +125ms ≠*  noteTyped "buy t"               │~  note: "b"                                                          │
      │ 15 +132ms ≠*  noteTyped "buy th"              │   checked: true                                                      │
      │ 16 +139ms ≠*  noteTyped "buy the"             │ ▸ coupon: {code: "TENOFF", amount: 40}                               │
      │ 17 +146ms ≠*  noteTyped "buy the "            │                                                                      │
      │ 18  +93ms ≠*  noteTyped "buy the l"           │                                                                      │
      │ 19 +100ms ≠*  noteTyped "buy the la"          │                                                                      │
      │ 20 +107ms ≠*  noteTyped "buy the lam"         │                                                                      │
      └───────────────────────────────────────────────┴─────────────────────────────────────────────────────────── 7 fields ─┘
                                                D first difference   z undo   f what if   x skip   = change   ? help   q quit
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
       wishes.retcon   main   8/33   00:00:09.000        no reducer  recorded
      ┌ timeline ────────────────────────────────────────────────────────────┐
      │━━━━━━━━━━━━━━━━━●────────────────────────────────────────────────────│
      ├ steps ────────────────────┬1Diff│2State│3Action│4Effect│5Reads│6Watch┤
      │  5 ⚡wishesResponse {succ…│~  total  31.64 → -8.36                   │
      │  6 ↳ totalChanged         │+▾ coupon  {2}                            │
      │  7   quantityChanged {ind…│+    code: "TENOFF"                       │
      │▸ 8   ✗ couponApplied {cod…│+    amount: 40                           │
      │  9   noteTyped "b"        │                                          │
       1 of 2, :notices shows all: line 90,412 is incomplete and was left
       out; 90,411 steps are intact.
       Step 8 is the only failure; c goes to its cause.       ? help   q quit
      """)
    expectFrame(
      await DebuggerApp.print(
        session, size: size, events: [.key(.character(":")), .paste("notices"), .key(.enter)]
      ).text,
      """
       wishes.retcon   main   8/33   00:00:09.000        no reducer  recorded
      ┌ timeline ────────────────────────────────────────────────────────────┐
      │━━━━━━━━━━━━━━━━━●────────────────────────────────────────────────────│
      ┌ notices ─────────────────────────────────────────────────────────────┐
      │ line 90,412 is incomplete and was left out; 90,411 steps are intact. │
      │ line 12: the session has the newer format 1.4; what this program     │
      │ does not know of it is ignored.                                      │
      └──────────────────────────────────────────────────────────────────────┘
      │  9   noteTyped "b"        │                                          │
      │ 10   noteTyped "bu"       │                                          │
      └───────────────────────────┴──────────────── 2 changes, 10 unchanged ─┘
                                                                       q back
      """)
  }
}
