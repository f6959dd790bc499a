import Platform
import StoreCore
import TestSupport
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
        DebuggerFeature()
      } withDependencies: {
        $0.background = Background(session: Wishes.session)
        $0.continuousClock = ImmediateClock()
        $0.issueReporter = IssueReporter { issue in issues.withLock { $0.append(issue.message) } }
      }
      await store.send(.started).finish()
      #expect(store.state.moment?.position.step == step % 30)
    }
    #expect(issues.withLock { $0 } == [])
  }

  @Test("says nothing once it has ended, whatever is pressed while it works", arguments: 0..<12)
  func hurried(_ seed: Int) async {
    var random = SeededGenerator(seed: UInt64(seed))
    let issues = Locked<[String]>([])
    let session = OpenSession(Wishes.recording, host: FakeHost(recording: Wishes.recording))
    let start = DebuggerState(
      session: session.summary, host: .ready("WishesHost"), size: Size(width: 100, height: 30))
    let store = Store(initialState: start) {
      DebuggerFeature()
    } withDependencies: {
      $0.background = Background(session: session)
      $0.continuousClock = ImmediateClock()
      $0.issueReporter = IssueReporter { issue in issues.withLock { $0.append(issue.message) } }
    }
    var tasks = [store.send(.started)]
    for _ in 0..<80 {
      let key = Key.typed(
        "jkgGnN/eEpfx<>cuoO*#zZaTCDBF-rw⇥l⏎⎋⏎⎋".randomElement(using: &random) ?? "j")
      tasks.append(store.send(.input(.key(key))))
      if Int.random(in: 0..<6, using: &random) == 0 { await Task.yield() }
    }
    for task in tasks { await task.finish() }
    #expect(issues.withLock(\.self) == [])
  }
}
