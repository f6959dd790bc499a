import StoreCore

/// What the wishes present: an alert, or a sheet to submit one.
public struct WishesDestination: Reducer {
  public enum State: Codable, Hashable, Sendable, CasePathable {
    case alert(AlertState<AlertAction>)
    case submit(SubmitWish.State)

    public struct AllCasePaths: Sendable {
      public let alert = CasePath(State.alert)
      public let submit = CasePath(State.submit)
    }
    public static let allCasePaths = AllCasePaths()
  }

  public enum Action: Codable, Hashable, Sendable, CasePathable {
    case alert(AlertAction)
    case submit(SubmitWish.Action)

    public struct AllCasePaths: Sendable {
      public let alert = CasePath(Action.alert)
      public let submit = CasePath(Action.submit)
    }
    public static let allCasePaths = AllCasePaths()
  }

  public enum AlertAction: Codable, Hashable, Sendable {
    case tryAgainTapped
  }

  public init() {}

  public var body: some ReducerOf<Self> {
    EmptyReducer()
      .ifCaseLet(\.submit, action: \.submit) { SubmitWish() }
  }
}
