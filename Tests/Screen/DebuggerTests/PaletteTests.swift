import Testing
import TextCanvas

@testable import Debugger
@testable import TimeTravel

@Suite("The palette under :")
struct PaletteTests {
  private func names(for typed: String, _ debugger: TestDebugger) -> [String] {
    CommandPalette.items(for: typed, debugger.state).map(\.name)
  }

  @Test("finds commands, labels, marks, branches and parts of the state by a few of their letters")
  func finding() async throws {
    var debugger = TestDebugger(at: 7)
    try await debugger.bringMoment()
    debugger.type(":note too dear⏎")
    #expect(names(for: "branch", debugger).first == ":branches")
    #expect(names(for: "wresp", debugger).first == "wishesResponse")
    #expect(names(for: "dear", debugger).first == "too dear")
    #expect(names(for: "main", debugger).first == "main")
    #expect(names(for: "items price", debugger).prefix(2) == ["items[0].price", "items[1].price"])
    #expect(names(for: "zzqx", debugger) == [])
  }

  @Test("what is chosen is done")
  func doing() async throws {
    var debugger = TestDebugger(at: 7)
    try await debugger.bringMoment()
    debugger.type(":wresp⏎")
    #expect(
      debugger.work.contains(.find(.label("wishesResponse"), from: Position(step: 7), .forward)))
    debugger.send(.stepFound(5, words: nil))
    try await debugger.bringMoment()
    debugger.type(":items1price⏎")
    #expect(debugger.state.pane == .state)
    #expect(debugger.state.paneSet.focus == .pane)
    #expect(debugger.state.view.row?.path?.text == "items[1].price")
    debugger.type(":notices")
    debugger.press(.down)
    debugger.press(.up)
    debugger.type("⏎")
    #expect(debugger.state.message?.text == "No problems with wishes.retcon.")
    debugger.type(":zzqx⏎")
    #expect(debugger.state.message?.text == "There is no command “zzqx”; :help lists them.")
    debugger.type(":wathc count⏎")
    #expect(debugger.message == "There is no command “wathc”; did you mean :watch?")
    debugger.type(":find coupon⏎")
    #expect(debugger.message == "There is no command “find”; did you mean /?")
    debugger.type(":foo⏎")
    #expect(debugger.message == "There is no command “foo”; :help lists them.")
  }

  @Test("goes on matching behind a blank, and offers a condition to ;")
  func phrases() async throws {
    var debugger = TestDebugger(at: 7)
    try await debugger.bringMoment()
    #expect(CommandPalette.items(for: "jump to 12", debugger.state).first?.words == "go to step 12")
    #expect(names(for: "who changed", debugger).contains(":blame PATH"))
    #expect(names(for: "save state", debugger).contains(":export-state FILE"))
    #expect(names(for: "total < 0", debugger).first == ";total < 0")
    let errors = names(for: "error", debugger)
    #expect(errors.first == "next and previous error; with a rule, where it is broken", "\(errors)")
    debugger.type(":who changed")
    #expect(DebuggerView.draw(debugger.state).text.contains(":blame PATH"))
    debugger.type("⎋:total < 0⏎")
    #expect(debugger.state.searches.asked?.question.text == ";state.total < 0")
  }

  @Test("letters that stand together and at the beginnings of words count most")
  func ranking() {
    let names = ["saveWishResponse", "discoverWishesTapped", "wishSelected"]
    func best(_ typed: String) -> String? {
      let known = names.compactMap { name in CommandPalette.distance(typed, name).map { ($0, name) }
      }
      return known.min { $0.0 < $1.0 }?.1
    }
    #expect(best("wish") == "wishSelected")
    #expect(best("swr") == "saveWishResponse")
    #expect(best("tap") == "discoverWishesTapped")
    #expect(best("xyz") == nil)
  }

  @Test("stands over the line in which something is typed")
  func picture() async {
    let lines = await frame(
      80, 24, at: 5, .character(":"), .character("m"), .character("a"), .character("r"),
      .character("k")
    ).split(separator: "\n")
    #expect(lines[lines.count - 1] == ":mark")
    #expect(lines.contains { $0.contains("type a part, ↑ ↓ choose, Enter does it") })
    #expect(lines.contains { $0.contains(":marks  list of marks, next and previous mark") })
  }
}

@Suite("Searching in a pane")
struct PaneSearchTests {
  @Test("goes through the whole state, folded or not, and says how manieth hit it is")
  func state() async throws {
    var debugger = TestDebugger(at: 7)
    debugger.type("⇥l")
    try await debugger.bringMoment()
    debugger.type("jjh/lam")
    #expect(debugger.state.view.row?.path?.text == "items[1].title")
    #expect(debugger.state.message?.text == "/lam  1 of 1 in State")
    debugger.type("⎋")
    debugger.search("e")
    let places = ["name", "button", "items", "items[0].title", "items[0].price"]
    #expect(debugger.state.message?.text.hasPrefix("/e  1 of ") == true)
    for place in places.dropFirst() {
      debugger.type("n")
      #expect(debugger.state.view.row?.path?.text == place)
    }
    debugger.type("N")
    #expect(debugger.state.view.row?.path?.text == "items[0].title")
  }

  @Test("goes through the lines of other panes; what is not there is said")
  func lines() async throws {
    var debugger = TestDebugger(at: 8)
    debugger.type("l")
    try await debugger.bringMoment()
    debugger.search("total")
    #expect(debugger.state.message?.text == "/total  1 of 1 in Diff")
    debugger.search("Total")
    #expect(
      debugger.state.message?.text
        == "“Total” is not in Diff at this step; h and / search the steps.")
  }

  @Test("what was typed before comes back with ↑")
  func history() async throws {
    var debugger = TestDebugger(at: 8)
    debugger.type("/tea⏎/lamp⏎/")
    debugger.press(.up)
    #expect(debugger.state.prompt?.line.text == "lamp")
    debugger.press(.up)
    #expect(debugger.state.prompt?.line.text == "tea")
    debugger.press(.down)
    #expect(debugger.state.prompt?.line.text == "lamp")
  }

  @Test("a step that is a hit says how manieth it is")
  func number() {
    var debugger = TestDebugger(at: 5)
    debugger.search("note")
    debugger.send(
      .searches(.found(.asked, SearchBatch(hits: [9, 11, 20], searched: 28, total: 34))))
    debugger.send(.searches(.found(.asked, SearchBatch(hits: [2], searched: 34, total: 34))))
    debugger.send(.searches(.ended(.asked, failure: nil)))
    #expect(debugger.step == 9)
    #expect(DebuggerView.draw(debugger.state).text.contains("/note  2 of 4 hits"))
  }
}
