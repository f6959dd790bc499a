import StoreCore
import StoreTesting
import Testing
import TextCanvas
import TimeTravel

@testable import Debugger

@Suite("Playing")
struct PlayingTests {
  @Test("waits as long as the recording did, slower and faster, until it is stopped or at the end")
  func feature() async {
    let clock = TestClock()
    let store = TestStore(initialState: Playing.State()) {
      Playing()
    } withDependencies: {
      $0.continuousClock = clock
    }
    await store.send(.started(pause: .seconds(1))) { $0.speed = 1 }
    await clock.advance(by: .seconds(1))
    await store.receive(.stepIsOver)
    await store.send(.moved(pause: .milliseconds(600)))
    await store.send(.turned(faster: 2, pause: .milliseconds(600))) { $0.speed = 2 }
    await clock.advance(by: .milliseconds(300))
    await store.receive(.stepIsOver)
    // The test need not wait for an hour.
    await store.send(.moved(pause: .seconds(3_600)))
    await clock.advance(by: .seconds(2))
    await store.receive(.stepIsOver)
    await store.send(.moved(pause: .seconds(1)))
    await store.send(.stopped) { $0.speed = nil }
    await store.send(.started(pause: .seconds(1))) { $0.speed = 1 }
    await clock.advance(by: .seconds(1))
    await store.receive(.stepIsOver)
    await store.send(.moved(pause: nil)) { $0.speed = nil }
    await store.finish()
  }

  @Test("goes on as it was recorded until any key stops it and does nothing else")
  func playing() {
    var debugger = TestDebugger(at: 6)
    debugger.type("p>")
    #expect(debugger.state.playing.speed == 2)
    debugger.send(.playing(.stepIsOver))
    #expect(debugger.step == 7)
    debugger.type("G")
    #expect(debugger.state.playing.speed == nil)
    #expect(debugger.step == 7)
    #expect(debugger.state.message?.text == "Stopped at step 7; p plays on.")
    debugger.send(.playing(.stepIsOver))
    #expect(debugger.step == 7)
  }

  @Test("Ctrl-l draws the screen again wherever it is typed, and changes nothing")
  func redraw() {
    for keys in ["", "p", ":", "?", "f"] {
      var debugger = TestDebugger(at: 6, host: .ready("Wishes"))
      debugger.type(keys)
      debugger.work = []
      debugger.press(.control("l"))
      #expect(debugger.work.contains(.output(.redraw)), "\(keys)")
      #expect((debugger.state.playing.speed != nil) == (keys == "p"))
      #expect((debugger.state.prompt != nil) == (keys == ":"))
      #expect((debugger.state.overlay != nil) == ["?", "f"].contains(keys))
    }
  }

  @Test("ends at the last step")
  func end() {
    var debugger = TestDebugger(at: 32)
    debugger.type("p")
    debugger.send(.playing(.stepIsOver))
    #expect(debugger.step == 33)
    #expect(debugger.state.playing.speed == nil)
  }
}
