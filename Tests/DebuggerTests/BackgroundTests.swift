import Platform
import StoreCore
import Testing
import TextCanvas
import TimeTravel

@testable import Debugger

@Suite("Work in the background")
struct BackgroundTests {
  @Test("says nothing any more once it has ended, also where that is the moment to say it is late")
  func late() async {
    let issues = Locked<[String]>([])
    for step in 0..<300 {
      var state = DebuggerState(
        session: Wishes.recording.summary, size: Size(width: 80, height: 24))
      state.go(to: Position(step: step % 30), isJump: false)
      let start = state
      let store = Store(initialState: start) {
        let background = Background(session: Wishes.session, folder: nil) { _ in }
        DebuggerFeature(session: Wishes.session) { background.effect(for: $0) }
      } withDependencies: {
        $0.continuousClock = ImmediateClock()
        $0.issueReporter = IssueReporter { issue in issues.withLock { $0.append(issue.message) } }
      }
      await store.send(.started).finish()
      #expect(store.state.moment?.position.step == step % 30)
    }
    #expect(issues.withLock { $0 } == [])
  }
}
