import SessionWords
import TimeTravel
import ValueTree

/// A recording that is held in memory.
package struct MemoryRecording: Recording {
  package var summary: RecordingSummary
  private var steps: [Step]
  private var states: [Value?]
  private let events: [EffectEvent]
  private let effects: EffectTable
  private var effectReads: [EffectID: [Read]]

  /// `states` runs parallel to `steps`, which begin with the first and leave no number out.
  package init(
    name: String, app: String? = nil, steps: [Step], states: [Value?], events: [EffectEvent] = [],
    effectReads: [EffectID: [Read]] = [:]
  ) {
    let first = steps.first?.number ?? 0
    summary = RecordingSummary(name, first...first + Swift.max(steps.count - 1, 0))
    summary.app = app
    self.steps = steps
    self.states = states
    self.events = events
    effects = EffectTable(events)
    self.effectReads = effectReads
  }

  package func step(_ number: Int) throws -> Step {
    let index = number - summary.steps.lowerBound
    guard steps.indices.contains(index) else { throw Trouble.noStep(number, in: summary) }
    return steps[index]
  }

  package func state(after number: Int) throws -> Value? {
    let index = number - summary.steps.lowerBound
    guard states.indices.contains(index) else { throw Trouble.noStep(number, in: summary) }
    return states[index]
  }

  package func effects(in steps: ClosedRange<Int>) throws -> [EffectSpan] {
    effects.spans(in: steps)
  }

  package func longestEffects(_ count: Int, in steps: ClosedRange<Int>?) throws -> [EffectSpan] {
    effects.spans.longest(count, in: steps, lastStep: summary.steps.upperBound)
  }

  package func events(after step: Int) throws -> [EffectEvent] { events.filter { $0.step == step } }

  package func reads(ofEffect effect: EffectID) throws -> [OutsideRead] {
    let step = effects[effect]?.origin.step ?? 0
    return (effectReads[effect] ?? []).map { OutsideRead($0, effect: effect, step: step) }
  }
}
