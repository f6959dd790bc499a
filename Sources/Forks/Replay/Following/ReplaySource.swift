import SessionFile
import SessionWords
import ValueTree

/// The source of a re-run: a recording or an earlier branch.
package protocol ReplaySource: Sendable {
  var steps: ClosedRange<Int> { get }
  var tape: [String] { get }
  /// Whether values were taken out of it.
  var isRedacted: Bool { get }
  /// Whether lines between its steps are lost, so an effect may have done more than it tells.
  var hasLostLines: Bool { get }
  var inFlightAtStart: [EffectInFlight] { get }
  /// The running effects after a step, as far as known.
  func effectsInFlight(after step: Int) throws -> [EffectInFlight]
  var startDate: Double { get }
  func step(_ number: Int) throws -> Step
  /// All steps except the first that may not be the user's, in order.
  func sentSteps() throws -> [Int]
  /// In order, each with the newest step at that time.
  func effectEvents(in steps: ClosedRange<Int>) throws -> [EffectEvent]
  func state(after step: Int) throws -> Value?
  func loss(ofStateAfter step: Int) -> String?
  func knownState(from step: Int) throws -> Int?
  /// The steps between two whose known states are the last ones before unknown ones. None if the
  /// state after the second step needs none of them.
  func knownSteps(after first: Int, before step: Int) throws -> [Int]
  func patch(at step: Int) throws -> Value?
  /// What steps behind this one send at once comes by itself; where no step does, each is followed for
  /// itself.
  var firstSender: Int { get }
  /// From this step on patches lead from the step before, whether its state is told or not.
  var firstOwnPatch: Int { get }
  /// Reading is slow and runs no user code, so another thread may do it.
  var isReadAhead: Bool { get }
  /// Whether it stays as it is: no more steps and events come.
  var isFinished: Bool { get }
  func storedSteps(_ numbers: ClosedRange<Int>) throws -> [StoredStep]
  func isKeyframe(_ step: Int) -> Bool
  func fate(ofOutput place: OutputPlace) -> OutputEdit?
  /// The fate of the actions that a step's reducer sent, in an exported branch.
  func edits(ofSender step: Int) -> [OutputEdit]
  var end: Duration? { get }
  /// Whether the end was recorded: nothing came between the last event and the end.
  var knowsEnd: Bool { get }
  /// Whether nothing runs after its end, because the app was released.
  func endsInSilence() throws -> Bool
  /// Whether it may end inside a turn, because no end was recorded.
  var mayEndInsideTurn: Bool { get }
  /// The assumptions that this step or the events after it added.
  func assumptions(raisedAt step: Int) -> [Assumption]
  func assumptions(standingAfter step: Int) -> [Assumption]
  func isKnown(after step: Int) -> Bool
  var firstNewEffect: EffectID { get }
  /// The effects whose emissions the user removed or answered; what is known of them is about these
  /// emissions.
  var touchedEffects: Set<EffectID> { get }
  /// Whether the user changed an effect that this step started in the source's own source: it may
  /// start again here.
  func hasEditedKin(startedBy step: Int) throws -> Bool
  var replacedSteps: Set<Int> { get }
  func lostStops(after step: Int) -> [LostStop]
  var answeredByHand: Set<EffectID> { get }
  /// The user's changes to an effect's emissions, by place; nil if its recorded emissions are not
  /// its body's.
  func emissionEdits(of effect: EffectID) throws -> [Int: EmissionEdit]?
  var replies: [Reply] { get }
  func outsideReads() throws -> [OutsideRead]
  func keysOfUnownedReads() throws -> Set<String>
  /// The recording, and its step that a step descends from; nil for a new step.
  func recorded(_ step: Int) -> (any ReplaySource, step: Int)?
  /// The effects that a step started, where the runner does not see effects.
  func unseenEffects(startedBy step: Int) throws -> [EffectID]
}

extension ReplaySource {
  package var firstNewEffect: EffectID { .firstOfFork }

