import StoreCore

package struct WishResult: Reducer {
  package struct State: Codable, Hashable, Sendable {
    package var wish: Wish
    package var isShared = false

    package init(wish: Wish) { self.wish = wish }
  }

  package enum Action: Codable, Hashable, Sendable {
    case shareTapped
    case doneTapped
  }

  @Dependency(\.dismiss) private var dismiss

  package init() {}

  package func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .shareTapped:
      state.isShared = true
      return .none
    case .doneTapped: return .run(name: "close") { [dismiss] _ in await dismiss() }
    }
  }
}
