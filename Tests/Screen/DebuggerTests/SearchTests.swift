import SessionWords
import StoreTesting
import Testing
import TextCanvas
import ValueTree

@testable import Debugger
@testable import TimeTravel

@Suite("Looking for something")
struct SearchTests {
  @Test("goes to the first hit as soon as it is known, then to the next ones, around the end")
  func hits() {
    var debugger = TestDebugger(at: 5)
    debugger.search("note")
    #expect(debugger.state.searches.asked?.start == 5)
    #expect(debugger.step == 5)
    debugger.send(.searches(.found(.asked, SearchBatch(hits: [9, 10], searched: 8, total: 34))))
    #expect(debugger.step == 9)
    debugger.type("n")
    #expect(debugger.step == 10)
    // Nothing more is known: the next hit is waited for.
    debugger.type("n")
    #expect(debugger.step == 10)
    debugger.send(.searches(.found(.asked, SearchBatch(hits: [30], searched: 29, total: 34))))
    #expect(debugger.step == 30)
    debugger.send(.searches(.found(.asked, SearchBatch(hits: [2], searched: 34, total: 34))))
    debugger.send(.searches(.ended(.asked, failure: nil)))
    debugger.type("n")
    #expect(debugger.step == 2)
    #expect(debugger.state.message?.text == "Hit 1 of 4: the search wrapped around.")
    debugger.type("N")
    #expect(debugger.step == 30)
  }

  @Test("can be stopped with one key, and says how far it came")
  func stopping() {
    var debugger = TestDebugger(at: 5)
    debugger.search("note")
    debugger.send(.searches(.found(.asked, SearchBatch(hits: [9], searched: 8, total: 34))))
    debugger.work = []
    debugger.press(.control("c"))
    #expect(debugger.state.searches.asked?.isRunning == false)
    #expect(DebuggerView.draw(debugger.state).text.contains("1 hit in 8 steps, stopped"))
    // Nothing is left to stop: the next one puts the hits away, and then it leaves.
    debugger.press(.control("c"))
    debugger.press(.control("c"))
    #expect(debugger.work.last == .output(.quit))
  }

  @Test("on another branch the same is searched there")
  func otherBranch() {
    var debugger = TestDebugger(at: 5, host: .ready("WishesHost"))
    debugger.search("note")
    debugger.send(.searches(.found(.asked, SearchBatch(hits: [9], searched: 34, total: 34))))
    debugger.send(.searches(.ended(.asked, failure: nil)))
    debugger.state.forks.running = "fork 1"
    debugger.send(.forkGrew(Branch("fork 1", script: Script(leavesAt: 5), steps: 0...20)))
    debugger.state.go(to: Position(branch: "fork 1", step: 7))
    debugger.work = []
    debugger.type("n")
    #expect(debugger.step == 7)
    #expect(debugger.state.searches.asked?.branch == "fork 1")
    #expect(debugger.state.searches.asked?.count == 0)
  }

  @Test("hits and marks belong to their branch")
  func ofItsBranch() async {
    let app = await DebuggerApp.wishes(
      at: 12, ";label == 'saveTapped'⏎:goto 12⏎xm⏎k", columns: 120, rows: 36, hasHost: true)
    #expect(app.state.here.branch == "fork 1")
    #expect(!app.frame.text.contains("hit"))
    for key in ":goto main/5⏎" { await app.handle(.key(.typed(key))).finish() }
    #expect(!app.frame.text.contains("▲"))
  }

  @Test("news of an earlier search is not taken for that of a later one")
  func late() async {
    let store = TestStore(Searches.State(), on: Wishes.session) { Searches() }
    store.exhaustivity = .off
    let branch = Branch("main", steps: 0...33)
    await store.send(.started(.asked, Search(.text("note"), in: branch, from: 5)))
    await store.send(.started(.asked, Search(.text("save"), in: branch, from: 5))).finish()
    await store.skipReceivedActions()
    #expect(store.state.asked?.count == 1 && store.state.asked?.isRunning == false)
  }

  @Test("a condition that cannot be understood stays in its line with the reason")
  func condition() {
    var debugger = TestDebugger(at: 5)
    debugger.type(";state.total <⏎")
    #expect(debugger.state.prompt?.problem?.hasPrefix("column 14: ") == true)
    debugger.type(" 0⏎")
    #expect(debugger.state.prompt == nil)
    #expect(debugger.state.searches.asked?.question.text == ";state.total < 0")
  }

