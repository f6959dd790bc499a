import SessionWords
import ValueTree

struct SessionFacts: Sendable {
  var steps: ClosedRange<Int>?
  var count: Int?
  var parentSteps: ClosedRange<Int>?
  var state: @Sendable (_ after: Int) -> Value? = { _ in nil }
}

/// Checks a host's messages against the request, earlier messages and the session. The debugger's
/// tables rely on these numbers.
struct ProtocolCheck: Sendable {
  let ask: HostRequest.Ask
  /// Of an engine in this process, only the size is checked.
  var trusts = false
  private let facts: SessionFacts
  private var told: Int?
  private var state = Base.unasked
  private var progress = (done: -1, total: -1)
  private var phases = 0
  /// The bytes of the reported steps to keep, and their limit.
  private var kept = 0
  private let edited: Set<Int>
  private let mostKept: Int
  private var farthest = Int.min
  private var restarts = 0

  private enum Base {
    case unasked
    case unknown
    case known(Value)
  }

  init(
    _ ask: HostRequest.Ask, _ facts: SessionFacts = SessionFacts(),
    _ limits: HostLimits = HostLimits()
  ) {
    self.ask = ask
    self.facts = facts
    mostKept = limits.toldSteps
    edited = ask.branch?.branches.last?.script.editedSteps ?? []
  }

  private var first: Int { facts.steps?.lowerBound ?? 0 }

  /// The largest step number that a branch of this session can have.
  private var last: Int {
    facts.steps.map { $0.upperBound + HostLimits.ownSteps } ?? ValueFields.largest
  }

  // MARK: News

  /// Returns whether the work advanced. `bytes` is the message's length.
  mutating func checkNews(_ news: HostEvent, bytes: Int = 0) throws(ProtocolViolation) -> Bool {
    switch news {
    case .progress(let done, let total): return try checkProgress(done, of: total)
    case .step(let step):
      if !trusts { try checkStep(step) }
      try countBytes(step, bytes)
      return true
    case .dying(let step, _):
      try within("step", step, 0...last)
      return false
    }
  }

  /// Records the host's current step, as reported or from its page. Returns whether it is the
  /// farthest so far: of its present run, as a host runs the parents of a branch first.
  mutating func recordWhereabouts(_ step: Int) throws(ProtocolViolation) -> Bool {
    try within("step", step, first...last)
    if step < farthest, restarts < 4 { (restarts, farthest) = (restarts + 1, .min) }
    guard step > farthest else { return false }
    farthest = step
    return true
  }

  private mutating func checkProgress(_ done: Int, of total: Int) throws(ProtocolViolation) -> Bool
  {
    try within("of", total, 0...ValueFields.largest)
    try within("done", done, 0...total)
    if total != progress.total {
      // A host may count several kinds of work, but not endlessly.
      phases += 1
      progress = (done, total)
      return phases < 64
    }
    guard done > progress.done else { return false }
    progress.done = done
    return true
  }

  private mutating func checkStep(_ step: BranchStep) throws(ProtocolViolation) {
    guard case .run(let run) = ask, let from = run.firstTold(first) else {
      throw violation("news", "step", "and no steps were asked for")
    }
    let number = step.step.number
    let next = told.map { $0 + 1 } ?? from
    guard number == next else {
      throw violation("step.step", "\(number)", "and the next step is \(next)")
    }
    try within("step.step", number, first...last)
    if let beside = step.descendsFrom {
      try within("step.descendsFrom", beside, facts.parentSteps ?? first...last)
    }
    switch step.step.cause {
    // An effect from before a cut may be running, and its actions may be held back.
    case .output(let sender): try within("step.cause.output", sender, 0...number - 1)
    case .effect(let effect):
      try within("step.cause.effect", effect.number, 0...ValueFields.largest)
    case .user, .outside, .unknown: break
    }
    for event in step.effects { try checkEvent(event, at: number) }
    for read in step.asked ?? [] { try within("step.asked.after", read.step, 0...number) }
    try apply(step.patch, from: from, in: run)
    told = number
  }

