import Testing
import TextCanvas
import TimeTravel
import ValueTree

@testable import Debugger

@Suite("Playing")
struct PlayingTests {
  @Test(
    "goes on as it was recorded, faster and slower, until any key stops it and does nothing else")
  func playing() {
    var desk = Desk(at: 6)
    desk.type("p")
    #expect(desk.work == [.play(after: .seconds(2))])
    desk.work = []
    desk.type(">")
    #expect(desk.work == [.play(after: .milliseconds(1_150))])
    desk.work = []
    desk.send(.playOn)
    #expect(desk.step == 7)
    #expect(desk.work.contains(.play(after: .milliseconds(1_600))))
    desk.type("G")
    #expect(desk.work.last == .stopPlaying)
    #expect(desk.step == 7)
    #expect(desk.state.message?.text == "Stopped at step 7; p plays on.")
    desk.send(.playOn)
    #expect(desk.step == 7)
  }

  @Test("ends at the last step")
  func end() {
    var desk = Desk(at: 32)
    desk.type("p")
    desk.send(.playOn)
    #expect(desk.step == 33)
    #expect(desk.state.playingSpeed == nil)
  }
}
