import SessionWords
import Testing
import TextCanvas
import ValueTree

@testable import Debugger
@testable import TimeTravel

@Suite("The pane")
struct PaneTests {
  @Test("opens and closes values, and h leaves it for the steps")
  func folding() async throws {
    var desk = Desk(at: 7)
    desk.type("⇥l")
    try await desk.bringMoment()
    #expect(desk.state.pane == .state)
    #expect(desk.state.paneSet.focus == .pane)
    desk.type("jj")
    #expect(desk.state.view.row?.text == "items  [2]")
    desk.type("h")
    #expect(desk.state.view.row?.fold == .closed)
    desk.type("l")
    #expect(desk.state.view.row?.fold == .open)
    desk.type("hh")
    #expect(desk.state.paneSet.focus == .steps)
  }

  @Test("a case that took the place of another is told without the names of its payload")
  func cases() {
    let difference = ValueDifference(
      from: ["destination": ["alert": ["_0": ["title": "No wishes"]]]],
      to: ["destination": ["submit": ["_0": ["wishes": ["Tea", "Lamp"], "isSaving": false]]]])
    let content = DiffPane.content(difference, folds: Folds(), width: 40, same: "")
    let rows = content.rows.map { String(repeating: " ", count: $0.indent) + $0.text }
    #expect(
      rows == [
        "destination", " alert: {title: \"No wishes\"}", " submit  {2}",
        "  wishes: [\"Tea\", \"Lamp\"]", "  isSaving: false",
      ])
  }

  @Test("y copies the value, its key or its path, with controls made visible")
  func copying() async throws {
    var desk = Desk(at: 8)
    desk.type("l")
    try await desk.bringMoment()
    desk.work = []
    desk.type("yvykyp")
    #expect(
      desk.work == [
        .output(.copy("-8.36")), .output(.copy("total")), .output(.copy("total")),
      ])
  }

  @Test("the cursor stays on its value when time moves")
  func staying() async throws {
    var desk = Desk(at: 7)
    desk.type("⇥l")
    try await desk.bringMoment()
    desk.type("G")
    #expect(desk.state.view.row?.path?.text == "checked")
    desk.type("J")
    try await desk.bringMoment()
    #expect(desk.step == 8)
    #expect(desk.state.view.row?.path?.text == "checked")
  }

  @Test("that told of a fork before it had run is made anew once it has")
  func ran() async throws {
    var desk = Desk(at: 6, host: .ready("WishesHost"))
    var fork = Branch(
      name: "try", script: Script(leavesAt: 5, edits: []), steps: 0...33, progress: .running)
    desk.state.branches.append(fork)
    desk.state.go(to: Position(branch: "try", step: 6))
    let here = desk.state.here
    func lines() -> [String] { desk.state.paneSet[.diff].content.rows.map(\.text) }
    desk.send(.momentRead(.unknown(at: here, because: "it has not run")))
    #expect(!lines().isEmpty && !lines().contains("checked  false → true"))
    fork.progress = .complete
    desk.work = []
    desk.send(.forkGrew(fork))
    #expect(desk.work.contains(.readMoment(here, comparedWith: "main")))
    var moment = try await Wishes.session.moment(at: Position(step: 6))
    moment.position = here
    // One that was read while the fork ran comes late: it is read once more.
    moment.isEarly = true
    desk.work = []
    desk.send(.momentRead(moment))
    #expect(desk.work.contains(.readMoment(here, comparedWith: "main")))
    moment.isEarly = false
    desk.send(.momentRead(moment))
    #expect(lines().contains("checked  false → true"))
  }

  @Test("what was opened or closed by hand stays so, at every step and size")
  func folds() async throws {
    var desk = Desk(at: 7)
    desk.type("⇥l")
    try await desk.bringMoment()
    desk.type("jjjh")
    #expect(desk.state.view.row?.path?.text == "items[0]")
    #expect(desk.state.view.row?.fold == .closed)
    desk.type("J")
    try await desk.bringMoment()
    #expect(desk.state.view.row?.fold == .closed)
    desk.type("l")
    for width in [60, 110, 200] {
      desk.send(.input(.resize(Size(width: width, height: 24))))
      #expect(desk.state.view.row?.text == "0  {3}")
      #expect(desk.state.view.row?.fold == .open)
    }
    desk.type("K")
    #expect(desk.state.view.row?.fold == .open)
  }

  @Test("a click on the sign before a value opens and closes it")
  func clicking() async throws {
    var desk = Desk(at: 7)
    desk.type("⇥")
    try await desk.bringMoment()
    #expect(desk.state.view.content.rows[2].fold == .open)
    desk.send(.input(.mouse(Mouse(.press, column: 35, row: 7))))
    #expect(desk.state.view.content.rows[2].fold == .closed)
    #expect(desk.state.paneSet.focus == .pane)
    desk.send(.input(.mouse(Mouse(.press, column: 39, row: 7))))
    #expect(desk.state.view.content.rows[2].fold == .closed)
  }

  @Test("a long array is told a page at a time, to its last element and back")
  func pages() {
    let elements = (0..<450).map { Value.object(["n": .number(Number($0))]) }
    var moment = Moment(
      position: Position(step: 1), step: Step(number: 1, label: "a", action: .null))
    moment.state = ["all": .array(ValueArray(elements))]
    var view = PaneView()
    func show() { view.refresh(moment, pane: .state, watched: [], width: 60) }
    show()
    #expect(
      view.content.rows.map(\.text) == [
        "all: [450] [{n: 0}, {n: 1}, {n: 2}, {n: 3}, {n: 4}, {n: 5}, {n:…"
      ])
    view.turn(view.content.rows[0])
    show()
    for last in [200, 400] {
      view.moveCursor(by: 1_000)
      #expect(view.row?.text == "↓ \(450 - last) more")
      view.turn(view.content.rows[view.cursor])
      show()
      #expect(view.row?.path?.text == "all[\(last)]")
    }
    view.moveCursor(by: 1_000)
    #expect(view.row?.path?.text == "all[449]")
    view.turn(view.content.rows[1])
    show()
    #expect(view.row?.path?.text == "all[399]")
    #expect(view.content.rows[1].text == "↑ 200 before")
  }
}