  package var touchedEffects: Set<EffectID> { [] }
  package func hasEditedKin(startedBy step: Int) throws -> Bool { false }
  package var replacedSteps: Set<Int> { [] }
  package var answeredByHand: Set<EffectID> { [] }
  package func lostStops(after step: Int) -> [LostStop] { [] }
  package func emissionEdits(of effect: EffectID) throws -> [Int: EmissionEdit]? { [:] }
  package var replies: [Reply] { [] }
  package func unseenEffects(startedBy step: Int) throws -> [EffectID] { [] }
  package func knownSteps(after first: Int, before step: Int) throws -> [Int] { [] }

  package func outsideReads() throws -> [OutsideRead] { [] }
  package func keysOfUnownedReads() throws -> Set<String> {
    Set(try outsideReads().filter { $0.effect == nil }.map(\.read.key))
  }
  package func recorded(_ step: Int) -> (any ReplaySource, step: Int)? { (self, step) }

  package var mayEndInsideTurn: Bool { false }
  package var knowsEnd: Bool { false }

  package func sentSteps() throws -> [Int] { Array(steps.dropFirst()) }

  package var isReadAhead: Bool { false }
  package var isFinished: Bool { false }

  package func endsInSilence() throws -> Bool {
    try effectsInFlight(after: steps.upperBound).isEmpty
  }

  package func fate(ofOutput place: OutputPlace) -> OutputEdit? { nil }
  package var isRedacted: Bool { false }
  package var hasLostLines: Bool { false }
  package func edits(ofSender step: Int) -> [OutputEdit] { [] }

  func effects(startedBy step: Int) throws -> [EffectID] {
    try effectEvents(in: step...max(step, steps.upperBound))
      .compactMap { $0.isStarted(by: step) ? $0.effect : nil }
  }

  /// The sender behind directly sent steps: a step, and the user or effect that caused it; nil if
  /// not recorded.
  func sender(of step: Int) throws -> (step: Int, cause: Cause)? {
    var number = step
    while number > steps.lowerBound, number <= steps.upperBound {
      let cause = try self.step(number).cause
      guard case .output(let sender) = cause else { return (number, cause) }
      // Causes come first; a damaged file may name a later step.
      guard sender < number else { return nil }
      number = sender
    }
    return nil
  }

  func effect(behind step: Int) throws -> EffectID? {
    guard case .effect(let effect)? = try sender(of: step)?.cause else { return nil }
    return effect
  }
}

/// A task that the recorded app cancelled while none of its effects ran in a branch. A fork of the
/// branch cancels those that run there.
package struct LostStop: Sendable {
  var effect: EffectID
  var root: Int?
  var step: Int
  var time: Duration
}

package enum EmissionEdit: Sendable, Equatable {
  case skipped
  case replaced(Value)
}

