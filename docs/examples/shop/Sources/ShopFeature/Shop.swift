import StoreCore

/// A shop: a search that waits until typing stops, pages of articles on a stack, a sheet for the
/// order, and a timer while an offer lasts.
public struct Shop: Reducer {
  public struct State: Codable, Equatable, Sendable {
    public var query = ""
    public var found: [Article] = []
    public var basket: [Article] = []
    public var secondsLeft: Int?
    public var message: String?
    public var path = StackState<Page.State>()
    @PresentationState public var order: OrderSheet.State?

    public var total: Int { basket.map(\.price).reduce(0, +) }

    public init() {}
  }

  public enum Action: CasePathable, Codable, Equatable, Sendable {
    case queryChanged(String)
    case searchDue
    case found(TaskResult<[Article]>)
    case articleTapped(Int)
    case offerStarted
    case offerTicked
    case orderTapped
    case path(StackActionOf<Page>)
    case order(PresentationAction<OrderSheet.Action>)

    public struct AllCasePaths: Sendable {
      public let path = CasePath(Action.path)
      public let order = CasePath(Action.order)
    }
    public static let allCasePaths = AllCasePaths()
  }

  enum CancelID: Hashable { case search, offer }

  @Dependency(\.shop) var shop
  @Dependency(\.continuousClock) var clock

  public init() {}

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
          state.path.append(Page.State(article: article))
        }
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

      case .orderTapped:
        state.order = OrderSheet.State(articles: state.basket.map(\.id))
        return .none

      case .path(.element(let id, .addTapped)):
        if let page = state.path[id: id] {
          state.basket += Array(repeating: page.article, count: page.quantity)
        }
        return .none

      case .order(.presented(.answered(.success))):
        state.basket = []
        state.order = nil
        return .none

      case .path, .order:
        return .none
      }
    }
    .forEach(\.path, action: \.path) { Page() }
    .ifLet(\.$order, action: \.order) { OrderSheet() }
  }
}

/// The page of one article.
public struct Page: Reducer {
  public struct State: Codable, Equatable, Sendable {
    public var article: Article
    public var quantity = 1

    public init(article: Article) { self.article = article }
  }

  public enum Action: Codable, Equatable, Sendable {
    case quantityChanged(Int)
    case addTapped
  }

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if case .quantityChanged(let quantity) = action { state.quantity = max(1, quantity) }
    return .none
  }
}

/// The sheet in which an order is sent.
public struct OrderSheet: Reducer {
  public struct State: Codable, Equatable, Sendable {
    public var articles: [Int]
    public var isSending = false
    public var failure: String?
  }

  public enum Action: Codable, Equatable, Sendable {
    case sendTapped
    case answered(TaskResult<String>)
  }

  @Dependency(\.shop) var shop

  public init() {}

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
