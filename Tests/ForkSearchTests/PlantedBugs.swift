import Samples
import SessionLog
import StoreCore
import TestSupport
import TimeTravel
import ValueTree

@testable import ForkSearch
@testable import Replay

/// A session of a sample app in which a bug shows itself, among much that has nothing to do with it.
struct PlantedBug: Sendable {
  var app: String
  var goal: String
  var seed: UInt64
  /// The reducer ends its process where the goal holds.
  var isCrash = false

  var name: String { "\(app) \(seed): \(isCrash ? "crash at " : "")\(goal)" }

  /// Records it, and gives a search from where it happens first; nil where it does not.
  func search(in folder: TemporaryFolder, moves: Int) async throws -> HostTrials? {
    switch app {
    case "counter": try await search(Quiet<CounterSample>.self, folder, counterMoves(moves))
    case "primes": try await search(Quiet<PrimesSample>.self, folder, primesMoves(moves))
    default: try await search(Quiet<WishesSample>.self, folder, wishesMoves(moves))
    }
  }

  private func search<Played: Sample>(
    _: Played.Type, _ folder: TemporaryFolder, _ moves: [DemoMove<Played.App.Action>]
  ) async throws -> HostTrials? {
    let path = folder("\(app)-\(seed)-\(moves.count).retcon")
    if folder.bytes("\(app)-\(seed)-\(moves.count).retcon").isEmpty {
      await Played.record(moves, to: path, seed: seed)
    }
    let reader = try SessionReader(path: path)
    let setup = ReplaySetup(Played.app()) { Played.putDependenciesOnTape(&$0, Tape()) }
    let recording = SessionRecording(reader)
    try await recording.findEffects()
    let question = try StepQuestion(goal)
    let plain = try MemoryHost(reader, setup)
    let open = OpenSession(recording, host: plain)
    let first = try await open.firstStep(where: question, in: reader.steps, of: Branch.main)
    guard let first, first > 1 else { return nil }
    guard isCrash else {
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

  // MARK: What somebody does

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

  static let goals: [(app: String, goal: String, isCrash: Bool)] = [
    ("counter", "state.count < -2", false),
    ("counter", "state.count > 60", false),
    ("counter", "state.message", false),
    ("counter", "state.fact && state.isTimerOn", false),
    ("counter", "state.isFactLoading && state.isTimerOn && state.count < 0", false),
    ("counter", "label == 'timerTicked' && state.count > 3", false),
    ("counter", "label == 'factReceived' && precededBy(label == 'factCancelTapped')", false),
    ("counter", "label == 'factFailed'", true),
    ("counter", "label == 'timerTicked'", true),
    ("primes", "count(state.favourites[*]) >= 2", false),
    ("primes", "state.isFavouritesShown && state.alert", false),
    ("primes", "state.count == 4 && state.isPrime", false),
    ("primes", "state.isNthPrimeLoading && state.isPrime", false),
    ("primes", "label == 'nthPrimeResponse' && state.count > 3", true),
    ("wishes", "state.destination.submit._0.message", false),
    ("wishes", "state.destination.alert", false),
    ("wishes", "state.discoverButtonState == 'loading' && state.name == 'Stef'", false),
    ("wishes", "count(state.path[*]) > 0", false),
    ("wishes", "label == 'wishesResponse' && state.name == 'Stefan'", true),
  ]
}

/// A sample that does not tell of mistakes: what is left out of a session leaves many behind.
private enum Quiet<Played: Sample>: Sample {
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
