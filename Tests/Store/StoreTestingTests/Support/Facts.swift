import StoreCore

/// A feature with everything a test store has to deal with.
struct Facts: Reducer {
  struct State: Equatable {
    var count = 0
    var fact: String?
    var isLoading = false
  }

  enum Action: Equatable {
    case incremented
    case noticed
    case twice
    case factTapped
    case factResponse(String)
    case factFailed(code: Int, text: String)
    case timerStarted
    case timerStopped
    case ticked
    case chainTapped
    case twoTapped
    case child(Child)
    case throwing
    case now, startingTwice

    enum Child: Equatable { case named(String), closed }
  }

  @Dependency(\.factClient) var factClient
  @Dependency(\.continuousClock) var clock
  enum CancelID { case timer }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .incremented:
        state.count += 1
        return .none
      case .noticed: return .none
      case .twice:
        state.count += 1
        return .concatenate(.send(.incremented), .send(.noticed))
      case .factTapped:
        state.isLoading = true
        return .run(name: "fact") { [count = state.count] send in
          await send(.factResponse(factClient.fact(count)))
        }
      case .factResponse(let fact):
        state.fact = fact
        state.isLoading = false
        return .none
      case .factFailed: return .none
      case .timerStarted:
        return .run(name: "timer") { send in
          while true {
            try await clock.sleep(for: .seconds(1))
            await send(.ticked)
          }
        }
        .cancellable(id: CancelID.timer)
      case .timerStopped: return .cancel(id: CancelID.timer)
      case .ticked:
        state.count += 1
        return .none
      case .chainTapped:
        return .concatenate(
          .run { _ in await Task.yield() }, .run { _ in await Task.yield() },
          .run { send in await send(.noticed) })
      case .twoTapped:
        return .run { send in
          await send(.incremented)
          await send(.factResponse("late"))
        }
      case .child: return .none
      case .throwing:
        return .run { _ in throw CountError() }
      case .now:
        state.fact = factClient.name
        return .none
      case .startingTwice:
        state.count += 1
        return .concatenate(.send(.incremented), .send(.noticed), .send(.timerStarted))
      }
    }
  }

  struct CountError: Error {}
}

/// A dependency without a test value.
struct FactClient: Sendable {
  var name = "live"
  var fact: @Sendable (Int) async -> String
}

extension FactClient: DependencyKey {
  static let liveValue = FactClient { "\($0) is a number." }
}

extension DependencyValues {
  var factClient: FactClient {
    get { self[FactClient.self] }
    set { self[FactClient.self] = newValue }
  }
}
