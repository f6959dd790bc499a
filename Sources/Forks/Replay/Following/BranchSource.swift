import Platform
import SessionFile
import SessionWords
import ValueTree

struct BranchSource: ReplaySource {
  let parent: any ReplaySource
  private let first: Int
  private let own: [BranchStep]
  private let keyframes: [Value]
  private let events: [EffectEvent]
  private let assumptions: AssumptionIndex
  private let answered: Set<EffectID>
  var fates: [OutputPlace: OutputEdit] = [:]
  var answeredByHand: Set<EffectID> = []
  var lostStops: [Int: [LostStop]] = [:]
  /// By the effect that sent the action.
  private let actionEdits: [EffectID: [Edit]]
  let firstNewEffect: EffectID
  let touchedEffects: Set<EffectID>
  let replacedSteps: Set<Int>
  let replies: [Reply]

  /// The last answer: the next question is often about the step behind it.
  private let newest = Locked<(step: Int, state: Value)?>(nil)

  private static var keyframeDistance: Int { 64 }

  /// `own` are its consecutive steps after those shared with its parent. `base` is the state before
  /// the first.
  init(
    _ script: Script, of parent: any ReplaySource, own: [BranchStep], from base: Value?,
    _ report: BranchReport
  ) throws {
    self.parent = parent
    self.own = own
    let first = script.leavesAt + 1
    self.first = first
    events = own.flatMap(\.effects) + report.effects
    assumptions = AssumptionIndex(report.assumptions)
    answered = Set(
      script.edits.compactMap { if case .answer(let answer) = $0 { answer.effect } else { nil } })
    replies = parent.replies + script.replies
    var actionEdits: [EffectID: [Edit]] = [:]
    for edit in script.edits where edit.decidesStep {
      guard let step = edit.step, let effect = try parent.effect(behind: step) else { continue }
      actionEdits[effect, default: []].append(edit)
    }
    self.actionEdits = actionEdits
    touchedEffects = parent.touchedEffects.union(answered).union(
      actionEdits.filter { $0.value.contains(where: \.takesStepAway) }.keys)
    let replaced = Set(
      script.edits.compactMap { if case .replace(let step, _) = $0 { step } else { nil } }
    ).union(parent.replacedSteps)
    replacedSteps = parent.replacedSteps.filter { $0 < first }.union(
      own.filter { $0.descendsFrom.map(replaced.contains) ?? false }.map(\.step.number))
    firstNewEffect = max(parent.firstNewEffect, (events.map(\.effect).max() ?? 0).next)
    var state = try base ?? parent.state(after: script.leavesAt) ?? .null
    var keyframes = [state]
    for (index, step) in own.enumerated() {
      if let patch = step.patch { state = try Patch(patch).applied(to: state) }
      if (index + 1).isMultiple(of: Self.keyframeDistance) { keyframes.append(state) }
    }
    self.keyframes = keyframes
  }

  var steps: ClosedRange<Int> { parent.steps.lowerBound...(first + own.count - 1) }
  var tape: [String] { parent.tape }
  var isRedacted: Bool { parent.isRedacted }
  var firstSender: Int { parent.firstSender }
  var inFlightAtStart: [EffectInFlight] { parent.inFlightAtStart }
  var startDate: Double { parent.startDate }
  var end: Duration? { parent.end }
  var knowsEnd: Bool { parent.knowsEnd }
  func outsideReads() throws -> [OutsideRead] { try parent.outsideReads() }
  func recorded(_ step: Int) -> (any ReplaySource, step: Int)? {
    guard let own = branchStep(step) else { return parent.recorded(step) }
    return own.descendsFrom.flatMap(parent.recorded)
  }
  func endsInSilence() throws -> Bool { try parent.endsInSilence() }
  func unseenEffects(startedBy step: Int) throws -> [EffectID] {
    guard let own = branchStep(step) else { return try parent.unseenEffects(startedBy: step) }
    return try own.descendsFrom.map(parent.unseenEffects) ?? []
  }

  func branchStep(_ number: Int) -> BranchStep? {
    own.indices.contains(number - first) ? own[number - first] : nil
  }

  func step(_ number: Int) throws -> Step {
    try branchStep(number)?.step ?? parent.step(number)
  }

  func effectEvents(in steps: ClosedRange<Int>) throws -> [EffectEvent] {
    var events: [EffectEvent] = []
    if steps.lowerBound < first {
      events = try parent.effectEvents(in: steps.lowerBound...min(steps.upperBound, first - 1))
    }
    return events + own(eventsIn: steps)
  }

  private func own(eventsIn steps: ClosedRange<Int>) -> ArraySlice<EffectEvent> {
    let first = events.indices.firstBehind { events[$0].step < steps.lowerBound }
    return events[first...].prefix { $0.step <= steps.upperBound }
  }

