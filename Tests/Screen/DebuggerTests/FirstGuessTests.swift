import RecordingSupport
import SessionWords
import Testing
import TextCanvas
import TimeTravel
import ValueTree

@testable import Debugger

@Suite("Keys that somebody knows from elsewhere")
struct FirstGuessTests {
  @Test(
    "go where vim, less and lazygit go",
    arguments: [
      ("gg", 0), ("40gg", 33), ("12gg", 12), ("ggj", 1), ("H", 0), ("L", 16), ("}", 7), ("3}", 7),
      ("{", 4), ("20G⌃o", 5), ("%", 5), ("50%", 16),
    ])
  func moving(keys: String, step: Int) async throws {
    var debugger = TestDebugger(at: 5)
    debugger.type(keys.replacing("⌃o", with: ""))
    if keys.contains("⌃o") { debugger.press(.control("o")) }
    for effect in debugger.work where effect.name == "find step" {
      for answer in try await effect.answers(Wishes.session) { debugger.send(answer) }
    }
    #expect(debugger.step == step)
  }

  @Test("that mean nothing in a list say so")
  func unknownInList() {
    var debugger = TestDebugger()
    debugger.type("Bx")
    #expect(debugger.message == "x does nothing here: q goes back.")
  }

  @Test(
    "that mean nothing here say so",
    arguments: [
      (Key.character("d"), "d does nothing here: ? shows the keys."),
      (.control("x"), "Ctrl-x does nothing here: ? shows the keys."),
      (.function(5), "F5 does nothing here: ? shows the keys."),
      (.insert, "Ins does nothing here: ? shows the keys."),
      (.character("%"), "Type how far before it: 25% is a quarter of the way."),
    ])
  func unknown(key: Key, words: String) {
    var debugger = TestDebugger()
    debugger.press(key)
    #expect(debugger.state.message?.text == words)
  }

  @Test("a name that stands deeper in the state is found there, a mistyped one beside it")
  func deeper() {
    let state: Value = ["path": ["nextID": 3, "total": 1], "total": 2]
    #expect((["nextID"] as Pointer).nearest(in: state) == ["path", "nextID"])
    #expect((["totl"] as Pointer).nearest(in: state) == ["total"])
    #expect((["nothing"] as Pointer).nearest(in: state) == nil)
  }

  @Test("quit with the commands of vim", arguments: ["q", "qa", "q!", "x", "wq", "quit"])
  func quitting(command: String) {
    var debugger = TestDebugger()
    debugger.type(":\(command)⏎")
    #expect(debugger.work.last == .output(.quit))
  }

  @Test("Ctrl-C stops a search, puts away one that has just ended, and only then leaves")
  func interrupting() {
    var debugger = TestDebugger()
    debugger.search("tea")
    debugger.send(.searches(.ended(.asked, failure: nil)))
    debugger.work = []
    debugger.press(.control("c"))
    #expect(debugger.work == [])
    #expect(debugger.state.message?.text == "The search is closed; Ctrl-C again leaves.")
    debugger.press(.control("c"))
    #expect(debugger.work.last == .output(.quit))
  }

  @Test("a note can be typed behind its command, and z says what it takes back")
  func note() {
    var debugger = TestDebugger()
    debugger.type(":note look here⏎")
    #expect(debugger.state.keeping.marks[Position(step: 5)] == "look here")
    #expect(debugger.message == "Noted at step 5; ' lists marks, z undoes it.")
    #expect(debugger.lines(9..<17).contains { $0.contains("wishesResponse “l") })
    debugger.type("z")
    #expect(debugger.state.keeping.marks.isEmpty)
    #expect(debugger.state.message?.text == "The note at step 5 was taken back; Z redoes it.")
    debugger.press(.control("r"))
    #expect(debugger.state.keeping.marks[Position(step: 5)] == "look here")
    #expect(debugger.state.message?.text == "The note at step 5 is done again; z undoes it.")
  }

