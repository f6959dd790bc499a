import Recorder
import SessionWords
import StoreCore
import StoreRecording
import ValueTree

@testable import Replay

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How sessions and forks of them are: the user's moves are half a second apart in the mean.
enum Mix: CaseIterable {
  /// As with the samples: services take six tenths of the time between two moves, and any step is edited.
  case usual
  /// Services take as long as two moves, and most edits are near the end. The more steps follow an
  /// edit, the fewer of them are known, so this shows more steps that could be untrue.
  case hard

  /// Seeds that once found a mistake are `hard`.
  init(ofSeed seed: UInt64) {
    self = seed.isMultiple(of: 2) && !RandomRuns.past.contains(seed) ? .usual : .hard
  }

  /// Twice what a service takes in the mean.
  var slowestService: UInt64 { self == .usual ? 600_000 : 2_000_000 }
}

/// An app that random sessions are made of.
struct RandomApp<State: Codable & Equatable & Sendable, Action: Codable & Sendable>: Sendable {
  typealias Random = SeededRandomNumberGenerator

  var name: String
  var reducer: any Reducer<State, Action>
  /// The first one.
  var state: State
  /// Makes it another app for each seed.
  var isDrawn: (@Sendable (inout State, UInt64) -> Void)?
  /// An action of a user who looks at the app, mostly with sense.
  var action: @Sendable (State, inout Random) -> Action
  /// Another answer of an effect than this one; nil if the action is not the answer of a service.
  var otherAnswer: @Sendable (Action, inout Random) -> Action?
  /// A part of the state to set by hand.
  var setting: @Sendable (State, inout Random) -> (pointer: Pointer, value: Value)
  /// Puts the services of a world in.
  var services: @Sendable (inout DependencyValues, World) -> Void
  var tapes: @Sendable (inout DependencyValues, Tape) -> Void
  /// A service's answer in a world; nil if the question goes to no service.
  var reply: @Sendable (Question, World) -> Reply? = { _, _ in nil }
  var mix = Mix.hard
  /// A state that is written in one way only.
  var written: @Sendable (State) -> State = { $0 }

  func state(of seed: UInt64) -> State {
    var state = state
    isDrawn?(&state, seed)
    return state
  }

  /// Not as the state's own `==` has it, to which 0 is −0 and one id another.
  func areSame(_ one: State, _ other: State) throws -> Bool {
    try ValueEncoder().encode(written(one)).isExactlyEqual(
      to: ValueEncoder().encode(written(other)))
  }

  func setup(
    with reducer: any Reducer<State, Action>, effectsOnTape: Bool = false
  ) -> ReplaySetup<State, Action> {
    var setup = ReplaySetup(reducer) {
      // A world without the recording answers the questions beyond the recording.
      live(&$0, World(seed: 0))
      tapes(&$0, Tape())
    }
    setup.runsEffectsOnTape = effectsOnTape
    return setup
  }

  func live(_ dependencies: inout DependencyValues, _ world: World) {
    dependencies.continuousClock = world.clock
    dependencies.date = DateGenerator { Date(timeIntervalSince1970: world.secondsSince1970) }
    dependencies.withRandomNumberGenerator = .init(WorldNumbers(world: world))
    dependencies.uuid = UUIDGenerator { UUID(world.read("uuid") % 1_000_000) }
    dependencies.stackIDSource = .asked { _ in Int(world.read("stackID") % 100_000_000) }
    // The store reports actions for absent children as issues; this test sends them on purpose.
    dependencies.issueReporter = IssueReporter { _ in }
    services(&dependencies, world)
  }
}
