import Recorder
import Samples
import SessionFile
import StoreCore
import TestSupport
import TimeTravel
import ValueTree

@testable import ForkSearch
@testable import Replay

/// A session of a sample app in which a bug shows itself, among much that has nothing to do with it.
struct PlantedBug: Sendable {
  enum Kind: String {
    case state
    /// The reducer ends its process where the goal holds.
    case crash
    /// It was recorded by a reducer that does not have the bug.
    case divergence
  }

  var app: String
  var goal: String
  var seed: UInt64
  var kind: Kind
  /// The labels of the actions that it was planted in.
  var causes: [String]

  init(_ goal: Planted, round: UInt64, index: Int) {
    (app, self.goal, kind, causes) = goal
    seed = round * 100 + UInt64(index)
  }

  var name: String { "\(app) \(seed): \(kind) \(goal)" }

  /// Bugs that show themselves, round and round the goals.
  static func all(
    _ count: Int, _ kind: Kind? = nil, in folder: TemporaryFolder, moves: Int = 40
  ) async throws -> [(bug: PlantedBug, search: HostTrials)] {
    var found: [(PlantedBug, HostTrials)] = []
    for round in UInt64(1)...20 {
      // A few of them are of all kinds.
      for index in goals.indices.map({ $0 * 5 % goals.count }) where found.count < count {
        let goal = goals[index]
        guard kind == nil || goal.kind == kind else { continue }
        let bug = PlantedBug(goal, round: round, index: index)
        guard let search = try await bug.search(in: folder, moves: moves) else { continue }
        // A fault that the re-run does not show is not a bug of the reducer.
        guard try await search.baseVerdict().happens else { continue }
        found.append((bug, search))
      }
    }
    return found
  }

  /// The demo of a sample, up to where something holds first.
  static func demo<Played: Sample>(
    _: Played.Type, _ condition: String, in folder: TemporaryFolder
  ) async throws -> HostTrials {
    let path = folder("demo-\(Played.name).retcon")
    await Quiet<Played>.recordDemo(to: path)
    let reader = try SessionReader(path: path)
    var setup = ReplaySetup(Played.app()) { Quiet<Played>.putDependenciesOnTape(&$0, Tape()) }
    setup.runsEffectsOnTape = true
    let host = try MemoryHost(reader, setup)
    let recording = SessionRecording(reader)
    try await recording.findEffects()
    let open = OpenSession(recording, host: host)
    let question = try StepQuestion(condition)
    let first = try await open.firstStep(where: question, in: reader.steps, of: .main)
    guard let first else { throw Missing(condition: condition) }
    return try HostTrials(
      try SearchedSession(open, upTo: first), .holds(question), on: [host])
  }

  struct Missing: Error { var condition: String }

  /// Records it, and gives a search from where it happens first; nil where it does not.
  func search(in folder: TemporaryFolder, moves: Int) async throws -> HostTrials? {
    switch app {
    case "counter":
      try await search(Quiet<CounterSample>.self, folder, counterMoves(moves)) { state, action in
        if action == .decrementTapped { state.count = max(state.count, 0) }
      }
    case "primes":
      try await search(Quiet<PrimesSample>.self, folder, primesMoves(moves)) { state, action in
        if action == .favouritesTapped, !state.isFavouritesShown { state.favourites = [] }
      }
    default:
      try await search(Quiet<WishesSample>.self, folder, wishesMoves(moves)) { state, action in
        if case .wishesResponse(.failure) = action { state.discoverButtonState = .disabled }
      }
    }
  }

  private func search<Played: Sample>(
    _: Played.Type, _ folder: TemporaryFolder, _ moves: [DemoMove<Played.App.Action>],
    otherwise: @escaping @Sendable (inout Played.App.State, Played.App.Action) -> Void
  ) async throws -> HostTrials? {
    let path = folder("\(app)-\(seed)-\(moves.count).retcon")
    if folder.bytes("\(app)-\(seed)-\(moves.count).retcon").isEmpty {
      await Played.record(moves, to: path, seed: seed)
    }
    let reader = try SessionReader(path: path)
    let setup = ReplaySetup(Played.app()) { Played.putDependenciesOnTape(&$0, Tape()) }
    let recording = SessionRecording(reader)
    try await recording.findEffects()
    if kind == .divergence {
      let other = ReplaySetup(Otherwise(base: Played.app(), change: otherwise)) {
        Played.putDependenciesOnTape(&$0, Tape())
      }
      let host = try MemoryHost(reader, other)
      let open = OpenSession(recording, host: host)
      guard let (step, goal) = try await open.difference(on: [host]), step > 1 else { return nil }
      return try HostTrials(try SearchedSession(open, upTo: step), goal, on: [host])
    }
    let question = try StepQuestion(goal)
    let plain = try MemoryHost(reader, setup)
    let open = OpenSession(recording, host: plain)
    let first = try await open.firstStep(where: question, in: reader.steps, of: .main)
    guard let first, first > 1 else { return nil }
    guard kind == .crash else {
      let base = try SearchedSession(open, upTo: first)
      return try HostTrials(base, .holds(question), on: [plain])
    }
    let words = "Fatal error: \(goal)"
    // A crash of one kind of action, in whatever state it is.
    let planted = try reader.step(first)
    let (label, action) = (planted.label, planted.action)
    let host = try MemoryHost(reader, setup) { told in
      told.step.label == label && told.step.action == action ? words : nil
    }
    let crashing = OpenSession(recording, host: host)
    let crash = try reader.steps.dropFirst().first {
      let step = try reader.step($0)
      return step.label == label && step.action == action
    }
    return try HostTrials(
      try SearchedSession(crashing, upTo: crash ?? first), .crash(words: words), on: [host])
  }

