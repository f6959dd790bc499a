import SessionFile
import SessionWords
import ValueTree

/// What a re-run follows: a recording, or a branch that was run before.
package protocol ReplaySource: Sendable {
  /// The numbers of its steps; the first one only has a state.
  var steps: ClosedRange<Int> { get }
  /// Keys of the dependencies on tape.
  var tape: [String] { get }
  /// Those that run where it starts in the middle.
  var inFlightAtStart: [EffectInFlight] { get }
  /// Those that run after a step, as far as the source tells.
  func effectsInFlight(after step: Int) throws -> [EffectInFlight]
  /// When it began, in seconds since 1970.
  var startDate: Double { get }
  func step(_ number: Int) throws -> Step
  /// The steps behind the first one that may be of somebody else than the user, in order.
  func sentSteps() throws -> [Int]
  /// In the order in which they happened, each with the step that was the newest one then.
  func effectEvents(in steps: ClosedRange<Int>) throws -> [EffectEvent]
  /// Nil where it is not known.
  func state(after step: Int) throws -> Value?
  /// What was lost, where that is why the state is not known.
  func loss(ofStateAfter step: Int) -> String?
  /// The first step from this one on whose state is known, whatever was lost before it.
  func knownState(from step: Int) throws -> Int?
  /// From the state before to the state after, where that is known without the states.
  func patch(at step: Int) throws -> Value?
  /// From this step on patches lead from the step before, whether its state is told or not.
  var firstOwnPatch: Int { get }
  /// Reading takes time, and runs nobody's code: another thread may do it.
  var isReadAhead: Bool { get }
  /// Steps one after another with their patches.
  func storedSteps(_ numbers: ClosedRange<Int>) throws -> [StoredStep]
  /// Where meeting the parent again is tried.
  func isKeyframe(_ step: Int) -> Bool
  /// What the user made of the n-th action that the reducer of a step sent at once.
  func fate(ofOutput place: OutputPlace) -> OutputFate?
  /// When the last thing happened that it knows of.
  var end: Duration? { get }
  /// Nothing runs on behind its end: the app was let go, and not just left.
  func endsInSilence() throws -> Bool
  /// It may end inside a turn: nobody wrote down that it is over.
  var mayEndInsideTurn: Bool { get }
  /// What nobody knows and came in with this step of it, or with what happened after it.
  func assumptions(raisedAt step: Int) -> [Assumption]
  /// What a step rests on that follows this one.
  func assumptions(standingAfter step: Int) -> [Assumption]
  /// Whether that is nothing.
  func isKnown(after step: Int) -> Bool
  /// Effects that it does not know are numbered from here.
  var firstNewEffect: Int { get }
  /// Effects whose emissions the user took away, or that they answered: what was told of them is about
  /// these emissions.
  var touchedEffects: Set<Int> { get }
  /// The user changed what an effect did that this step started where the source itself comes from: here
  /// it may start again.
  func hasEditedKin(startedBy step: Int) throws -> Bool
  /// Steps whose action is the user's.
  var replacedSteps: Set<Int> { get }
  /// Tasks that were cancelled behind this step, and nothing of them ran; in the order of their times.
  func lostStops(after step: Int) -> [LostStop]
  /// Effects of which all that they do is what the user says.
  var answeredByHand: Set<Int> { get }
  /// What the user made of what an effect sends, by the places among all that it sends; nil where what
  /// is told of it is not what its body does.
  func emissionEdits(of effect: Int) throws -> [Int: EmissionEdit]?
  /// What the user says that services answer.
  var replies: [Reply] { get }
  /// What effects asked, and what was read that nobody owns.
  func outsideReads() throws -> [OutsideRead]
}

extension ReplaySource {
  /// No recording comes so far.
  package var firstNewEffect: Int { EffectEvent.firstOfBranch }

  package var touchedEffects: Set<Int> { [] }
  package func hasEditedKin(startedBy step: Int) throws -> Bool { false }
  package var replacedSteps: Set<Int> { [] }
  package var answeredByHand: Set<Int> { [] }
  package func lostStops(after step: Int) -> [LostStop] { [] }
  package func emissionEdits(of effect: Int) throws -> [Int: EmissionEdit]? { [:] }
  package var replies: [Reply] { [] }

