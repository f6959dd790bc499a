import Samples
import SessionFile
import SessionWords
import StoreTesting
import TestSupport
import Testing
import TextCanvas
import ValueTree

@testable import Debugger
@testable import TimeTravel

/// The demo of the wishes, with its reducer: a request that fails at step 5, and one that does not.
@Suite("Failures are seen at once, and what if is one key")
struct WhatIfTests {
  private let folder: TemporaryFolder
  private let app: DebuggerApp

  init() async throws {
    folder = try TemporaryFolder()
    app = try await DebuggerApp.onWishes(in: folder)
  }

  private func type(_ keys: String) async { await app.type(keys) }

  private var branch: Branch { app.state.branch }
  private var message: String { app.state.message?.text ?? "" }

  @Test("a session opens at its first failure, with a sentence, and e goes on from there")
  func firstFailure() async {
    #expect(app.state.here == Position(step: 5))
    #expect(message.hasPrefix("Step 5 is the "), "\(message)")
    #expect(app.frame.text.contains("✗ wishesResponse failure"))
    let bar = app.state.timeline.effects.first { $0.end?.step == 5 }
    #expect(bar?.answersFailure == true && bar?.endWords == "✗ answered with a failure")
    let answered = app.state.timeline.effects.first { $0.end?.step == 11 }
    #expect(answered?.answersFailure == false)
    await type("ge")
    #expect(app.state.here == Position(step: 5))
  }

  @Test("a place that was asked for stays")
  func askedPlace() async throws {
    let reader = try SessionReader(path: folder("wishes.retcon"))
    let app = DebuggerApp(
      session: OpenSession(SessionRecording(reader)), size: Size(width: 80, height: 24),
      position: Position(step: 0), output: { _ in }, onChange: {})
    await app.start().finish()
    #expect(app.state.here == Position(step: 0))
  }

