import Recorder
import SessionWords
import StoreCore
import ValueTree

extension SessionReplay {
  /// Runs the recording again and compares everything (`runs/verified` and
  /// `runs/nondeterministic`).
  package func verify(
    _ options: VerifyOptions = VerifyOptions(), control: RunControl = RunControl()
  ) throws -> VerifyReport {
    try anew { try verifyOnce(options, control) }
  }

  private func verifyOnce(
    _ options: VerifyOptions, _ control: RunControl
  ) throws -> VerifyReport {
    let last = min(options.until ?? .max, main.steps.upperBound)
    var rerun = try beginning(of: main, from: options.after)
    var findings = VerificationFindings(options)
    if main.isRedacted { findings.redactedInput = (nil, nil) }
    if rerun.machine.holdsReferences { findings.checksDeterminism = false }
    rerun.observer.findings = findings
    rerun.replayCursor.cursor.shared = ReadBlocks()
    try rerun.track(isRecording: true)
    compareFirstState(&rerun)
    let first = options.after == nil ? main.steps.lowerBound : rerun.replayCursor.position
    if rerun.replayCursor.position > first {
      rerun.observer.findings?.passed(
        first + 1...rerun.replayCursor.position,
        because: main.loss(ofStateAfter: first) ?? "the state after step \(first) cannot be used")
    }
    // A re-run of this step may never return.
    let unfinished = try firstUnfinished()
    if let unfinished { rerun.replayCursor.lastPosition = unfinished - 1 }
    let report = try finish(&rerun, until: options.until, control)
    findings = rerun.observer.findings ?? findings
    var divergences = findings.divergences
    var isCut = false
    let isLost = findings.passed.contains { $0.steps.upperBound > rerun.replayCursor.position }
    if let end = report.ending, end.outcome != .undecodable || !isLost {
      isCut = end.outcome != .undecodable
      let words =
        isCut
        ? end.reason
        : "it does not decode, and there is no recorded state to go on from: \(end.reason)"
      divergences.append(
        Divergence(
          step: end.step, label: (try? main.step(end.step).label) ?? "?",
          kind: !isCut ? .missingStep : end.outcome == .crashed ? .crash : .hang, hint: words))
    }
    // An extra action is found only at its turn's end.
    divergences = divergences.enumerated()
      .sorted { ($0.element.step, $0.offset) < ($1.element.step, $1.offset) }.map(\.element)
    let passedOver = findings.passed.filter { $0.steps.upperBound <= rerun.replayCursor.position }
    var verified = VerifyReport(
      steps: passedOver.reduce(rerun.replayCursor.position - first) { $0 - $1.steps.count },
      divergences: divergences, undecodable: findings.undecodable,
      // The keys of reads without an owner (`answers/unowned-read`).
      unattributedReads: try main.keysOfUnownedReads().sorted(),
      isPartial: isCut
        || !isLost && rerun.replayCursor.position < min(last, rerun.replayCursor.lastPosition))
    verified.unchecked = findings.passed
    verified.uncompared = findings.uncompared
    verified.remarks =
      setup.differences(
        fromTape: main.tape, registered: registeredTape, asked: findings.asked)
      + rerun.log.liveRemarks
    if let unfinished, options.until == nil, !verified.isPartial, !isLost {
      verified.unfinished = UnfinishedStep(
        step: unfinished, label: try main.step(unfinished).label)
    }
    return verified
  }

  /// The step in whose reducer the app stopped; several if threads sent at once.
  private func firstUnfinished() throws -> Int? {
    var first: Int?
    for number in main.steps.reversed() {
      guard try main.step(number).isUnfinished else { break }
      first = number
    }
    return first
  }

  private func compareFirstState(_ rerun: inout Rerun) {
    let first = rerun.replayCursor.position
    guard let tracker = rerun.observer.tracker, let recorded = try? main.state(after: first),
      !tracker.areSame(tracker.branch, recorded)
    else { return }
    let step = (try? main.step(first)) ?? Step.first(first)
    rerun.observer.findings?.differentState(at: step, recorded: recorded, rerun: tracker.branch)
  }
}

struct ReducedInput {
  var planned: Rerun.Planned
  var reads: [Read]
  var before: Value
}

extension Rerun {
  mutating func recordInput(_ planned: Planned, _ reads: [Read]) {
    guard mode == .verification, let source = planned.source, let before = observer.tracker?.branch
    else { return }
    observer.inputs[source] = ReducedInput(planned: planned, reads: reads, before: before)
  }

