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
    var debugger = TestDebugger()
    debugger.send(.input(.resize(Size(width: width, height: 36))))
    #expect(Layout(debugger.state).panes.map { $0.tabs.map(\.number) } == tabs)
  }

  @Test("show of those that share a place the one that was used last, and keep a cursor each")
  func cursors() async throws {
    var debugger = TestDebugger(at: 8)
    debugger.send(.input(.resize(Size(width: 200, height: 60))))
    try await debugger.bringMoment()
    debugger.press(.alt("4"))
    debugger.press(.alt("2"))
    #expect(Layout(debugger.state).panes.map(\.seen) == [.diff, .state, .effects])
    debugger.type("ljj")
    #expect(debugger.state.view.row?.path?.text == "items")
    debugger.press(.alt("1"))
    #expect(debugger.state.view.cursor == 0)
    debugger.press(.alt("2"))
    #expect(debugger.state.view.row?.path?.text == "items")
  }

  @Test("Tab goes through them and back to the steps; on a small screen the next one is shown")
  func tab() {
    var debugger = TestDebugger()
    debugger.type("⇥")
    #expect(debugger.state.paneSet.focus == .steps)
    #expect(debugger.state.pane == .state)
    debugger.send(.input(.resize(Size(width: 200, height: 60))))
    debugger.type("⇥")
    #expect(debugger.state.paneSet.focus == .pane)
    #expect(debugger.state.pane == .diff)
    debugger.type("⇥⇥⇥⇥⇥")
    #expect(debugger.state.pane == .watch)
    debugger.type("⇥")
    #expect(debugger.state.paneSet.focus == .steps)
    debugger.press(.backTab)
    #expect(debugger.state.pane == .watch)
  }

  @Test("are gone to by their direction, moved, and put back, after Ctrl-w")
  func arranging() {
    var debugger = TestDebugger()
    debugger.send(.input(.resize(Size(width: 200, height: 60))))
    func after(_ keys: String) -> String {
      for key in keys {
        debugger.press(.control("w"))
        debugger.type(String(key))
      }
      return debugger.state.paneSet.focus == .pane ? debugger.state.pane.rawValue : "steps"
    }
    #expect(after("l") == "Diff")
    #expect(after("l") == "State")
    #expect(after("h") == "Diff")
    #expect(after("j") == "Action")
    #expect(after("h") == "steps")
    debugger.press(.alt("3"))
    #expect(after("h") == "steps")
    #expect(after("lH") == "Diff")
    #expect(debugger.state.paneSet.arrangement == "7/26/3451 0")
    #expect(after("=") == "Diff")
    #expect(debugger.state.paneSet.arrangement == "17/26/345 0")
    debugger.type("|")
    #expect(Layout(debugger.state).panes.map(\.tabs.count) == [6])
    debugger.press(.control("w"))
    #expect(debugger.message?.hasPrefix("Ctrl-w is for the panes") == true)
    debugger.type("⎋")
    #expect(debugger.message == nil)
    debugger.press(.control("w"))
    debugger.type("5")
    #expect(debugger.message?.hasPrefix("Ctrl-w is for the panes") == true)
    debugger.press(.alt("9"))
    #expect(debugger.message == "There is no pane 9: they are 1 to 7.")
    debugger.type("y")
    #expect(debugger.message == "y copies: then v the value, k its key, p its path.")
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
