import Recorder
import SessionWords
import StoreCore
import ValueTree

/// What reducers send at once.
extension Rerun {
  /// Reduces it (rule 2): always the reducers' own values, never recorded ones.
  mutating func runOutputs(expected: [Int]) throws {
    if findings != nil { return try verifyOutputs(expected) }
    var expected = expected
    sentCounts = [:]
    while let output = machine.takeOutput() {
      guard case .output(let sender) = output.cause else { continue }
      let number = sentCounts[sender, default: 0]
      sentCounts[sender] = number + 1
      let sent = HeldOutput(output: output, sender: sender, number: number)
      if let fate = fate(of: sent) {
        try follow(fate, sent, &expected)
      } else {
        try run(sent, try matchOutput(output.action, of: sender, &expected))
      }
    }
    for step in expected where !script.moved.contains(step) {
      leaveOut(try cursor.slot(step).step, .notSent)
    }
    endTurn()
  }

  /// What the user made of it in the parent.
  private func fate(of sent: HeldOutput<State, Action>) -> OutputFate? {
    guard let sender = descents[sent.sender],
      let fate = cursor.source.fate(ofOutput: sent.number, of: sender),
      fate.label == actionLabel(sent.output.action)
    else { return nil }
    return fate
  }

  /// That is followed like everything else there.
  private mutating func follow(
    _ fate: OutputFate, _ sent: HeldOutput<State, Action>, _ expected: inout [Int]
  ) throws {
    note(sent, step: nil)
    guard let step = fate.step else { return }
    var sent = sent
    sent.label = fate.label
    sent.output.action = try decode(try cursor.slot(step).step.action, at: self.step + 1)
    if let index = expected.firstIndex(of: step) {
      expected.remove(at: index)
      try run(sent, step)
    } else if fate.isMoved {
      held[step] = sent
    } else {
      claimed.insert(step)
      try run(sent, step)
    }
  }

  /// Notes what becomes of it by the user's doing: for those who leave this branch.
  mutating func note(
    _ sent: HeldOutput<State, Action>, step: Int?, isMoved: Bool = false
  ) {
    log.fates.removeAll { $0.sender == sent.sender && $0.number == sent.number }
    let label = sent.label ?? actionLabel(sent.output.action)
    log.fates.append(
      OutputFate(
        sender: sent.sender, number: sent.number, label: label, step: step, isMoved: isMoved))
  }

  private mutating func run(_ sent: HeldOutput<State, Action>, _ match: Int?) throws {
    let output = sent.output
    if let match, script.moved.contains(match) {
      note(sent, step: nil)
      held[match] = sent
      return
    }
    if let match, script.skipped.contains(match) {
      note(sent, step: nil)
      return leaveOut(try cursor.slot(match).step, .skipped)
    }
    if let match, case let slot = try cursor.slot(match), isPassedOver(slot.step) {
      return try passOver(slot, cause: .output(of: sent.sender))
    }
    if let match, isTimely { clock = latest(clock, try cursor.slot(match).step.time) }
    var planned = Planned(
      action: output.action, cause: .output(of: sent.sender), storeCause: output.cause,
      root: output.root, source: match)
    if let match, let replacement = script.replaced[match] {
      planned.action = try decode(replacement, at: step + 1)
      planned.isEdited = true
      planned.values = .edited
    }
    if planned.isEdited || sent.label != nil { note(sent, step: step + 1) }
    try reduce(planned)
  }

  /// Takes the step out of `expected` that this output descends from: the next one of the same
  /// sender with the same action, else with the same label.
  private mutating func matchOutput(
    _ action: Action, of sender: Int, _ expected: inout [Int]
  ) throws -> Int? {
    guard !expected.isEmpty, let source = descents[sender] else { return nil }
    var candidates: [(index: Int, step: Step)] = []
    for (index, number) in expected.enumerated() {
      let step = try cursor.slot(number).step
      if step.cause == .output(of: source) { candidates.append((index, step)) }
    }
    guard let first = candidates.first else { return nil }
    let label = actionLabel(action)
    var match = first.step.label == label && candidates.count == 1 ? first : nil
    if match == nil, let value = try? ValueEncoder().encode(action) {
      match = candidates.first { $0.step.action.isExactlyEqual(to: value) }
    }
    match = match ?? candidates.first { $0.step.label == label }
    guard let match else { return nil }
    return expected.remove(at: match.index)
  }
}
