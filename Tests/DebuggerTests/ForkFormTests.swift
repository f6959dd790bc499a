import SessionWords
import StoreTesting
import Testing
import TextCanvas
import ValueTree

@testable import Debugger
@testable import TimeTravel

@Suite("The form of a fork runs nothing that it does not show, and nothing that cannot be")
struct ForkFormTests {
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
    if found { debugger.send(.form(.found(Self.templates, isDone: true))) }
    return debugger
  }

  @Test("by itself it finds what it offers, has it checked, and comes to a change")
  func feature() async throws {
    let session = OpenSession(Wishes.recording, host: FakeHost(recording: Wishes.recording))
    var form = ForkForm(at: Position(step: 5), name: "main")
    form.takenNames = ["main"]
    let taken = TestStore(form, on: session) { ForkFormFeature() }
    taken.exhaustivity = .off
    await taken.send(.opened)
    await taken.receive(.found([], isDone: true))
    #expect(taken.state.shownOffers.first?.label == "wishesResponse")
    await taken.send(.submitted)
    #expect(taken.state.problem == "there is a branch “main” already")
    await taken.finish()
    form = taken.state
    form.type(.character("2"))
    #expect(form.name.text == "main2")
    let store = TestStore(form, on: session) { ForkFormFeature() }
    store.exhaustivity = .off
    await store.send(.submitted)
    let change = try #require(store.state.checking)
    await store.receive(.checked(change, .fine))
    #expect(store.state.decided == change)
    await store.finish()
  }

  @Test("a name that somebody else takes while the form is open is not free any more")
  func takenMeanwhile() throws {
    var debugger = debugger()
    #expect(debugger.form?.name.text == "fork 1")
    let script = Script(leavesAt: 3, edits: [])
    var report = KeepingReport(Wishes.session)
    report.branches.append(
      Branch("fork 1", script: script, steps: 0...3, progress: .notRun))
    debugger.send(.othersWorked(report))
    debugger.type("⏎")
    #expect(debugger.form?.problem == "there is a branch “fork 1” already")
    #expect(debugger.edits.isEmpty)
  }

  @Test("a name that nothing has shows no other action, and Enter runs none: it names the nearest")
  func noSuchName() throws {
    var debugger = debugger()
    debugger.type("cuponApplied")
    #expect(debugger.form?.text.text == "")
    let shown = DebuggerView.draw(debugger.state).text
    #expect(shown.contains("nothing is named “cuponApplied”: did you mean “couponApplied”?"))
    debugger.type("⏎")
    #expect(debugger.form?.problem?.contains("did you mean “couponApplied”?") == true)
    #expect(debugger.edits.isEmpty)
  }

  @Test("what is typed finds labels and what actions carry, and every one of them is listed then")
  func filter() throws {
    var debugger = debugger()
    #expect(debugger.form?.shownOffers.map(\.step) == [4, 2, nil])
    debugger.type("FIVE")
    #expect(debugger.form?.shownOffers.map(\.step) == [3])
    #expect(debugger.form?.text.text == #"{"couponApplied":{"code":"FIVE"}}"#)
    debugger.press(.control("u"))
    debugger.type("coupon")
    #expect(debugger.form?.shownOffers.map(\.step) == [4, 3])
    debugger.type("⏎")
    #expect(debugger.edits == [.insert(after: 5, action: ["couponApplied": ["code": "TEN"]])])
  }

  @Test("Enter before the actions are known runs what was typed once it is there, or says why not")
  func early() throws {
    var debugger = debugger(found: false)
    debugger.type("name⏎")
    #expect(debugger.edits.isEmpty)
    debugger.send(.form(.found(Self.templates, isDone: false)))
    #expect(debugger.edits == [.insert(after: 5, action: ["nameChanged": ["_0": "Stan"]])])
    var other = self.debugger(found: false)
    other.type("nmChanged⏎")
    other.send(.form(.found(Self.templates, isDone: true)))
    #expect(
      other.form?.problem == "nothing is named “nmChanged”: did you mean “nameChanged”?")
    #expect(other.edits.isEmpty)
  }

  @Test("what the app cannot hold stays in the form, with the nearest name or key, at its place")
  func refused() throws {
    var debugger = debugger()
    debugger.verdict = .problem(
      ValueProblem(path: ["couponApplied"], sentence: "there is no “code”"))
    debugger.type("⇥")
    debugger.press(.control("u"))
    debugger.send(.input(.paste(#"{"couponApplied":{"kode":"A"}}"#)))
    debugger.type("⏎")
    #expect(debugger.form?.problem == "“kode” is not a key here: did you mean “code”?")
    #expect(debugger.form?.text.cursor == #"{"couponApplied""#.count)
    #expect(debugger.edits.isEmpty)
    debugger.verdict = .problem(ValueProblem(sentence: "invalid number of keys"))
    debugger.press(.control("u"))
    debugger.press(.control("k"))
    debugger.send(.input(.paste(#"{"copunApplied":{"code":"A"}}"#)))
    debugger.type("⏎")
    #expect(
      debugger.form?.problem
        == "the app has no action “copunApplied”: did you mean “couponApplied”?")
    #expect(debugger.edits.isEmpty)
  }

  @Test("where the host cannot say whether the app has it, what nobody recorded is asked twice")
  func doubted() throws {
    var debugger = debugger()
    debugger.verdict = .unknown
    debugger.type("⇥")
    debugger.press(.control("u"))
    debugger.send(.input(.paste(#"{"couponAplied":{"code":"A"}}"#)))
    debugger.type("⏎")
    #expect(
      debugger.form?.problem
        == "no “couponAplied” was recorded; “couponApplied” was. Enter again sends it as it is")
    #expect(debugger.edits.isEmpty)
    debugger.type("⏎")
    #expect(debugger.edits == [.insert(after: 5, action: ["couponAplied": ["code": "A"]])])
    // Recorded ones run at once.
    var known = self.debugger()
    known.verdict = .unknown
    known.type("⏎")
    #expect(known.edits.count == 1)
  }

  @Test("what is typed while the host is asked waits, and Escape takes Enter back")
  func asking() throws {
    var state = debugger().state
    _ = DebuggerFeature.turn(of: .input(.key(.enter)), on: &state)
    #expect(DebuggerView.draw(state).text.contains("asking the reducer whether this is possible …"))
    _ = DebuggerFeature.turn(of: .input(.key(.character("k"))), on: &state)
    _ = DebuggerFeature.turn(of: .input(.key(.escape)), on: &state)
    let answer = DebuggerAction.form(
      .checked([.insert(after: 6, action: ["couponApplied": ["code": "TEN"]])], .fine))
    #expect(DebuggerFeature.turn(of: answer, on: &state).isEmpty)
    guard case .fork(let form)? = state.overlay else { throw Trouble("the form is gone") }
    #expect(form.filter.text == "")
  }

  @Test("a key that is being typed goes on as the app's actions have it: Tab takes that")
  func completion() throws {
    var debugger = debugger()
    debugger.type("⇥")
    debugger.press(.control("u"))
    debugger.type(#"{"saved":{"failure":{"me"#)
    #expect(debugger.form?.completion == #"ssage":"#)
    #expect(DebuggerView.draw(debugger.state).text.contains(#"{"me"# + "ssage"))
    debugger.type("⇥")
    #expect(debugger.form?.text.text == #"{"saved":{"failure":{"message":"#)
    debugger.type("⇥")
    #expect(debugger.form?.field == .rest)
  }

  @Test("the name of an action stands for it, and is shown as it before it runs")
  func bareName() throws {
    var debugger = debugger()
    debugger.type("⇥")
    debugger.press(.control("u"))
    debugger.type("nameChanged⏎")
    #expect(debugger.form?.text.text == #"{"nameChanged":{"_0":"Stan"}}"#)
    #expect(debugger.edits.isEmpty)
    debugger.type("⏎")
    #expect(debugger.edits == [.insert(after: 5, action: ["nameChanged": ["_0": "Stan"]])])
  }

  @Test(
    "an effect that speaks once sends and finishes; the failure beside a success is offered, too")
  func answers() throws {
    var debugger = TestDebugger(at: 3, host: .ready("WishesHost"))
    debugger.type("fi")
    debugger.send(.form(.found(Self.templates, isDone: true)))
    debugger.press(.backTab)
    let origin = EffectOrigin(step: 3, name: "save", file: "App.swift", line: 1)
    let success: Value = ["saved": ["success": ["id": 1]]]
    let pending = PendingEffect(
      effect: 1, origin: origin, isUnanswered: true,
      recorded: [
        RecordedOutcome(
          effect: 1, step: 9, label: "saved.success", outcome: .emit(action: success)),
        RecordedOutcome(effect: 1, step: 9, outcome: .finish),
      ])
    debugger.send(.form(.pendingFound([pending], failure: nil)))
    for _ in 0..<3 { debugger.press(.right) }
    #expect(debugger.form?.change == .answer)
    #expect(
      debugger.form?.shownOffers.map(\.label) == ["saved.success", "finishes", "saved.failure"])
    #expect(debugger.form?.answer == .last)
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
    debugger.type("fi")
    debugger.press(.backTab)
    var pending = PendingEffect(
      effect: 1, origin: EffectOrigin(step: 3, name: "fetch", file: "App.swift", line: 1),
      isUnanswered: true)
    pending.question = Question("wishes", ["Stan"])
    let replies = [
      RecordedReply(
        step: 3, question: Question("wishes", ["Stan"]), outcome: .value(["Tea", "Lamp"])),
      RecordedReply(step: 3, question: Question("wishes", ["Stan"]), outcome: .failure("offline")),
    ]
    debugger.send(
      .form(.pendingFound([pending], replies: ["wishes": replies], failure: nil)))
    debugger.send(.form(.found(Self.templates, isDone: true)))
    for _ in 0..<3 { debugger.press(.right) }
    for _ in 0..<2 { debugger.type("⇥") }
    expectFrame(
      DebuggerView.draw(debugger.state).text,
      """
      ┌ fork at step 3 of main ──────────────────────────────────────────────────────┐
      │   name   fork 1                                                              │
      │   change answer an effect in flight                                          │
      │   effect fetch, started at step 3, waits for wishes("Stan")                  │
      │ ▸ from     type a part of an answer, ↑ ↓ pick one                            │
      │          answers ["Tea", "Lamp"]  step 3                                     │
      │          fails "offline"  step 3                                             │
      │                                                                              │
      │                                                                              │
      │                                                                              │
      │                                                                              │
      │                                                                              │
      │                                                                              │
      │                                                                              │
      │                                                                              │
      │                                                                              │
      │   it     gets an answer                                                      │
      │   answer ["Tea","Lamp"]                                                      │
      │   then   run the 30 later steps again                                        │
      │                                                                              │
      │                                                                              │
      │ Enter runs it   ↑ ↓ pick   Tab Shift-Tab fields   Esc back                   │
      └──────────────────────────────────────────────────────────────────────────────┘
                                                Tab next field   Enter run   Esc back
      """)
    debugger.press(.down)
    debugger.type("⏎")
    #expect(
      debugger.edits == [.reply(Reply(to: Question("wishes", ["Stan"]), .failure("offline")))])
  }

  @Test("a long action is seen from its beginning, on several lines where there is room")
  func longAction() throws {
    var debugger = debugger(found: false)
    let items = Value.array(ValueArray((1...12).map { .string("wish number \($0)") }))
    debugger.send(
      .form(
        .found(
          [ActionTemplate(label: "loaded", action: ["loaded": ["_0": items]], step: 4)],
          isDone: true))
    )
    debugger.type("⇥")
    #expect(debugger.form?.text.cursor == 0)
    expectFrame(
      DebuggerView.draw(debugger.state).text,
      """
      ┌ fork at step 5 of main ──────────────────────────────────────────────────────┐
      │   name   fork 1                                                              │
      │   change send an action after this step                                      │
      │   from     type a part of an action, ↑ ↓ pick one                            │
      │          loaded ["wish number 1", "wish number 2", "wish number 3",…  step 4 │
      │                                                                              │
      │                                                                              │
      │                                                                              │
      │                                                                              │
      │                                                                              │
      │                                                                              │
      │                                                                              │
      │                                                                              │
      │                                                                              │
      │ ▸ action {"loaded":{"_0":["wish number 1","wish number 2","wish number 3","w │
      │          ish number 4","wish number 5","wish number 6","wish number 7","wish │
      │           number 8","wish number 9","wish number 10","wish number 11","wish  │
      │          number 12"]}}                                                       │
      │   then   run the 28 later steps again                                        │
      │                                                                              │
      │                                                                              │
      │ Enter runs it   Ctrl-o $EDITOR   Tab Shift-Tab fields   Esc back             │
      └──────────────────────────────────────────────────────────────────────────────┘
                                                Tab next field   Enter run   Esc back
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

  @Test("the form sets any part of the state: Tab completes its path, its value is there to change")
  func form() async throws {
    var debugger = TestDebugger(at: 5, host: .ready("WishesHost"))
    try await debugger.bringMoment()
    debugger.type("fi")
    debugger.press(.backTab)
    debugger.press(.left)
    debugger.type("⇥tot⇥")
    #expect(
      DebuggerView.draw(debugger.state).text.contains(
        """
        │   change set a value in the state                                            │
        │ ▸ part   total  was 27.14                                                    │
        │   value                                                                      │
        """))
    debugger.type("s⏎")
    #expect(
      DebuggerView.draw(debugger.state).text.contains(
        "✗ “totals” is not in the state: did you mean “total”?")
        || DebuggerView.draw(debugger.state).text.contains(
          "“totals” is not in the state: did you mean “total”?")
    )
    debugger.press(.backspace)
    debugger.type("⇥")
    debugger.press(.control("u"))
    debugger.type("5⏎")
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
