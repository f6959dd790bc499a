import SessionWords

/// A step that is unlike its kind.
package struct Oddity: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable {
    /// An action that usually changes a place left it alone.
    case unchanged
    /// It changed a place that others usually change.
    case stranger
    /// A value went back, fell below zero, or became another kind of value.
    case back, negative, retyped
    /// A list or a number grew or shrank by another number than usual.
    case length, jump
    /// An answer without a question, a question without an answer, or two at once.
    case unasked, unanswered, overlapping
    /// The same action twice in a row.
    case twice
    /// An effect took much longer or shorter than others of its name.
    case duration
  }

  package var step: Int
  package var kind: Kind
  package var label: String
  package var sentence: String
  /// How surprising it is, in bits: one in eight is three.
  package var surprise: Double
  /// Later steps of which the same is to be said.
  package var others = 0

  package var line: String {
    sentence + (others > 0 ? "  (and \(counted(others, "later step")))" : "")
  }
}

extension [Oddity] {
  /// The most surprising first. Equal sentences are one oddity, at the first of their steps.
  func ranked(_ limit: Int) -> [Oddity] {
    var kept: [Oddity] = []
    for (_, same) in Dictionary(grouping: self, by: { [$0.kind.rawValue, $0.label, $0.sentence] }) {
      guard var first = same.min(by: { $0.step < $1.step }) else { continue }
      first.others = same.count - 1
      first.surprise = same.map(\.surprise).max() ?? 0
      kept.append(first)
    }
    return Array(
      kept.sorted {
        ($1.surprise, $0.step, $0.sentence) < ($0.surprise, $1.step, $1.sentence)
      }.prefix(limit))
  }
}

extension OpenSession {
  /// The steps that are unlike their kind, without a question. `limit` ends it.
  package func oddities(
    of branch: BranchID, in steps: ClosedRange<Int>, limit: Int = 20
  ) async throws -> [Oddity] {
    var habits = StepHabits()
    var before: Step?
    try await goThrough([steps]) { part in
      for number in part {
        let position = Position(branch: branch, step: number)
        let step = try self.step(at: position).step
        let state = try await knownState(at: position)
        if number == steps.lowerBound { habits.begin(state) } else { habits.add(step, state) }
        if let before { habits.note(step, behind: before) }
        before = step
      }
      return true
    }
    habits.note(try effects(in: steps, of: branch), last: steps.upperBound)
    return habits.oddities().ranked(limit)
  }
}
