import SessionWords
import StoreCore

/// What a reducer sent at once and the user moved elsewhere.
struct HeldOutput<State: Sendable, Action: Sendable> {
  var output: StoreMachine<State, Action>.Output
  /// The step of the branch that sent it.
  var sender: Int
  /// Its place among those of its sender.
  var number: Int
  /// Its label, where its action is not the reducer's own any more.
  var label: String?
}

extension Rerun {
  /// A step of the source at another place: its action, cause and reads stay its own.
  mutating func followMoved(_ number: Int) throws {
    let slot = try cursor.slot(number)
    guard slot.isOutput else { return try follow(slot) }
    let expected = try outputs(of: number)
    if script.skipped.contains(number) { return leaveOut(slot.step, .skipped) }
    let held = held.removeValue(forKey: number)
    if isPassedOver(slot.step) {
      let cause = held.map { Cause.output(of: $0.sender) } ?? .user
      return try passOver(slot, cause: cause, expected: expected)
    }
    try runTurn(try planMoved(slot.step, held), expected: expected)
  }

  /// Rule 2 holds for a moved step, too: it is what the branch's reducer sent. Where that has not
  /// happened, there is nothing but the recorded action.
  private mutating func planMoved(
    _ step: Step, _ held: HeldOutput<State, Action>?
  ) throws -> Planned {
    let replacement = script.replaced[step.number]
    var planned: Planned
    if let held {
      note(held, step: self.step + 1, isMoved: true)
      planned = Planned(
        action: held.output.action, cause: .output(of: held.sender),
        storeCause: held.output.cause, root: held.output.root, source: step.number)
    } else {
      planned = Planned(
        action: try decode(replacement ?? step.action, at: self.step + 1), cause: .user,
        storeCause: .user, source: step.number)
      if replacement == nil { assume(.notSent(at: self.step + 1)) }
    }
    if let replacement {
      planned.action = try decode(replacement, at: self.step + 1)
      planned.isEdited = true
      planned.values = .edited
    }
    return planned
  }

  /// What comes of this step alone, out of the turn that it was recorded in.
  private mutating func outputs(of number: Int) throws -> [Int] {
    var senders: Set<Int> = [number]
    return try outputs(after: number).filter { output in
      guard case .output(let sender) = try cursor.slot(output).step.cause,
        senders.contains(sender)
      else { return false }
      senders.insert(output)
      return true
    }
  }

  /// What moved steps sent goes with them; they themselves are still looked for in their old turn.
  mutating func withoutSendsOfMoved(_ outputs: [Int]) throws -> [Int] {
    guard !script.moved.isEmpty else { return outputs }
    var gone: Set<Int> = []
    return try outputs.filter { output in
      var isGone = false
      if case .output(let sender) = try cursor.slot(output).step.cause {
        isGone = gone.contains(sender)
      }
      if isGone || script.moved.contains(output) { gone.insert(output) }
      return !isGone
    }
  }
}