  // MARK: The user's moves

  private func moves<Action>(
    _ count: Int, _ actions: [Action]
  ) -> [DemoMove<Action>] {
    var random = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      DemoMove(
        after: .milliseconds(Int.random(in: 50...1500, using: &random)),
        actions.randomElement(using: &random) ?? actions[0])
    }
  }

  private func counterMoves(_ count: Int) -> [DemoMove<Counter.Action>] {
    moves(
      count,
      [
        .incrementTapped, .incrementTapped, .decrementTapped, .decrementTapped, .randomizeTapped,
        .factTapped, .factTapped, .factCancelTapped, .messageDismissed, .timerTapped,
      ])
  }

  private func primesMoves(_ count: Int) -> [DemoMove<Primes.Action>] {
    moves(
      count,
      [
        .incrementTapped, .incrementTapped, .incrementTapped, .decrementTapped, .isThisPrimeTapped,
        .isPrime(.presented(.favouriteTapped)), .isPrime(.dismiss), .nthPrimeTapped,
        .alert(.presented(.saveTapped(3))), .favouritesTapped, .favouriteRemoved(at: 0),
      ])
  }

  private func wishesMoves(_ count: Int) -> [DemoMove<Wishes.Action>] {
    moves(
      count,
      [
        .binding(.set(\.name, "St")), .binding(.set(\.name, "Stef")),
        .binding(.set(\.name, "Stefan")), .binding(.set(\.name, "")), .discoverWishesTapped,
        .discoverWishesTapped, .destination(.presented(.submit(.wishSelected(Wish.ID(2))))),
        .destination(.presented(.submit(.wishSelected(Wish.ID(0))))),
        .destination(.presented(.submit(.save))), .destination(.dismiss),
      ])
  }

  typealias Planted = (app: String, goal: String, kind: Kind, causes: [String])

  static let goals: [Planted] = [
    ("counter", "state.count < -2", .state, ["decrementTapped"]),
    ("counter", "state.count > 60", .state, ["randomizeTapped"]),
    ("counter", "state.message", .state, ["factTapped"]),
    ("counter", "state.fact && state.isTimerOn", .state, ["factTapped", "timerTapped"]),
    (
      "counter", "state.isFactLoading && state.isTimerOn && state.count < 0", .state,
      ["factTapped", "timerTapped", "decrementTapped"]
    ),
    // Three actions, and a service that fails.
    (
      "counter", "state.message && state.isTimerOn && state.count < 0", .state,
      ["factTapped", "timerTapped", "decrementTapped"]
    ),
    (
      "counter", "label == 'timerTicked' && state.count > 3", .state,
      ["timerTapped", "incrementTapped", "randomizeTapped"]
    ),
    (
      "counter", "label == 'factReceived' && precededBy(label == 'factCancelTapped')", .state,
      ["factTapped", "factCancelTapped"]
    ),
    ("counter", "label == 'factFailed'", .crash, ["factTapped"]),
    ("counter", "label == 'timerTicked'", .crash, ["timerTapped"]),
    ("counter", "no number below zero", .divergence, ["decrementTapped"]),
    (
      "primes", "count(state.favourites[*]) >= 2", .state,
      ["isPrime.presented.favouriteTapped", "alert.presented.saveTapped"]
    ),
    (
      "primes", "state.isFavouritesShown && state.alert", .state,
      ["favouritesTapped", "nthPrimeTapped"]
    ),
    ("primes", "state.count == 4 && state.isPrime", .state, ["isThisPrimeTapped"]),
    (
      "primes", "state.isNthPrimeLoading && state.isPrime", .state,
      ["nthPrimeTapped", "isThisPrimeTapped"]
    ),
    ("primes", "label == 'nthPrimeResponse' && state.count > 3", .crash, ["nthPrimeTapped"]),
    ("primes", "nothing is liked behind the list", .divergence, ["favouritesTapped"]),
    (
      "wishes", "state.destination.submit._0.message", .state, ["destination.presented.submit.save"]
    ),
    ("wishes", "state.destination.alert", .state, ["discoverWishesTapped"]),
    (
      "wishes", "state.discoverButtonState == 'loading' && state.name == 'Stef'", .state,
      ["discoverWishesTapped", "binding.name"]
    ),
    ("wishes", "count(state.path[*]) > 0", .state, ["destination.presented.submit.save"]),
    (
      "wishes", "label == 'wishesResponse' && state.name == 'Stefan'", .crash,
      ["discoverWishesTapped"]
    ),
    ("wishes", "disabled where there is no answer", .divergence, ["discoverWishesTapped"]),
  ]
}

/// An app whose reducer does something else besides.
private struct Otherwise<Base: Reducer>: Reducer {
  let base: Base
  let change: @Sendable (inout Base.State, Base.Action) -> Void

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let effect = base.reduce(into: &state, action: action)
    change(&state, action)
    return effect
  }
}

/// A sample that does not tell of mistakes: what is left out of a session leaves many behind.
enum Quiet<Played: Sample>: Sample {
  static var name: String { Played.name }
  static var title: String { Played.title }
  static func app() -> Played.App { Played.app() }
  static func initialState() -> Played.App.State { Played.initialState() }
  static func demo() -> [DemoMove<Played.App.Action>] { Played.demo() }

  static func putDependenciesOnTape(_ dependencies: inout DependencyValues, _ tape: Tape) {
    Played.putDependenciesOnTape(&dependencies, tape)
    dependencies.issueReporter = IssueReporter { _ in }
  }
}
