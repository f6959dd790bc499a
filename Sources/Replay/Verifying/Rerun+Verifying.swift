import SessionLog
import StoreCore
import ValueTree

extension Rerun {
  /// Rule 23: the same input once more, and the same must come out.
  mutating func compareWithSecondRun(
    _ before: StoreMachine<State, Action>, _ planned: Planned, _ recorded: [Read]
  ) throws {
    var first = machine
    var second = before
    _ = run(&second, planned, recorded)
    let one = try outcome(&first)
    let other = try outcome(&second)
    guard !one.isExactlyEqual(to: other) else { return }
    let number = planned.source ?? position
    let label = actionLabel(planned.action)
    let isState = one["state"].map { $0.isExactlyEqual(to: other["state"] ?? .null) } == false
    findings?.nondeterministic(
      number, label, first: isState ? one["state"] ?? .null : one,
      second: isState ? other["state"] ?? .null : other)
  }

  /// All that a reducer gave: the state, what it sends, which effects it starts and cancels.
  private func outcome(_ machine: inout StoreMachine<State, Action>) throws -> Value {
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
    return [
      "state": try encoder.encode(machine.state), "sends": .array(ValueArray(sent)),
      "effects": .array(ValueArray(effects)),
    ]
  }
}
