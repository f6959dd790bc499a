import Recorder
import SessionWords
import StoreCore
import ValueTree

extension Rerun {
  mutating func reduce(_ planned: Planned) throws {
    let slot = try planned.source.map { try replayCursor.slot($0) }
    let recorded = setup.readsTape ? slot?.step.reads ?? [] : []
    log.close()
    if step + 1 == endsAt { throw try end(at: planned) }
    log.stepBegins(step + 1)
    // A copy makes the reducer copy what it changes, so there is none unless it is needed.
    var input = planned.input
    input.reads = recorded
    input.runsTwice = runsTwice(slot)
    input.isInterrupted = slot?.step.isNotRun == true
    input.keepsEffects = witness != nil
    var twin = input.runsTwice ? (machine, surroundings) : nil
    let isSameBefore = try isStateBeforeEqual(to: planned.source, slot)
    var conditions = conditions(from: planned.source, isEdited: planned.isEdited)
    input.time = conditions.seconds
    if !isSameBefore { conditions.ids.doubt() }
    let isTimely = turn.isTimely || mode.believesSource
    if !isTimely {
      conditions.time = clock ?? .zero
      conditions.recordedTime = slot?.step.time
    }
    recordInput(planned, recorded)
    let isWitnessed = try isWitnessed(planned)
    if machine.lookahead > 0 { lookAhead(from: planned.source) }
    let hasUnseen = watchUnseen()
    prepareForeign()
    let isSame = isSameBefore && isTimely
    let (reads, outcome) =
      try isSame && adoptState(planned, slot)
      ? (ComparedReads(), StepOutcome())
      : surroundings.run(&machine, input, recorded, in: conditions)
    let error = try outcome.fault.flatMap { try self.error(of: $0, planned, slot?.step) }
    if error == Step.interrupted, let source = planned.source {
      observer.findings?.passed(source...source, because: UncheckedSteps.interrupted)
    }
    if setup.isRemote, error == nil, let step = slot?.step, let recorded = step.error,
      !step.isNotRun
    {
      observer.findings?.endsNoMore(in: recorded, at: step)
    }
    var after: Value?
    if observer.isTold { after = try machine.state(observer.encoder) }
    if let after, error == nil {
      try compareWithSecondRun(of: &twin, planned, recorded, after: after)
    }
    log.recordLive(reads.live, at: step)
    if !replayCursor.script.moved.isEmpty { markDisplaced(of: planned) }
    if replayCursor.source.isRedacted { doubtRedacted(planned, slot?.step, reads) }
    if let words = outcome.doubt {
      classifier.assume(Assumption(.substituted, .action, from: step, words))
    }
    hear(reads, of: planned, isSameBefore: isSameBefore)
    if let slot { observer.findings?.compare(reads, at: slot.step) }

    var remarks = planned.remarks
    for read in reads.unused where planned.source != nil {
      remarks.append("the recorded “\(read.key)” was not read")
    }
    let isEdited = planned.isEdited || reads.isEdited
    if let place = outcome.changedPlace { remarks.append(remark(onChangeAt: place)) }
    var told = Step(
      number: step, label: "", action: .null, cause: planned.cause, reads: reads.used)
    told.error = error
    begin(told, from: planned.source, action: isEdited ? .edited : .recorded, remarks: remarks)
    log.open?.asked = planned.asked
    let isTrusted =
      !planned.isEdited && planned.source != nil && isSameBefore && reads.isAsRecorded && isTimely
    cancelForeign(isTrusted: isTrusted)
    var unseen: [EffectID] = []
    if isTrusted {
      if hasUnseen { machine.endWatchingIDs() }
      classifier.markAsRecorded(planned.source)
    } else {
      if hasUnseen { unseen = cancelUnseenNamed() }
      if machine.hasOpenWindows { matcher.changed.insert(step) }
      classifier.unseenCancellations(matcher, after: step)
    }
    let sameEffects = try applyChanges(
      matching: slot?.begun ?? [], isTrusted: isTrusted, isInTime: isTimely, source: slot?.step,
      cancelled: unseen)
    try report(planned, after: after, sameEffects: sameEffects)
    if isWitnessed, isTrusted, reads.live.isEmpty { try recordRuns(planned) }
  }

