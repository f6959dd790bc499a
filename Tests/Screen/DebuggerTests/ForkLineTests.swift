import SessionWords
import StoreTesting
import Testing
import TextCanvas
import ValueTree

@testable import Debugger
@testable import TimeTravel

@Suite("The line of a fork runs nothing that it does not show, and nothing that cannot be")
struct ForkLineTests {
  private static let templates = [
    ActionTemplate(label: "couponApplied", action: ["couponApplied": ["code": "TEN"]], step: 4),
    ActionTemplate(label: "couponApplied", action: ["couponApplied": ["code": "FIVE"]], step: 3),
    ActionTemplate(label: "nameChanged", action: ["nameChanged": ["_0": "Stan"]], step: 2),
    ActionTemplate(
      label: "saved.failure", action: ["saved": ["failure": ["message": ""]]], step: nil),
  ]

  private func debugger(found: Bool = true) -> TestDebugger {
    var debugger = TestDebugger(at: 5, host: .ready("WishesHost"))
    debugger.type("fi")
    if found { debugger.send(.forkLine(.found(Self.templates, isDone: true))) }
    return debugger
  }

  private func screen(_ debugger: TestDebugger) -> String { DebuggerView.draw(debugger.state).text }

  @Test("by itself it finds what it offers, has it checked, and comes to a change")
  func feature() async throws {
    let session = OpenSession(Wishes.recording, host: FakeHost(recording: Wishes.recording))
    let store = TestStore(ForkLine(at: Position(step: 5)), on: session) { ForkLineFeature() }
    store.exhaustivity = .off
    await store.send(.opened)
    await store.receive(.found([], isDone: true))
    await store.send(.typed("fork send "))
    #expect(store.state.choices.first?.title == "wishesResponse")
    let change = try #require(store.state.checking)
    await store.receive(.checked(change, .fine))
    #expect(store.state.decided == nil)
    await store.send(.submitted)
    #expect(store.state.decided == change)
    await store.finish()
  }

  @Test("a name that a branch has is not free, and stays in the line")
  func takenName() throws {
    var debugger = TestDebugger(at: 5, host: .ready("WishesHost"))
    debugger.type(":fork --name main skip⏎")
    #expect(debugger.forkLine?.problem == "there is a branch “main” already")
    #expect(debugger.edits.isEmpty)
    debugger.press(.control("a"))
    debugger.press(.alt("f"))
    debugger.press(.alt("f"))
    debugger.press(.alt("f"))
    debugger.type("2⏎")
    #expect(debugger.edits == [.skip(step: 5)])
    #expect(debugger.work.contains { $0.name == "add fork" })
    #expect(debugger.state.forks.running == "main2")
  }

