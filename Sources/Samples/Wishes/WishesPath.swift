import StoreCore

/// The screens that are pushed on the wishes.
public struct WishesPath: Reducer {
  public enum State: Codable, Hashable, Sendable, CasePathable {
    case result(WishResult.State)

    public struct AllCasePaths: Sendable {
      public let result = CasePath(State.result)
    }
    public static let allCasePaths = AllCasePaths()
  }

  public enum Action: Codable, Hashable, Sendable, CasePathable {
    case result(WishResult.Action)

    public struct AllCasePaths: Sendable {
      public let result = CasePath(Action.result)
    }
    public static let allCasePaths = AllCasePaths()
  }

  public init() {}

  public var body: some ReducerOf<Self> {
    Scope(case: \.result, action: \.result) { WishResult() }
  }
}