  /// Compares directly sent actions with recorded ones. Each recorded step is reduced as recorded
  /// and in its place, so no finding follows from another.
  mutating func verifyOutputs(_ expected: [Int]) throws {
    defer {
      observer.inputs.removeAll(keepingCapacity: true)
      classifier.endTurn(before: step + 1)
    }
    var reordered: Set<Int> = []
    for (place, number) in expected.enumerated() {
      let slot = try replayCursor.slot(number)
      let rest = try expected[(place + 1)...].map { try replayCursor.step($0) }
        .filter { $0.cause == slot.step.cause }.map(\.action)
      let sent = try removeSent(for: slot.step, rest, &reordered)
      if replayCursor.isPassedOver(slot.step) {
        try passOver(slot, cause: slot.step.cause)
        continue
      }
      var planned: Planned
      switch plan(slot.step) {
      case .success(let recorded): planned = recorded
      case .failure(.actionDoesNotDecode(_, let reason)):
        try adopt(slot, because: reason, expected: [])
        continue
      case .failure(let error): throw error
      }
      if let sent { planned.root = sent.root }
      try reduce(planned)
    }
    while let output = machine.removeSent(at: 0) {
      let step = try replayCursor.step(
        replayCursor.descents[output.sender] ?? replayCursor.position + 1)
      if try replayCursor.isBeforeGap() { continue }
      if try isExplainedByOrder(step) { continue }
      let label = output.action.label
      if replayCursor.source.edits(ofSender: step.number).contains(where: {
        ($0.step == nil || $0.isMoved) && $0.label == label
      }) {
        continue
      }
      observer.findings?.extraStep(
        label, sentBy: step.number, action: try output.action.value())
    }
  }

  /// The waiting action that is this step; nil if it was not sent. `rest` are the later recorded
  /// ones of the same sender.
  private mutating func removeSent(
    for step: Step, _ rest: [Value], _ reordered: inout Set<Int>
  ) throws -> SentAction? {
    guard case .output(let source) = step.cause else { return nil }
    let sent = machine.sent
    let waiting = sent.indices.filter { replayCursor.descents[sent[$0].sender] == source }
    if let edit = replayCursor.source.edits(ofSender: source).first(where: {
      $0.step == step.number
    }) {
      // The user of a branch put this step in the place of what the reducer sends.
      return waiting.first { sent[$0].action.label == edit.label }
        .flatMap { machine.removeSent(at: $0) }
    }
    guard let head = waiting.first else {
      try notSent(step, by: source)
      return nil
    }
    let first = try sent[head].action.value()
    if first.isExactlyEqual(to: step.action) {
      return machine.removeSent(at: head)
    }
    let comesLater = rest.contains { $0.isExactlyEqual(to: first) }
    if let exact = try waiting.dropFirst().first(where: {
      try sent[$0].action.value().isExactlyEqual(to: step.action)
    }) {
      if comesLater, reordered.insert(source).inserted {
        try differentOutput(step, first, by: source, "sends its actions in another order")
      }
      return machine.removeSent(at: exact)
    }
    let isMissing = waiting.count <= rest.count
    if isMissing, comesLater || sent[head].action.label != step.label {
      try notSent(step, by: source)
      return nil
    }
    try differentOutput(step, first, by: source, "sends another action")
    return machine.removeSent(at: head)
  }

  private mutating func notSent(_ step: Step, by sender: Int) throws {
    if try !isExplainedByOrder(try replayCursor.step(sender)) {
      observer.findings?.missingStep(step, .notSent)
    }
  }

  private mutating func differentOutput(
    _ step: Step, _ rerun: Value, by sender: Int, _ words: String
  ) throws {
    if try isExplainedByOrder(try replayCursor.step(sender)) { return }
    observer.findings?.differentOutput(
      step, rerun: rerun, hint: "the reducer of step \(sender) \(words)")
  }

  mutating func differs(
    _ step: Step, recorded: [EffectEvent], _ expected: [EffectActivity], rerun: [EffectActivity],
    _ cancelled: [EffectMatcher.Entry]
  ) throws {
    guard mode == .verification else { return }
    if try !isExplainedByOrder(step) {
      observer.findings?.differentEffects(at: step, recorded: expected, rerun: rerun)
    }
    let ended = Set(recorded.filter { $0.kind == .cancelled }.map(\.effect))
    for var entry in cancelled where entry.matched.map({ !ended.contains($0) }) ?? false {
      entry.machine = nil
      matcher.add(entry)
    }
    for event in recorded where !event.isFromOutside {
      let entry = matcher.entry(matching: event.effect)
      if event.origin != nil {
        if entry == nil { adopt(event) }
      } else if event.kind == .cancelled, let entry {
        matcher.end(entry.number, .cancelled)
      }
    }
  }

