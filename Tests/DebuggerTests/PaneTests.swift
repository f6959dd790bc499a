import SessionLog
import Testing
import TextCanvas
import TimeTravel
import ValueTree

@testable import Debugger

@Suite("The pane")
struct PaneTests {
  @Test("opens and closes values, and h leaves it for the steps")
  func folding() async throws {
    var desk = Desk(at: 7)
    desk.type("⇥l")
    try await desk.bringMoment()
    #expect(desk.state.pane == .state)
    #expect(desk.state.focus == .pane)
    desk.type("jj")
    #expect(desk.state.view.row?.text == "items  [2]")
    desk.type("h")
    #expect(desk.state.view.row?.fold == .closed)
    desk.type("l")
    #expect(desk.state.view.row?.fold == .open)
    desk.type("hh")
    #expect(desk.state.focus == .steps)
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
}
