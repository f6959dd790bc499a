import Testing
import TextCanvas
import TimeTravel
import ValueTree

@testable import Debugger

@Suite("The mouse")
struct MouseTests {
  @Test("a click selects a step, a drag on the slider moves in time until it is let go")
  func clicking() {
    var debugger = TestDebugger(at: 5)
    debugger.send(.input(.mouse(Mouse(.press, column: 5, row: 8))))
    #expect(debugger.step == 3)
    debugger.send(.input(.mouse(Mouse(.press, column: 1, row: 3))))
    #expect(debugger.step == 0)
    debugger.send(.input(.mouse(Mouse(.drag, column: 40, row: 9))))
    #expect(debugger.step == 17)
    debugger.send(.input(.mouse(Mouse(.drag, column: 200, row: 9))))
    #expect(debugger.step == 33)
    debugger.send(.input(.mouse(Mouse(.release, column: 200, row: 9))))
    debugger.send(.input(.mouse(Mouse(.drag, column: 40, row: 9))))
    #expect(debugger.step == 33)
    debugger.type("[")
    #expect(debugger.step == 3)
  }

  @Test("a click on a tab shows its pane; the wheel moves the list, and zooms the timeline")
  func tabsAndWheel() async throws {
    var debugger = TestDebugger(at: 5)
    debugger.send(.input(.mouse(Mouse(.press, column: 40, row: 4))))
    #expect(debugger.state.pane == .state)
    debugger.send(.input(.mouse(Mouse(.wheelDown, column: 10, row: 10))))
    #expect(debugger.step == 8)
    debugger.send(.input(.mouse(Mouse(.wheelUp, column: 10, row: 2))))
    #expect(debugger.step == 8)
    #expect(debugger.state.timeline.zoom != nil)
  }

  @Test("the right button opens a menu of what can be done with what is there, and does it")
  func menu() async throws {
    var debugger = TestDebugger(at: 5, host: .ready("WishesHost"))
    func mouse(_ action: Mouse.Action, _ column: Int, _ row: Int) {
      debugger.send(.input(.mouse(Mouse(action, column: column, row: row))))
    }
    mouse(.rightPress, 5, 8)
    #expect(debugger.step == 3, "what is pointed at is chosen")
    debugger.type("⎋")
    mouse(.rightPress, 30, 0)
    #expect(debugger.state.overlay == nil, "nothing is there")
    mouse(.rightPress, 5, 8)
    try await debugger.bringMoment()
    expectFrame(
      debugger.lines(8..<18).map { $0.prefix(24) }.joined(separator: "\n"),
      """
      │▸ 3╭ +1.4s   discoverTa
      │  4│┌ here ────────────
      │  5╰│ f what if        
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
    #expect(debugger.state.overlay == .list(.menu(.fork)), "a click does what the line says")
    debugger.type("⎋")
    // A key does what it says; another click puts it away.
    mouse(.rightPress, 5, 8)
    debugger.type("?")
    #expect(debugger.state.overlay == .list(.help))
    debugger.type("q")
    mouse(.rightPress, 5, 10)
    #expect(debugger.step == 5)
    mouse(.press, 70, 10)
    #expect(debugger.state.overlay == nil)
    mouse(.rightPress, 78, 20)
    #expect(debugger.state.paneSet.focus == .pane)
    debugger.type("jk⎋")
    #expect(debugger.state.overlay == nil)
    mouse(.rightPress, 40, 3)
    #expect(debugger.state.paneSet.focus == .steps, "the menu is of the step on the slider")
    debugger.type("⎋")
    // A range that was chosen stays, and is what it is about.
    debugger.type("⎋V3j")
    mouse(.rightPress, 5, 9)
    #expect(debugger.state.range != nil)
    debugger.type("jj⏎")
    #expect(debugger.state.prompt?.line.text.hasPrefix("trim") == true)
  }

  @Test("a drag of the edge beside the steps gives them more room or less")
  func edge() {
    var debugger = TestDebugger(at: 5)
    debugger.send(.input(.mouse(Mouse(.press, column: 32, row: 9))))
    debugger.send(.input(.mouse(Mouse(.drag, column: 40, row: 11))))
    #expect(Layout(debugger.state).steps.right == 40)
    debugger.send(.input(.mouse(Mouse(.release, column: 40, row: 11))))
    debugger.send(.input(.mouse(Mouse(.drag, column: 50, row: 11))))
    #expect(Layout(debugger.state).steps.right == 40)
  }
}
