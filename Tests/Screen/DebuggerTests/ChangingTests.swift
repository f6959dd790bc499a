import SessionWords
import Testing
import TextCanvas
import ValueTree

@testable import Debugger
@testable import TimeTravel

@Suite("What is under the cursor can be made something else")
struct ChangingTests {
  private let session = OpenSession(
    Wishes.recording, host: FakeHost(recording: Wishes.recording))

  private func frame(at step: Int, _ keys: String, columns: Int = 80) async -> String {
    await DebuggerApp.print(
      session, size: Size(width: columns, height: 24), position: Position(step: step),
      events: keys.map { .key(.typed($0)) }
    ).text
  }

  @Test("an effect that never ended is flagged, and Enter on it offers what its like did")
  func answer() async {
    expectFrame(
      await frame(at: 33, "4q"),
      """
       wishes.retcon   main   33/33   00:00:16.932    reducer: WishesHost ●  recorded
      ┌ timeline  ▁▄█ steps in a second ─────────────────────────────────────────────┐
      │▇▇▇▄▄▃▃▃▆▆▆▆███▂▂▁▁▇▇▇██████████████████████████████████████████████████████▁▁│
      │━━━━━━━━━━━━━━━━━━━✗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━●│
      ├ steps ────────────────────────┬1Diff│2State│3Action│4Effects│5Reads│6Watch───┤
      │ 17 +146ms   noteTyped "buy th…│   started here                               │
      │ 18  +93ms   noteTyped "buy th…│!    save  33 → …  never ended  WishList.swif…│
      │ 19 +100ms   noteTyped "buy th…│                                              │
      │ 20 +107ms   noteTyped "buy th…│                                              │
      │ 21 +114ms   noteTyped "buy th…│                                              │
      │ 22 +121ms   noteTyped "buy th…│                                              │
      │ 23 +128ms   noteTyped "buy th…│                                              │
      │ 24 +135ms   noteTyped "buy th…│                                              │
      │ 25 +142ms   noteTyped "buy th…│                                              │
      │ 26 +149ms   noteTyped "buy th…│                                              │
      │ 27  +96ms   noteTyped "buy th…│                                              │
      │ 28 +103ms   noteTyped "buy th…│                                              │
      │ 29 +110ms   noteTyped "buy th…│                                              │
      │ 30 +117ms   noteTyped "buy th…│                                              │
      │ 31 +124ms   noteTyped "buy th…│                                              │
      │ 32 +131ms   noteTyped "buy th…│                                              │
      │▸33  +5.0s   saveTapped        │                                              │
      └───────────────────────────────┴────────────────────── 1 effect, 1 in flight ─┘
            f what if   = change   a answer   / search   : anything   ? help   q quit
      """)
    expectFrame(
      await frame(at: 3, "4q⏎j⏎"),
      """
       wishes.retcon   main   3/33   00:00:02.700     reducer: WishesHost ●  recorded
      ┌ timeline  ▁▄█ steps in a second ─────────────────────────────────────────────┐
      │▇▇▇▄▄▃▃▃▆▆▆▆███▂▂▁▁▇▇▇██████████████████████████████████████████████████████▁▁│
      │━━━━━━━●───────────✗──────────────────────────────────────────────────────────│
      ├ steps ────────────────────────┬1Diff│2State│3Action│4Effects│5Reads│6Watch───┤
      │  0          init              │   started here                               │
      │  1 +200ms   nameChanged "St"  │     fetchWishes  3 → 5  800ms  finished  Wis…│
      │  2  +1.1s   nameChanged "Stan…│                                              │
      │▸ 3╭ +1.4s   discoverTapped    │                                              │
      │  4│+300ms   nameChanged "Stan"│                                              │
      │  5╰+400ms ⚡wishesResponse {s…│                                              │
      │  6 +100ms ↳ totalChanged      │                                              │
      │  7  +2.3s   quantityChanged {…│                                              │
      │  8  +3.2s   ✗ couponApplied {…│                                              │
      ┌ new fork at step 3 of main · ↑ ↓ Tab take, Enter runs, Esc back ─────────────┐
      │ wishesResponse {success: ["Tea", "Lamp"]}  step 5                            │
      │ fails: offline  step 8                                                       │
      │ finish  it ends, without an action                                           │
      │ fail  it fails with a message                                                │
      │ cancel  it is cancelled                                                      │
      │ ▸ fetchWishes sends wishesResponse.success ["Tea", "Lamp"] after 3 of main   │
      │   then 30 later steps run again                                              │
      └──────────────────────────────────────────────────────────────────────────────┘
      :fork answer fetchWishes send wishesResponse {"success":["Tea","Lamp"]}
      """)
  }

