import SessionFile
import SessionWords
import ValueTree

@testable import Replay

/// A recording in memory.
struct MemorySource: ReplaySource {
  var states: [Value]
  var actions: [Value]

  var steps: ClosedRange<Int> { 0...actions.count }
  var tape: [String] { [] }
  var inFlightAtStart: [EffectInFlight] { [] }
  var startDate: Double { 0 }

  func step(_ number: Int) throws -> Step {
    guard number > 0 else { return .first(0) }
    return Step(
      number: number, time: .milliseconds(number), label: "Int", action: actions[number - 1])
  }
  func effectEvents(in steps: ClosedRange<Int>) throws -> [EffectEvent] { [] }
  func state(after step: Int) throws -> Value? { states[step] }
  func patch(at step: Int) throws -> Value? { nil }
  func isKeyframe(_ step: Int) -> Bool { step.isMultiple(of: 64) }
}

/// A source in memory leaves these to their defaults.
extension ReplaySource {
  func effectsInFlight(after step: Int) throws -> [EffectInFlight] { [] }

  func loss(ofStateAfter step: Int) -> String? { nil }

  func knownState(from step: Int) throws -> Int? {
    guard step <= steps.upperBound else { return nil }
    return try (max(step, steps.lowerBound)...steps.upperBound).first {
      try state(after: $0) != nil
    }
  }

  var firstOwnPatch: Int { Int.min }

  var firstSender: Int { steps.lowerBound }

  var end: Duration? { (try? step(steps.upperBound))?.time }

  func assumptions(raisedAt step: Int) -> [Assumption] { [] }
  func assumptions(standingAfter step: Int) -> [Assumption] { [] }
  func isKnown(after step: Int) -> Bool { assumptions(standingAfter: step).isEmpty }

  func storedSteps(_ numbers: ClosedRange<Int>) throws -> [StoredStep] {
    try numbers.map { StoredStep(try step($0), patch: try patch(at: $0)) }
  }
}
