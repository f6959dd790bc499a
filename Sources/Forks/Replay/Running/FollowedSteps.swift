import SessionWords
import StoreCore
import ValueTree

extension Rerun {
  /// Handles the source's next step, and everything before the one after it; handles plain actions
  /// up to `last` together.
  mutating func replayNext(upTo last: Int? = nil) throws {
    if try replayPlain(upTo: last ?? replayCursor.position + 1) { return }
    let number = replayCursor.position + 1
    let slot = try replayCursor.slot(number)
    try advanceClock(to: slot.step.time, for: rival(slot.step))
    if !replayCursor.script.moved.contains(number) {
      if !slot.isOutput { try replay(slot) } else if held[number] != nil { try replayMoved(number) }
    }
    if let landed = landed.take() {
      replayCursor.position = landed
      return try finish(try replayCursor.slot(landed))
    }
    replayCursor.position = number
    try finish(slot)
  }

  /// If a source starts in the middle, takes its first step's effects from the recording, because
  /// its reducer does not run.
  mutating func begin() throws {
    let slot = try replayCursor.slot(replayCursor.position)
    clock = slot.step.time
    if clock == nil, replayCursor.position == 0, replayCursor.steps.upperBound > 0,
      try replayCursor.step(1).time != nil
    {
      clock = .zero
    }
    replayCursor.track([], until: clock)
    for event in slot.begun { adopt(event) }
    try finish(slot)
  }

  /// Handles the events after a step of the source: ends of effects, then edits.
  private mutating func finish(_ slot: SourceSlot) throws {
    if !classifier.isAsRecorded(slot.step.number) {
      classifier.unseenCancellations(matcher, after: step)
    }
    try doubtSharedReaders(at: slot.step.number)
    try markUncancelled(slot.begun)
    replayCursor.track(slot.begun, until: slot.step.time)
    inheritOpenEffects(after: slot.step.number)
    let turns = slot.turnsOfEnds
    var lost = replayCursor.source.lostStops(after: slot.step.number)[...]
    for (index, ends) in turns.enumerated() {
      while let stop = lost.first, let time = ends[0].event.time, stop.time < time {
        try apply(lost.removeFirst())
      }
      // Effects that the previous end started may send before this end's results.
      if index > 0 { inheritOpenEffects(after: slot.step.number) }
      let areStartedHere = ends.allSatisfy {
        matcher.entry(matching: $0.event.effect).map { $0.machine != nil } ?? true
      }
      let isLast = index == turns.count - 1
      try apply(
        ends, expected: isLast ? replayCursor.outputs(afterEndsOf: slot.step.number) : [],
        at: slot.step
      )
      for end in ends {
        if mode.hasClock, areStartedHere { try markUncancelled(end.begun) }
        replayCursor.track([end.event] + end.begun, until: end.event.time)
      }
    }
    for stop in lost { try apply(stop) }
    inheritOpenEffects(after: slot.step.number)
    try applyEdits(after: slot.step.number)
  }

  private mutating func inheritOpenEffects(after source: Int) {
    guard !isOnTheWay else { return }
    classifier.inheritOpen(
      replayCursor.source.assumptions(raisedAt: source), before: step + 1, matcher,
      replayCursor.script)
  }

  mutating func applyEdits(after number: Int) throws {
    if number == replayCursor.script.leavesAt {
      log.close()
      if step < number { countOn(from: number) }
    }
    for edit in replayCursor.script.comes(after: number) {
      // The user acts after everything that the source has at this place and time, and after what
      // effects on the tape do at once.
      if let time = latest(clock, replayCursor.clock) { try advanceClock(to: time) }
      try apply(edit)
      try doubtSharedReaders(at: number)
    }
  }