package struct SessionSource: ReplaySource {
  private let reader: SessionReader
  package let startDate: Double
  /// The runner knows neither effects nor what reducers send.
  private let hasStepsOnly: Bool
  private let upgrade: SessionUpgrade?

  package init(
    _ reader: SessionReader, upgrade: SessionUpgrade? = nil, stepsOnly: Bool = false
  ) {
    self.reader = reader
    self.upgrade = upgrade
    hasStepsOnly = stepsOnly
    startDate = reader.header.started.flatMap(UTCText.milliseconds).map { Double($0) / 1_000 } ?? 0
  }

  package var steps: ClosedRange<Int> { reader.steps }
  package var isFinished: Bool { reader.isFinished }
  package var tape: [String] { reader.tape }
  package var isRedacted: Bool { !reader.header.redacted.isEmpty }
  package var hasLostLines: Bool { reader.lostLineCount > 0 }
  package var inFlightAtStart: [EffectInFlight] { hasStepsOnly ? [] : reader.header.effects }
  package var firstSender: Int { hasStepsOnly ? .max : steps.lowerBound }
  package func step(_ number: Int) throws -> Step {
    var step = try reader.step(number)
    guard let upgrade, number > steps.lowerBound, step.set == nil else { return step }
    do {
      step.action = try upgrade.action(step.action, reader.header.app?.version)
    } catch {
      step.action = ["the upgrade function failed": .string("\(error)")]
    }
    return step
  }
  package func sentSteps() throws -> [Int] {
    var sent: [Int] = []
    var walk = reader.walk(nil, from: steps.lowerBound + 1)
    try walk.advance(through: steps.upperBound) { preview in
      let cause = try? preview.step(StepPreview.Parts(.cause)).cause
      if cause?.isFromOutside != true { sent.append(preview.number) }
      return true
    }
    return sent
  }
  package func effectEvents(in steps: ClosedRange<Int>) throws -> [EffectEvent] {
    hasStepsOnly ? [] : try reader.effectEvents(in: steps)
  }
  package func unseenEffects(startedBy step: Int) throws -> [EffectID] {
    guard hasStepsOnly else { return [] }
    return try reader.effectEvents(in: step...step)
      .compactMap { $0.isStarted(by: step) ? $0.effect : nil }
  }
  package func state(after step: Int) throws -> Value? {
    let recorded = try recordedState(after: step)
    guard let recorded, let upgrade else { return recorded }
    do {
      return try upgrade.state(recorded, reader.header.app?.version)
    } catch {
      throw ReplayError.stateDoesNotDecode(
        step: step, reason: "the upgrade function failed: \(error)")
    }
  }
  private func recordedState(after step: Int) throws -> Value? {
    do {
      return try reader.state(after: step)
    } catch {
      switch error.problem {
      case .stateNotStored, .stateLost, .stepUnfinished: return nil
      default: throw error
      }
    }
  }
  package func loss(ofStateAfter step: Int) -> String? {
    do {
      _ = try reader.state(after: step)
    } catch {
      switch error.problem {
      case .stateLost(_, let reason): return reason
      case .stepUnfinished: return error.what
      default: return nil
      }
    }
    return nil
  }
  package func knownState(from step: Int) throws -> Int? {
    var step = step
    while let next = reader.keyframe(from: step) {
      if try recordedState(after: next) != nil { return next }
      step = next + 1
    }
    return nil
  }
  package func knownSteps(after first: Int, before step: Int) throws -> [Int] {
    switch reader.header.states {
    case .first: return []
    case .everyStep where try state(after: step) != nil: return []
    default: break
    }
    var found: [Int] = []
    var isKnown = false
    for number in stride(from: step - 1, to: first, by: -1) {
      let wasKnown = isKnown
      isKnown = try state(after: number) != nil
      if isKnown, !wasKnown { found.append(number) }
    }
    return found.reversed()
  }
  package func effectsInFlight(after step: Int) throws -> [EffectInFlight] {
    hasStepsOnly ? [] : try reader.effectsInFlight(after: step)
  }
  /// A change of the old state is not one of the new.
  package func patch(at step: Int) throws -> Value? {
    upgrade == nil ? try reader.patch(at: step) : nil
  }
  package var firstOwnPatch: Int { Int.max }
  package var isReadAhead: Bool { upgrade == nil }
  package func storedSteps(_ numbers: ClosedRange<Int>) throws -> [StoredStep] {
    guard upgrade != nil else { return try reader.storedSteps(numbers) }
    return try numbers.map { StoredStep(try step($0), patch: nil) }
  }
  package func isKeyframe(_ step: Int) -> Bool { reader.isKeyframe(step) }
  package var end: Duration? {
    let last = steps.upperBound
    let events = (try? reader.effectEvents(in: last...last)) ?? []
    // If all that came from outside is in the file, nothing came up to its end.
    let end = reader.header.world != nil || reader.isFinished ? reader.endTime : nil
    return (events.map(\.time) + [(try? step(last))?.time, end]).compactMap(\.self).max()
  }

  package func assumptions(raisedAt step: Int) -> [Assumption] { assumptions.raised(at: step) }
  package func assumptions(standingAfter step: Int) -> [Assumption] {
    assumptions.standing(after: step)
  }
  package func isKnown(after step: Int) -> Bool { assumptions.isKnown(after: step) }
  private var assumptions: AssumptionIndex {
    (try? reader.assumptions()) ?? AssumptionIndex()
  }

  package func fate(ofOutput place: OutputPlace) -> OutputEdit? {
    (try? reader.edits())?.sends[place]
  }
  package func edits(ofSender step: Int) -> [OutputEdit] {
    (try? reader.edits())?.sends.values.filter { $0.place.sender == step } ?? []
  }
  package var touchedEffects: Set<EffectID> { (try? reader.edits())?.touched ?? [] }
  package func hasEditedKin(startedBy step: Int) throws -> Bool {
    let touched = touchedEffects
    return try !touched.isEmpty && effects(startedBy: step).contains(where: touched.contains)
  }
  package func emissionEdits(of effect: EffectID) throws -> [Int: EmissionEdit]? {
    touchedEffects.contains(effect) ? nil : [:]
  }
  package func outsideReads() throws -> [OutsideRead] { try reader.outsideReads(in: steps) }
  package func keysOfUnownedReads() throws -> Set<String> { try reader.keysOfUnownedReads() }
  package var mayEndInsideTurn: Bool { !reader.isFinished }
  package var knowsEnd: Bool { reader.isFinished && reader.endTime != nil }
  package var firstNewEffect: EffectID {
    guard (try? reader.wasBranch()) == true else { return .firstOfFork }
    let events = (try? reader.effectEvents(in: steps)) ?? []
    let effects = events.map(\.effect) + inFlightAtStart.map(\.effect)
    return max(.firstOfFork, (effects.max() ?? 0).next)
  }
}

