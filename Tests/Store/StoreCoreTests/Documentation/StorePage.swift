// The code of docs/store.md, with every block of that page word for word.

import StoreCore
import StoreMacros

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Reducer
public struct Counter {
  public struct State: Codable, Equatable {
    public var count = 0
    public var fact: String?
    public var isLoading = false
  }

  public enum Action: Codable, Equatable {
    case incrementTapped
    case decrementTapped
    case factTapped
    case factResponse(TaskResult<String>)
  }

  enum CancelID: Hashable { case fact }

  @Dependency(\.factClient) var factClient

  public var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .incrementTapped:
        state.count += 1
        return .none
      case .decrementTapped:
        state.count -= 1
        return .none
      case .factTapped:
        state.isLoading = true
        return .run(name: "fact") { [count = state.count, factClient] send in
          await send(.factResponse(TaskResult { try await factClient.fact(count) }))
        }
        .cancellable(id: CancelID.fact, cancelInFlight: true)
      case .factResponse(.success(let fact)):
        state.isLoading = false
        state.fact = fact
        return .none
      case .factResponse(.failure(let failure)):
        state.isLoading = false
        state.fact = "No fact: \(failure)"
        return .none
      }
    }
  }
}

@DependencyClient
public struct FactClient {
  public var fact: @Sendable (_ number: Int) async throws -> String
}

extension FactClient: DependencyKey {
  public static let liveValue = FactClient { number in "\(number) is a number." }
  public static let testValue = FactClient()
}

extension DependencyValues {
  public var factClient: FactClient {
    get { self[FactClient.self] }
    set { self[FactClient.self] = newValue }
  }
}

struct Search: Reducer {
  struct State: Equatable, Sendable {
    var query = ""
    var results: [String] = []
  }

  enum Action: Equatable, Sendable {
    case queryChanged(String)
    case searchDue
    case results([String])
  }

  enum CancelID: Hashable { case search }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .queryChanged(let query):
        state.query = query
        return .send(.searchDue).debounce(id: CancelID.search, for: .milliseconds(300))
      case .searchDue:
        return .run { [query = state.query] send in
          await send(.results([query, query.uppercased()]))
        }
      case .results(let results):
        state.results = results
        return .none
      }
    }
  }
}

struct App: Reducer {
  struct State: Equatable, Sendable {
    var left = Counter.State()
    var right = Counter.State()
    @PresentationState var destination: Destination.State?
    var path = StackState<Counter.State>()
    var rows: IdentifiedArrayOf<Row.State> = []
  }

  enum Action: CasePathable, Equatable, Sendable {
    case left(Counter.Action)
    case right(Counter.Action)
    case destination(PresentationAction<Destination.Action>)
    case path(StackActionOf<Counter>)
    case rows(IdentifiedActionOf<Row>)
    case deleteTapped
    case openTapped

    struct AllCasePaths: Sendable {
      let left = CasePath(Action.left)
      let right = CasePath(Action.right)
      let destination = CasePath(Action.destination)
      let path = CasePath(Action.path)
      let rows = CasePath(Action.rows)
    }
    static let allCasePaths = AllCasePaths()
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.left, action: \.left) { Counter() }
    Scope(state: \.right, action: \.right) { Counter() }
    Reduce { state, action in
      switch action {
      case .deleteTapped:
        state.destination = .alert(
          AlertState(
            title: "Delete all rows?",
            buttons: [
              ButtonState("Delete", role: .destructive, action: .confirmed), .cancel("Keep them"),
            ]))
        return .none
      case .destination(.presented(.alert(.confirmed))):
        state.rows.removeAll()
        return .none
      case .openTapped:
        state.path.append(Counter.State())
        return .none
      default:
        return .none
      }
    }
    .ifLet(\.$destination, action: \.destination) { Destination() }
    .forEach(\.path, action: \.path) { Counter() }
    .forEach(\.rows, action: \.rows) { Row() }
  }
}

struct Row: Reducer {
  struct State: Equatable, Identifiable, Sendable {
    var id: Int
    var isDone = false
  }

