import StoreCore

struct CityClient: Sendable {
  var find: @Sendable (String) async throws -> [String]
}

extension CityClient: DependencyKey {
  static let liveValue = CityClient { _ in [] }
}

extension DependencyValues {
  var cities: CityClient {
    get { self[CityClient.self] }
    set { self[CityClient.self] = newValue }
  }
}

struct Search: Reducer {
  struct State: Equatable {
    var query = ""
    var cities: [String] = []
    var isSearching = false
  }

  enum Action: Equatable {
    case queryChanged(String)
    case found([String])
    case cancelled
  }

  @Dependency(\.cities) var cities
  @Dependency(\.continuousClock) var clock
  enum CancelID { case search }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .queryChanged(let query):
        state.query = query
        state.isSearching = true
        return .run(name: "search") { send in
          try await clock.sleep(for: .milliseconds(300))
          await send(.found(try await cities.find(query)))
        }
        .cancellable(id: CancelID.search, cancelInFlight: true)
      case .found(let cities):
        state.cities = cities
        state.isSearching = false
        return .none
      case .cancelled:
        state.isSearching = false
        return .cancel(id: CancelID.search)
      }
    }
  }
}
