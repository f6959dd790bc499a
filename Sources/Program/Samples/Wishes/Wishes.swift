import StoreCore

/// Enter a name, discover wishes, submit one, and share the result.
package struct Wishes: Reducer {
  package enum DiscoverButton: String, Codable, Sendable {
    case disabled
    case enabled
    case loading
  }

  package struct State: Codable, Hashable, Sendable, BindableState {
    package var name = ""
    package var discoverButtonState = DiscoverButton.disabled
    @PresentationState package var destination: WishesDestination.State?
    package var path = StackState<WishesPath.State>()

    package init() {}

    package static let bindings = BindingTable<State>(BindingField("name", \.name))
  }

  package enum Action: Codable, Equatable, Sendable, BindableAction, CasePathable {
    case binding(BindingAction<State>)
    case discoverWishesTapped
    case wishesResponse(TaskResult<[Wish]>)
    case destination(PresentationAction<WishesDestination.Action>)
    case path(StackActionOf<WishesPath>)

    package struct AllCasePaths: Sendable {
      package let binding = CasePath(Action.binding)
      package let wishesResponse = CasePath(Action.wishesResponse)
      package let destination = CasePath(Action.destination)
      package let path = CasePath(Action.path)
    }
    package static let allCasePaths = AllCasePaths()
  }

  private enum CancelID: Hashable, Sendable { case fetchWishes }

  @Dependency(\.wishClient) private var wishClient

  package init() {}

  package var body: some ReducerOf<Self> {
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

package struct WishesDestination: Reducer {
  package enum State: Codable, Hashable, Sendable, CasePathable {
    case alert(AlertState<AlertAction>)
    case submit(SubmitWish.State)

    package struct AllCasePaths: Sendable {
      package let alert = CasePath(State.alert)
      package let submit = CasePath(State.submit)
    }
    package static let allCasePaths = AllCasePaths()
  }

  package enum Action: Codable, Hashable, Sendable, CasePathable {
    case alert(AlertAction)
    case submit(SubmitWish.Action)

    package struct AllCasePaths: Sendable {
      package let alert = CasePath(Action.alert)
      package let submit = CasePath(Action.submit)
    }
    package static let allCasePaths = AllCasePaths()
  }

  package enum AlertAction: Codable, Hashable, Sendable {
    case tryAgainTapped
  }

  package init() {}

  package var body: some ReducerOf<Self> {
    EmptyReducer()
      .ifCaseLet(\.submit, action: \.submit) { SubmitWish() }
  }
}

package struct WishesPath: Reducer {
  package enum State: Codable, Hashable, Sendable, CasePathable {
    case result(WishResult.State)

    package struct AllCasePaths: Sendable {
      package let result = CasePath(State.result)
    }
    package static let allCasePaths = AllCasePaths()
  }

  package enum Action: Codable, Hashable, Sendable, CasePathable {
    case result(WishResult.Action)

    package struct AllCasePaths: Sendable {
      package let result = CasePath(Action.result)
    }
    package static let allCasePaths = AllCasePaths()
  }

  package init() {}

  package var body: some ReducerOf<Self> {
    Scope(case: \.result, action: \.result) { WishResult() }
  }
}
