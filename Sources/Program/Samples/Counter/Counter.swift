import StoreCore

/// A counter with random numbers, facts from a service, and a timer.
package struct Counter: Reducer {
  package struct State: Codable, Hashable, Sendable {
    package var count = 0
    package var fact: String?
    package var isFactLoading = false
    package var isTimerOn = false
    package var message: String?

    package init() {}
  }

  package enum Action: Codable, Hashable, Sendable {
    case decrementTapped
    case incrementTapped
    case randomizeTapped
    case factTapped
    case factCancelTapped
    case factReceived(String)
    case factFailed(String)
    case messageDismissed
    case timerTapped
    case timerTicked
  }

  private enum CancelID: Hashable, Sendable {
    case fact, timer
  }

  @Dependency(\.continuousClock) private var clock
  @Dependency(\.factClient) private var factClient
  @Dependency(\.withRandomNumberGenerator) private var withRandomNumberGenerator

  package init() {}

  package func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .decrementTapped:
      state.count -= 1
      return .none
    case .incrementTapped:
      state.count += 1
      return .none
    case .randomizeTapped:
      state.count += withRandomNumberGenerator { Int.random(in: 1...100, using: &$0) }
      return .none
    case .factTapped, .factCancelTapped, .factReceived, .factFailed, .messageDismissed:
      return reduceFact(into: &state, action: action)
    case .timerTapped, .timerTicked:
      return reduceTimer(into: &state, action: action)
    }
  }

  private func reduceFact(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .factTapped:
      state.fact = nil
      state.message = nil
      state.isFactLoading = true
      return .run(name: "fact") { [count = state.count, factClient] send in
        await send(.factReceived(try await factClient.fact(count)))
      } catch: { error, send in
        await send(.factFailed(String(describing: error)))
      }
      .cancellable(id: CancelID.fact, cancelInFlight: true)
    case .factCancelTapped:
      state.isFactLoading = false
      return .cancel(id: CancelID.fact)
    case .factReceived(let fact):
      state.isFactLoading = false
      state.fact = fact
    case .factFailed(let message):
      state.isFactLoading = false
      state.message = message
    case .messageDismissed:
      state.message = nil
    default:
      break
    }
    return .none
  }

  private func reduceTimer(into state: inout State, action: Action) -> Effect<Action> {
    guard action == .timerTapped else {
      state.count += 1
      return .none
    }
    state.isTimerOn.toggle()
    guard state.isTimerOn else { return .cancel(id: CancelID.timer) }
    return .run(name: "timer") { [clock] send in
      while true {
        try await clock.sleep(for: .seconds(1))
        await send(.timerTicked)
      }
    }
    .cancellable(id: CancelID.timer, cancelInFlight: true)
  }
}
