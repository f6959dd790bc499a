import SessionLog
import StoreCore
import ValueTree

extension Rerun {
  /// What nobody has recorded was sent by a reducer, in this turn.
  mutating func noteExtraStep(_ planned: Planned, _ action: Value) throws {
    // Its line may be the one that is lost.
    guard try !isBeforeGap() else { return }
    var sender: Int?
    if case .output(let step) = planned.cause { sender = descents[step] }
    findings?.extraStep(
      actionLabel(planned.action), sentBy: sender ?? position + 1, action: action)
  }

  /// Whether the turn that the source is in is followed by a step that is lost.
  private mutating func isBeforeGap() throws -> Bool {
    var next = position + 2
    while next <= cursor.steps.upperBound, try cursor.isOutput(next) { next += 1 }
    guard next <= cursor.steps.upperBound else { return false }
    let step = try cursor.slot(next).step
    return step.damage != nil && !step.isUnfinished
  }

  /// Rule 23: the same input once more, and the same must come out.
  mutating func compareWithSecondRun(
    of twin: inout StoreMachine<State, Action>?, _ planned: Planned, _ recorded: [Read],
    after: Value
  ) throws {
    // Nobody else holds the state by now, so that the reducer changes it in place.
    guard var second = twin.take() else { return }
    _ = Self.run(&second, planned, recorded, in: surroundings(of: planned))
    let again = try encoder.encode(second.state)
    let number = planned.source ?? position
    if !again.isExactlyEqual(to: after) {
      findings?.nondeterministic(
        number, actionLabel(planned.action), first: after, second: again)
      return
    }
    guard
      machine.outputCount > 0 || machine.hasChanges || second.outputCount > 0
        || second.hasChanges
    else { return }
    var first = machine
    let one = try whatFollows(&first)
    let other = try whatFollows(&second)
    guard !one.isExactlyEqual(to: other) else { return }
    findings?.nondeterministic(number, actionLabel(planned.action), first: one, second: other)
  }

  /// What a reducer sends, and which effects it starts and cancels.
  private func whatFollows(_ machine: inout StoreMachine<State, Action>) throws -> Value {
    var sent: [Value] = []
    while let output = machine.takeOutput() {
      sent.append(try ValueEncoder().encode(output.action))
    }
    let effects = machine.takeChanges().map { change -> Value in
      switch change {
      case .started(let effect, _):
        .string("starts \(EffectPlace(effect.sessionOrigin, step: 0).text)")
      case .cancelled(let effect): .string("cancels effect \(effect.number)")
      }
    }
    return ["sends": .array(ValueArray(sent)), "effects": .array(ValueArray(effects))]
  }
}
