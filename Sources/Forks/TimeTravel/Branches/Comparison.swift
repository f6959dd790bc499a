import SessionWords
import ValueTree

package struct Comparison: Sendable, Hashable {
  package var fork: Position
  package var branch: BranchID
  package var isShared = false
  /// The other branch's step here, or its last one before.
  package var other: Position?
  package var hasCounterpart = true
  package var otherLabel: String?
  /// From the other branch's state to the fork's; nil if one is missing.
  package var difference: ValueDifference?
}

package struct FirstDifference: Sendable, Hashable {
  package var step: Int
  package var words: String
  /// Whether it only differs by being the last, while the other branch continues.
  package var isEnd = false
  /// Whether it only lacks steps that the other branch has before this one.
  package var lacksSteps = false
}

extension OpenSession {
  /// Compares a fork with another branch at the same place, by default its parent. Nil on the
  /// recording. Asks for the fork's state unless it is given.
  package func compare(
    _ position: Position, _ state: Value? = nil, with branch: BranchID? = nil
  ) async throws -> Comparison? {
    guard let parent = self.branch(position.branch)?.script?.parent else { return nil }
    let other = branch ?? parent
    var comparison = Comparison(fork: position, branch: other)
    let counterpart = counterpart(of: position, on: other)
    comparison.hasCounterpart = counterpart != nil
    guard let beside = counterpart ?? stepBefore(position, on: other) else { return comparison }
    comparison.other = beside
    comparison.otherLabel = try? step(at: beside).step.label
    comparison.isShared = table.withLock { $0.owner(of: position) == $0.owner(of: beside) }
    if comparison.isShared { return comparison }
    guard let theirs = try await self.state(at: beside) else { return comparison }
    var ours = state
    if ours == nil { ours = try await self.state(at: position) }
    comparison.difference = ours.map { ValueDifference(from: theirs, to: $0) }
    return comparison
  }

  package func counterpart(of position: Position, on branch: BranchID) -> Position? {
    table.withLock { $0.step(at: $0.place(of: position), of: branch) }
  }

  private func stepBefore(_ position: Position, on branch: BranchID) -> Position? {
    guard let end = self.branch(branch)?.steps.upperBound else { return nil }
    let last = Position(branch: branch, step: end)
    let (place, lastPlace) = table.withLock { ($0.place(of: position), $0.place(of: last)) }
    if (lastPlace.step, lastPlace.behind) < (place.step, place.behind) { return last }
    return (1...64).lazy.compactMap { distance in
      self.counterpart(
        of: Position(branch: position.branch, step: position.step - distance), on: branch)
    }.first
  }

  package func firstDifference(
    of branch: BranchID, with other: BranchID
  ) async throws -> FirstDifference? {
    guard let steps = self.branch(branch)?.steps, let others = self.branch(other)?.steps else {
      return nil
    }
    let shared = min(
      table.withLock { $0.lastShared(branch, other) }, steps.upperBound, others.upperBound)
    var before = shared
    for number in stride(from: shared + 1, through: steps.upperBound, by: 1) {
      try Task.checkCancellation()
      let here = Position(branch: branch, step: number)
      guard let there = counterpart(of: here, on: other) else {
        return FirstDifference(step: number, words: "“\(name(of: other))” does not have this step")
      }
      if there.step > before + 1 {
        let missing = try step(at: Position(branch: other, step: before + 1)).step.label
        return FirstDifference(
          step: number, words: "before it “\(name(of: other))” has \(before + 1) \(missing)",
          lacksSteps: true)
      }
      before = there.step
      // Both share the parent's steps from here on.
      if table.withLock({ $0.owner(of: here) == $0.owner(of: there) }) { return nil }
      if let words = try await difference(here, there) {
        return FirstDifference(step: number, words: words)
      }
    }
    guard others.upperBound > before else { return nil }
    return FirstDifference(
      step: steps.upperBound, words: "it ends here; “\(name(of: other))” goes on", isEnd: true)
  }

  private func difference(_ here: Position, _ there: Position) async throws -> String? {
    let outcome = outcome(of: here, besideRecorded: there)
    if let outcome, outcome.isEqual, outcome.hasAction { return nil }
    let ours = try step(at: here)
    let theirs = try step(at: there)
    if ours.step.label != theirs.step.label {
      return "“\(name(of: there.branch))” has \(theirs.step.label)"
    }
    if ours.step.action != theirs.step.action { return "its action is different" }
    if outcome?.isEqual == true { return nil }
    let mine = try? await state(at: here)
    let other = try? await state(at: there)
    if (mine == nil) != (other == nil) { return "one of the two has no state" }
    guard let mine, let other, mine != other else {
      return outcome == nil ? nil : "the re-run differs from the recording"
    }
    let changes = ValueDifference(from: other, to: mine).changes
    guard let first = changes.first else { return nil }
    return "\(first.path.isRoot ? "the state" : first.path.text) is different"
  }

  /// A fork's step compared with its recorded one: the outcome, and whether the action is the same.
  /// Nil if it was not compared.
  private func outcome(
    of here: Position, besideRecorded there: Position
  ) -> (isEqual: Bool, hasAction: Bool)? {
    table.withLock { table in
      guard there.branch == .main, table[here.branch]?.script?.parent == .main,
        table.parent(of: here) == nil, let steps = table.own[here.branch],
        let own = steps[here.step],
        own.descendsFrom == there.step, own.standing.outcome != .new
      else { return nil }
      return (own.standing.outcome == .equal, !steps.isWhole(here.step))
    }
  }
}
