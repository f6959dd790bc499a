import Recorder
import SessionWords
import StoreCore
import StoreRecording
import ValueTree

/// What the effects of a source did, and what they run: that is made once more, for those of branches to be
/// compared with (rules 10 and 48).
///
/// Used by one thread at a time.
final class RecordedRuns<Action: Sendable> {
  let source: any ReplaySource
  let outcomes: OutcomeIndex
  /// By the steps that started them.
  fileprivate var known: [Int: [StartedRun<Action>]] = [:]
  /// Large states take long to decode: so many bytes of them are, and behind that nothing is known.
  fileprivate var budget = RecordedRuns.budget

  private static var budget: Int { 64 << 20 }
  /// What is left for effects that are recorded ones, whatever others are compared with.
  static var reserve: Int { budget / 2 }

  init(_ source: any ReplaySource) {
    self.source = source
    outcomes = OutcomeIndex(source)
  }

  /// Each fork has a budget of its own.
  func renewBudget() {
    if budget <= Self.reserve { (budget, known) = (Self.budget, [:]) }
  }
}

/// The work of an effect that a step starts.
struct StartedRun<Action: Sendable> {
  var effect: StoreEffect
  var run: EffectRun<Action>

  /// It stands where this one does. Cancel ids of children can hold numbers of their own; the ordinal
  /// tells such effects apart.
  func isOf(_ origin: EffectOrigin) -> Bool {
    let own = EffectOrigin(effect)
    return own.ordinal == origin.ordinal && own.file == origin.file && own.name == origin.name
  }
}

extension StoreMachine {
  /// The work of all effects that the newest step starts, at once or after others.
  mutating func takeRuns() -> [StartedRun<Action>] {
    var runs: [StartedRun<Action>] = []
    while true {
      let known = runs.count
      for case .started(let effect, let run) in takeChanges() {
        runs.append(StartedRun(effect: effect, run: run))
      }
      guard runs.count > known else { return runs }
      for run in runs[known...] { ended(effect: run.effect.number) }
    }
  }
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
    return try isSame(run, asThatOf: origin, in: recordedRuns)
  }

  private mutating func isSame(
    _ run: EffectRun<Action>, asThatOf origin: EffectOrigin, in recorded: RecordedRuns<Action>,
    leaving reserve: Int = 0
  ) throws -> Bool {
    try runs(of: origin.step, in: recorded, leaving: reserve)
      .contains { $0.isOf(origin) && run.isSame(as: $0.run) }
  }

  private mutating func runs(
    of step: Int, in recorded: RecordedRuns<Action>, leaving reserve: Int = 0
  ) throws -> [StartedRun<Action>] {
    if let known = recorded.known[step] { return known }
    guard recorded.budget > reserve else { return [] }
    let made = try makeRuns(of: step, in: recorded)
    recorded.known[step] = made
    return made
  }

  /// None where the step cannot be made once more as it was.
  private mutating func makeRuns(
    of number: Int, in recorded: RecordedRuns<Action>
  ) throws -> [StartedRun<Action>] {
    let source = recorded.source
    guard number > source.steps.lowerBound,
      let before = try state(after: number - 1, in: recorded),
      let after = try state(after: number, in: recorded)
    else { return [] }
    recorded.budget -= before.memoryCost
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
  private mutating func state(
    after number: Int, in recorded: RecordedRuns<Action>
  ) throws -> Value? {
    guard tracker != nil, recorded === recordedRuns, let newest = follower.descents[step],
      (newest - 1...newest).contains(number)
    else {
      return try recorded.source.state(after: number)
    }
    return try tracker?.state(after: number, of: &follower.cursor)
  }

  /// What an effect does that starts then, where a recorded one asked the same; and which one that is.
  /// Where it is one of the source nothing has to be told of what it runs.
  mutating func knownCourse(
    of entry: EffectBook.Entry, _ run: EffectRun<Action>?, from start: Duration
  ) throws -> (events: [TapedEvent], example: Int)? {
    guard let examples, decodesStates, let end = follower.source.end,
      let run = try run ?? recordedRun(of: entry)
    else { return nil }
    var known: EffectCourse?
    for (effect, origin) in try examples.outcomes.effects(at: entry.origin, near: follower.position)
    where try isSame(
      run, asThatOf: origin, in: examples, leaving: RecordedRuns<Action>.reserve)
    {
      guard let course = try examples.outcomes.course(of: effect),
        let longer = known.map(course.longer) ?? course
      else { return nil }
      known = longer
    }
    guard let known else { return nil }
    var events: [TapedEvent] = []
    for (after, what) in known.deeds {
      let time = start + after
      // What it does behind the end of the recording is not run.
      guard time <= end else {
        events.append(TapedEvent(time: end + .nanoseconds(1), since: nil, what: .goesOn))
        break
      }
      events.append(TapedEvent(time: time, since: after == .zero ? time : nil, what: what))
    }
    return (events, known.effect)
  }

  private mutating func recordedRun(of entry: EffectBook.Entry) throws -> EffectRun<Action>? {
    guard entry.isTrusted, let step = follower.descents[entry.origin.step] else { return nil }
    return try runs(of: step, in: recordedRuns).first { $0.isOf(entry.origin) }?.run
  }
}
