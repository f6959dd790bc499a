import Recorder
import SessionWords
import StoreCore
import StoreRecording
import ValueTree

/// The events and the bodies of a source's effects, for comparing those of branches
/// (`effects/stale-answer` and `effects/same-capture`). Runs the source once more beside the
/// branch.
///
/// Used by one thread at a time.
final class RecordedRuns {
  let source: any ReplaySource
  let outcomes: OutcomeIndex
  let blocks = ReadBlocks()
  var makeLine: ((Int) throws -> Rerun)?
  var isOff = false
  var stepBegins: @Sendable (_ step: Int) -> Void = { _ in }
  var isCutShort = false
  private var line: Rerun?
  private var known: [Int: [StartedEffect]] = [:]
  private var order: [Int] = []
  /// The bytes of state that jumps may decode, which is slow. After that, effects count as unknown.
  private var budget = RecordedRuns.budget
  private var stateCost = 0
  /// By effect: the questions that it had no answer to.
  var silences: [EffectID: [TapeAnswers.Silence]] = [:]

  private static var budget: Int { 64 << 20 }
  static var reserve: Int { budget / 2 }
  /// Beyond this distance, a fresh start is as fast as continuing.
  private static var reach: Int { 256 }

  init(_ source: any ReplaySource, _ outcomes: OutcomeIndex? = nil) {
    self.source = source
    self.outcomes = outcomes ?? OutcomeIndex(source)
  }

  func renewBudget() {
    if budget <= Self.reserve { (budget, known, order) = (Self.budget, [:], []) }
  }

  /// Forgets what was run, because the machines have lost their process.
  func letGo() { (line, known, order) = (nil, [:], []) }

  func runs(of step: Int, leaving reserve: Int) throws -> [StartedEffect] {
    if let known = known[step] { return known }
    guard step > source.steps.lowerBound, try outcomes.starts(step) else { return [] }
    guard !isOff else {
      isCutShort = true
      return []
    }
    stepBegins(step)
    defer { stepBegins(0) }
    do {
      guard try isLineReady(for: step, leaving: reserve) else { return [] }
      while let position = line?.replayCursor.position, position < step { try goOn() }
    } catch is ReplayError {
      line = nil
      budget -= max(stateCost, Self.budget / 16)
    } catch is BranchReport.Ending {
      (line, isOff, isCutShort) = (nil, true, true)
    }
    if known[step] == nil { keep([], of: step) }
    return known[step] ?? []
  }

  private func isLineReady(for step: Int, leaving reserve: Int) throws -> Bool {
    if line.map({ !(max(0, step - Self.reach)..<step).contains($0.replayCursor.position) }) ?? true
    {
      guard budget > reserve, var made = try makeLine?(step) else { return false }
      made.witness(outcomes)
      made.replayCursor.cursor.shared = blocks
      stateCost = try made.machine.state(made.observer.encoder).memoryCost
      budget -= stateCost
      line = made
    }
    let place = try line?.replayCursor.cursor.beginning(ofTurnAfter: step - 1)
    while let place, let position = line?.replayCursor.position, position < place { try goOn() }
    guard try line?.isAsRecorded() == false else { return true }
    guard budget > reserve else { return false }
    budget -= stateCost
    try line?.adoptState()
    return true
  }

  private func goOn() throws {
    if let step = line?.replayCursor.position { stepBegins(step + 1) }
    try line?.replayNext()
    let made = line?.witness?.runs ?? [:]
    if !made.isEmpty { line?.witness?.runs = [:] }
    for step in made.keys.sorted() { keep(made[step] ?? [], of: step) }
    if let step = line?.replayCursor.position, known[step] == nil,
      try outcomes.starts(step)
    {
      keep([], of: step)
    }
  }

  private func keep(_ runs: [StartedEffect], of step: Int) {
    if known.updateValue(runs, forKey: step) == nil { order.append(step) }
    if order.count > max(64, Self.budget / max(1, stateCost)) {
      known[order.removeFirst()] = nil
    }
  }
}

extension StoreEffect {
  /// Whether it has the same site. Children's cancel ids can hold numbers of their own; the ordinal
  /// tells such effects apart.
  func isOf(_ origin: EffectOrigin) -> Bool {
    let own = EffectOrigin(self)
    return own.ordinal == origin.ordinal && own.file == origin.file && own.name == origin.name
  }
}

