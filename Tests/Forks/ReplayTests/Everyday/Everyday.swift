import StoreCore
import StoreRecording

/// An everyday app, written like the Composable Architecture's examples. Effects capture their
/// feature's whole state. It has two sheets, a stack, two shared values, a debounced search,
/// timers, and a service that fails.
struct Everyday: Reducer {
  struct Preferences: Codable, Equatable, Sendable {
    var sound = true
    var theme = "light"
  }

  struct State: Codable, Equatable, Sendable {
    @Shared(.inMemory("preferences")) var preferences = Preferences()
    @Shared(.inMemory("visits")) var visits = 0
    var filter = "all"
    var items: [String] = []
    var isLoading = false
    var message: String?
    var query = ""
    var hits: [String] = []
    var seconds = 0
    var isRunning = false
    var likes = 0
    var path = StackState<Detail.State>()
    @PresentationState var compose: Compose.State?
    @PresentationState var settings: Settings.State?
  }

  enum Action: Codable, Equatable, CasePathable, Sendable {
    case refreshTapped
    case refreshed([String])
    case failed(String)
    case filterTapped(String)
    case queryChanged(String)
    case searched([String])
    case runTapped
    case ticked
    case likeTapped
    case soundTapped
    case messageTapped
    case messageTimedOut
    case openTapped(String)
    case composeTapped
    case settingsTapped
    case path(StackActionOf<Detail>)
    case compose(PresentationAction<Compose.Action>)
    case settings(PresentationAction<Settings.Action>)

    struct AllCasePaths: Sendable {
      let path = CasePath(Action.path)
      let compose = CasePath(Action.compose)
      let settings = CasePath(Action.settings)
    }
    static let allCasePaths = AllCasePaths()
  }

  enum ID: Hashable, Sendable { case refresh, search, timer, message }

  @Dependency(\.everyday) var api
  @Dependency(\.continuousClock) var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in reduceOwn(&state, action) }
      .ifLet(\.$compose, action: \.compose) { Compose() }
      .ifLet(\.$settings, action: \.settings) { Settings() }
      .forEach(\.path, action: \.path) { Detail() }
  }

  private func reduceOwn(_ state: inout State, _ action: Action) -> Effect<Action> {
    switch action {
    case .refreshed(let items):
      state.isLoading = false
      state.items = items
    case .filterTapped(let filter): state.filter = filter
    case .searched(let hits): state.hits = hits
    case .ticked: state.seconds += 1
    case .likeTapped: state.likes += 1
    case .soundTapped: state.$preferences.withLock { $0.sound.toggle() }
    case .messageTimedOut: state.message = nil
    case .openTapped(let title):
      state.$visits.withLock { $0 += 1 }
      state.path.append(Detail.State(title: title, visits: state.$visits))
    case .composeTapped: state.compose = Compose.State()
    case .settingsTapped: state.settings = Settings.State(preferences: state.$preferences)
    case .compose(.presented(.saved(let text))):
      state.items.append(text)
      state.compose = nil
    case .refreshTapped, .failed, .queryChanged, .runTapped, .messageTapped:
      return effects(&state, action)
    case .path, .compose, .settings: break
    }
    return .none
  }

  private func effects(_ state: inout State, _ action: Action) -> Effect<Action> {
    switch action {
    case .refreshTapped:
      state.isLoading = true
      return .run(name: "refresh") { [state] send in
        await send(.refreshed(try await api.items(state.filter)))
      } catch: { error, send in
        await send(.failed("\(error)"))
      }
      .cancellable(id: ID.refresh, cancelInFlight: true)
    case .failed(let message):
      state.isLoading = false
      state.message = message
      return hideMessage()
    case .queryChanged(let query):
      state.query = query
      guard !query.isEmpty else {
        state.hits = []
        return .cancel(id: ID.search)
      }
      return .run(name: "search") { [state] send in
        try await clock.sleep(for: .milliseconds(300))
        await send(.searched(try await api.search(state.query)))
      } catch: { error, send in
        await send(.failed("\(error)"))
      }
      .cancellable(id: ID.search, cancelInFlight: true)
    case .runTapped:
      state.isRunning.toggle()
      guard state.isRunning else { return .cancel(id: ID.timer) }
      return .run(name: "timer") { [state] send in
        while state.isRunning {
          try await clock.sleep(for: .seconds(1))
          await send(.ticked)
        }
      }
      .cancellable(id: ID.timer)
    case .messageTapped:
      state.message = "\(state.items.count) items, \(state.preferences.theme)"
      return hideMessage()
    default: return .none
    }
  }

  private func hideMessage() -> Effect<Action> {
    .run(name: "message") { send in
      try await clock.sleep(for: .seconds(2))
      await send(.messageTimedOut)
    }
    .cancellable(id: ID.message, cancelInFlight: true)
  }
}

