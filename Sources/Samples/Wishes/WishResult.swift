import StoreCore

/// A screen that shows the wish that was saved, to share it.
public struct WishResult: Reducer {
  public struct State: Codable, Hashable, Sendable {
    public var wish: Wish
    public var isShared = false

    public init(wish: Wish) { self.wish = wish }
  }

  public enum Action: Codable, Hashable, Sendable {
    case shareTapped
    case doneTapped
  }

  @Dependency(\.dismiss) private var dismiss

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .shareTapped:
      state.isShared = true
      return .none
    case .doneTapped: return .run(name: "close") { [dismiss] _ in await dismiss() }
    }
  }
}
