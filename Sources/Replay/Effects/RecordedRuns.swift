import Recorder
import SessionWords
import StoreCore
import StoreRecording
import ValueTree

/// What the effects of a source did, and what they run: for those of branches to be compared with
/// (`effects/stale-answer` and `effects/same-capture`). The source is run once more for that,
/// beside the branch.
///
/// Used by one thread at a time.
final class RecordedRuns<State: Codable & Sendable, Action: Codable & Sendable> {
  let source: any ReplaySource
  let outcomes: OutcomeIndex
  /// What the branch and the run beside it have read of the source.
  let blocks = ReadBlocks()
  /// Runs the source up to the turn of a step.
  var makeLine: ((Int) throws -> Rerun<State, Action>)?
  /// From this step on nothing is run: it ended a process that did.
  var end = Int.max
  /// Told before each step, and 0 when it is over.
  var stepBegins: @Sendable (_ step: Int) -> Void = { _ in }
  /// Something was asked from there on.
  var isCutShort = false
  /// The source, as far as it was run beside the branch.
  private var line: Rerun<State, Action>?
  /// By the steps that started them; what was made first goes first.
  private var known: [Int: [StartedRun<Action>]] = [:]
  private var order: [Int] = []
  /// To go elsewhere takes a large state long, as does taking over a recorded one: so many bytes of them may
  /// be had, and behind that nothing is known.
  private var budget = RecordedRuns.budget
  private var stateCost = 0

  private static var budget: Int { 64 << 20 }
  /// What is left for effects that are recorded ones, whatever others are compared with.
  static var reserve: Int { budget / 2 }
  /// To go further than this anew takes no longer than to go on.
  private static var reach: Int { 256 }

  init(_ source: any ReplaySource, _ outcomes: OutcomeIndex? = nil) {
    self.source = source
    self.outcomes = outcomes ?? OutcomeIndex(source)
  }

  /// Each fork has a budget of its own.
  func renewBudget() {
    if budget <= Self.reserve { (budget, known, order) = (Self.budget, [:], []) }
  }

  /// None where the step cannot be made once more as it was.
  fileprivate func runs(of step: Int, leaving reserve: Int) throws -> [StartedRun<Action>] {
    if let known = known[step] { return known }
    guard step > source.steps.lowerBound, try outcomes.starters().contains(step) else { return [] }
    guard step < end else {
      isCutShort = true
      return []
    }
    stepBegins(step)
    defer { stepBegins(0) }
    do {
      guard try isLineReady(for: step, leaving: reserve) else { return [] }
      while let position = line?.follower.position, position < step { try goOn() }
    } catch is ReplayError {
      line = nil
      budget -= max(stateCost, Self.budget / 16)
    }
    if known[step] == nil { keep([], of: step) }
    return known[step] ?? []
  }

  /// Brings it to the turn of a step, with the recorded state.
  private func isLineReady(for step: Int, leaving reserve: Int) throws -> Bool {
    if line.map({ !(max(0, step - Self.reach)..<step).contains($0.follower.position) }) ?? true {
      guard budget > reserve, var made = try makeLine?(step) else { return false }
      made.witness(outcomes)
      made.follower.cursor.shared = blocks
      stateCost = try made.encoder.encode(made.machine.state).memoryCost
      budget -= stateCost
      line = made
    }
    let place = try line?.follower.cursor.beginning(ofTurnAfter: step - 1)
    while let place, let position = line?.follower.position, position < place { try goOn() }
    guard try line?.isAsRecorded() == false else { return true }
    guard budget > reserve else { return false }
    budget -= stateCost
    try line?.takeOverState()
    return true
  }

  private func goOn() throws {
    if let step = line?.follower.position { stepBegins(step + 1) }
    try line?.followNext()
    let made = line?.startedRuns ?? [:]
    if !made.isEmpty { line?.startedRuns = [:] }
    for step in made.keys.sorted() { keep(made[step] ?? [], of: step) }
    if let step = line?.follower.position, known[step] == nil,
      try outcomes.starters().contains(step)
    {
      keep([], of: step)
    }
  }

  /// Each may hold all of a state.
  private func keep(_ runs: [StartedRun<Action>], of step: Int) {
    if known.updateValue(runs, forKey: step) == nil { order.append(step) }
    if order.count > max(64, Self.budget / max(1, stateCost)) {
      known[order.removeFirst()] = nil
    }
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
  var startedRuns: [StartedRun<Action>] {
    newestRuns().map { StartedRun(effect: $0.effect, run: $0.run) }
  }
}

extension Rerun {
  /// Whether an effect that starts in another state asks what the recorded one asked. Its body knows its
  /// time, its dependencies and what it has captured, and nothing else; so these are compared with those
  /// of the body that the recorded step makes where it is reduced once more.
  mutating func asksTheSame(
    _ run: EffectRun<Action>, as match: EffectMatches.Match, _ recorded: [EffectEvent]
  ) throws -> Bool {
    guard findings == nil, decodesStates, !isOnTheWay,
      let origin = recorded.first(where: { $0.effect == match.effect && $0.origin != nil })?.origin
    else { return false }
    return try isSame(run, asThatOf: origin, in: recordedRuns)
  }

  private func isSame(
    _ run: EffectRun<Action>, asThatOf origin: EffectOrigin,
    in recorded: RecordedRuns<State, Action>, leaving reserve: Int = 0
  ) throws -> Bool {
    try recorded.runs(of: origin.step, leaving: reserve)
      .contains { $0.isOf(origin) && run.isSame(as: $0.run) }
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
      run, asThatOf: origin, in: examples, leaving: RecordedRuns<State, Action>.reserve)
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
    return try recordedRuns.runs(of: step, leaving: 0).first { $0.isOf(entry.origin) }?.run
  }
}

/// The run of a source beside a branch.
extension Rerun {
  /// From here on it tells what the effects run that the source's steps start.
  mutating func witness(_ outcomes: OutcomeIndex) {
    isOnTheWay = true
    // What it came from goes its own way.
    recordedRuns = RecordedRuns(follower.source, outcomes)
    encoder = IncrementalEncoder()
    log = RerunLog()
    startedRuns = [:]
    machine.keepsEffects = true
    tracker = nil
  }

  /// Nil where the state is not recorded.
  fileprivate mutating func isAsRecorded() throws -> Bool? {
    let isEqual = try isState(after: follower.position)
    recordedAt = isEqual == true ? (step, follower.position) : nil
    return isEqual
  }

  fileprivate mutating func takeOverState() throws {
    guard let recorded = try follower.source.state(after: follower.position),
      let state = try? ValueDecoder().decode(State.self, from: recorded)
    else { return }
    machine.state = state
  }

  /// Whether a step starts effects that somebody wants to know, in the state that was recorded.
  mutating func isWitnessed(_ planned: Planned) throws -> Bool {
    guard startedRuns != nil, let source = planned.source,
      try recordedRuns.outcomes.starters().contains(source)
    else { return false }
    if let recordedAt, recordedAt == (step, source - 1) { return true }
    return try isState(after: source - 1) == true
  }

  /// Makes what the effects of the newest step run, where it came to the recorded state.
  mutating func noteRuns(_ planned: Planned) throws {
    guard let source = planned.source, try isState(after: source) == true else { return }
    startedRuns?[source] = machine.startedRuns
  }
}
