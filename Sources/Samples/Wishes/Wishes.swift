import StoreCore

/// Somebody gives a name, discovers wishes, submits one, and shares what became of it.
public struct Wishes: Reducer {
  public enum DiscoverButton: String, Codable, Sendable {
    case disabled
    case enabled
    case loading
  }

  public struct State: Codable, Hashable, Sendable, BindableState {
    public var name = ""
    public var discoverButtonState = DiscoverButton.disabled
    @PresentationState public var destination: WishesDestination.State?
    public var path = StackState<WishesPath.State>()

    public init() {}

    public static let bindings = BindingTable<State>(BindingField("name", \.name))
  }

  public enum Action: Codable, Equatable, Sendable, BindableAction, CasePathable {
    case binding(BindingAction<State>)
    case discoverWishesTapped
    case wishesResponse(TaskResult<[Wish]>)
    case destination(PresentationAction<WishesDestination.Action>)
    case path(StackActionOf<WishesPath>)

    public struct AllCasePaths: Sendable {
      public let binding = CasePath(Action.binding)
      public let wishesResponse = CasePath(Action.wishesResponse)
      public let destination = CasePath(Action.destination)
      public let path = CasePath(Action.path)
    }
    public static let allCasePaths = AllCasePaths()
  }

  private enum CancelID: Hashable, Sendable { case fetchWishes }

  @Dependency(\.wishClient) private var wishClient

  public init() {}

  public var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding(\.name):
        state.discoverButtonState = state.name.isEmpty ? .disabled : .enabled
        return .cancel(id: CancelID.fetchWishes)
      case .binding: return .none
      case .discoverWishesTapped: return discover(&state)
      case .wishesResponse(.success(let wishes)):
        state.discoverButtonState = .enabled
        state.destination = .submit(SubmitWish.State(wishes: wishes))
        return .none
      case .wishesResponse(.failure(let failure)):
        state.discoverButtonState = .enabled
        state.destination = .alert(Self.alert(failure))
        return .none
      case .destination(.presented(.alert(.tryAgainTapped))): return discover(&state)
      case .destination(.presented(.submit(.delegate(.saved(let wish))))):
        state.destination = nil
        state.path.append(.result(WishResult.State(wish: wish)))
        return .none
      case .destination, .path: return .none
      }
    }
    .ifLet(\.$destination, action: \.destination) { WishesDestination() }
    .forEach(\.path, action: \.path) { WishesPath() }
  }

  private func discover(_ state: inout State) -> Effect<Action> {
    guard state.discoverButtonState == .enabled else { return .none }
    state.discoverButtonState = .loading
    return .run(name: "fetchWishes") { [name = state.name, wishClient] send in
      await send(.wishesResponse(TaskResult { try await wishClient.fetchWishes(name) }))
    }
    .cancellable(id: CancelID.fetchWishes, cancelInFlight: true)
  }

  static func alert(_ failure: TaskFailure) -> AlertState<WishesDestination.AlertAction> {
    AlertState(
      title: "No wishes were found", message: failure.description,
      buttons: [ButtonState("Try again", action: .tryAgainTapped), .cancel("Leave it")])
  }
}

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