  package func outsideReads() throws -> [OutsideRead] { [] }

  package var mayEndInsideTurn: Bool { false }

  package func sentSteps() throws -> [Int] { Array(steps.dropFirst()) }

  package func effectsInFlight(after step: Int) throws -> [EffectInFlight] { [] }

  package func loss(ofStateAfter step: Int) -> String? { nil }

  package func knownState(from step: Int) throws -> Int? {
    guard step <= steps.upperBound else { return nil }
    return try (max(step, steps.lowerBound)...steps.upperBound).first {
      try state(after: $0) != nil
    }
  }

  package var firstOwnPatch: Int { Int.min }

  package var isReadAhead: Bool { false }

  package var end: Duration? { (try? step(steps.upperBound))?.time }

  package func endsInSilence() throws -> Bool {
    try effectsInFlight(after: steps.upperBound).isEmpty
  }

  package func fate(ofOutput place: OutputPlace) -> OutputFate? { nil }

  /// What is recorded is known.
  package func assumptions(raisedAt step: Int) -> [Assumption] { [] }
  package func assumptions(standingAfter step: Int) -> [Assumption] { [] }
  package func isKnown(after step: Int) -> Bool { assumptions(standingAfter: step).isEmpty }

  package func storedSteps(_ numbers: ClosedRange<Int>) throws -> [StoredStep] {
    try numbers.map { StoredStep(try step($0), patch: try patch(at: $0)) }
  }

  /// The effects that a step started, at once or chained to others.
  func effects(startedBy step: Int) throws -> [Int] {
    try effectEvents(in: step...max(step, steps.upperBound))
      .compactMap { $0.origin?.step == step ? $0.effect : nil }
  }

  /// The step behind those that reducers sent at once, and the user or the effect that sent it; nil where
  /// the recording does not tell.
  func sender(of step: Int) throws -> (step: Int, cause: Cause)? {
    var number = step
    while number > steps.lowerBound, number <= steps.upperBound {
      let cause = try self.step(number).cause
      guard case .output(let sender) = cause else { return (number, cause) }
      // A file may name the step itself, or a later one: nothing is sent before its cause.
      guard sender < number else { return nil }
      number = sender
    }
    return nil
  }

  /// The effect that sent a step, or the one that this step was sent in the turn of.
  func effect(behind step: Int) throws -> Int? {
    guard case .effect(let effect)? = try sender(of: step)?.cause else { return nil }
    return effect
  }
}

/// An action that a reducer sent at once in a branch, and that the user skipped, or gave another
/// action or place.
package struct OutputFate: Sendable {
  /// Of what the reducer sent.
  var label: String
  /// Nil when it was skipped.
  var step: Int?
  /// It comes where the user put it, and not where it is sent.
  var isMoved: Bool
}

/// What a reducer sends at once: the n-th of its sender in one turn.
package struct OutputPlace: Hashable, Sendable {
  /// What lets go what was chained, or held back by a throttle.
  enum Release: Hashable, Sendable {
    case none
    /// This effect of a step has ended: the one of this place.
    case end(of: Int, ordinal: Int)
    /// This step cancelled what it waited for.
    case step(Int)
  }

  /// The step whose reducer returned it.
  var sender: Int
  var release = Release.none
  var number: Int
}

/// A task that the app cancelled when it was recorded, and of which nothing ran in a branch then: what
/// runs of it in a fork of that is cancelled.
package struct LostStop: Sendable {
  /// What was cancelled when it was recorded.
  var effect: Int
  /// The user's step that it is the task of; nil where that is not known.
  var root: Int?
  /// The newest step then.
  var step: Int
  var time: Duration
}

/// What the user made of something that an effect sent.
package enum EmissionEdit: Sendable, Equatable {
  case skipped
  case replaced(Value)
}