  private mutating func countBytes(_ step: BranchStep, _ bytes: Int) throws(ProtocolViolation) {
    // Most steps add nothing to their parent's.
    let isShort =
      step.isTold(byParentBut: edited) && step.effects.isEmpty && step.standing.assumptions.isEmpty
    kept += isShort ? 64 : bytes
    guard kept > mostKept else { return }
    throw violation(
      "step.number", "\(step.step.number)",
      "and the messages of the branch up to there exceed \(mostKept >> 20) MB")
  }

  private func checkEvent(_ event: EffectEvent, at step: Int) throws(ProtocolViolation) {
    try within("step.effects.effect", event.effect.number, 0...ValueFields.largest)
    try within("step.effects.after", event.step, first...step)
    if case .started(let origin) = event.kind {
      try within("step.effects.from", origin.step, 0...event.step)
    }
  }

  private mutating func apply(
    _ value: Value?, from: Int, in run: RunRequest
  ) throws(ProtocolViolation) {
    guard let value else {
      state = .unknown
      return
    }
    let patch: Patch
    do throws(PatchError) {
      patch = try Patch(value)
    } catch {
      throw violation("step.patch", value.text(), "which is no valid patch: \(error)")
    }
    if case .unasked = state {
      state = start(of: run, from).map { .known($0) } ?? .unknown
    }
    guard case .known(let before) = state else { return }
    state = .unknown
    // Copies can make a state grow without limit, and the debugger need not see that.
    let copies = patch.operations.contains { if case .copy = $0 { true } else { false } }
    guard !copies else { return }
    do throws(PatchError) {
      state = .known(try patch.applied(to: before))
    } catch {
      let why = "\(error)".dropLast()  // Its full stop.
      throw violation(
        "step.patch", value.text(), "and it does not apply to the state before: \(why)")
    }
  }

  /// The recorded state before the first reported step; nil if it is not the recording's.
  private func start(of run: RunRequest, _ from: Int) -> Value? {
    let place = from - 1
    // A fork of a fork starts from the recording if it leaves before its parent does.
    guard run.branch.branches.allSatisfy({ $0.script.leavesAt >= place }),
      facts.steps?.contains(place) == true
    else { return nil }
    return facts.state(place)
  }

  // MARK: Answers

  mutating func checkAnswer(_ answer: HostAnswer) throws(ProtocolViolation) {
    if trusts { return }
    switch (ask, answer) {
    case (.greet, .greeting(let greeting)):
      try within("version[0]", greeting.version.major, 0...1_000_000)
      try within("version[1]", greeting.version.minor, 0...1_000_000)
    case (.load, .loaded(let report)): try checkLoad(report)
    case (.run(let run), .ran(let report)): try checkBranch(report, of: run)
    case (.state, .state): break
    case (.verify, .verified(let report)): try checkVerify(report)
    case (.live(let live), .live(let run)): try checkLive(run, of: live)
    case (.source(_, let steps, _), .source(let source)): try checkSource(source, of: steps)
    case (.check, .checked), (.actions, .actions): break
    default: throw violation("answer", "“\(answer.word)”", "which answers another request")
    }
  }

  private func checkLoad(_ report: LoadReport) throws(ProtocolViolation) {
    try within("steps", report.steps, facts.count.map { $0...$0 } ?? 0...last)
    try within("unchecked", report.unchecked, 0...report.steps)
    try within("upgraded", report.upgraded, 0...ValueFields.largest)
    for finding in report.findings { try within("findings.step", finding.step, first...last) }
  }