  /// `runs/nondeterministic`: reduces the same input again, which must give the same result. A
  /// third run finds differences that chance hides in both.
  mutating func compareWithSecondRun(
    of twin: inout (any Machine, ReducerSurroundings)?, _ planned: Planned,
    _ recorded: [Read], after: Value
  ) throws {
    // No other reference is left, so the reducer changes the state in place.
    guard var (second, place) = twin.take(), let source = planned.source else { return }
    let step = try replayCursor.step(source)
    var again = planned.input
    again.isSecondRun = true
    _ = try place.run(
      &second, again, recorded, in: conditions(from: source, isEdited: planned.isEdited))
    let result = try second.state(observer.encoder)
    if !result.isExactlyEqual(to: after) {
      observer.findings?.nondeterministic(
        step, first: after, second: result, hint: VerificationFindings.outsideTape)
      return
    }
    if machine.outputCount > 0 || machine.hasChanges || second.outputCount > 0 || second.hasChanges
    {
      var first = machine
      let one = try whatFollows(&first)
      let other = try whatFollows(&second)
      guard one.isExactlyEqual(to: other) else {
        observer.findings?.nondeterministic(
          step, first: one, second: other, hint: VerificationFindings.outsideTape)
        return
      }
    }
    if !setup.isRemote, observer.findings?.isProbed(source) == true,
      let runs = observer.findings?.probes(of: step)
    {
      _ = try isExplainedByOrder(step, runs: runs)
    }
  }

  private func whatFollows(_ machine: inout any Machine) throws -> Value {
    var sent: [Value] = []
    while let output = machine.removeSent(at: 0) {
      sent.append(try output.action.value())
    }
    let effects = machine.takeEffects().map { change -> Value in
      switch change {
      case .started((let effect, _)):
        .string(EffectActivity(starting: EffectOrigin(effect)).text)
      case .cancelled(let effect): .string(EffectActivity.cancels(EffectID(effect.number)).text)
      }
    }
    return ["sends": .array(ValueArray(sent)), "effects": .array(ValueArray(effects))]
  }
}

/// Each hash table has its own order, because its address is the seed.
extension Rerun {
  /// Whether the step gives another result on the same state, or on a rebuilt one.
  mutating func isExplainedByOrder(_ step: Step, runs: Int = 8) throws -> Bool {
    guard let findings = observer.findings, findings.checksDeterminism, setup.decodesStates,
      !setup.isRemote
    else {
      return false
    }
    if findings.isNondeterministic(step.number) { return true }
    guard let input = observer.inputs[step.number] else { return false }
    var found = runs > 5 ? try differentRuns(input, 2, onOneState: true) : nil
    var hint = VerificationFindings.outsideTape
    if found == nil {
      found = try differentRuns(input, runs)
      hint = VerificationFindings.hashOrder
    }
    guard let (one, other) = found else { return false }
    observer.findings?.nondeterministic(step, first: one, second: other, hint: hint)
    return true
  }

  private func differentRuns(
    _ input: ReducedInput, _ runs: Int, onOneState isOne: Bool = false
  ) throws -> (Value, Value)? {
    var first: Value?
    var kept: [(any Machine, [[UInt8]])] = []
    defer { withExtendedLifetime(kept) {} }
    for run in 0..<runs {
      let known = isOne ? kept.last?.0 : nil
      guard var probe = known ?? (try? setup.machine(with: input.before, after: step)) else {
        return nil
      }
      // Keeps memory allocated, so that the next tables get other addresses.
      let held = runs > 2 ? (1...64).map { [UInt8](repeating: UInt8(run), count: $0 * 32) } : []
      kept.append((probe, held))
      let planned = input.planned
      var place = surroundings
      _ = try place.run(
        &probe, planned.input, input.reads,
        in: conditions(from: planned.source, isEdited: planned.isEdited))
      let result: Value = [
        "state": try probe.state(nil), "follows": try whatFollows(&probe),
      ]
      if let first, !first.isExactlyEqual(to: result) {
        return first["state"] == result["state"]
          ? (first["follows"] ?? .null, result["follows"] ?? .null)
          : (first["state"] ?? .null, result["state"] ?? .null)
      }
      first = result
    }
    return nil
  }
}

extension VerificationFindings {
  /// Whether a step runs more than once even if it is as recorded. The cost grows with the state:
  /// always if it is small or not recorded, now and then if it is large.
  mutating func runsTwice(_ slot: SourceSlot?, _ before: Value?) -> Bool {
    guard checksDeterminism, let slot, let before else { return false }
    let step = slot.step.number
    if step.isMultiple(of: 1_024) || probeDistance == nil {
      probeDistance = 1 + max(0, before.memoryCost - 1_024) / 64
    }
    return !slot.tellsState || isProbed(step)
  }

  func isProbed(_ step: Int) -> Bool { step.isMultiple(of: probeDistance ?? 1) }

  /// The number of runs. Three elements of a `Set` keep their order by chance in one of six runs.
  /// So the check is closer at the first action of each label, then at the second, the fourth, the
  /// eighth …
  mutating func probes(of step: Step) -> Int {
    guard probeDistance == 1 else { return 2 }
    let count = labels[step.label, default: 0] + 1
    labels[step.label] = count
    return count & (count - 1) == 0 ? 5 : 2
  }
}