  /// The last step's action is known, its result is not.
  private mutating func end(at planned: Planned) throws -> BranchReport.Ending {
    var last = Step(
      number: step + 1, time: clock, label: planned.action.label,
      action: try planned.value ?? planned.action.value(), cause: planned.cause,
      damage: "the reducer ended its process in it")
    last.isUnfinished = true
    log.begin(
      BranchStep(
        step: last, descendsFrom: planned.source,
        standing: classifier.standing(action: planned.isEdited ? .edited : .recorded), remarks: []))
    return BranchReport.Ending(step + 1, .crashed, "")
  }

  mutating func hear(_ reads: ComparedReads, of planned: Planned, isSameBefore: Bool) {
    classifier.hear(reads, at: step, isSameBefore: isSameBefore && !planned.isEdited)
    guard !isOnTheWay, let source = planned.source else { return }
    let raised = replayCursor.source.assumptions(raisedAt: source)
    guard !raised.isEmpty else { return }
    classifier.inherit(
      raised, at: step, reads, replayCursor.script.reads[source] ?? [], isEdited: planned.isEdited)
  }

  /// `recordings/redacted`: what a reducer makes of a redacted value is a guess.
  private mutating func doubtRedacted(_ planned: Planned, _ recorded: Step?, _ reads: ComparedReads)
  {
    var found: [(Assumption.Subject, what: String)] = []
    if !planned.isEdited, let action = recorded?.action, Redaction.place(in: action) != nil {
      found.append((.action, "the action"))
    }
    var counts: [String: Int] = [:]
    for read in reads.used {
      let index = counts[read.key, default: 0]
      counts[read.key] = index + 1
      guard Redaction.place(in: read.outcome.content) != nil else { continue }
      found.append((.read(key: read.key, index: index), "what “\(read.key)” gave"))
    }
    for (subject, what) in found {
      let words = "\(what) is redacted: the reducer gets another value than it had"
      classifier.assume(Assumption(.substituted, subject, from: step, words))
    }
    observer.findings?.redactedInput = (found.first?.what, observer.tracker?.branch)
  }

  private mutating func markDisplaced(of planned: Planned) {
    var sender: Int?
    if case .output(let step) = planned.cause { sender = step }
    let isMoved = planned.source.map(replayCursor.script.moved.contains) ?? false
    matcher.markDisplaced(of: step, sentBy: sender, isMoved: isMoved)
  }

  /// The same with or without reports. Without, only steps matter that start or cancel an effect or
  /// read something whose question is not recorded.
  private mutating func isStateBeforeEqual(
    to source: Int?, _ slot: SourceSlot?
  ) throws -> Bool {
    guard let source, !setup.hidesState || mode != .fork else { return false }
    if !observer.isTold {
      if isOnTheWay { return true }
      guard let slot, !slot.begun.isEmpty || slot.step.reads.contains(where: \.isUnclear) else {
        return false
      }
    }
    return try isRecording(before: source)
  }

  func conditions(from source: Int?, isEdited: Bool = false) -> ReadConditions {
    let edits = replayCursor.script.reads
    return ReadConditions(
      edits: edits.isEmpty ? [] : source.flatMap { edits[$0] } ?? [],
      ids: surroundings.hasStackIDs || source == nil ? .apart : isEdited ? .doubtful : .certain,
      seconds: replayCursor.startDate + (clock ?? .zero).inSeconds)
  }

