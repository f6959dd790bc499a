import StoreCore
import StoreMacros

/// A shop: a search that waits until typing stops, a stack of pages, a sheet for the order, an alert, a
/// shared currency, and a timer while an offer lasts.
@Reducer
public struct Shop {
  /// Alerts and sheets above the shop.
  @Reducer(state: .codable, .equatable, action: .codable, .equatable)
  public enum Destination {
    case alert(AlertState<Alert>)
    case order(OrderSheet)

    public enum Alert { case emptyBasket(of: Int) }
  }

  /// Pages on the stack.
  @Reducer(state: .codable, .equatable, action: .codable, .equatable)
  public enum Path {
    case page(Page)
    case settings(SettingsForm)
  }

  public struct State: Codable, Equatable {
    public var query = ""
    public var found: [Article] = []
    public var basket: [Article] = []
    public var secondsLeft: Int?
    public var message: String?
    public var path = StackState<Path.State>()
    @Shared(.currency) public var currency
    @PresentationState public var destination: Destination.State?

    public var total: Int { basket.map(\.price).reduce(0, +) }
  }

  public enum Action: Codable, Equatable {
    case queryChanged(String)
    case searchDue
    case found(TaskResult<[Article]>)
    case articleTapped(Int)
    case settingsTapped
    case offerStarted
    case offerTicked
    case emptyTapped
    case orderTapped
    case path(StackActionOf<Path>)
    case destination(PresentationAction<Destination.Action>)
  }

  enum CancelID: Hashable { case search, offer }

  @Dependency(\.shop) var shop
  @Dependency(\.continuousClock) var clock

  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .queryChanged(let query):
        state.query = query
        return .send(.searchDue).debounce(id: CancelID.search, for: .milliseconds(300))

      case .searchDue:
        return .run(name: "search") { [query = state.query, shop] send in
          await send(.found(TaskResult { try await shop.search(query) }))
        }
        .cancellable(id: CancelID.search, cancelInFlight: true)

      case .found(.success(let articles)):
        state.found = articles
        return .none

      case .found(.failure(let failure)):
        state.message = "The search failed: \(failure)"
        return .none

      case .articleTapped(let id):
        if let article = state.found.first(where: { $0.id == id }) {
          state.path.append(.page(Page.State(article: article)))
        }
        return .none

      case .settingsTapped:
        state.path.append(.settings(SettingsForm.State(currency: state.$currency)))
        return .none

      case .offerStarted:
        state.secondsLeft = 60
        return .run(name: "offer") { [clock] send in
          while true {
            try await clock.sleep(for: .seconds(1))
            await send(.offerTicked)
          }
        }
        .cancellable(id: CancelID.offer, cancelInFlight: true)

      case .offerTicked:
        state.secondsLeft = state.secondsLeft.map { $0 - 1 }
        return state.secondsLeft == 0 ? .cancel(id: CancelID.offer) : .none

      case .emptyTapped:
        state.destination = .alert(
          AlertState(
            title: "Empty the basket?",
            buttons: [
              ButtonState(
                "Empty", role: .destructive, action: .emptyBasket(of: state.basket.count)),
              .cancel("Keep it"),
            ]))
        return .none

      case .orderTapped:
        state.destination = .order(OrderSheet.State(articles: state.basket.map(\.id)))
        return .none

      case .path(.element(let id, .page(.addTapped))):
        if let page = state.path[id: id, case: \.page] {
          state.basket += Array(repeating: page.article, count: page.quantity)
        }
        return .none

      case .destination(.presented(.alert(.emptyBasket))):
        state.basket = []
        return .none

      case .destination(.presented(.order(.answered(.success)))):
        state.basket = []
        state.destination = nil
        return .none

      case .path, .destination:
        return .none
      }
    }
    .forEach(\.path, action: \.path)
    .ifLet(\.$destination, action: \.destination)
  }
}

extension SharedKey<String>.Default {
  public static var currency: Self { Self[.inMemory("currency"), default: "EUR"] }
}

/// The page of one article.
@Reducer
public struct Page {
  public struct State: Codable, Equatable {
    public var article: Article
    public var quantity = 1
  }

  public enum Action: Codable, Equatable {
    case quantityChanged(Int)
    case addTapped
  }

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if case .quantityChanged(let quantity) = action { state.quantity = max(1, quantity) }
    return .none
  }
}

/// The page of settings, which all pages share.
@Reducer
public struct SettingsForm {
  public struct State: Codable, Equatable {
    @Shared public var currency: String
    public var draft = ""
  }

  public enum Action: BindableAction, Codable, Equatable {
    case binding(BindingAction<State>)
    case saveTapped
  }

  @Dependency(\.dismiss) var dismiss

  public var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding:
        return .none
      case .saveTapped:
        state.$currency.withLock { $0 = state.draft.uppercased() }
        return .run { [dismiss] _ in await dismiss() }
      }
    }
  }
}

/// The sheet in which an order is sent.
@Reducer
public struct OrderSheet {
  public struct State: Codable, Equatable {
    public var articles: [Int]
    public var isSending = false
    public var failure: String?
  }

  public enum Action: Codable, Equatable {
    case sendTapped
    case answered(TaskResult<String>)
  }

  @Dependency(\.shop) var shop

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .sendTapped:
      state.isSending = true
      return .run(name: "order") { [articles = state.articles, shop] send in
        await send(.answered(TaskResult { try await shop.order(articles) }))
      }
    case .answered(.success):
      return .none
    case .answered(.failure(let failure)):
      state.isSending = false
      state.failure = "\(failure)"
      return .none
    }
  }
}