  @Test(
    "the line says first what to write instead",
    arguments: [
      (";lable == 'x'", "column 1: did you mean “label”?"),
      (";total < 0", "column 1: did you mean state.total?"),
      (";label == 'x' and step > 2", "column 14: “and” is no operator. Write “&&”."),
    ])
  func instead(of typed: String, _ problem: String) {
    var debugger = TestDebugger(at: 5)
    debugger.type(typed + "⏎")
    #expect(debugger.state.prompt?.problem == problem)
  }

  @Test("a condition is answered by the states of the steps")
  func conditionHits() async {
    let canvas = await DebuggerApp.print(
      Wishes.session, size: Size(width: 80, height: 24), position: Position(step: 0),
      events: [.key(.character(";")), .paste("state.total < 0 && step < 12"), .key(.enter)])
    #expect(
      canvas.text.contains("\n ;state.total < 0 && step < 12  1 of 4 hits   n next  N previous"))
    #expect(canvas.text.contains("▸ 8"))
  }

  @Test("errors are found in the background: e goes to the step where an effect failed")
  func errors() async {
    let canvas = await DebuggerApp.print(
      Wishes.session, size: Size(width: 80, height: 24), position: Position(step: 0),
      events: [.key(.character("e"))])
    #expect(canvas.text.contains("▸ 8"))
  }

  @Test("e says at once that it searches, and how to stop it")
  func searchesErrors() {
    var debugger = TestDebugger(at: 0)
    debugger.type("e")
    #expect(
      DebuggerView.draw(debugger.state).text
        .contains("\n errors  0 hits so far, 0% searched; Ctrl-C stops"))
  }

  @Test("the next change of the value under the cursor is found")
  func change() async {
    var events: [InputEvent] = [.key(.alt("2")), .key(.enter)]
    events += [.key(.character("*"))]
    let canvas = await DebuggerApp.print(
      Wishes.session, size: Size(width: 80, height: 24), position: Position(step: 2),
      events: events)
    // The cursor is on the name, which changes at step 4.
    #expect(canvas.text.contains("▸ 4"))
  }

  @Test("a text is searched while it is typed; Escape goes back, Enter stays and [ goes back")
  func whileTyped() async {
    let session = OpenSession(Wishes.recording)
    let app = DebuggerApp(
      session: session, size: Size(width: 80, height: 24), position: Position(step: 2),
      output: { _ in }, onChange: {})
    await app.start().finish()
    func type(_ text: String) async {
      for key in text { await app.handle(.key(.character(key))).finish() }
    }
    await type("/coup")
    #expect(app.state.here.step == 8)
    #expect(app.frame.text.contains("/coup"))
    await type("x")
    #expect(app.state.here.step == 2)
    await app.handle(.key(.backspace)).finish()
    #expect(app.state.here.step == 8)
    await app.handle(.key(.escape)).finish()
    #expect(app.state.here.step == 2)
    #expect(app.state.searches.asked == nil)
    await type("/save")
    await app.handle(.key(.enter)).finish()
    #expect(app.state.here.step == 33)
    #expect(app.state.searches.asked?.count == 1)
    await type("[")
    #expect(app.state.here.step == 2)
  }

  @Test("one search of each kind runs at a time; what was looked for before typing comes back")
  func feature() async {
    let store = TestStore(Searches.State(), on: Wishes.session) { Searches() }
    store.exhaustivity = .off
    let branch = Branch("main", steps: 0...33)
    await store.send(.started(.asked, Search(.text("note"), in: branch, from: 20)))
    await store.receive(.ended(.asked, failure: nil))
    #expect(store.state.asked?.hit(.forward, of: 8)?.step == 9)
    await store.send(.started(.errors, Search(.errors, in: branch, from: 0)))
    await store.receive(.ended(.errors, failure: nil))
    #expect(store.state.errors?.hit(.forward, of: 0)?.step == 8)
    await store.send(.beganTyping(at: Position(step: 20)))
    await store.send(.typed(Search(.text("c"), in: branch, from: 20)))
    await store.send(.typed(Search(.text("coupon"), in: branch, from: 20))).finish()
    await store.skipReceivedActions()
    #expect(store.state.asked?.isHit(8) == true)
    await store.send(.endedTyping(isKept: false))
    #expect(store.state.asked?.question == .text("note"))
    await store.send(.putAway(.asked))
    #expect(store.state.asked == nil && store.state.errors?.isHit(8) == true)
    await store.finish()
  }
}
