import Testing
import TextCanvas
import TimeTravel

@testable import Debugger

@Suite("The panes beside the steps")
struct PaneSetTests {
  @Test(
    "are one at 80 columns, two at 120, three at 180",
    arguments: [
      (80, [[1, 2, 3, 4, 5, 6]]), (120, [[1, 3, 4, 5], [2, 6]]), (180, [[1], [2, 6], [3, 4, 5]]),
    ])
  func places(width: Int, tabs: [[Int]]) {
    var desk = Desk()
    desk.send(.input(.resize(Size(width: width, height: 36))))
    #expect(Layout(desk.state).panes.map { $0.tabs.map(\.number) } == tabs)
  }

  @Test("show of those that share a place the one that was used last, and keep a cursor each")
  func cursors() async throws {
    var desk = Desk(at: 8)
    desk.send(.input(.resize(Size(width: 200, height: 60))))
    try await desk.bringMoment()
    desk.press(.alt("4"))
    desk.press(.alt("2"))
    #expect(Layout(desk.state).panes.map(\.seen) == [.diff, .state, .effects])
    desk.type("ljj")
    #expect(desk.state.view.row?.path?.text == "items")
    desk.press(.alt("1"))
    #expect(desk.state.view.cursor == 0)
    desk.press(.alt("2"))
    #expect(desk.state.view.row?.path?.text == "items")
  }

  @Test("Tab goes through them and back to the steps; on a small screen the next one is shown")
  func tab() {
    var desk = Desk()
    desk.type("⇥")
    #expect(desk.state.paneSet.focus == .steps)
    #expect(desk.state.pane == .state)
    desk.send(.input(.resize(Size(width: 200, height: 60))))
    desk.type("⇥")
    #expect(desk.state.paneSet.focus == .pane)
    #expect(desk.state.pane == .diff)
    desk.type("⇥⇥⇥⇥⇥")
    #expect(desk.state.pane == .watch)
    desk.type("⇥")
    #expect(desk.state.paneSet.focus == .steps)
    desk.press(.backTab)
    #expect(desk.state.pane == .watch)
    desk.type("3⇥")
    #expect(desk.state.pane == .action)
  }

  @Test("are gone to by their direction, moved, and put back, after Ctrl-w")
  func arranging() {
    var desk = Desk()
    desk.send(.input(.resize(Size(width: 200, height: 60))))
    func after(_ keys: String) -> String {
      for key in keys {
        desk.press(.control("w"))
        desk.type(String(key))
      }
      return desk.state.paneSet.focus == .pane ? desk.state.pane.rawValue : "steps"
    }
    #expect(after("l") == "Diff")
    #expect(after("l") == "State")
    #expect(after("h") == "Diff")
    #expect(after("j") == "Action")
    #expect(after("h") == "steps")
    desk.press(.alt("3"))
    #expect(after("lH") == "Diff")
    #expect(desk.state.paneSet.arrangement == "7/26/3451 0")
    #expect(after("=") == "Diff")
    #expect(desk.state.paneSet.arrangement == "17/26/345 0")
    desk.type("|")
    #expect(Layout(desk.state).panes.map(\.tabs.count) == [6])
    desk.press(.control("w"))
    desk.type("5")
    #expect(desk.state.message?.text.hasPrefix("Ctrl-w is for the panes") == true)
  }

  @Test(
    "are arranged as they were left, and as at first where that is no arrangement",
    arguments: [
      ("1/2345/67 12", "1/2345/67 12"), ("1234567// -8", "1234567// -8"), ("", "17/26/345 0"),
      ("1/2/3", "17/26/345 0"), ("11/26/345 0", "17/26/345 0"), ("17/26/345 x", "17/26/345 0"),
    ])
  func remembered(text: String, arrangement: String) {
    var panes = PaneSet()
    panes.arrange(text)
    #expect(panes.arrangement == arrangement)
  }
}