  private mutating func report(
    _ planned: Planned, after: Value?, sameEffects: Bool
  ) throws {
    guard let after, let before = observer.tracker?.branch else { return }
    var label: String?
    let change = Patch(from: before, to: after).value
    observer.tracker?.advance(to: after)
    let value = try planned.value ?? planned.action.value()
    if let source = planned.source {
      let step = try replayCursor.step(source)
      let isEqual = try observer.tracker?.isEqual(
        toStateAfter: source, of: &replayCursor.cursor, change: change)
      if isEqual == false { try differs(step) }
      // Where the reducer throws as recorded, that was compared.
      if isEqual == nil, log.open?.step.error == nil { observer.findings?.uncompared += 1 }
      let outcome = Classifier.outcome(
        isStateEqual: isEqual, areEffectsEqual: sameEffects,
        isActionEqual: planned.isEdited || value.isExactlyEqual(to: step.action))
      log.open?.standing.outcome = outcome
      let isAsRecorded = try outcome == .different && isAsRecorded(source, value, after)
      log.open?.isAsRecorded = isAsRecorded
      // An edited action may lead to the recorded state by another name.
      let isSame = outcome == .equal && !planned.isEdited
      if isSame || setup.isRemote && value.isExactlyEqual(to: step.action) {
        label = step.label
      }
    }
    log.open?.step.action = value
    log.open?.step.label = label ?? planned.action.label
    if log.deliver != nil {
      let isFirst = step == replayCursor.script.leavesAt + 1
      let told = isFirst ? patch(from: before, to: after) : change
      log.open?.patch = told
    }
  }
}

extension Rerun {
  /// Whether a step that differs from the branch's parent, itself a branch, is the recording's again.
  private func isAsRecorded(_ source: Int, _ action: Value, _ after: Value) throws -> Bool {
    guard replayCursor.source is BranchSource,
      let (recording, number) = replayCursor.source.recorded(source),
      let state = try recording.state(after: number),
      observer.tracker?.areSame(state, after) == true,
      try recording.step(number).action.isExactlyEqual(to: action)
    else { return false }
    let recorded = try recording.effectEvents(in: number...number).prefix { !$0.isEnd }
    let own = (log.open?.effects ?? []).compactMap { EffectActivity($0, behindEnd: false) }
    return recorded.compactMap { EffectActivity($0, behindEnd: false) }.isSame(as: own)
  }
}

extension Duration {
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}

extension Rerun {
  /// Reduces the reducers' own values, never recorded ones.
  mutating func runOutputs(expected: [Int], behind ended: EffectMatcher.Entry? = nil) throws {
    if !mode.leavesOut { return try verifyOutputs(expected) }
    var expected = expected
    // An action sent by a sent action is in the first sender's turn.
    let first = step
    var counts: [Int: Int] = [:]
    while let output = machine.removeSent(at: 0) {
      let sender = output.sender
      let number = counts[sender, default: 0]
      counts[sender] = number + 1
      let release: OutputPlace.Release =
        if sender > first { .none } else if let ended {
          .end(of: ended.origin.step, ordinal: ended.origin.ordinal)
        } else { sender < first ? .step(first) : .none }
      let place = OutputPlace(sender: sender, release: release, number: number)
      let sent = HeldOutput(output: output, place: place)
      if let fate = fate(of: sent) {
        try apply(fate, sent, &expected)
      } else {
        try run(sent, try matchOutput(output.action, of: sender, &expected))
      }
    }
    for step in expected where !replayCursor.script.moved.contains(step) {
      try omit(try replayCursor.step(step), .notSent)
    }
    classifier.endTurn(before: step + 1)
  }

  private func fate(of sent: HeldOutput) -> OutputEdit? {
    guard let sender = replayCursor.descents[sent.sender] else { return nil }
    var place = sent.place
    place.sender = sender
    switch place.release {
    case .none: break
    case .end(let step, let ordinal):
      guard let source = replayCursor.descents[step] else { return nil }
      place.release = .end(of: source, ordinal: ordinal)
    case .step(let step):
      guard let source = replayCursor.descents[step] else { return nil }
      place.release = .step(source)
    }
    guard let fate = replayCursor.source.fate(ofOutput: place),
      fate.label == sent.output.action.label
    else { return nil }
    return fate
  }

  private mutating func apply(
    _ fate: OutputEdit, _ sent: HeldOutput, _ expected: inout [Int]
  ) throws {
    recordFate(sent, step: nil)
    guard let step = fate.step else { return }
    var sent = sent
    sent.label = fate.label
    sent.output.action = try setup.decode(
      try replayCursor.step(step).action, at: self.step + 1)
    if let index = expected.firstIndex(of: step) {
      expected.remove(at: index)
      try run(sent, step)
    } else if fate.isMoved {
      held[step] = sent
    } else {
      replayCursor.claimed.insert(step)
      try run(sent, step)
    }
  }