  @Test("a range is written as anybody writes it", arguments: ["8-12", "8..12", "8–12", "8…12"])
  func ranges(text: String) {
    var debugger = TestDebugger()
    debugger.type(":trim \(text) small.retcon⏎")
    #expect(debugger.work.last == .trim(8...12, path: "small.retcon", RedactionWords()))
    debugger.type("⎋:\(text)⏎")
    #expect(debugger.state.range == 8...12)
    debugger.type("⎋Fhide \(text)⏎")
    #expect(debugger.state.filter.now?.text == "hide step >= 8 && step <= 12")
  }
}

@Suite("A path that is nowhere is said, with the one that was probably meant")
struct MisspeltPathTests {
  private func said(_ keys: String) async -> String? {
    await DebuggerApp.wishes(at: 8, keys, columns: 80, rows: 24).state.message?.text
  }

  @Test("in a search, in a rule and of what is watched; a path that is right is not")
  func misspelt() async {
    let words = "“totl” is not in the state: did you mean “total”?"
    #expect(await said(";state.totl < 0⏎") == words)
    #expect(await said(":rule state.totl >= 0⏎") == "\(words) :rule off removes the rule.")
    #expect(await said(":watch totl⏎") == words)
    #expect(await said(":watch /totl⏎") == words.replacing("“totl”", with: "“/totl”"))
    for place in ["/total", "[\"total\"]", "['total']", "state.total"] {
      #expect(await said(":watch \(place)⏎") == "total is watched: see Watch.")
    }
    #expect(await said(";state.total < -1000⏎") == nil)
  }
}

@Suite("A condition over states that nobody knows is answered with unknown")
struct UnknownStatesTests {
  @Test("by a search, a filter and a rule; one that asks for labels is answered")
  func unknown() async {
    let steps = (0...3).map { Step(number: $0, label: "added", action: .null) }
    let recording = MemoryRecording(
      name: "actions.json", steps: steps, states: Array(repeating: nil, count: 4))
    func said(_ keys: String) async -> [String?] {
      let app = DebuggerApp(
        session: OpenSession(recording), size: Size(width: 80, height: 24), output: { _ in },
        onChange: {})
      await app.start().finish()
      for key in keys { await app.handle(.key(.typed(key))).finish() }
      return [
        app.state.message?.text, app.state.prompt?.problem, app.state.searches.asked?.failure,
      ]
    }
    let words =
      "unknown: no step has a known state: open it with retcon actions.json --host "
      + ".build/debug/AppHost"
    #expect(await said(";state.total < 0⏎") == [words, nil, "unknown"])
    #expect(await said("Fstate.total < 0⏎")[0] == words)
    #expect(await said(":rule state.total >= 0⏎")[0] == "\(words) :rule off removes the rule.")
    #expect(await said(";label == 'added'⏎") == [nil, nil, nil])
  }

  @Test("if only some are unknown, they are counted apart, wherever the cursor is")
  func someUnknown() async {
    let steps = (0...3).map { Step(number: $0, label: "set", action: .null) }
    let states: [Value?] = [nil, ["n": 1], nil, ["n": 3]]
    let recording = MemoryRecording(name: "some.json", steps: steps, states: states)
    func app(at step: Int, _ keys: String) async -> DebuggerApp {
      let app = DebuggerApp(
        session: OpenSession(recording), size: Size(width: 120, height: 24),
        position: Position(step: step), output: { _ in }, onChange: {})
      await app.start().finish()
      for key in keys { await app.handle(.key(.typed(key))).finish() }
      return app
    }
    for step in 0...1 {
      let search = await app(at: step, ";state.n == 1⏎")
      #expect(search.frame.text.contains("1 of 1 hit, 2 unknown"))
      let filter = await app(at: step, ":filter state.n == 1⏎")
      #expect(filter.state.filter.now?.words == "3 of 4 hidden, 2 unknown")
      let rule = await app(at: step, ":rule state.n < 3⏎")
      let broken = "Broken in 1 step, first at 3: e goes to where it begins."
      #expect(rule.state.message?.text == broken)
      let watch = await app(at: step, ":watch n⏎")
      #expect(watch.state.message?.text == "n is watched: see Watch.")
    }
    let unknown = await app(at: 1, ":watch zebra⏎").state.message?.text
    #expect(unknown == "zebra is watched; this state does not have it: see Watch.")
    #expect(await app(at: 3, "").frame.text.contains("The state before is not known. This one:"))
  }
}
