import StoreCore

/// A child that can start an effect which lasts, cancel it, and dismiss itself.
struct Child: Reducer {
  struct State: Equatable, Codable, Sendable, Identifiable {
    var id = 0
    var log: [String] = []
  }

  enum Action: Equatable, Codable, Sendable {
    case start
    case stop
    case leave
    case note(String)
  }

  enum CancelID: Hashable, Sendable { case work }

  @Dependency(\.continuousClock) var clock
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .start:
      return .run(name: "work") { send in
        try await clock.sleep(for: .seconds(1))
        await send(.note("done"))
      }
      .cancellable(id: CancelID.work)
    case .stop: return .cancel(id: CancelID.work)
    case .leave: return .run { _ in await dismiss() }
    case .note(let text):
      state.log.append(text)
      return .none
    }
  }
}
