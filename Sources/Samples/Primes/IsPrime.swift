import StoreCore

/// A sheet that says whether a number is prime, and keeps it as a favourite.
public struct IsPrime: Reducer {
  public struct State: Codable, Hashable, Sendable, Identifiable {
    public var number: Int
    public var isFavourite: Bool

    public var id: Int { number }
    public var isPrime: Bool { number.isPrime }

    public init(number: Int, isFavourite: Bool) {
      self.number = number
      self.isFavourite = isFavourite
    }
  }

  public enum Action: Codable, Hashable, Sendable {
    case favouriteTapped
    case closeTapped
    case delegate(DelegateAction)
  }

  /// What the parent should know.
  public enum DelegateAction: Codable, Hashable, Sendable {
    case liked(Int)
    case disliked(Int)
  }

  @Dependency(\.dismiss) private var dismiss

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .favouriteTapped:
      guard state.isPrime else { return .none }
      state.isFavourite.toggle()
      return .send(
        .delegate(state.isFavourite ? .liked(state.number) : .disliked(state.number)))
    case .closeTapped: return .run(name: "close") { [dismiss] _ in await dismiss() }
    case .delegate: return .none
    }
  }
}
