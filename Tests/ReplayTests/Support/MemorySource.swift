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