extension Everyday {
  /// A page of the stack, which loads its text.
  struct Detail: Reducer {
    struct State: Codable, Equatable, Sendable {
      var title: String
      var text: String?
      var isStarred = false
      @Shared var visits: Int
    }

    enum Action: Codable, Equatable, Sendable {
      case loadTapped
      case loaded(String)
      case failed
      case starTapped
      case starred(Bool)
    }

    @Dependency(\.everyday) var api

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .loadTapped:
        state.text = nil
        return .run(name: "load") { [state] send in
          await send(.loaded(try await api.detail(state.title)))
        } catch: { _, send in
          await send(.failed)
        }
      case .loaded(let text): state.text = text
      case .failed: state.text = "failed"
      case .starTapped:
        state.isStarred.toggle()
        return .run(name: "star") { [state] send in
          let isStarred = try await api.star("\(state.title) \(state.isStarred)")
          await send(.starred(isStarred))
        } catch: { _, send in
          await send(.failed)
        }
      case .starred(let isStarred): state.isStarred = isStarred
      }
      return .none
    }
  }

  /// A sheet that saves a text, after it has shown how long it is.
  struct Compose: Reducer {
    struct State: Codable, Equatable, Sendable {
      var text = ""
      var length: Int?
      var error: String?
    }

    enum Action: Codable, Equatable, Sendable {
      case textChanged(String)
      case counted(Int)
      case saveTapped
      case saved(String)
      case failed(String)
    }

    enum ID: Hashable, Sendable { case count }

    @Dependency(\.everyday) var api
    @Dependency(\.continuousClock) var clock

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .textChanged(let text):
        state.text = text
        return .run(name: "count") { [state] send in await send(.counted(state.text.count)) }
          .debounce(id: ID.count, for: .milliseconds(500))
      case .counted(let length): state.length = length
      case .saveTapped:
        state.error = nil
        return .run(name: "save") { [state] send in
          await send(.saved(try await api.save(state.text)))
        } catch: { error, send in
          await send(.failed("\(error)"))
        }
      case .saved: break
      case .failed(let error): state.error = error
      }
      return .none
    }
  }

  /// A sheet that changes what is shared.
  struct Settings: Reducer {
    struct State: Codable, Equatable, Sendable {
      @Shared var preferences: Preferences
      var isSaved = false
    }

    enum Action: Codable, Equatable, Sendable {
      case themeTapped(String)
      case savedAgain
    }

    @Dependency(\.continuousClock) var clock

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .themeTapped(let theme):
        state.$preferences.withLock { $0.theme = theme }
        state.isSaved = false
        return .run(name: "keep") { [clock] send in
          try await clock.sleep(for: .milliseconds(800))
          await send(.savedAgain)
        }
      case .savedAgain: state.isSaved = true
      }
      return .none
    }
  }
}

struct EverydayClient: Sendable {
  var items: @Sendable (String) async throws -> [String]
  var search: @Sendable (String) async throws -> [String]
  var detail: @Sendable (String) async throws -> String
  var star: @Sendable (String) async throws -> Bool
  var save: @Sendable (String) async throws -> String

  mutating func putOnTape(_ tape: Tape) {
    items = tape.closure("items", items)
    search = tape.closure("search", search)
    detail = tape.closure("detail", detail)
    star = tape.closure("star", star)
    save = tape.closure("save", save)
  }
}

extension EverydayClient: DependencyKey {
  static let liveValue = EverydayClient(
    items: { [$0] }, search: { [$0] }, detail: { $0 }, star: { $0.hasSuffix("true") },
    save: { $0 })
  static let testValue: EverydayClient = liveValue
}

extension DependencyValues {
  var everyday: EverydayClient {
    get { self[EverydayClient.self] }
    set { self[EverydayClient.self] = newValue }
  }
}
