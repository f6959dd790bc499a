import SessionLog
import StoreCore
import Testing
import ValueTree

@testable import Replay

@Suite struct PlaybackTests {
  /// Steps 1 and 2 at 0 s, 3 at 2 s, 4 at 12 s.
  static func session() async throws -> RecordedShop {
    try await RecordedShop([
      .send(.add(1)), .send(.add(1)), .wait(.seconds(2)), .send(.add(1)), .wait(.seconds(10)),
      .send(.add(1)),
    ])
  }

  private func playback(
    _ shop: RecordedShop, _ clock: TestClock
  ) throws -> (Playback<Shop.State, Shop.Action>, ReplayTestLock<[Int]>) {
    let shown = ReplayTestLock<[Int]>([])
    let playback = try Playback(of: shop.session, with: RecordedShop.setup, clock: clock) { frame in
      shown.withLock { $0.append(frame.state.total) }
    }
    return (playback, shown)
  }

  @Test("a session is played into a live store at once, and the user's actions are dropped")
  func atOnce() async throws {
    let shop = try await Self.session()
    let store = Store(initialState: Shop.State()) { PlaybackReducer(Shop()) }
    let totals = ReplayTestLock<[Int]>([])
    let watching = store.observe { state in totals.withLock { $0.append(state.total) } }
    let playback = try Playback(of: shop.session, with: RecordedShop.setup) {
      store.send(.show($0.state))
    }
    store.send(.app(.add(50)))
    try await playback.playAtOnce()
    #expect(totals.withLock { $0 } == [0, 0, 0, 1, 2, 3, 4])
    #expect(store.state == shop.states.last)
    withExtendedLifetime(watching) {}
  }

  @Test("at recorded speed each step waits for its time")
  func recordedSpeed() async throws {
    let clock = TestClock()
    let (playback, shown) = try playback(try await Self.session(), clock)
    let playing = Task { try await playback.play() }
    await clock.advance(by: .milliseconds(1900))
    #expect(shown.withLock { $0 } == [0, 1, 2])
    await clock.advance(by: .milliseconds(200))
    #expect(shown.withLock { $0 } == [0, 1, 2, 3])
    await clock.advance(by: .seconds(10))
    #expect(shown.withLock { $0 } == [0, 1, 2, 3, 4])
    try await playing.value
    #expect(await !playback.isPlaying)
  }

  @Test("n times faster, and with long pauses cut")
  func faster() async throws {
    let clock = TestClock()
    let (playback, shown) = try playback(try await Self.session(), clock)
    let playing = Task { try await playback.play(speed: 4, longestPause: .seconds(4)) }
    await clock.advance(by: .milliseconds(500))
    #expect(shown.withLock { $0 } == [0, 1, 2, 3])
    await clock.advance(by: .seconds(1))
    #expect(shown.withLock { $0 } == [0, 1, 2, 3, 4])
    try await playing.value
  }

  @Test("pause stops it, step and seek move it, play goes on from there")
  func control() async throws {
    let clock = TestClock()
    let (playback, shown) = try playback(try await Self.session(), clock)
    let playing = Task { try await playback.play() }
    await clock.advance(by: .seconds(1))
    await playback.pause()
    await clock.advance(by: .seconds(60))
    try await playing.value
    #expect(shown.withLock { $0 } == [0, 1, 2])
    try await playback.step()
    try await playback.step(by: -2)
    try await playback.seek(to: 400)
    try await playback.seek(to: 3)
    #expect(shown.withLock { $0 } == [0, 1, 2, 3, 1, 4, 3])
    #expect(await playback.currentStep == 3)
    let again = Task { try await playback.play() }
    await clock.advance(by: .seconds(10))
    try await again.value
    #expect(shown.withLock { $0 } == [0, 1, 2, 3, 1, 4, 3, 4])
  }
}