  private var unfinished: Int? { own.last?.step.isUnfinished == true ? steps.upperBound : nil }

  func state(after number: Int) throws -> Value? {
    guard number >= first else { return try parent.state(after: number) }
    if number == unfinished { return nil }
    let count = number - first + 1
    let keyframe = count / Self.keyframeDistance
    var (start, state) = (keyframe * Self.keyframeDistance, keyframes[keyframe])
    if let newest = newest.withLock({ $0 }), case let known = newest.step - first + 1,
      (start...count).contains(known)
    {
      (start, state) = (known, newest.state)
    }
    for step in own[start..<count] {
      if let patch = step.patch { state = try Patch(patch).applied(to: state) }
    }
    newest.withLock { [state] in $0 = (number, state) }
    return state
  }

  func loss(ofStateAfter number: Int) -> String? {
    if number < first { return parent.loss(ofStateAfter: number) }
    return number == unfinished ? own.last?.step.damage : nil
  }

  func knownState(from number: Int) throws -> Int? {
    if number < first, let known = try parent.knownState(from: number), known < first {
      return known
    }
    let own = max(number, first)
    return own <= steps.upperBound && own != unfinished ? own : nil
  }

  func effectsInFlight(after step: Int) throws -> [EffectInFlight] {
    try parent.effectsInFlight(after: min(step, first - 1))
  }

  func patch(at number: Int) throws -> Value? {
    guard let step = branchStep(number) else { return try parent.patch(at: number) }
    return step.patch
  }

  var firstOwnPatch: Int { min(first, parent.firstOwnPatch) }

  func storedSteps(_ numbers: ClosedRange<Int>) throws -> [StoredStep] {
    let shared = numbers.prefix { $0 < first }
    var steps: [StoredStep] = []
    if let start = shared.first, let end = shared.last {
      steps = try parent.storedSteps(start...end)
    }
    for number in numbers.dropFirst(shared.count) {
      steps.append(
        StoredStep(
          try step(number), patch: try patch(at: number), tellsState: number != unfinished))
    }
    return steps
  }

  func isKeyframe(_ step: Int) -> Bool {
    step < first ? parent.isKeyframe(step) : (step - first).isMultiple(of: 16)
  }

  func fate(ofOutput place: OutputPlace) -> OutputEdit? {
    fates[place] ?? (place.sender < first ? parent.fate(ofOutput: place) : nil)
  }

  func lostStops(after step: Int) -> [LostStop] {
    (step < first ? parent.lostStops(after: step) : []) + (lostStops[step] ?? [])
  }

  func hasEditedKin(startedBy step: Int) throws -> Bool {
    guard let origin = step < first ? step : branchStep(step)?.descendsFrom else { return false }
    return try parent.effects(startedBy: origin).contains {
      answered.contains($0) || actionEdits[$0] != nil
    } || parent.hasEditedKin(startedBy: origin)
  }

  func emissionEdits(of effect: EffectID) throws -> [Int: EmissionEdit]? {
    guard var known = try parent.emissionEdits(of: effect), !answered.contains(effect) else {
      return nil
    }
    var own: [Int: EmissionEdit] = [:]
    for edit in actionEdits[effect] ?? [] {
      switch edit {
      case .skip(let step): own[step] = .skipped
      case .replace(let step, let action):
        if own[step] != .skipped { own[step] = .replaced(action) }
      default: return nil
      }
    }
    guard !own.isEmpty else { return known }
    let index = OutcomeIndex(parent)
    var place = 0
    for outcome in try index.own(ofEffect: effect) where outcome.isEmission {
      while known[place] == .skipped { place += 1 }
      known[place] = own[outcome.step] ?? known[place]
      place += 1
    }
    return known
  }

  func assumptions(raisedAt step: Int) -> [Assumption] {
    let own = assumptions.raised(at: step).filter { $0.step >= first }
    guard step < first else { return own }
    return parent.assumptions(raisedAt: step).filter(isOpenStill) + own
  }

  func assumptions(standingAfter step: Int) -> [Assumption] {
    guard step < first - 1 else { return assumptions.standing(after: step) }
    return parent.assumptions(standingAfter: step).filter(isOpenStill)
  }

  func isKnown(after step: Int) -> Bool {
    guard step < first - 1 else { return assumptions.isKnown(after: step) }
    return parent.isKnown(after: step)
      || !parent.assumptions(standingAfter: step).contains(where: isOpenStill)
  }

  private func isOpenStill(_ assumption: Assumption) -> Bool {
    if case .effect(let effect) = assumption.subject { !answered.contains(effect) } else { true }
  }
}
