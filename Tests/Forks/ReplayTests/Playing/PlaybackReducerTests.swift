import Replay
import SessionFile
import StoreCore
import Testing

/// A playback as its user sees it: a session in a live store.
@Suite struct PlaybackReducerTests {
  private static let doing: [Doing<Shop.Action>] = [
    .send(.add(1)), .wait(.seconds(2)), .send(.add(1)), .wait(.seconds(10)), .send(.add(1)),
  ]

  @Test("a session is played into a live store at once, and the user's actions are dropped")
  func atOnce() async throws {
    let shop = try await RecordedShop(Self.doing)
    let store = Store(initialState: Shop.State()) { PlaybackReducer(Shop()) }
    let totals = ReplayTestLock<[Int]>([])
    let watching = store.observe { state in totals.withLock { $0.append(state.total) } }
    let playback = try Playback(of: shop.session, with: RecordedShop.setup) {
      store.send(.show($0.state))
    }
    store.send(.app(.add(50)))
    store.send(.app(.fetch(1)))
    try await playback.playAtOnce()
    #expect(totals.withLock { $0 } == [0, 1, 2, 3])
    #expect(store.state == shop.states.last)
    withExtendedLifetime(watching) {}
  }

  @Test("with the user's actions taken the app works between the shown steps, effects and all")
  func userActions() async throws {
    let shop = try await RecordedShop(Self.doing)
    let appClock = TestClock()
    let store = Store(initialState: Shop.State()) {
      PlaybackReducer(Shop(), takesUserActions: true)
    } withDependencies: {
      $0.continuousClock = appClock
    }
    let clock = ManualClock()
    let playback = try Playback(of: shop.session, with: RecordedShop.setup, clock: clock) {
      store.send(.show($0.state))
    }
    let playing = Task { try await playback.play(speed: 2) }
    #expect(await clock.sleeper() == .seconds(1))
    store.send(.app(.add(50)))
    store.send(.app(.announce))
    store.send(.app(.fetch(1)))
    await appClock.advance(by: .seconds(1))
    #expect(store.state.total == 51)
    #expect(store.state.log == ["first", "much", "answer 52"])
    clock.advance(to: .seconds(1))
    #expect(await clock.sleeper() == .seconds(6))
    #expect(store.state == shop.states[2])
    await playback.pause()
    try await playing.value
  }

  @Test("the recorded actions are sent through the reducer, and their effects do not run")
  func actions() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.fetch(7)), .wait(.seconds(2))])
    let store = Store(initialState: Shop.State()) { PlaybackReducer(Twice()) }
    let playback = try Playback(
      of: shop.session, with: RecordedShop.setup, sending: .actions, to: store)
    try await playback.playAtOnce()
    // Today's reducer adds everything twice.
    #expect(store.state.total == 2)
    #expect(store.state.log == shop.states.last?.log)
    // Elsewhere it is the recorded state that is shown.
    try await playback.seek(to: 1)
    #expect(store.state == shop.states[1])
  }

  @Test("the user's actions are sent, and their effects run")
  func userActionsSent() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.fetch(7)), .wait(.seconds(2))])
    let clock = TestClock()
    let store = Store(initialState: Shop.State()) {
      PlaybackReducer(Shop())
    } withDependencies: {
      $0.continuousClock = clock
      $0.shop.answer = { "live \($0)" }
    }
    let playback = try Playback(
      of: shop.session, with: RecordedShop.setup, sending: .userActions, to: store)
    try await playback.playAtOnce()
    #expect(store.state.log == [])
    await clock.advance(by: .seconds(2))
    #expect(store.state.log == ["live 8"])
  }

  /// Today's reducer, which differs.
  private struct Twice: Reducer {
    func reduce(into state: inout Shop.State, action: Shop.Action) -> Effect<Shop.Action> {
      let effect = Shop().reduce(into: &state, action: action)
      if case .add = action {
        return effect.merge(with: Shop().reduce(into: &state, action: action))
      }
      return effect
    }
  }

  @Test("the example in the documentation is a program")
  func example() async throws {
    let recording = try await RecordedShop(Self.doing)
    let store = Store(initialState: Shop.State()) { PlaybackReducer(Shop()) }
    let session = try SessionReader(path: recording.session.path)
    let playback = try Playback(of: session, with: ReplaySetup(Shop()), clock: ImmediateClock()) {
      store.send(.show($0.state))
    }
    store.send(.app(.clear))
    try await playback.play(speed: 4)
    #expect(store.state.total == 3)
  }
}
