import Testing
import TextCanvas
import TimeTravel
import ValueTree

@testable import Debugger

@Suite("The mouse")
struct MouseTests {
  @Test("a click selects a step, a drag on the slider moves in time until it is let go")
  func clicking() {
    var desk = Desk(at: 5)
    desk.send(.input(.mouse(Mouse(.press, column: 5, row: 8))))
    #expect(desk.step == 3)
    desk.send(.input(.mouse(Mouse(.press, column: 1, row: 3))))
    #expect(desk.step == 0)
    desk.send(.input(.mouse(Mouse(.drag, column: 40, row: 9))))
    #expect(desk.step == 17)
    desk.send(.input(.mouse(Mouse(.drag, column: 200, row: 9))))
    #expect(desk.step == 33)
    desk.send(.input(.mouse(Mouse(.release, column: 200, row: 9))))
    desk.send(.input(.mouse(Mouse(.drag, column: 40, row: 9))))
    #expect(desk.step == 33)
    desk.type("[")
    #expect(desk.step == 3)
  }

  @Test("a click on a tab shows its pane; the wheel moves the list, and zooms the timeline")
  func tabsAndWheel() async throws {
    var desk = Desk(at: 5)
    desk.send(.input(.mouse(Mouse(.press, column: 40, row: 4))))
    #expect(desk.state.pane == .state)
    desk.send(.input(.mouse(Mouse(.wheelDown, column: 10, row: 10))))
    #expect(desk.step == 8)
    desk.send(.input(.mouse(Mouse(.wheelUp, column: 10, row: 2))))
    #expect(desk.step == 8)
    #expect(desk.state.timeline.zoom != nil)
  }

  @Test("the right button opens a menu of what can be done with what is there, and does it")
  func menu() async throws {
    var desk = Desk(at: 5, host: .ready("WishesHost"))
    func mouse(_ action: Mouse.Action, _ column: Int, _ row: Int) {
      desk.send(.input(.mouse(Mouse(action, column: column, row: row))))
    }
    mouse(.rightPress, 5, 8)
    #expect(desk.step == 3, "what is pointed at is chosen")
    try await desk.bringMoment()
    expectFrame(
      desk.lines(8..<18).map { $0.prefix(24) }.joined(separator: "\n"),
      """
      │▸ 3  +1.4s   discoverTa
      │  4 ┌ here ────────────
      │  5 │ f what if        
      │  6 │ = change         
      │  7 │ a answer         
      │  8 │ x skip           
      │  9 │ m mark           
      │ 10 │ * next such step 
      │ 11 │ - hide such steps
      │ 12 │ y copy           
      """)
    mouse(.release, 5, 8)
    mouse(.press, 8, 10)
    #expect(desk.state.overlay == .menu(Menu(kind: .fork)), "a click does what the line says")
    desk.type("⎋")
    // A key does what it says; another click puts it away.
    mouse(.rightPress, 5, 8)
    desk.type("?")
    #expect(desk.state.overlay == .help(top: 0))
    desk.type("q")
    mouse(.rightPress, 5, 10)
    #expect(desk.step == 5)
    mouse(.press, 70, 10)
    #expect(desk.state.overlay == nil)
    mouse(.rightPress, 78, 20)
    #expect(desk.state.paneSet.focus == .pane)
    desk.type("jk⎋")
    #expect(desk.state.overlay == nil)
    // A range that was chosen stays, and is what it is about.
    desk.type("⎋V3j")
    mouse(.rightPress, 5, 9)
    #expect(desk.state.range != nil)
    desk.type("jj⏎")
    #expect(desk.state.prompt?.line.text.hasPrefix("trim") == true)
  }

  @Test("a drag of the edge beside the steps gives them more room or less")
  func edge() {
    var desk = Desk(at: 5)
    desk.send(.input(.mouse(Mouse(.press, column: 32, row: 9))))
    desk.send(.input(.mouse(Mouse(.drag, column: 40, row: 11))))
    #expect(Layout(desk.state).steps.right == 40)
    desk.send(.input(.mouse(Mouse(.release, column: 40, row: 11))))
    desk.send(.input(.mouse(Mouse(.drag, column: 50, row: 11))))
    #expect(Layout(desk.state).steps.right == 40)
  }
}
