import StoreCore

/// A die that asks a service for luck.
struct Dice: Reducer {
  struct State: Codable, Hashable, Sendable {
    var eyes = 1
    var luck = 0
  }

  enum Action: Codable, Hashable, Sendable {
    case rolled
    case lucky(Int)
    case failed
  }

  @Dependency(\.withRandomNumberGenerator) var withRandomNumberGenerator
  var luck: @Sendable (Int) async throws -> Int

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .rolled:
      state.eyes = withRandomNumberGenerator { Int($0.next() % 6) + 1 }
      return .run(name: "luck") { [eyes = state.eyes, luck] send in
        await send(.lucky(try await luck(eyes)))
      }
    case .lucky(let luck):
      state.luck = luck
      return .none
    case .failed:
      return .send(.lucky(0))
    }
  }
}