struct Witness {
  var runs: [Int: [StartedEffect]] = [:]
  /// The last step whose state is as recorded.
  var recordedAt: (step: Int, source: Int)?
}

extension Rerun {
  /// Whether an effect that starts in another state asks the same as the recorded one. Its body
  /// knows only its time, dependencies and captures, so these are compared with the body that
  /// repeating the recorded step makes.
  mutating func asksTheSame(
    _ run: any EffectBody, as match: EffectMatch, _ recorded: [EffectEvent]
  ) throws -> Bool {
    guard !mode.believesSource, setup.decodesStates,
      let origin = recorded.first(where: { $0.effect == match.effect && $0.origin != nil })?.origin
    else { return false }
    return try isSame(run, asThatOf: origin, in: recordedRuns)
  }

  private func isSame(
    _ run: any EffectBody, asThatOf origin: EffectOrigin,
    in recorded: RecordedRuns, leaving reserve: Int = 0
  ) throws -> Bool {
    try recorded.runs(of: origin.step, leaving: reserve)
      .contains { $0.effect.isOf(origin) && run.asksTheSame(as: $0.body) }
  }

  /// The course of a recorded effect that asked the same, with that effect's number. An effect of
  /// the source needs no body for this.
  mutating func knownCourse(
    of entry: EffectMatcher.Entry, _ run: (any EffectBody)?, from start: Duration
  ) throws -> (events: [TapedEvent], example: EffectID)? {
    guard let examples, setup.decodesStates, let end = replayCursor.source.end,
      let run = try run ?? recordedRun(of: entry)
    else { return nil }
    var known: EffectHistory?
    for (effect, origin) in try examples.outcomes.effects(
      at: entry.origin, near: replayCursor.position)
    where try isSame(
      run, asThatOf: origin, in: examples, leaving: RecordedRuns.reserve)
    {
      guard let history = try examples.outcomes.history(of: effect),
        let longer = known.map(history.longer) ?? history
      else { return nil }
      known = longer
    }
    guard let known else { return nil }
    var events: [TapedEvent] = []
    for (after, what, asked) in known.activities {
      let time = start + after
      guard time <= end else {
        events.append(TapedEvent(time: end + .nanoseconds(1), since: nil, what: .goesOn(nil)))
        break
      }
      var event = TapedEvent(time: time, since: after == .zero ? time : nil, what: what)
      event.asked = asked.map { $0.later(by: start) }
      events.append(event)
    }
    return (events, known.effect)
  }

  private mutating func recordedRun(of entry: EffectMatcher.Entry) throws -> (any EffectBody)? {
    guard entry.isTrusted, let step = replayCursor.descents[entry.origin.step] else { return nil }
    return try recordedRuns.runs(of: step, leaving: 0).first { $0.effect.isOf(entry.origin) }?
      .body
  }
}

extension Rerun {
  mutating func witness(_ outcomes: OutcomeIndex) {
    isOnTheWay = true
    recordedRuns = RecordedRuns(replayCursor.source, outcomes)
    observer = RunObserver()
    log = RerunLog()
    witness = Witness()
  }

  fileprivate mutating func isAsRecorded() throws -> Bool? {
    let isEqual = try isState(after: replayCursor.position)
    let here = (step, replayCursor.position)
    witness?.recordedAt = isEqual == true ? here : nil
    return isEqual
  }

  fileprivate mutating func adoptState() throws {
    // The run beside goes on from its own state, and finds itself different.
    if let recorded = try replayCursor.source.state(after: replayCursor.position) {
      try? machine.put(recorded)
    }
  }

  mutating func isWitnessed(_ planned: Planned) throws -> Bool {
    guard let witness, let source = planned.source,
      try recordedRuns.outcomes.starts(source)
    else { return false }
    if let recorded = witness.recordedAt, recorded == (step, source - 1) { return true }
    return try isState(after: source - 1) == true
  }

  mutating func recordRuns(_ planned: Planned) throws {
    guard let source = planned.source, try isState(after: source) == true else { return }
    witness?.runs[source] = machine.newestEffects()
  }
}
