import ForkSearch
import SessionWords
import StoreCore
import TimeTravel
import ValueTree

/// Searches the steps of a branch in the background, one search of each kind.
struct Searches: Reducer {
  struct State: Sendable, Equatable {
    var asked: Search?
    fileprivate(set) var before: Before?
    var errors: Search?
    /// Those of the fork where you are.
    var forkErrors: Search?
    var rules: [String] = []
    /// The functions of files that the user has named; nil before they are listed.
    var functions: [String]?
    var broken: Search?
    var named: NamedRules?
    /// What the search in the background looks for.
    var finding: SearchTarget?
    /// The search of forks that runs.
    var search: ForkSearchState?
    var best: Script?
    /// Whether a key was pressed since a search of forks began: then no list opens over it.
    var isLeft = false
    /// Whether a key that leaves has said that it runs.
    var hasAskedToStay = false
    /// Whether Enter in the list that a search opened keeps its fork as a test.
    var offersTest = false
    /// The fork with the smallest session, and what it shows.
    var smallest: BranchID?
    var shown: Wanted?
    /// The results of searches of forks, the newest first.
    var results: [KeptResult] = []
    /// How many there have been.
    var resultCount = 0

    /// The failure that a test of a branch shows: of its minimizing, else of the rules.
    func testedBug(of branch: BranchID) throws(QueryError) -> TestedBug? {
      switch branch == smallest ? shown : nil {
      case .crash?: return .crashes
      case .divergence?: return .differs
      case .holds(let question)?:
        return .breaks(try Condition(Condition.opposite(of: question.condition.text)))
      case nil:
        guard !rules.isEmpty else { return nil }
        return .breaks(try Condition(rules.map { "(\($0))" }.joined(separator: " && ")))
      }
    }

    /// The question that this branch answers, if it is the smallest session.
    func question(shownBy branch: BranchID) -> StepQuestion? {
      guard branch == smallest, case .holds(let question)? = shown else { return nil }
      return question
    }

    /// Adopts the smallest session of a result that has one.
    mutating func adoptSmallest(of result: KeptResult) {
      if result.smallest != nil { (smallest, shown) = (result.smallest, result.shown) }
    }

    struct Before: Sendable, Equatable {
      var search: Search?
      var place: Position
    }
  }

  enum Kind: Sendable, CaseIterable {
    case asked, errors, forkErrors, broken

    var path: WritableKeyPath<State, Search?> {
      switch self {
      case .asked: \.asked
      case .errors: \.errors
      case .forkErrors: \.forkErrors
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
    case found(Kind, SearchBatch)
    case ended(Kind, failure: String?)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .started(let kind, let search):
      state[keyPath: kind.path] = search
      return look(search, as: kind)
    case .stopped(let kind): return stop(kind, &state)
    case .putAway(let kind):
      defer { state[keyPath: kind.path] = nil }
      return stop(kind, &state)
    case .beganTyping(let place): state.before = State.Before(search: state.asked, place: place)
    case .typed(let search):
      let stopping = restorePrevious(&state)
      guard let search else { return stopping }
      state.asked = search
      return look(search, as: .asked)
    case .endedTyping(let isKept):
      defer { state.before = nil }
      if !isKept { return restorePrevious(&state) }
    case .grown(let branch): return .merge(Kind.allCases.map { goOn($0, branch, &state) })
    case .found(let kind, let batch): state[keyPath: kind.path]?.add(batch)
    case .ended(let kind, let failure):
      state[keyPath: kind.path]?.isRunning = false
      state[keyPath: kind.path]?.failure = failure
    }
    return .none
  }

  private func goOn(_ kind: Kind, _ branch: Branch, _ state: inout State) -> Effect<Action> {
    guard var search = state[keyPath: kind.path], search.canGoOn(to: branch) else { return .none }
    let first = search.goOn(to: branch.steps)
    state[keyPath: kind.path] = search
    return look(search, as: kind, onlyFrom: first)
  }

  private func stop(_ kind: Kind, _ state: inout State) -> Effect<Action> {
    guard state[keyPath: kind.path]?.isRunning == true else { return .none }
    state[keyPath: kind.path]?.isRunning = false
    state[keyPath: kind.path]?.waiting = nil
    return .cancel(id: kind)
  }

  private func restorePrevious(_ state: inout State) -> Effect<Action> {
    let stopping = stop(.asked, &state)
    if let before = state.before {
      state.asked = before.search
      state.asked?.isRunning = false
    }
    return stopping
  }

  /// Looks for it, instead of what was looked for before.
  private func look(
    _ search: Search, as kind: Kind, onlyFrom known: Int? = nil
  ) -> Effect<Action> {
    .doing("search", orSend: { .ended(kind, failure: $0) }) { session, send in
      let (branch, start, wraps) = (search.branch, known ?? search.start, known == nil)
      let report: @Sendable (SearchBatch) async -> Void = {
        var batch = $0
        if let known { batch.searched += known - search.steps.lowerBound }
        await send(.found(kind, batch))
      }
      switch search.question {
      case .text(let text):
        try await session.search(
          branch, from: start, wraps: wraps, for: StepText(text), report: report)
      case .condition(let question):
        if let words = try await session.absence(in: question, of: branch) {
          return await send(.ended(kind, failure: words))
        }
        try await session.search(branch, from: start, wraps: wraps, for: question, report: report)
      case .errors:
        // A failed effect is an error of the step that was newest then.
        try await session.findEffects()
        try await session.search(
          branch, from: start, wraps: wraps,
          answers: { StepAnswers(hits: try await session.errors(in: $0, of: branch)) }, report)
      }
      await send(.ended(kind, failure: session.code?.remarks().first))
    }.cancellable(id: kind, cancelInFlight: true)
  }
}

/// The rules of several that a step breaks, nil while that is asked.
struct NamedRules: Sendable, Equatable {
  var position: Position
  var rules: [String]?
}
