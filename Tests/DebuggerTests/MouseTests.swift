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
