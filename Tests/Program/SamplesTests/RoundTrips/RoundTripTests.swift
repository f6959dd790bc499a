import Platform
import StoreCore
import Testing
import ValueTree

@testable import Samples

/// Random plays of every sample; every state and action on the way goes into a tree and back.
@Suite("States and actions go there and back")
struct RoundTripTests {
  typealias Random = SeededRandomNumberGenerator

  static var plays: Int { getenv("RETCON_LONG") == nil ? 40 : 4_000 }

  @Test("of every sample", arguments: Samples.all.map { $0.name })
  func roundTrips(name: String) async throws {
    for seed in 0..<UInt64(Self.plays) {
      switch name {
      case "counter": try await play(CounterSample.self, seed, Self.counterAction)
      case "primes": try await play(PrimesSample.self, seed, Self.primesAction)
      case "wishes": try await play(WishesSample.self, seed, Self.wishesAction)
      default: Issue.record("\(name) has no random actions")
      }
    }
  }

  private func play<Played: Sample>(
    _ sample: Played.Type, _ seed: UInt64,
    _ action: (Played.App.State, inout Random) -> Played.App.Action
  ) async throws {
    typealias State = Played.App.State
    typealias Action = Played.App.Action
    var random = Random(seed: seed)
    let log = StepLog<State, Action>()
    let clock = TestClock()
    let store = Store(initialState: Played.initialState(), hooks: log) {
      Played.app()
    } withDependencies: {
      $0.context = .live
      $0.continuousClock = clock
      $0.effectExecutor = SerialEffectExecutor()
      $0.issueReporter = IssueReporter { _ in }
    }
    for _ in 0..<30 {
      store.send(action(store.state, &random))
      if Bool.random(using: &random) { await clock.advance(by: .seconds(1)) }
    }
    for (action, state) in log.steps.withLock({ $0 }) {
      try expectRoundTrip(action, seed)
      try expectRoundTrip(state, seed)
    }
  }

  private func expectRoundTrip<Kind: Codable & Equatable>(_ value: Kind, _ seed: UInt64) throws {
    let tree = try ValueEncoder().encode(value)
    let text = tree.text()
    let back = try ValueDecoder().decode(Kind.self, from: try Value(parsing: text))
    #expect(back == value, "seed \(seed): \(text)")
  }
}

extension RoundTripTests {
  static func counterAction(_ state: Counter.State, _ random: inout Random) -> Counter.Action {
    let actions: [Counter.Action] = [
      .decrementTapped, .incrementTapped, .randomizeTapped, .factTapped, .factCancelTapped,
      .messageDismissed, .timerTapped,
    ]
    return actions[Int.random(in: 0..<actions.count, using: &random)]
  }

  static func primesAction(_ state: Primes.State, _ random: inout Random) -> Primes.Action {
    let number = Int.random(in: -3...12, using: &random)
    let actions: [Primes.Action] = [
      .decrementTapped, .incrementTapped, .incrementTapped, .isThisPrimeTapped, .nthPrimeTapped,
      .favouritesTapped, .favouriteRemoved(at: number), .alert(.dismiss),
      .alert(.presented(.saveTapped(number))), .alert(.presented(.tryAgainTapped)),
      .isPrime(.dismiss), .isPrime(.presented(.favouriteTapped)),
      .isPrime(.presented(.closeTapped)), .isPrime(.presented(.delegate(.disliked(number)))),
    ]
    return actions[Int.random(in: 0..<actions.count, using: &random)]
  }

  static func wishesAction(_ state: Wishes.State, _ random: inout Random) -> Wishes.Action {
    let names = ["", "Blob", "Ω\u{301}mega", "\u{0}\"\\ 😀", "xyz"]
    let name = names[Int.random(in: 0..<names.count, using: &random)]
    let id = state.path.ids.randomElement(using: &random) ?? 0
    let wishes = state.$destination[case: \.submit]?.wishes ?? []
    let wish =
      wishes.randomElement(using: &random) ?? Wish(id: .init(random.next()), title: name)
    let actions: [Wishes.Action] = [
      .binding(.set(\.name, name)), .discoverWishesTapped, .discoverWishesTapped,
      .destination(.dismiss), .destination(.presented(.alert(.tryAgainTapped))),
      .destination(.presented(.submit(.wishSelected(wish.id)))),
      .destination(.presented(.submit(.wishSelected(wish.id)))),
      .destination(.presented(.submit(.save))), .destination(.presented(.submit(.save))),
      .destination(.presented(.submit(.cancelTapped))),
      .path(.push(id: state.path.nextID, state: .result(.init(wish: wish)))),
      .path(.element(id: id, action: .result(.shareTapped))),
      .path(.element(id: id, action: .result(.doneTapped))), .path(.popFrom(id: id)),
      .wishesResponse(.failure(TaskFailure(WishServiceError(name)))),
    ]
    return actions[Int.random(in: 0..<actions.count, using: &random)]
  }
}

/// Keeps every action and the state after it.
private final class StepLog<State: Sendable, Action: Sendable>: StoreHooks {
  let steps = Locked<[(Action, State)]>([])

  func aroundReduce(
    _ action: Action, in step: StoreStep, before: State, reduce: () -> State
  ) {
    let state = reduce()
    steps.withLock { $0.append((action, state)) }
  }

  func aroundEffect(_ effect: StoreEffect, body: @Sendable () async -> Void) async {
    await body()
  }

  func effectChanged(_ effect: StoreEffect, _ change: StoreEffectChange) {}
}