  mutating func recordFate(
    _ sent: HeldOutput, step: Int?, isMoved: Bool = false
  ) {
    let label = sent.label ?? sent.output.action.label
    log.fates[sent.place] = OutputEdit(sent.place, label: label, step: step, isMoved: isMoved)
  }

  private mutating func run(_ sent: HeldOutput, _ match: Int?) throws {
    var planned = Planned(sent, source: match)
    if let match {
      let slot = try replayCursor.slot(match)
      if replayCursor.script.moved.contains(match) {
        recordFate(sent, step: nil)
        held[match] = sent
        return
      }
      if replayCursor.script.skipped.contains(match) {
        recordFate(sent, step: nil)
        return try omit(slot.step, .skipped)
      }
      if replayCursor.isPassedOver(slot.step) {
        return try passOver(slot, cause: planned.cause)
      }
      if turn.isTimely { clock = latest(clock, slot.step.time) }
      if let replacement = replayCursor.script.replaced[match] {
        planned.action = try setup.decode(replacement, at: step + 1)
        planned.isEdited = true
      }
    }
    if planned.isEdited || sent.label != nil { recordFate(sent, step: step + 1) }
    try reduce(planned)
  }

  /// Takes the output's source step out of `expected`: the next of the same sender with the same
  /// action, else with the same label.
  private mutating func matchOutput(
    _ action: any MachineAction, of sender: Int, _ expected: inout [Int]
  ) throws -> Int? {
    guard !expected.isEmpty, let source = replayCursor.descents[sender] else { return nil }
    var candidates: [(index: Int, step: Step)] = []
    for (index, number) in expected.enumerated() {
      let step = try replayCursor.step(number)
      if step.cause == .output(of: source) { candidates.append((index, step)) }
    }
    guard let first = candidates.first else { return nil }
    let label = action.label
    var match = first.step.label == label && candidates.count == 1 ? first : nil
    if match == nil, let value = try? action.value() {
      match = candidates.first { $0.step.action.isExactlyEqual(to: value) }
    }
    match = match ?? candidates.first { $0.step.label == label }
    guard let match else { return nil }
    return expected.remove(at: match.index)
  }
}

extension Rerun.Planned {
  init(_ sent: HeldOutput, source: Int?) {
    self.init(
      action: sent.output.action, cause: .output(of: sent.sender), root: sent.output.root,
      source: source)
  }
}

struct HeldOutput {
  var output: SentAction
  var place: OutputPlace
  var label: String?
  var sender: Int { place.sender }
}

extension Rerun {
  mutating func replayMoved(_ number: Int) throws {
    let slot = try replayCursor.slot(number)
    guard slot.isOutput else { return try replay(slot) }
    let expected = try replayCursor.outputs(ofMoved: number)
    if replayCursor.script.skipped.contains(number) { return try omit(slot.step, .skipped) }
    let held = held.removeValue(forKey: number)
    if replayCursor.isPassedOver(slot.step) {
      let cause = held.map { Cause.output(of: $0.sender) } ?? .user
      return try passOver(slot, cause: cause, expected: expected)
    }
    try runTurn(try planMoved(slot.step, held), expected: expected)
  }

  /// A moved step, too, is the branch reducer's own action. If the reducer has not sent it, only
  /// the recorded one exists.
  private mutating func planMoved(
    _ step: Step, _ held: HeldOutput?
  ) throws -> Planned {
    let replacement = replayCursor.script.replaced[step.number]
    var planned: Planned
    if let held {
      recordFate(held, step: self.step + 1, isMoved: true)
      planned = Planned(held, source: step.number)
    } else {
      planned = Planned(
        action: try setup.decode(replacement ?? step.action, at: self.step + 1),
        source: step.number)
      if replacement == nil { classifier.assume(.notSent(at: self.step + 1)) }
    }
    if let replacement {
      planned.action = try setup.decode(replacement, at: self.step + 1)
      planned.isEdited = true
    }
    return planned
  }
}