/// A recording as a source.
package struct SessionSource: ReplaySource {
  private let reader: SessionReader
  package let startDate: Double

  package init(_ reader: SessionReader) {
    self.reader = reader
    startDate = reader.header.started.flatMap(UTCText.milliseconds).map { Double($0) / 1_000 } ?? 0
  }

  /// The session as today's types can read it.
  package func upgraded(by upgrade: SessionUpgrade?) -> any ReplaySource {
    guard let upgrade else { return self }
    return UpgradedSource(old: self, upgrade: upgrade, version: reader.header.app?.version)
  }

  package var steps: ClosedRange<Int> { reader.steps }
  package var tape: [String] { reader.tape }
  package var inFlightAtStart: [EffectInFlight] { reader.header.effects }
  package func step(_ number: Int) throws -> Step { try reader.step(number) }
  /// At a glance, because most lines say that the step is the user's.
  package func sentSteps() throws -> [Int] {
    var sent: [Int] = []
    var walk = reader.walk(nil, from: steps.lowerBound + 1)
    try walk.advance(through: steps.upperBound) { glance in
      let cause = try? glance.step(StepGlance.Parts(.cause)).cause
      if cause != .user { sent.append(glance.number) }
      return true
    }
    return sent
  }
  package func effectEvents(in steps: ClosedRange<Int>) throws -> [EffectEvent] {
    try reader.effectEvents(in: steps)
  }
  package func state(after step: Int) throws -> Value? {
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
      if try state(after: next) != nil { return next }
      step = next + 1
    }
    return nil
  }
  package func effectsInFlight(after step: Int) throws -> [EffectInFlight] {
    try reader.effectsInFlight(after: step)
  }
  package func patch(at step: Int) throws -> Value? { try reader.patch(at: step) }
  package var firstOwnPatch: Int { Int.max }
  package var isReadAhead: Bool { true }
  package func storedSteps(_ numbers: ClosedRange<Int>) throws -> [StoredStep] {
    try reader.storedSteps(numbers)
  }
  package func isKeyframe(_ step: Int) -> Bool { reader.isKeyframe(step) }
  package var end: Duration? {
    let last = steps.upperBound
    let events = (try? reader.effectEvents(in: last...last)) ?? []
    return (events.map(\.time) + [(try? step(last))?.time]).compactMap(\.self).max()
  }

  package func assumptions(raisedAt step: Int) -> [Assumption] { assumptions.raised(at: step) }
  package func assumptions(standingAfter step: Int) -> [Assumption] {
    assumptions.standing(after: step)
  }
  package func isKnown(after step: Int) -> Bool { assumptions.isKnown(after: step) }
  /// Those of a branch that was written as a session.
  private var assumptions: AssumptionIndex {
    (try? reader.assumptions()) ?? AssumptionIndex()
  }

  package func outsideReads() throws -> [OutsideRead] { try reader.outsideReads(in: steps) }
  package var mayEndInsideTurn: Bool { !reader.isFinished }
  /// Where it was a branch, its own effects have such numbers already.
  package var firstNewEffect: Int {
    guard (try? reader.wasBranch()) == true else { return EffectEvent.firstOfBranch }
    let events = (try? reader.effectEvents(in: steps)) ?? []
    let numbers = events.map(\.effect) + inFlightAtStart.map(\.effect)
    return max(EffectEvent.firstOfBranch, (numbers.max() ?? 0) + 1)
  }
}

/// Where a recording can begin to run: its first step or, where the state after that one is lost or
/// does not decode, the first step behind it after which the state is known.
package struct StateStart<State: Decodable> {
  package var step: Int
  package var state: State

  /// So many states are tried: when today's type reads none of them, it will read no other.
  private static var attempts: Int { 16 }

  /// From this step on, or from the first.
  package init(of source: any ReplaySource, from first: Int? = nil) throws {
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
          (self.step, state) = (step, try ValueDecoder().decode(State.self, from: value))
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

  /// What reducers send at once stays with the step that they sent it in.
  private static func endOfTurn(_ step: Int?, in source: any ReplaySource) throws -> Int? {
    guard var step else { return nil }
    var cursor = SourceCursor(source)
    while step < source.steps.upperBound, try cursor.isOutput(step + 1) { step += 1 }
    return step
  }
}
