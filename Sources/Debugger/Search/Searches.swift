import SessionWords
import StoreCore
import TimeTravel

/// Searches the steps of a branch in the background, one search of each kind.
struct Searches: Reducer {
  struct State: Sendable, Equatable {
    var asked: Search?
    fileprivate(set) var before: Before?
    var errors: Search?
    var rules: [String] = []
    var broken: Search?
    fileprivate(set) var lastNumber = 0
    var finding: String?
    var best: Script?
    /// Whether a key was pressed since a search of forks began: then no list opens over it.
    var isLeft = false
    /// Whether Enter in the list that a search opened keeps its fork as a test.
    var offersTest = false
    /// The list with the result of the last search of forks.
    var result: Overlay.List?

    struct Before: Sendable, Equatable {
      var search: Search?
      var place: Position
    }

    func kind(of number: Int) -> Kind? {
      Kind.allCases.first { self[keyPath: $0.path]?.number == number }
    }
  }

  enum Kind: Sendable, CaseIterable {
    case asked, errors, broken

    var path: WritableKeyPath<State, Search?> {
      switch self {
      case .asked: \.asked
      case .errors: \.errors
      case .broken: \.broken
      }
    }
  }

  enum Action: Sendable, Equatable {
    case started(Kind, Search)
    case stopped(Kind)
    case putAway(Kind)
    case beganTyping(at: Position)
    case typed(Search?)
    case endedTyping(isKept: Bool)
    case grown(Branch)
    case found(Int, SearchBatch)
    case ended(Int, failure: String?)
  }

  let session: OpenSession

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .started(let kind, let search): return start(search, kind, &state)
    case .stopped(let kind): return stop(kind, &state)
    case .putAway(let kind):
      defer { state[keyPath: kind.path] = nil }
      return stop(kind, &state)
    case .beganTyping(let place): state.before = State.Before(search: state.asked, place: place)
    case .typed(let search):
      let stopping = takeBack(&state)
      guard let search else { return stopping }
      return stopping.merge(with: start(search, .asked, &state))
    case .endedTyping(let isKept):
      defer { state.before = nil }
      if !isKept { return takeBack(&state) }
    case .grown(let branch): return .merge(Kind.allCases.map { goOn($0, branch, &state) })
    case .found(let number, let batch):
      if let kind = state.kind(of: number) { state[keyPath: kind.path]?.add(batch) }
    case .ended(let number, let failure):
      guard let kind = state.kind(of: number) else { break }
      state[keyPath: kind.path]?.isRunning = false
      state[keyPath: kind.path]?.failure = failure
    }
    return .none
  }

  private func goOn(_ kind: Kind, _ branch: Branch, _ state: inout State) -> Effect<Action> {
    guard var search = state[keyPath: kind.path], search.canGoOn(to: branch) else { return .none }
    state.lastNumber += 1
    let first = search.goOn(state.lastNumber, to: branch.steps)
    state[keyPath: kind.path] = search
    return look(search, onlyFrom: first)
  }

  private func start(_ search: Search, _ kind: Kind, _ state: inout State) -> Effect<Action> {
    let stopping = stop(kind, &state)
    var search = search
    state.lastNumber += 1
    search.number = state.lastNumber
    state[keyPath: kind.path] = search
    return stopping.merge(with: look(search))
  }

  private func stop(_ kind: Kind, _ state: inout State) -> Effect<Action> {
    guard let search = state[keyPath: kind.path], search.isRunning else { return .none }
    state[keyPath: kind.path]?.isRunning = false
    state[keyPath: kind.path]?.waiting = nil
    if state.before?.search?.number == search.number { state.before?.search?.isRunning = false }
    return .cancel(id: search.number)
  }

  private func takeBack(_ state: inout State) -> Effect<Action> {
    let stopping = stop(.asked, &state)
    if let before = state.before { state.asked = before.search }
    return stopping
  }

  private func look(_ search: Search, onlyFrom known: Int? = nil) -> Effect<Action> {
    .doing("search", orSend: { .ended(search.number, failure: $0) }) { [session] send in
      let (branch, start, wraps) = (search.branch, known ?? search.start, known == nil)
      let report: @Sendable (SearchBatch) async -> Void = {
        var batch = $0
        if let known { batch.searched += known - search.steps.lowerBound }
        await send(.found(search.number, batch))
      }
      switch search.question {
      case .text(let text):
        try await session.search(
          branch, from: start, wraps: wraps, for: StepText(text), report: report)
      case .condition(let question):
        if let absence = try await session.absence(in: question, of: branch) {
          return await send(.ended(search.number, failure: absence))
        }
        try await session.search(branch, from: start, wraps: wraps, for: question, report: report)
      case .errors:
        // A failed effect is an error of the step that was newest then.
        try await session.findEffects()
        try await session.search(
          branch, from: start, wraps: wraps,
          hits: { try await session.errors(in: $0, of: branch) }, report)
      }
      await send(.ended(search.number, failure: nil))
    }.cancellable(id: search.number)
  }
}