  private func checkBranch(_ report: BranchReport, of run: RunRequest) throws(ProtocolViolation) {
    if let told {
      guard report.lastStep == told else {
        throw violation(
          "report.lastStep", "\(report.lastStep)", "but the last step sent was \(told)")
      }
    } else if let from = run.firstTold(first) {
      try within("report.lastStep", report.lastStep, first...max(first, from - 1))
    } else {
      try within("report.lastStep", report.lastStep, first...last)
    }
    for pending in report.pending {
      try within("report.pending.effect", pending.effect.number, 0...ValueFields.largest)
      try within("report.pending.origin.from", pending.origin.step, 0...report.lastStep)
      for recorded in pending.recorded {
        try within("report.pending.recorded.step", recorded.step, first...last)
      }
    }
    let parent = facts.parentSteps ?? first...last
    for step in report.leftOut {
      try within("report.leftOut.step", step.recordedStep, parent)
    }
    if let rejoining = report.rejoining {
      try within("report.rejoining.step", rejoining.step, report.lastStep...report.lastStep)
      try within("report.rejoining.parentStep", rejoining.parentStep, parent)
    }
    if let ending = report.ending { try within("report.endingStep", ending.step, first...last) }
  }

  private func checkVerify(_ report: VerifyReport) throws(ProtocolViolation) {
    let most = facts.steps.map { $0.count - 1 + HostLimits.ownSteps } ?? ValueFields.largest
    try within("report.steps", report.steps, 0...most)
    let told = [
      ("divergences.step", report.divergences.map(\.step)),
      ("undecodable.step", report.undecodable.map(\.step)),
      ("unchecked.from", report.unchecked.map(\.steps.lowerBound)),
      ("unchecked.to", report.unchecked.map(\.steps.upperBound)),
      ("unfinished.step", report.unfinished.map { [$0.step] } ?? []),
    ]
    for (field, steps) in told {
      for step in steps { try within("report.\(field)", step, first...last) }
    }
  }

  private func checkLive(_ run: LiveRun, of live: LiveRequest) throws(ProtocolViolation) {
    try within("run.effect", run.effect.number, live.effect.number...live.effect.number)
    if let question = live.question {
      try within("run.emissions.count", run.emissions.count, 0...0)
      let count = run.end == .finished ? 1 : 0
      try within("run.reads.count", run.reads.count, count...count)
      for read in run.reads where Question(read) != question {
        throw violation("run.reads", Question(read).text, "and \(question.text) was asked")
      }
    }
    let most = max(0, live.limits.emissions)
    try within("run.emissions.count", run.emissions.count, 0...most)
    var (delay, reads) = (Duration.zero, 0)
    for emission in run.emissions {
      guard emission.delay >= delay else {
        throw violation(
          "run.emissions.delay", "\(emission.delay.decimalSeconds)",
          "but answers come in the order of their times")
      }
      try within("run.emissions.readCount", emission.readCount, reads...max(reads, run.reads.count))
      (delay, reads) = (emission.delay, emission.readCount)
    }
    guard run.duration >= .zero else {
      throw violation("run.duration", "\(run.duration.decimalSeconds)", "and time goes forward")
    }
  }

  private func checkSource(
    _ source: StepSource, of steps: ClosedRange<Int>
  ) throws(ProtocolViolation) {
    var next = steps.lowerBound
    for step in source.steps {
      try within("steps.step", step.number, next...next)
      next += 1
    }
    try within("steps.count", source.steps.count, 0...steps.count)
  }

  // MARK: Words

  private func within(
    _ field: String, _ number: Int, _ range: ClosedRange<Int>
  ) throws(ProtocolViolation) {
    guard !range.contains(number) else { return }
    let wanted =
      range.count == 1
      ? "and only \(range.lowerBound) is possible"
      : range.upperBound == ValueFields.largest
        ? "and it counts from \(range.lowerBound)"
        : "and it lies between \(range.lowerBound) and \(range.upperBound)"
    throw violation(field, "\(number)", wanted)
  }

  private func violation(_ field: String, _ value: String?, _ problem: String) -> ProtocolViolation
  {
    ProtocolViolation(ask.word, field, value, problem)
  }
}

extension RunRequest {
  func firstTold(_ first: Int) -> Int? {
    from.map { max($0, (branch.branches.last?.script.leavesAt ?? first) + 1) }
  }
}
