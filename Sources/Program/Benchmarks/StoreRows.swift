import Platform
import StoreCore

enum StoreRows {
  static let topic = Topic(name: "Store") { _ in
    let lock = PlainLock()
    let locking = Work.timed("one lock and unlock") { lock.lockAndUnlock() }
    let store = Store(initialState: Tally.State()) { Tally() }
    let send = Work.timed("Store.send") { store.send(.up) }
    return [
      Row("bare reducer", bar: .ratioAtMost(6), bareReducer(), against: locking),
      Row("send of a trivial action", bar: .ratioAtMost(35), send, against: locking, samples: 41),
      Row("send of a trivial action, as a time", bar: .atMost(0.5e-6), send),
      Row(
        "send with a synchronous effect", bar: .ratioAtMost(150),
        .timed { store.send(.upAndDown) }, against: locking),
      Row(
        "send with a run effect, to its end", bar: .atMost(118e-6),
        .timedAsync { await store.send(.upLater).finish() }),
      Row(
        "cancelling one row's effect among 10,000", bar: .ratioAtMost(2), cancelling(among: 10_000),
        against: cancelling(among: 100)),
      Row(
        "case path derived by reflection, its own case",
        bar: .watched("theirs: a macro's switch, no reflection"),
        caseReading(.named("x"))),
      Row(
        "case path derived by reflection, another case", bar: .ratioAtMost(35),
        caseReading(.up), against: locking),
    ]
  }

  /// Starts and cancels one row's effect while all others run.
  private static func cancelling(among count: Int) -> Work {
    let store = Store(
      initialState: Rows.State(
        rows: IdentifiedArray(uniqueElements: (0...count).map { Rows.Row(id: $0) }))
    ) {
      Rows()
    } withDependencies: {
      $0.continuousClock = TestClock()
    }
    for id in 1...count { store.send(.rows(.element(id: id, action: true))) }
    return .timed("start and cancel, among \(count)") {
      store.send(.rows(.element(id: 0, action: true)))
      store.send(.rows(.element(id: 0, action: false)))
    }
  }

  private static func bareReducer() -> Work {
    let reducer = Tally()
    var state = Tally.State()
    return .timed { blackHole(reducer.reduce(into: &state, action: .up)) }
  }

  private static func caseReading(_ action: Tally.Action) -> Work {
    let path = CasePath(Tally.Action.named)
    blackHole(path.extract(.named("first")))
    return .timed { blackHole(path.extract(action)) }
  }
}

private struct Tally: Reducer {
  struct State: Equatable {
    var count = 0
    var name = ""
  }

  enum Action {
    case up
    case down
    case upAndDown
    case upLater
    case named(String)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .up: state.count += 1
      case .down: state.count -= 1
      case .upAndDown:
        state.count += 1
        return .send(.down)
      case .upLater: return .run { send in await send(.up) }
      case .named(let name): state.name = name
      }
      return .none
    }
  }
}

private struct Rows: Reducer {
  struct Row: Identifiable { var id: Int }
  struct State { var rows: IdentifiedArrayOf<Row> }
  enum Action: CasePathable {
    case rows(IdentifiedAction<Int, Bool>)

    struct AllCasePaths: Sendable { let rows = CasePath(Action.rows) }
    static let allCasePaths = AllCasePaths()
  }

  @Dependency(\.continuousClock) var clock

  var body: some ReducerOf<Self> {
    EmptyReducer().forEach(\.rows, action: \.rows) {
      Reduce { _, isStarting in
        isStarting
          ? .run { _ in try await clock.sleep(for: .seconds(1)) }.cancellable(id: "row")
          : .cancel(id: "row")
      }
    }
  }
}

/// The baseline: an uncontended pthread mutex.
private final class PlainLock {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() {
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  @inline(never)
  func lockAndUnlock() {
    pthread_mutex_lock(mutex)
    pthread_mutex_unlock(mutex)
  }
}
