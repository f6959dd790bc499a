import Recorder
import SessionWords
import StoreCore
import StoreRecording
import ValueTree

/// What the effects of steps of the source run, made once more, for those of the branch to be compared
/// with (rule 10).
struct RecordedRuns<Action: Sendable> {
  typealias Runs = [(effect: StoreEffect, run: EffectRun<Action>)]

  /// By the steps that started them.
  fileprivate var known: [Int: Runs] = [:]
  /// Large states take long to decode: so many bytes of them are, and behind that nothing is known.
  fileprivate var budget = 64 << 20
}

extension Rerun {
  /// Whether an effect that starts in another state asks what the recorded one asked. Its body knows its
  /// time, its dependencies and what it has captured, and nothing else; so these are compared with those
  /// of the body that the recorded step makes where it is reduced once more.
  mutating func asksTheSame(
    _ run: EffectRun<Action>, as match: EffectMatches.Match, _ recorded: [EffectEvent]
  ) throws -> Bool {
    guard findings == nil, decodesStates,
      let origin = recorded.first(where: { $0.effect == match.effect && $0.origin != nil })?.origin
    else { return false }
    let runs = try recordedRuns.known[origin.step] ?? makeRuns(of: origin.step)
    recordedRuns.known[origin.step] = runs
    return runs.contains { other in
      let place = EffectOrigin(other.effect)
      return place.ordinal == origin.ordinal && place.file == origin.file
        && place.name == origin.name && run.isSame(as: other.run)
    }
  }

  /// None where the step cannot be made once more as it was.
  private mutating func makeRuns(of number: Int) throws -> RecordedRuns<Action>.Runs {
    let source = follower.source
    guard number > source.steps.lowerBound, recordedRuns.budget > 0,
      let before = try recordedState(after: number - 1),
      let after = try recordedState(after: number)
    else { return [] }
    recordedRuns.budget -= before.memoryCost
    let step = try source.step(number)
    guard let state = try? ValueDecoder().decode(State.self, from: before),
      try ValueEncoder().encode(state).isExactlyEqual(to: before),
      let action = try? decode(step.action, at: number)
    else { return [] }
    var machine = makeMachine(state, number - 1)
    var place = surroundings(from: number)
    place.edits = []
    place.seconds = follower.startDate + (step.time ?? .zero).inSeconds
    let ran = place.run(&machine, action, .user, root: nil, step.reads)
    guard ran.reads.isAsRecorded, ran.reads.live.isEmpty,
      try ValueEncoder().encode(machine.state).isExactlyEqual(to: after)
    else { return [] }
    return machine.takeRuns()
  }

  /// Of the newest step and the one before it the comparison knows them.
  private mutating func recordedState(after number: Int) throws -> Value? {
    guard tracker != nil, let newest = follower.descents[step],
      (newest - 1...newest).contains(number)
    else {
      return try follower.source.state(after: number)
    }
    return try tracker?.state(after: number, of: &follower.cursor)
  }
}