  mutating func replay(_ slot: SourceSlot) throws {
    let step = slot.step
    let expected = try replayCursor.outputs(after: step.number)
    if replayCursor.script.skipped.contains(step.number) {
      if replayCursor.claimed.contains(step.number) { return }
      return try omit(step, .skipped, with: expected)
    }
    if let part = step.set, replayCursor.script.replaced[step.number] == nil {
      return try set(part, from: slot)
    }
    if try comesByTape(step, expected) { return }
    if let reason = matcher.absence(of: step.cause) {
      if mode.leavesOut { return try omit(step, reason, with: expected) }
      observer.findings?.missingStep(step, reason)
    }
    if replayCursor.isPassedOver(step) {
      return try passOver(slot, cause: causeInBranch(of: step), expected: expected)
    }
    if let damage = step.damage, !step.isUnfinished,
      replayCursor.script.replaced[step.number] == nil
    {
      return try adopt(slot, because: damage, expected: expected)
    }
    switch plan(step) {
    case .success(let planned):
      if replayCursor.script.replaced[step.number] == nil, expected.isEmpty {
        plain.keep(planned.action, of: slot)
      }
      if case .effect(let number) = planned.cause, let entry = matcher.entry(number) {
        classifier.emission(of: entry, at: self.step + 1)
        matcher.update(number) { $0.hasSpoken = true }
      }
      try runTurn(planned, expected: expected)
    case .failure(.actionDoesNotDecode(_, let reason)):
      // Of a changed action the recorded state says nothing.
      guard replayCursor.script.replaced[step.number] == nil else {
        throw ReplayError.actionDoesNotDecode(step: self.step + 1, reason: reason)
      }
      try adopt(slot, because: reason, expected: expected)
    case .failure(let error):
      throw error
    }
  }

  private func causeInBranch(of step: Step) -> Cause {
    guard case .effect(let effect) = step.cause, let entry = matcher.entry(matching: effect) else {
      return step.cause
    }
    return .effect(entry.number)
  }

  func plan(_ step: Step) -> Result<Planned, ReplayError> {
    let replacement = replayCursor.script.replaced[step.number]
    let value = replacement ?? step.action
    return Result { () throws(ReplayError) in try setup.decode(value, at: step.number) }.map {
      var planned = Planned(
        action: $0, value: value, source: step.number, isEdited: replacement != nil)
      guard case .effect(let effect) = step.cause else {
        planned.cause = step.cause
        return planned
      }
      if setup.onlyReduces { planned.cause = step.cause }
      if let entry = matcher.entry(matching: effect) {
        planned.cause = .effect(entry.number)
        planned.root = entry.machine.flatMap { machine.root(ofEffect: $0) }
      }
      return planned
    }
  }

  func emission(
    of entry: EffectMatcher.Entry, _ value: Value, from source: Int? = nil
  ) throws(ReplayError) -> Planned {
    Planned(
      action: try setup.decode(value, at: step + 1), value: value, cause: .effect(entry.number),
      root: entry.machine.flatMap { machine.root(ofEffect: $0) }, source: source)
  }

  private mutating func apply(
    _ ends: [SourceSlot.End], expected: [Int], at newest: Step
  ) throws {
    var running: [(entry: EffectMatcher.Entry, kind: EffectEvent.Kind)] = []
    let named = try recordedRuns.outcomes.cancellation(of: ends.map(\.event))
    for end in ends {
      if try isLate(end.event) { continue }
      let stop = named == nil ? lostStop(of: end) : nil
      let kin = try stop.map { try effects(endedBy: $0) } ?? []
      for entry in kin where !running.contains(where: { $0.entry.number == entry.number }) {
        running.append((entry, .cancelled))
      }
      guard let entry = matcher.entry(matching: end.event.effect), entry.responder == .recording,
        entry.due == nil || end.event.kind == .cancelled
      else {
        if kin.isEmpty, let stop { try record(stop) }
        continue
      }
      try advanceClock(
        to: end.event.time,
        for: end.event.kind == .cancelled ? .nobodyKnows : .effect(entry, at: newest.number))
      running.append((entry, end.event.kind))
    }
    running.removeAll { matcher.entry($0.entry.number) == nil }
    let chained = ends.flatMap(\.begun)
    guard let first = running.first else {
      return try runOutputs(expected: expected.filter { !replayCursor.claimed.contains($0) })
    }
    if first.kind != .cancelled {
      return try end(
        first.entry, first.kind, chained: chained, expected: expected, at: newest)
    }
    var outside = ends.contains(where: \.event.isAlone) ? Outside.alone : .task
    if outside == .task, expected.isEmpty, let last = ends.last?.event,
      last.step >= replayCursor.source.steps.upperBound,
      last.time.map(replayCursor.isLetGo) ?? true,
      try replayCursor.source.endsInSilence()
    {
      outside = .release
    }
    if outside == .task, let named { outside = .id(named.id, by: named.effect) }
    let isDoubtful =
      outside.isTask
      && classifier.mayBeEffectsDoing(
        matcher, replayCursor.inFlight.union(named.flatMap { $0.effect }.map { [$0] } ?? []))
    try stop(
      running.map(\.entry), from: outside, isDoubtful: isDoubtful, chained: chained,
      expected: expected)
  }