  @Test(
    "an action carries a failure by its name or by what is in it",
    arguments: [
      ("factFailed", "{}", true), ("cart/fetch/rejected", "{}", true), ("load.failure", "{}", true),
      ("loaded", #"{"loaded": {"_0": {"failure": {"_0": {"code": 404}}}}}"#, true),
      ("save", #"{"type": "save", "error": {"message": "offline"}}"#, true),
      ("save", #"{"type": "save", "payload": {"error": "offline"}}"#, true),
      ("save", #"{"type": "save", "error": null}"#, false), ("clearError", "{}", false),
      ("saved", #"{"saved": {"_0": "a", "_1": {"failure": {"_0": {"code": 404}}}}}"#, true),
      ("saved", #"{"saved": {"_0": "a", "_1": {"success": {"_0": {"code": 404}}}}}"#, false),
      ("answered", #"{"answered": {"number": 3, "with": {"failure": {"_0": {}}}}}"#, true),
      ("answered", #"{"answered": {"number": 3, "with": {"success": {"_0": {}}}}}"#, false),
      ("failureDismissed", "{}", false), ("save", #"{"type": "save", "error": false}"#, false),
    ])
  func carries(label: String, action: String, isFailure: Bool) throws {
    let step = Step(number: 1, label: label, action: try Value(parsing: action))
    #expect(step.carriesFailure == isFailure)
  }

  @Test("f s at a failed answer runs the fork in which it succeeds, without a form")
  func succeeds() async throws {
    await type("fs")
    #expect(app.state.overlay == nil, "\(app.frame.text)")
    #expect(branch.name == "fork 1" && branch.progress == .complete)
    guard case .replace(5, let action)? = branch.script?.edits.first else {
      Issue.record("\(branch.script as Any)")
      return
    }
    #expect(!action.carriesFailure)
  }

  @Test("the menu and the result name the step whose answer is used")
  func source() async {
    await type(":28⏎f")
    #expect(app.frame.text.contains("fetchWishes gives the failure of step 5"), "\(app.frame.text)")
    await type("e")
    #expect(message.hasPrefix("With the answer of step 5; = changes it.\n"), "\(message)")
    await type("zo")
    #expect(!message.contains("With the answer"), "\(message)")
    await type("[:28⏎fa⏎")
    #expect(message.hasPrefix("With the answer of step 5; = changes it.\n"), "\(message)")
  }

  @Test("Reads show no recorded error behind an answer that the fork gave")
  func readsOfAnAnswer() async {
    await type("fs")
    #expect(!branch.isMain && app.state.moment?.step.label == "wishesResponse")
    #expect(app.state.moment?.effectReads.contains { $0.outcome.isError } == false)
  }

  @Test("the card says from where on a fork is as the recording, and what it lacks")
  func sameFrom() async {
    await type("fs")
    #expect(message.contains("he same as main from 6"), "\(message)")
    await type("[:8⏎x")
    #expect(message.contains("Without step 8 "), "\(message)")
    #expect(!message.contains("first difference"), "\(message)")
    #expect(message.contains("he same as main from 8"), "\(message)")
  }

  @Test("a goes to the step where the effect waits that the card names")
  func answersElsewhere() async {
    await type(":9⏎fr")
    await type("⇥")
    let filled = app.state.prompt?.line.text ?? ""
    await app.handle(.key(.control("u"))).finish()
    await app.handle(.paste(filled.replacing("Stef", with: "Max"))).finish()
    await type("⏎")
    #expect(message.contains("Press a to answer it."), "\(message)\n\(app.frame.text)")
    await type("a")
    #expect(app.state.shownForkLine?.words.known == .answer, "\(message)")
    #expect(app.state.shownForkLine?.position.step != 9)
  }

  @Test("an answer to the same question comes first")
  func sameQuestion() {
    let asked = { (number: Int) in [Question("fact", [.number(Number(number))])] }
    func template(_ label: String, _ step: Int, _ asked: [Question]) -> ActionTemplate {
      ActionTemplate(
        label: label, action: [label: ["_0": .number(Number(step))]], step: step, asked: asked)
    }
    var line = ForkLine(at: Position(step: 6))
    line.type("fork replace ")
    line.wanted = ForkLine.Wanted(isFailure: false, like: "factFailed")
    line.add([
      template("factFailed", 6, asked(3)), template("factReceived", 5, asked(9)),
      template("factReceived", 2, asked(3)),
    ])
    #expect(line.choices.map(\.step) == [2, 5])
    #expect(line.stepOfAnswer == 2)
    #expect(line.coming == [.replace(step: 6, action: template("factReceived", 2, []).action)])
  }

  @Test("Enter runs nothing in a line that found no answer, until one is picked")
  func nothingFound() async {
    var line = ForkLine(at: Position(step: 6))
    line.type("fork replace ")
    line.wanted = ForkLine.Wanted(isFailure: true, like: "dismiss")
    let session = OpenSession(Wishes.recording, host: FakeHost(recording: Wishes.recording))
    let other = TestStore(line, on: session) { ForkLineFeature() }
    other.exhaustivity = .off
    let dismiss = ActionTemplate(label: "dismiss", action: ["dismiss": [:]], step: 6)
    await other.send(.found([dismiss], isDone: true))
    await other.send(.submitted)
    #expect(other.state.problem?.hasPrefix("no such failure was recorded") == true)
    #expect(other.state.decided == nil && other.state.checking == nil)
    await other.send(.typed("fork replace dis"))
    #expect(other.state.coming == [.replace(step: 6, action: ["dismiss": [:]])])
    await other.finish()
  }

  @Test("f offers no failure that was never recorded, and no answer of an effect that has ended")
  func impossible() async {
    for step in [21, 24, 25] {
      await type(":\(step)⏎f")
      #expect(app.frame.text.contains("skip this step"))
      #expect(!app.frame.text.contains("fails instead"), "\(app.frame.text)")
      await type("q")
    }
    await type(":17⏎f")
    #expect(!app.frame.text.contains("answer an effect"), "\(app.frame.text)")
  }

  @Test("f e at the request makes it fail")
  func fails() async throws {
    await type(":10⏎fe")
    #expect(branch.name == "fork 1" && branch.progress == .complete, "\(app.frame.text)")
    #expect(app.state.reading.pages["fork 1", 11]?.carriesFailure == true)
  }

  @Test("f offers what can be done here, and a key that it lacks means what it always does")
  func menu() async {
    await type("g:0⏎f")
    #expect(!app.frame.text.contains("skip this step"))
    #expect(app.frame.text.contains("send an action"))
    await type("j")
    #expect(app.state.here.step == 0)
    await type("?")
    #expect(app.state.overlay == .list(.help))
  }

  @Test("a renamed fork keeps its states, also after z and Z")
  func rename() async throws {
    let reader = try SessionReader(path: folder("wishes.retcon"))
    let app = DebuggerApp(
      session: OpenSession(
        SessionRecording(reader), host: try EngineHost<WishesSample>(reader),
        sidecar: Sidecar(session: folder("wishes.retcon"))),
      size: Size(width: 120, height: 36), output: { _ in }, onChange: {})
    func type(_ keys: String) async {
      for key in keys { await app.handle(.key(.typed(key))).finish() }
    }
    await app.start().finish()
    await type("fsBr")
    await app.handle(.key(.control("u"))).finish()
    await type("abc⏎")
    for name in ["abc", "fork 1", "abc"] {
      #expect(app.state.branch.name == name && app.state.branch.progress == .complete)
      #expect(app.state.moment?.state != nil, "\(app.frame.text)")
      #expect(app.state.reading.pages[app.state.here.branch, app.state.here.step] != nil)
      #expect(app.state.message?.kind != .failure, "\(app.frame.text)")
      await type(name == "abc" ? "⎋z" : "Z")
    }
    await type("ZC")
    #expect(app.state.otherBranch != nil && app.state.moment?.comparison != nil)
  }

  @Test("f o runs the later steps again")
  func runOn() async {
    await type("fo")
    #expect(branch.name == "fork 1" && branch.script?.edits.isEmpty == true)
    #expect(branch.steps.upperBound == 28 && branch.progress == .complete)
  }

  @Test("x x is undo, and x alone stays at its step")
  func twice() async {
    await type(":9⏎x")
    #expect(branch.name == "fork 1" && app.state.here.step == 9)
    await type("x")
    #expect(app.state.here == Position(step: 9) && app.state.branches.count == 1)
    await type("xjx")
    #expect(app.state.branches.count == 2 && branch.script?.edits.count == 2)
  }

  @Test("the same change again makes no second fork, but goes to the first")
  func same() async {
    await type(":9⏎x[:9⏎x")
    #expect(app.state.branches.count == 2 && branch.name == "fork 1")
    #expect(message == "“fork 1” has the same change, so there is no new fork.", "\(message)")
  }

  @Test("on a fork, the menu offers a change of it, and a new fork from here")
  func newFork() async {
    await type(":9⏎xj")
    await type("f")
    #expect(app.frame.text.contains("change this fork"), "\(app.frame.text)")
    await type("n")
    #expect(app.frame.text.contains("a new fork from here  ● chosen"), "\(app.frame.text)")
    await type("x")
    #expect(branch.name == "fork 2" && branch.script?.parent == "fork 1", "\(app.frame.text)")
    #expect(app.state.branches[1].script?.edits.count == 1)
    await type("jx")
    #expect(app.state.branches.count == 3, "without the menu, x changes the fork")
  }

  @Test("what is typed is counted, a wrong word is marked, and Tab completes it")
  func typing() async {
    await type(";step > 3")
    #expect(app.frame.text.contains("25 hits, first at 4"), "\(app.frame.text)")
    await type("⎋;stat")
    #expect(app.state.prompt?.offers == ["state"], "\(app.frame.text)")
    await type("⇥.nam⇥ == ⇥")
    #expect(app.state.prompt?.line.text.hasPrefix("state.name == '") == true)
    await type("⎋;stae.name == 1")
    #expect(app.state.prompt?.problem?.contains("did you mean “state”?") == true)
    #expect(app.state.prompt?.mistake == 0)
    await type("⎋:rule step < 9")
    #expect(app.frame.text.contains("broken in 20 steps, first at 9"), "\(app.frame.text)")
    await type("⎋")
    #expect(app.state.searches.asked == nil)
  }

  @Test("C compares with the parent first, then with the others")
  func parentFirst() async {
    await type(":9⏎x[:8⏎x")
    #expect(branch.name == "fork 2")
    await type("C")
    #expect(message == "Compared with “main”.")
    await type("C")
    #expect(message == "Compared with “fork 1”.")
  }

  @Test("the bottom line names who set the value under the cursor; Enter goes there, as c does")
  func blame() async {
    await type(":12⏎2q⏎")
    #expect(app.state.view.row?.path?.text == "name")
    let words = app.state.setterWords.map(\.text).joined()
    #expect(words.hasPrefix(#""Ste" → "Stef" by 9 binding.name, "#), "\(words)")
    #expect(app.frame.text.contains(words))
    await type("⏎")
    #expect(app.state.here == Position(step: 9))
    #expect(app.state.setterWords.map(\.text).joined().hasSuffix("by this step"))
    await type("]:12⏎c")
    #expect(app.state.here == Position(step: 9))
  }

  @Test("a key that means something else in a pane says so once")
  func otherMeaning() async {
    await type(":12⏎2q⏎c")
    #expect(message == "c in a pane: to the step that set the value; in Effects that started it.")
    await type("]c")
    #expect(!message.hasPrefix("c in a pane"))
  }

  @Test(":blame lists the values of a place, and who set them")
  func blameCommand() async {
    await type(":blame name⏎")
    guard case .list(.text("name", let lines), 0)? = app.state.overlay else {
      Issue.record("\(app.frame.text)")
      return
    }
    #expect(lines.contains { $0.text.contains("binding.name") }, "\(lines)")
    #expect(lines.allSatisfy { !$0.text.hasPrefix("/name") }, "the title names the place")
    await type("q:blame nam⏎")
    #expect(message.contains("did you mean “name”?"))
    await type(":blame name@9⏎")
    guard case .list(.text("name, seen from step 9", let early), 0)? = app.state.overlay else {
      Issue.record("\(app.frame.text)")
      return
    }
    #expect(early.first?.text.hasPrefix("9") == true, "\(early)")
    await type("q:blame name@9999⏎")
    #expect(message == "“main” has the steps 0 to 28.", "\(message)")
  }

  @Test("a search that ends after other keys opens no list over them")
  func lateList() async {
    var state = app.state
    state.searches.finding = .forks(.explore)
    let news = ForkSearchUpdate(lines: ["24 orders tried: the rule holds in all."])
    var update = DebuggerUpdate(state)
    update.state.searches.isLeft = true
    update.receiveForkSearch(.explore, news)
    #expect(update.state.overlay == nil)
    #expect(update.state.message?.text.hasSuffix(":result shows all of it.") == true)
    update.showResults()
    guard case .list(.text(let title, _), _)? = update.state.overlay else {
      Issue.record("no list")
      return
    }
    #expect(title == "no order that breaks it")
  }

  @Test("B folds the steps that a fork skips, and d takes all of them back")
  func folded() async throws {
    await type(":minimize destination.alert⏎q")
    let edits = try #require(app.state.branches.last?.script?.edits.count)
    let rows = app.state.branchRows
    #expect(rows.count * 2 < edits, "\(rows)")
    await type("B")
    #expect(app.frame.text.contains(" steps"))
  }

  @Test("a condition asks the state for a word that steps lack")
  func bareWord() async {
    await type(";name == 'Stef'⏎")
    #expect(app.state.here.step == 9)
    #expect(app.state.searches.asked?.question.text == ";state.name == 'Stef'")
    await type(";nme == 'Stef'⏎")
    #expect(app.state.prompt?.problem?.contains("did you mean “state.name”?") == true)
  }

  @Test("the palette finds commands by what they are for, and says what a number means")
  func palette() async {
    let names = CommandPalette.items(for: "save", app.state).map(\.name)
    for command in [":trim 8-12 FILE", ":export FILE", ":export-state FILE"] {
      #expect(names.contains(command), "\(names)")
    }
    #expect(CommandPalette.items(for: "7", app.state).first?.words == "go to step 7")
    #expect(!names.contains { $0.hasPrefix("one step later") })
    await type(":notices⏎:")
    #expect(CommandPalette.items(for: "", app.state).first?.name == ":notices")
  }
}
