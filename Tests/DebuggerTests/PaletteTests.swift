import Testing
import TextCanvas

@testable import Debugger
@testable import TimeTravel

@Suite("The palette under :")
struct PaletteTests {
  private func names(for typed: String, _ desk: Desk) -> [String] {
    Palette.items(for: typed, desk.state).map(\.name)
  }

  @Test("finds commands, labels, marks, branches and parts of the state by a few of their letters")
  func finding() async throws {
    var desk = Desk(at: 7)
    try await desk.bringMoment()
    desk.type(":note too dear⏎")
    #expect(names(for: "branch", desk).first == ":branches")
    #expect(names(for: "wresp", desk).first == "wishesResponse")
    #expect(names(for: "dear", desk).first == "too dear")
    #expect(names(for: "main", desk).first == "main")
    #expect(names(for: "items price", desk).prefix(2) == ["items[0].price", "items[1].price"])
    #expect(names(for: "zzqx", desk) == [])
  }

  @Test("what is chosen is done")
  func doing() async throws {
    var desk = Desk(at: 7)
    try await desk.bringMoment()
    desk.type(":wresp⏎")
    #expect(desk.work.contains(.find(.label("wishesResponse"), from: Position(step: 7), .forward)))
    desk.send(.stepFound(5, words: nil))
    try await desk.bringMoment()
    desk.type(":items1price⏎")
    #expect(desk.state.pane == .state)
    #expect(desk.state.paneSet.focus == .pane)
    #expect(desk.state.view.row?.path?.text == "items[1].price")
    desk.type(":notices")
    desk.press(.down)
    desk.press(.up)
    desk.type("⏎")
    #expect(desk.state.message?.text == "No problems with wishes.retcon.")
    desk.type(":zzqx⏎")
    #expect(desk.state.message?.text == "There is no command “zzqx”; :help lists them.")
  }

  @Test("letters that stand together and at the beginnings of words count most")
  func ranking() {
    let names = ["saveWishResponse", "discoverWishesTapped", "wishSelected"]
    func best(_ typed: String) -> String? {
      let known = names.compactMap { name in Palette.distance(typed, name).map { ($0, name) } }
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
    var desk = Desk(at: 7)
    desk.type("⇥l")
    try await desk.bringMoment()
    desk.type("jjh/lam")
    #expect(desk.state.view.row?.path?.text == "items[1].title")
    #expect(desk.state.message?.text == "/lam  1 of 1 in State")
    desk.type("⎋")
    desk.search("e")
    let places = ["name", "button", "items", "items[0].title", "items[0].price"]
    #expect(desk.state.message?.text.hasPrefix("/e  1 of ") == true)
    for place in places.dropFirst() {
      desk.type("n")
      #expect(desk.state.view.row?.path?.text == place)
    }
    desk.type("N")
    #expect(desk.state.view.row?.path?.text == "items[0].title")
  }

  @Test("goes through the lines of other panes; what is not there is said")
  func lines() async throws {
    var desk = Desk(at: 8)
    desk.type("l")
    try await desk.bringMoment()
    desk.search("total")
    #expect(desk.state.message?.text == "/total  1 of 1 in Diff")
    desk.search("Total")
    #expect(
      desk.state.message?.text
        == "“Total” is not in Diff at this step; h and / search the steps.")
  }

  @Test("what was typed before comes back with ↑")
  func history() async throws {
    var desk = Desk(at: 8)
    desk.type("/tea⏎/lamp⏎/")
    desk.press(.up)
    #expect(desk.state.prompt?.line.text == "lamp")
    desk.press(.up)
    #expect(desk.state.prompt?.line.text == "tea")
    desk.press(.down)
    #expect(desk.state.prompt?.line.text == "lamp")
  }

  @Test("a step that is a hit says how manieth it is")
  func number() {
    var desk = Desk(at: 5)
    desk.search("note")
    let number = desk.state.searches.lastNumber
    desk.send(.searches(.found(number, SearchBatch(hits: [9, 11, 20], searched: 28, total: 34))))
    desk.send(.searches(.found(number, SearchBatch(hits: [2], searched: 34, total: 34))))
    desk.send(.searches(.ended(number, failure: nil)))
    #expect(desk.step == 9)
    #expect(DebuggerView.draw(desk.state).text.contains("/note  2 of 4 hits"))
  }
}