  /// A request or a timer ends with its answer, wherever the user moves that.
  private mutating func isLate(_ end: EffectEvent) throws -> Bool {
    guard setup.hidesState, end.kind == .finished, !replayCursor.script.moved.isEmpty else {
      return false
    }
    let waits = try recordedRuns.outcomes.own(ofEffect: end.effect).contains {
      $0.isEmission && replayCursor.script.moved.contains($0.step)
        && !movedAnswers.contains($0.step)
    }
    if waits { late.insert(end.effect) }
    return waits
  }

  mutating func endLate(behind step: Int) throws {
    movedAnswers.insert(step)
    guard case .effect(let effect) = try replayCursor.step(step).cause, late.remove(effect) != nil,
      let entry = matcher.entry(matching: effect)
    else { return }
    try end(entry, .finished)
  }

  private func lostStop(of end: SourceSlot.End) -> LostStop? {
    guard end.event.kind == .cancelled, !end.event.isAlone, !mode.believesSource,
      let time = end.event.time
    else { return nil }
    return LostStop(effect: end.event.effect, step: step, time: time)
  }

  /// The effects of a cancelled task that only the branch has: those on the tape, and pauses that
  /// end by the clock.
  private mutating func effects(inTaskOf stop: LostStop) throws -> [EffectMatcher.Entry] {
    var own = matcher.inFlight.values.filter { $0.responder.isOnTape || $0.due != nil }
    guard !own.isEmpty else { return [] }
    if replayCursor.isLetGo(at: stop.time) { own.removeAll { !$0.responder.isOnTape } }
    guard let root = try stop.root ?? recordedRuns.outcomes.root(ofEffect: stop.effect) else {
      return own.filter { $0.matched == stop.effect }
    }
    return own.filter { entry in
      guard let number = entry.machine, let own = machine.root(ofEffect: number) else {
        return false
      }
      return replayCursor.descents[own] == root
    }.sorted { $0.number < $1.number }
  }

  private mutating func apply(_ stop: LostStop) throws {
    guard !mode.believesSource else { return }
    let entries = try effects(endedBy: stop)
    if entries.isEmpty { try record(stop) } else { try self.stop(entries, from: .task) }
  }

  private mutating func effects(endedBy stop: LostStop) throws -> [EffectMatcher.Entry] {
    guard try !effects(inTaskOf: stop).isEmpty else { return [] }
    try advanceClock(to: stop.time, for: .nobodyKnows)
    return try effects(inTaskOf: stop)
  }

  private mutating func record(_ stop: LostStop) throws {
    guard !replayCursor.isLetGo(at: stop.time), log.deliver != nil else { return }
    try advanceClock(to: stop.time)
    var stop = stop
    stop.root = try stop.root ?? recordedRuns.outcomes.root(ofEffect: stop.effect)
    stop.step = step
    log.lostStops.append(stop)
  }

  /// `forks/rejoin`: the branch equals its parent again, so the rest is the parent's.
  mutating func hasRejoined() throws -> Bool {
    guard !setup.onlyReduces, !setup.hidesState, classifier.isEmpty, machine.outputCount == 0,
      surroundings.assumed.position == 0,
      clock == replayCursor.clock,
      try replayCursor.mayRejoin(), matcher.isExactly(replayCursor.inFlight)
    else { return false }
    return try isState(after: replayCursor.position) ?? false
  }
}