  @Test("a name that nothing has shows no other action, and Enter runs none: it names the nearest")
  func noSuchName() throws {
    var debugger = debugger()
    debugger.type("cuponApplied")
    #expect(
      screen(debugger).contains(
        "no recorded action has the label cuponApplied. Did you mean couponApplied?"))
    debugger.type("⏎")
    #expect(debugger.forkLine?.problem?.contains("Did you mean couponApplied?") == true)
    #expect(debugger.forkLine?.mistake == "fork send ".count)
    #expect(debugger.edits.isEmpty)
  }

  @Test("what is typed finds labels and what actions carry, and every one of them is listed then")
  func filter() throws {
    var debugger = debugger()
    #expect(debugger.forkLine?.choices.map(\.step) == [4, 2, nil])
    debugger.type("FIVE")
    #expect(debugger.forkLine?.choices.map(\.step) == [3])
    #expect(debugger.forkLine?.choices.first?.text == #"couponApplied {"code":"FIVE"}"#)
    debugger.press(.control("w"))
    debugger.type("coupon")
    #expect(debugger.forkLine?.choices.map(\.step) == [4, 3])
    debugger.type("⏎")
    #expect(debugger.edits == [.insert(after: 5, action: ["couponApplied": ["code": "TEN"]])])
  }

  @Test("Enter before the actions are known runs what was typed once it is there, or says why not")
  func early() throws {
    var debugger = debugger(found: false)
    debugger.type("name⏎")
    #expect(debugger.edits.isEmpty)
    debugger.send(.forkLine(.found(Self.templates, isDone: false)))
    #expect(debugger.edits == [.insert(after: 5, action: ["nameChanged": ["_0": "Stan"]])])
    var other = self.debugger(found: false)
    other.type("nmChanged⏎")
    other.send(.forkLine(.found(Self.templates, isDone: true)))
    #expect(
      other.forkLine?.problem
        == "no recorded action has the label nmChanged. Did you mean nameChanged?")
    #expect(other.edits.isEmpty)
  }

  @Test("what the app cannot hold stays in the line, with the nearest name or key, at its place")
  func refused() throws {
    var debugger = debugger()
    debugger.verdict = .problem(
      ValueProblem(path: ["couponApplied"], sentence: "there is no “code”"))
    debugger.send(.input(.paste(#"{"couponApplied":{"kode":"A"}}"#)))
    #expect(debugger.forkLine?.problem == "“kode” is not a key here: did you mean “code”?")
    debugger.type("⏎")
    #expect(debugger.forkLine?.problem == "“kode” is not a key here: did you mean “code”?")
    #expect(debugger.state.prompt?.line.cursor == #"fork send {"couponApplied":{"#.count)
    #expect(debugger.edits.isEmpty)
    // The label replaces the outer names.
    debugger.press(.end)
    debugger.press(.control("w"))
    debugger.send(.input(.paste(#"couponApplied {"kode":"A"}"#)))
    #expect(debugger.forkLine?.mistake == "fork send couponApplied {".count)
    debugger.verdict = .problem(ValueProblem(sentence: "invalid number of keys"))
    debugger.press(.control("w"))
    debugger.press(.control("w"))
    debugger.send(.input(.paste(#"{"copunApplied":{"code":"A"}}"#)))
    debugger.type("⏎")
    #expect(
      debugger.forkLine?.problem
        == "the app has no action “copunApplied”: did you mean “couponApplied”?")
    #expect(debugger.edits.isEmpty)
  }

  @Test("where the host cannot say whether the app has it, what nobody recorded is asked twice")
  func doubted() throws {
    var debugger = debugger()
    debugger.verdict = .unknown
    debugger.send(.input(.paste(#"{"couponAplied":{"code":"A"}}"#)))
    let doubt = "no “couponAplied” was recorded; “couponApplied” was"
    #expect(screen(debugger).contains(doubt))
    debugger.type("⏎")
    #expect(debugger.forkLine?.problem == doubt + ". Enter again sends it as it is")
    #expect(debugger.edits.isEmpty)
    debugger.type("⏎")
    #expect(debugger.edits == [.insert(after: 5, action: ["couponAplied": ["code": "A"]])])
    // Recorded ones run at once.
    var known = TestDebugger(at: 5, host: .ready("WishesHost"))
    known.verdict = .unknown
    known.type("fi")
    known.send(.forkLine(.found(Self.templates, isDone: true)))
    known.type("⏎")
    #expect(known.edits.count == 1)
  }

  @Test("what is typed while the host is asked waits, and Escape takes Enter back")
  func asking() throws {
    var state = TestDebugger(at: 5, host: .ready("WishesHost")).state
    for key in "fi" { _ = DebuggerFeature.turn(of: .input(.key(.character(key))), on: &state) }
    let found = DebuggerAction.forkLine(.found(Self.templates, isDone: true))
    _ = DebuggerFeature.turn(of: found, on: &state)
    _ = DebuggerFeature.turn(of: .input(.key(.enter)), on: &state)
    #expect(DebuggerView.draw(state).text.contains("asking the reducer whether this is possible …"))
    _ = DebuggerFeature.turn(of: .input(.key(.character("k"))), on: &state)
    _ = DebuggerFeature.turn(of: .input(.key(.escape)), on: &state)
    let answer = DebuggerAction.forkLine(
      .checked([.insert(after: 5, action: ["couponApplied": ["code": "TEN"]])], .fine))
    #expect(DebuggerFeature.turn(of: answer, on: &state).isEmpty)
    #expect(state.prompt?.line.text == "fork send ")
  }

  @Test("a key that is being typed goes on as the app's actions have it: Tab takes that")
  func completion() throws {
    var debugger = debugger()
    debugger.type(#"{"saved":{"failure":{"me"#)
    #expect(screen(debugger).contains(#"{"me"# + "ssage"))
    debugger.type("⇥")
    #expect(debugger.line == #"fork send {"saved":{"failure":{"message":"#)
  }

  @Test("the label of an action stands for it, with what it carries behind it")
  func bareName() throws {
    var debugger = debugger()
    debugger.type("nameChanged")
    #expect(screen(debugger).contains("sends nameChanged \"Stan\" after 5"))
    debugger.type("⇥")
    #expect(debugger.line == #"fork send nameChanged "Stan""#)
    debugger.press(.backspace)
    var picked = self.debugger()
    picked.type("↓")
    picked.press(.backspace)
    #expect(picked.line == #"fork send nameChanged "Stan"#)
    debugger.type("is\"⏎")
    #expect(debugger.edits == [.insert(after: 5, action: ["nameChanged": ["_0": "Stanis"]])])
  }

  @Test(
    "an effect that speaks once sends and finishes; the failure beside a success is offered, too")
  func answers() throws {
    var debugger = TestDebugger(at: 3, host: .ready("WishesHost"))
    debugger.type(":fork ")
    debugger.send(.forkLine(.found(Self.templates, isDone: true)))
    let origin = EffectOrigin(step: 3, name: "save", file: "App.swift", line: 1)
    let success: Value = ["saved": ["success": ["id": 1]]]
    let pending = PendingEffect(
      effect: 1, origin: origin, isUnanswered: true,
      recorded: [
        RecordedOutcome(
          effect: 1, step: 9, label: "saved.success", outcome: .emit(action: success)),
        RecordedOutcome(effect: 1, step: 9, outcome: .finish),
      ])
    debugger.send(.forkLine(.pendingFound([pending], failure: nil)))
    debugger.type("ans⇥⇥")
    #expect(debugger.line == "fork answer save ")
    #expect(
      debugger.forkLine?.choices.map(\.title) == [
        "saved.success", "finishes", "saved.failure", "fail", "cancel",
      ])
    debugger.type("⏎")
    #expect(
      debugger.edits == [
        .answer(EffectAnswer(effect: 1, after: 3, outcome: .emit(action: success))),
        .answer(EffectAnswer(effect: 1, after: 3, outcome: .finish)),
      ])
  }

  @Test("an effect that waits for an answer of the tape is offered what was answered before")
  func replies() throws {
    var debugger = TestDebugger(at: 3, host: .ready("WishesHost"))
    debugger.type(":fork ")
    var pending = PendingEffect(
      effect: 1, origin: EffectOrigin(step: 3, name: "fetch", file: "App.swift", line: 1),
      isUnanswered: true)
    pending.question = Question("wishes", ["Stan"])
    let replies = [
      RecordedReply(
        step: 3, question: Question("wishes", ["Stan"]), outcome: .value(["Tea", "Lamp"])),
      RecordedReply(step: 3, question: Question("wishes", ["Stan"]), outcome: .failure("offline")),
    ]
    let known = [replies[0].question: replies]
    debugger.send(.forkLine(.pendingFound([pending], replies: known, failure: nil)))
    debugger.send(.forkLine(.found(Self.templates, isDone: true)))
    debugger.type("answer fetch ")
    expectFrame(
      screen(debugger),
      """
       wishes.retcon   main   3/33   00:00:02.700     reducer: WishesHost ●  recorded
      ┌ timeline  ▁▄█ steps in a second ─────────────────────────────────────────────┐
      │                                                                              │
      │━━━━━━━●──────────────────────────────────────────────────────────────────────│
      ├ steps ────────────────────────┬1Diff│2State│3Action│4Effects│5Reads│6Watch───┤
      │  0          init              │                                              │
      │  1 +200ms   nameChanged "St"  │                                              │
      │  2  +1.1s   nameChanged "Stan…│                                              │
      │▸ 3  +1.4s   discoverTapped    │                                              │
      │  4 +300ms   nameChanged "Stan"│                                              │
      ┌ new fork at step 3 of main · ↑ ↓ Tab take, Enter runs, Esc back ─────────────┐
      │ answers ["Tea", "Lamp"]  step 3                                              │
      │ fails "offline"  step 3                                                      │
      │ finish  it ends, without an action                                           │
      │ fail  it fails with a message                                                │
      │ cancel  it is cancelled                                                      │
      │ value  what wishes("Stan") gives                                             │
      │ error  the error that it gives instead                                       │
      │ nearest  the recorded answer to the nearest question                         │
      │ ask  really asks, once: this reaches the outside world                       │
      │ ▸ wishes("Stan") answers ["Tea", "Lamp"]                                     │
      │   then 30 later steps run again                                              │
      └──────────────────────────────────────────────────────────────────────────────┘
      :fork answer fetch value ["Tea","Lamp"]
      """)
    debugger.press(.down)
    debugger.type("⏎")
    #expect(
      debugger.edits == [.reply(Reply(to: Question("wishes", ["Stan"]), .failure("offline")))])
  }

  @Test("a long value scrolls in the line, and what it does is seen above")
  func longAction() throws {
    var debugger = debugger(found: false)
    let items = Value.array(ValueArray((1...12).map { .string("wish number \($0)") }))
    debugger.send(
      .forkLine(
        .found(
          [ActionTemplate(label: "loaded", action: ["loaded": ["_0": items]], step: 4)],
          isDone: true))
    )
    debugger.type("⇥")
    expectFrame(
      screen(debugger),
      """
       wishes.retcon   main   5/33   00:00:03.400     reducer: WishesHost ●  recorded
      ┌ timeline  ▁▄█ steps in a second ─────────────────────────────────────────────┐
      │                                                                              │
      │━━━━━━━━━━━━●─────────────────────────────────────────────────────────────────│
      ├ steps ────────────────────────┬1Diff│2State│3Action│4Effects│5Reads│6Watch───┤
      │  0          init              │                                              │
      │  1 +200ms   nameChanged "St"  │                                              │
      │  2  +1.1s   nameChanged "Stan…│                                              │
      │  3  +1.4s   discoverTapped    │                                              │
      │  4 +300ms   nameChanged "Stan"│                                              │
      │▸ 5 +400ms ⚡wishesResponse {s…│                                              │
      │  6 +100ms ↳ totalChanged      │                                              │
      │  7  +2.3s   quantityChanged {…│                                              │
      │  8  +3.2s   couponApplied {co…│                                              │
      │  9 +190ms   noteTyped "b"     │                                              │
      │ 10  +97ms   noteTyped "bu"    │                                              │
      │ 11 +104ms   noteTyped "buy"   │                                              │
      │ 12 +111ms   noteTyped "buy "  │                                              │
      │ 13 +118ms   noteTyped "buy t" │                                              │
      ┌ new fork at step 5 of main · ↑ ↓ Tab take, Enter runs, Esc back ─────────────┐
      │ ▸ sends loaded ["wish number 1", "wish number 2", "wish number 3", "wish n…… │
      │   then 28 later steps run again                                              │
      └──────────────────────────────────────────────────────────────────────────────┘
      :number 9","wish number 10","wish number 11","wish number 12"]
      """)
  }
}

@Suite("A path that is typed is completed as the state has it")
struct TypedPlaceTests {
  private static let state: Value = [
    "cart": ["total": 3, "items": [["title": "Tea"]]], "checked": true, "a b": 1,
  ]

  @Test("the rest of a key or of an index stands behind it; what is complete has none")
  func completion() {
    for (typed, rest) in [
      ("ca", "rt"), ("c", "art"), ("cart", nil), ("cart.t", "otal"), ("cart.", "total"),
      ("cart.items[", "0]"), ("cart.items[0", "]"), ("cart.items[1", nil),
      ("cart.items[0].ti", "tle"), ("state.cart.it", "ems"), ("x", nil), ("x.y", nil), ("a", nil),
      ("", nil),
    ] {
      let first = TypedPlace.completions(of: typed, in: Self.state).first
      #expect(first.map { String($0.dropFirst(typed.count)) } == rest, "\(typed)")
    }
  }

  @Test("what is no part is said, with the nearest that is one")
  func problems() {
    func problem(_ text: String) -> String { TypedPlace.problem(with: text, in: Self.state) }
    #expect(
      problem("cart.totl") == "“cart.totl” is not in the state: did you mean “cart.total”?")
    #expect(
      problem("crat.totl") == "“crat.totl” is not in the state: did you mean “cart.total”?")
    #expect(problem("x.y") == "“x.y” is not in the state")
    #expect(problem("") == "which part? Type its path, as in cart.items[0].total")
  }

  @Test("the line sets any part of the state: Tab completes its path, and takes its value")
  func set() async throws {
    var debugger = TestDebugger(at: 5, host: .ready("WishesHost"))
    try await debugger.bringMoment()
    debugger.type(":fork set tot⇥")
    #expect(debugger.line == "fork set total=")
    #expect(DebuggerView.draw(debugger.state).text.contains(":fork set total=27.14"))
    debugger.type("⇥")
    #expect(debugger.line == "fork set total=27.14")
    debugger.press(.control("w"))
    #expect(debugger.line == "fork set total=")
    debugger.press(.backspace)
    debugger.type("s=5⏎")
    #expect(
      DebuggerView.draw(debugger.state).text.contains(
        "“totals” is not in the state: did you mean “total”?"))
    #expect(debugger.edits.isEmpty)
    debugger.press(.end)
    debugger.press(.control("w"))
    debugger.press(.control("w"))
    debugger.type("total=5")
    #expect(DebuggerView.draw(debugger.state).text.contains("sets /total to 5 after 5"))
    #expect(DebuggerView.draw(debugger.state).text.contains("was 27.14"))
    debugger.type("⏎")
    #expect(debugger.edits == [.set(step: 5, pointer: ["total"], value: 5)])
  }

  @Test("a label is completed with its quotes and backslashes escaped")
  func escaped() throws {
    let label = #"it's a \ label"#
    let condition = try Condition("label == '\(label.escapedInCondition)'")
    #expect(condition.texts(comparedWith: ["label"]) == [label])
  }

  @Test("Tab completes the paths and the labels of a condition")
  func conditions() async throws {
    var debugger = TestDebugger(at: 5)
    try await debugger.bringMoment()
    for (typed, completed) in [
      (";state.to", "state.total"), (";state.items[0].pr", "state.items[0].price"),
      (";label == 'wish", "label == 'wishesResponse'"),
      ("Fonly previous.che", "only previous.checked"), (":watch but", "watch button"),
    ] {
      debugger.type("\(typed)⇥")
      #expect(debugger.state.prompt?.line.text == completed)
      debugger.type("⎋")
    }
  }
}