/// The start of a recording's run: its first step, or, if that state is lost or does not decode,
/// the next step with a usable state.
package struct StateStart {
  package var step: Int
  var machine: any Machine

  /// If today's type reads none of this many states, it reads none at all.
  private static var attempts: Int { 16 }

  /// From this step on, or from the first.
  package init(
    of source: any ReplaySource, _ setup: any RunSetup, from first: Int? = nil,
    given: (any Machine)? = nil
  ) throws {
    if let given, first == nil {
      (step, machine) = (source.steps.lowerBound, given)
      machine.countOn(from: step)
      return
    }
    var failure: ReplayError?
    var next: Int? = source.steps.lowerBound
    if let first {
      let isKnown = try source.state(after: first) != nil
      next = try Self.endOfTurn(isKnown ? first : source.knownState(from: first), in: source)
    }
    for _ in 0..<Self.attempts {
      guard let step = next else { break }
      do {
        if let value = try source.state(after: step) {
          (self.step, machine) = (step, try setup.machine(with: value, after: step))
          return
        }
        failure =
          failure
          ?? .stateDoesNotDecode(
            step: step, reason: source.loss(ofStateAfter: step) ?? "none is recorded")
      } catch let error as DecodingError {
        failure = failure ?? .stateDoesNotDecode(step: step, reason: "\(error)")
      } catch let error as ReplayError {
        failure = failure ?? error
      }
      next = try Self.next(after: step, in: source)
    }
    throw failure ?? .noSuchStep(source.steps.lowerBound, available: source.steps)
  }

  private static func next(after step: Int, in source: any ReplaySource) throws -> Int? {
    try endOfTurn(source.knownState(from: step + 1), in: source)
  }

  /// Directly sent steps stay in their sender's turn.
  private static func endOfTurn(_ step: Int?, in source: any ReplaySource) throws -> Int? {
    guard var step else { return nil }
    var cursor = SourceCursor(source)
    while step < source.steps.upperBound, try cursor.isOutput(step + 1) { step += 1 }
    return step
  }
}