  enum Action: Equatable, Sendable { case toggled }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.isDone.toggle()
    return .none
  }
}

struct Destination: Reducer {
  enum State: CasePathable, Equatable, Sendable {
    case alert(AlertState<AlertAction>)
    case editor(Editor.State)

    struct AllCasePaths: Sendable {
      let alert = CasePath(State.alert)
      let editor = CasePath(State.editor)
    }
    static let allCasePaths = AllCasePaths()
  }

  enum Action: CasePathable, Equatable, Sendable {
    case alert(AlertAction)
    case editor(Editor.Action)

    struct AllCasePaths: Sendable {
      let alert = CasePath(Action.alert)
      let editor = CasePath(Action.editor)
    }
    static let allCasePaths = AllCasePaths()
  }

  enum AlertAction: Equatable, Sendable { case confirmed }

  var body: some ReducerOf<Self> {
    EmptyReducer()
      .ifCaseLet(\.editor, action: \.editor) { Editor() }
  }
}

struct Editor: Reducer {
  struct State: BindableState, Equatable {
    var name = ""
    var isPublic = false
    var isValid = false

    static let bindings = BindingTable<State>(
      BindingField("name", \.name),
      BindingField("isPublic", \.isPublic))
  }

  enum Action: BindableAction, Codable, Equatable {
    case binding(BindingAction<State>)
    case cancelTapped
  }

  @Dependency(\.dismiss) var dismiss

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding(\.name):
        state.isValid = !state.name.isEmpty
        return .none
      case .binding:
        return .none
      case .cancelTapped:
        return .run { [dismiss] _ in await dismiss() }
      }
    }
  }
}

enum Shape: CasePathable, Equatable {
  case circle(radius: Int)
  case line(from: Int, to: Int)
  case empty

  struct AllCasePaths: Sendable {
    let circle = CasePath(Shape.circle)
    let line = CasePath<Shape, (Int, Int)>(embed: { .line(from: $0.0, to: $0.1) }) { shape in
      if case .line(let from, let to) = shape { (from, to) } else { nil }
    }
    let empty = CasePath(Shape.empty)
  }
  static let allCasePaths = AllCasePaths()
}

final class Journal: StoreHooks {
  private let write: @Sendable (String) -> Void

  init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

  func aroundReduce(
    _ action: Counter.Action, in step: StoreStep, before: Counter.State,
    reduce: () -> Counter.State
  ) {
    let after = reduce()
    write("\(step.number): \(action) by \(step.cause), \(before.count) to \(after.count)")
  }

  func aroundEffect(_ effect: StoreEffect, body: @Sendable () async -> Void) async {
    await body()
  }

  func effectChanged(_ effect: StoreEffect, _ change: StoreEffectChange) {
    write("effect \(effect.name ?? "without a name") of step \(effect.step): \(change)")
  }
}

struct Settings: Codable, Equatable, Sendable {
  var name = "nobody"
  var isLoud = false
}

extension SharedKey<Settings>.Default {
  static var settings: Self { Self[.inMemory("settings"), default: Settings()] }
}

struct Profile: Reducer {
  struct State: Codable, Equatable, Sendable {
    @Shared(.settings) var settings
    @Shared(.inMemory("visits")) var visits = 0
    var door: Door.State?
  }

  enum Action: CasePathable, Codable, Equatable, Sendable {
    case renamed(String)
    case doorTapped
    case door(Door.Action)

    struct AllCasePaths: Sendable {
      let door = CasePath(Action.door)
    }
    static let allCasePaths = AllCasePaths()
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .renamed(let name): state.$settings.withLock { $0.name = name }
      case .doorTapped:
        state.door = Door.State(visits: state.$visits, name: state.$settings.name)
      case .door: break
      }
      return .none
    }
    .ifLet(\.door, action: \.door) { Door() }
  }
}

struct Door: Reducer {
  struct State: Codable, Equatable, Sendable {
    @Shared var visits: Int
    @Shared var name: String
  }

  enum Action: Codable, Equatable, Sendable { case entered }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.$visits.withLock { $0 += 1 }
    return .none
  }
}