  @Test("an answer makes a fork in which the effect has sent it")
  func answered() async {
    expectFrame(
      await frame(at: 3, "a⏎"),
      """
       wishes.retcon   fork 1   4/34   00:00:03.000      ●  new step, after your edit
      ┌ timeline  ▁▄█ steps in a second ─────────────────────────────────────────────┐
      │▇▇▇▄▄▃▃▆▆▆▆▆██▂▂▂▁▁▇▇█████████████████████████████████████████████████████▁▁  │
      │━━━━━━━┬──────────✗─────────────────────────────────────────────────────────  │
      │       └─● fork 1 ───────────────────────────────────────────────────────────○│
      ├ steps ────────────────────────┬1Diff│2Stat│3Actio│4Effec│5Reads│6Watch│7Compa┤
      │  0        │   init            │   The reducer returned the same state.       │
      │  1 +200ms │   nameChanged "St"│                                              │
      │  2  +1.1s │   nameChanged "St…│                                              │
      │  3╭ +1.4s │   discoverTapped  │                                              │
      │▸ 4╰+300ms +*⚡wishesResponse …│                                              │
      │  5 +400ms ≠*  nameChanged "St…│                                              │
      │  6 +100ms ≠*⚡wishesResponse …│                                              │
      │  7  +2.3s ≠*↳ totalChanged    │                                              │
      │  8  +3.2s ≠*  quantityChanged…│                                              │
      │  9 +190ms ≠*  couponApplied {…│                                              │
      │ 10  +97ms ≠*  noteTyped "b"   │                                              │
      │ 11 +104ms ≠*  noteTyped "bu"  │                                              │
      │ 12 +111ms ≠*  noteTyped "buy" │                                              │
      │ 13 +118ms ≠*  noteTyped "buy "│                                              │
      │ 14 +125ms ≠*  noteTyped "buy …│                                              │
       With the answer of step 5; = changes it.
       “fork 1” ran 31 steps; first difference from main at 4
       :test keeps it as a test.        D first difference   z undo   ? help   q quit
      """)
  }

  @Test("a failure that was recorded can be picked, and its message changed")
  func failure() async throws {
    var debugger = TestDebugger(at: 3, host: .ready("WishesHost"))
    try? await debugger.bringMoment()
    debugger.type("a")
    debugger.send(
      .forkLine(
        .pendingFound(
          [
            fetching(
              recorded: [
                RecordedOutcome(
                  effect: 1, step: 5, label: "wishesResponse",
                  outcome: .emit(action: ["wishesResponse": 1])),
                RecordedOutcome(effect: 1, step: 5, outcome: .fail(message: "offline")),
                RecordedOutcome(effect: 2, step: 9, outcome: .fail(message: "offline")),
              ])
          ], failure: nil)))
    let line = try #require(debugger.forkLine)
    #expect(line.choices.prefix(2).map(\.title) == ["wishesResponse", "fails: offline"])
    debugger.press(.down)
    debugger.type("⇥")
    #expect(debugger.line == "fork answer fetchWishes fail offline")
    debugger.type(" today⏎")
    #expect(
      debugger.work.contains(
        .addFork(
          "fork 1",
          Script(
            leavesAt: 3,
            edits: [
              .answer(EffectAnswer(effect: 1, after: 3, outcome: .fail(message: "offline today")))
            ]))))
  }

  /// The effect of step 3, which waits for an answer.
  private func fetching(
    _ question: Question? = nil, recorded: [RecordedOutcome] = []
  ) -> PendingEffect {
    var pending = PendingEffect(
      effect: 1, origin: EffectOrigin(step: 3, name: "fetchWishes", file: "W.swift", line: 7),
      isUnanswered: true, recorded: recorded)
    pending.question = question
    return pending
  }

  @Test("the word before a text says what it is: what is typed as an answer is no error's text")
  func words() async throws {
    let question = Question("fetchWishes", ["St"])
    for (text, edit) in [
      ("value [1]", Edit.reply(Reply(to: question, .value([1])))),
      ("error \"gone\"", .reply(Reply(to: question, .failure("gone")))),
      ("error gone", .reply(Reply(to: question, .failure("gone")))),
      ("fail [1]", .answer(EffectAnswer(effect: 1, after: 3, outcome: .fail(message: "[1]")))),
      ("cancel", .answer(EffectAnswer(effect: 1, after: 3, outcome: .cancel))),
      ("finish", .answer(EffectAnswer(effect: 1, after: 3, outcome: .finish))),
    ] {
      var debugger = TestDebugger(at: 3, host: .ready("WishesHost"))
      try await debugger.bringMoment()
      debugger.type("a")
      debugger.send(.forkLine(.pendingFound([fetching(question)], failure: nil)))
      debugger.type("\(text)⏎")
      #expect(debugger.edits == [edit], "\(text): \(debugger.forkLine?.problem ?? "")")
    }
  }

  @Test("an error is given for a read by its own word")
  func readError() async throws {
    var debugger = TestDebugger(at: 6, host: .ready("WishesHost"))
    var step = Step(number: 6, label: "totalChanged", action: ["totalChanged": [:]])
    step.reads = [Read(key: "now", value: 1)]
    debugger.send(.momentRead(Moment(position: Position(step: 6), step: step)))
    debugger.type("5q⏎j=")
    #expect(debugger.line == "fork read now=1")
    debugger.press(.control("u"))
    debugger.type("fork throw now=late⏎")
    #expect(debugger.edits == [.read(step: 6, key: "now", index: 0, outcome: .failure("late"))])
  }

  @Test(
    "what an effect waits for is asked for real after a second Enter, and looked at before it is used"
  )
  func askedLive() async throws {
    var debugger = TestDebugger(at: 3, host: .ready("WishesHost"))
    try? await debugger.bringMoment()
    debugger.type("a")
    let question = Question("fetchWishes", ["St"])
    let pending = fetching(question)
    debugger.send(.forkLine(.pendingFound([pending], failure: nil)))
    debugger.type("ask⏎")
    #expect(debugger.forkLine?.asking == .warned)
    #expect(
      debugger.forkLine?.problem?.hasPrefix("Enter again really asks fetchWishes(\"St\"), once")
        == true)
    debugger.type("⏎")
    #expect(debugger.forkLine?.asking == .now)
    let reply = Reply(to: question, .value(["tea"]), took: .milliseconds(200))
    debugger.send(.forkLine(.heard(reply, failure: nil)))
    #expect(debugger.line == #"fork answer fetchWishes value ["tea"]"#)
    debugger.type("⏎")
    let script = Script(leavesAt: 3, edits: [.reply(reply)])
    #expect(debugger.work.contains(.addFork("fork 1", script)))
  }

  @Test("a value of the state is set in a fork: the line names the old one")
  func set() async {
    expectFrame(
      await frame(at: 5, "2q⏎j="),
      """
       wishes.retcon   main   5/33   00:00:03.400     reducer: WishesHost ●  recorded
      ┌ timeline  ▁▄█ steps in a second ─────────────────────────────────────────────┐
      │▇▇▇▄▄▃▃▃▆▆▆▆███▂▂▁▁▇▇▇██████████████████████████████████████████████████████▁▁│
      │━━━━━━━━━━━━●──────✗──────────────────────────────────────────────────────────│
      ├ steps ────────────────────────┬1Diff│2State│3Action│4Effects│5Reads│6Watch───┤
      │  0          init              │   name: "Stan"                               │
      │  1 +200ms   nameChanged "St"  │~  button: "enabled"                          │
      │  2  +1.1s   nameChanged "Stan…│·▾ items  [2]                                 │
      │  3╭ +1.4s   discoverTapped    │+  ▾ 0  {3}                                   │
      │  4│+300ms   nameChanged "Stan"│       title: "Tea"                           │
      │▸ 5├+400ms ⚡wishesResponse {s…│       price: 4.5                             │
      │  6╰+100ms ↳ totalChanged      │       quantity: 1                            │
      │  7  +2.3s   quantityChanged {…│+  ▾ 1  {3}                                   │
      │  8  +3.2s   ✗ couponApplied {…│       title: "Lamp"                          │
      │  9 +190ms   noteTyped "b"     │       price: 22.64                           │
      │ 10  +97ms   noteTyped "bu"    │       quantity: 1                            │
      │ 11 +104ms   noteTyped "buy"   │~  total: 27.14                               │
      │ 12 +111ms   noteTyped "buy "  │   note: ""                                   │
      │ 13 +118ms   noteTyped "buy t" │   checked: false                             │
      ┌ new fork at step 5 of main · ↑ ↓ Tab take, Enter runs, Esc back ─────────────┐
      │ ▸ sets /button to "enabled" after 5 of main  was "enabled"                   │
      │   nothing changes: it is so already                                          │
      └──────────────────────────────────────────────────────────────────────────────┘
      :fork set button="enabled"
      """)
    var debugger = TestDebugger(at: 5, host: .ready("WishesHost"))
    try? await debugger.bringMoment()
    debugger.type("⏎=")
    debugger.press(.control("w"))
    debugger.type("off⏎")
    #expect(
      debugger.work.contains(
        .addFork(
          "fork 1",
          Script(leavesAt: 5, edits: [.set(step: 5, pointer: ["button"], value: "off")]))))
  }

  @Test("another value is given for a read; what an effect read is only evidence")
  func read() async throws {
    var debugger = TestDebugger(at: 6, host: .ready("WishesHost"))
    var step = Step(number: 6, label: "totalChanged", action: ["totalChanged": [:]])
    step.reads = [
      Read(key: "now", value: 1), Read(key: "uuid", value: "a"), Read(key: "now", value: 2),
    ]
    debugger.send(.momentRead(Moment(position: Position(step: 6), step: step)))
    debugger.type("5q⏎jjj=")
    debugger.press(.backspace)
    debugger.type("3⏎")
    #expect(
      debugger.work.contains(
        .addFork(
          "fork 1",
          Script(
            leavesAt: 5, edits: [.read(step: 6, key: "now", index: 1, outcome: .value(3))]))))
    var other = TestDebugger(at: 5, host: .ready("WishesHost"))
    var moment = try await Wishes.session.moment(at: Position(step: 5))
    moment.step.reads = []
    moment.effectReads = [Read(key: "wishes", value: 2)]
    other.send(.momentRead(moment))
    other.type("5q⏎j=")
    #expect(other.state.overlay == nil)
    #expect(other.state.message?.text.hasPrefix("You cannot change what an effect read.") == true)
  }

  @Test("in the list, = begins with the step's own action")
  func replace() async {
    var debugger = TestDebugger(at: 7, host: .ready("WishesHost"))
    try? await debugger.bringMoment()
    // The host is not even asked.
    debugger.verdict = .problem(ValueProblem(sentence: "it cannot be"))
    debugger.isThere = { _ in true }
    debugger.type("=")
    #expect(debugger.line == #"fork replace quantityChanged {"index":0,"quantity":2}"#)
    #expect(debugger.forkLine?.problem == nil)
    debugger.type("⏎")
    #expect(debugger.forkLine?.problem == "nothing changed: step 7 already has this")
    debugger.isThere = { _ in false }
    debugger.verdict = .fine
    for _ in 0..<2 { debugger.press(.backspace) }
    debugger.type("3}⏎")
    let edits = [
      Edit.replace(step: 7, action: ["quantityChanged": ["index": 0, "quantity": 3]])
    ]
    #expect(debugger.work.contains(.addFork("fork 1", Script(leavesAt: 6, edits: edits))))
  }

  @Test("what comes back from the editor is taken, or kept with the line of the trouble")
  func editor() async throws {
    var debugger = TestDebugger(at: 7, host: .ready("WishesHost"))
    try? await debugger.bringMoment()
    debugger.type("=")
    debugger.press(.control("o"))
    #expect(
      debugger.work.contains(
        .output(
          .compose(
            #"{"index":0,"quantity":2}"#, name: "value.json"))))
    debugger.send(.composed("{\n  \"index\": 1,\n  oops\n}\n"))
    #expect(debugger.line == #"fork replace quantityChanged {   "index": 1,   oops }"#)
    #expect(debugger.forkLine?.problem?.contains("expected a key, found o") == true)
    debugger.send(.composed("{\n  \"index\": 1\n}\n"))
    #expect(debugger.forkLine?.problem == nil)
    #expect(debugger.line == #"fork replace quantityChanged {"index":1}"#)
  }

  @Test("without a host the screen shows the command that attaches one")
  func noHost() async {
    var debugger = TestDebugger(at: 3)
    try? await debugger.bringMoment()
    debugger.type("a")
    guard case .list(.text(let title, let lines), _)? = debugger.state.overlay else {
      Issue.record("nothing is shown")
      return
    }
    #expect(title == "a fork needs the app's reducer")
    #expect(lines.map(\.text).contains("  retcon wishes.retcon --host .build/debug/WishesHost"))
  }

  @Test("a text of many pages is typed into as fast as a short one: only what is seen is drawn")
  func longText() async throws {
    var debugger = TestDebugger(at: 7, host: .ready("WishesHost"))
    try await debugger.bringMoment()
    debugger.type(":fork send ")
    let long = String(repeating: "0123456789", count: 50_000)
    debugger.send(.input(.paste("\"\(long)")))
    debugger.type("x\"")
    func row() throws -> Substring {
      try #require(DebuggerView.draw(debugger.state).text.split(separator: "\n").last)
    }
    let shown = try row().dropFirst().prefix { $0 != " " }
    #expect(shown.hasSuffix("0123456789x\""))
    #expect(("\"\(long)x\"").hasSuffix(shown))
    #expect(shown.count > 40)
    debugger.press(.home)
    #expect(try row().hasPrefix(":fork send \"0123456789"))
    // Twice as much again is cut, so that a line stays bounded.
    for _ in 0..<3 { debugger.send(.input(.paste(long))) }
    #expect(debugger.state.prompt?.line.characters.count == 1_048_576)
  }
}
