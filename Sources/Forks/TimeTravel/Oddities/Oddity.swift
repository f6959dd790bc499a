import SessionWords
import ValueTree

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
    /// A sum that stays else was changed; two numbers that grow by the same did not.
    case sum, uneven
    /// A list got one thing twice, or lacks one that stands once in such lists.
    case double, misplaced
    /// A reference to nothing; an action about something that is not there.
    case unknown, unheard
    /// Two places that are equal else are not.
    case unequal
    /// The state got something else than what the action brought.
    case unlike
    /// One place changed without another one.
    case alone
    /// A value that stays was set again; one that comes back did not.
    case reset, unreturned
    /// A status followed another one that it hardly follows.
    case transition
    /// A number tells another element of a list than before.
    case pointed
    /// An action that takes back the step before left a part of it.
    case kept

    /// How much a break of such a law tells, beside its rarity.
    fileprivate var weight: Double {
      switch self {
      case .sum, .double, .misplaced: 1.2
      case .unknown, .unheard, .uneven, .unlike, .unreturned, .kept: 1
      case .unequal, .transition, .pointed: 0.9
      case .alone, .reset: 0.7
      default: 0.5
      }
    }
  }

  package var step: Int
  package var kind: Kind
  package var label: String
  package var sentence: String
  /// How surprising it is, in bits: one in eight is three.
  package var surprise: Double
  /// Later steps of which the same is to be said.
  package var others = 0

  /// In bits, of something that happened so often, where another thing was usual.
  static func surprise(of odd: Int, beside usual: Int) -> Double {
    binaryLogarithm(Double(usual + 1) / (Double(odd) + 0.5))
  }

  package var line: String {
    sentence + (others > 0 ? "  (and \(counted(others, "later step")))" : "")
  }
}

extension [Oddity] {
  /// The most surprising first, of each kind at most a tenth, and of each step one: others at the same
  /// step make it more surprising.
  func ranked(_ limit: Int) -> [Oddity] {
    var kept: [Oddity] = []
    let kinds = Dictionary(grouping: self, by: \.kind).mapValues { Set($0.map(\.step)).count }
    for (_, same) in Dictionary(grouping: self, by: { [$0.kind.rawValue, $0.label, $0.sentence] }) {
      guard var first = same.min(by: { $0.step < $1.step }) else { continue }
      first.others += same.count - 1
      // Where many laws of a kind are broken, each of them tells less.
      first.surprise =
        first.kind.weight * (same.map(\.surprise).max() ?? 0)
        - 0.2 * binaryLogarithm(Double(kinds[first.kind] ?? 1))
      kept.append(first)
    }
    let steps = Dictionary(grouping: kept, by: \.step).values.compactMap { all -> Oddity? in
      var best: [Kind: Oddity] = [:]
      for one in all where best[one.kind].map({ Self.isFirst(one, $0) }) ?? true {
        best[one.kind] = one
      }
      let found = best.values.sorted(by: Self.isFirst)
      guard var first = found.first, first.surprise > 0 else { return nil }
      first.surprise += 0.3 * found.dropFirst().reduce(0) { $0 + Swift.max(0, $1.surprise) }
      return first
    }
    var counts: [Kind: Int] = [:]
    let best = steps.sorted(by: Self.isFirst).filter { oddity in
      counts[oddity.kind, default: 0] += 1
      return counts[oddity.kind, default: 0] <= Swift.max(2, limit / 10)
    }
    return Array(best.prefix(limit))
  }

  private static func isFirst(_ left: Oddity, _ right: Oddity) -> Bool {
    (right.surprise, left.step, left.sentence) < (left.surprise, right.step, right.sentence)
  }

  private typealias Kind = Oddity.Kind
}

extension OpenSession {
  /// The steps that are unlike their kind, without a question. `limit` ends it.
  package func oddities(
    of branch: BranchID, in steps: ClosedRange<Int>, limit: Int = 20
  ) async throws -> [Oddity] {
    var laws = try await learner(of: branch, steps)
    var habits = StepHabits(laws.places)
    var before: Step?
    var known: Value?
    try await goThrough([steps]) { part in
      for number in part {
        let position = Position(branch: branch, step: number)
        let step = try self.step(at: position).step
        let state = try await knownState(at: position)
        if number == steps.lowerBound { habits.begin(state) } else { habits.add(step, state) }
        if number == steps.lowerBound {
          laws.begin(state)
        } else if let known, let state, step.damage == nil, !step.isSkipped {
          laws.add(step, from: known, to: state)
        }
        known = state ?? known
        if let before { habits.record(step, behind: before) }
        before = step
      }
      return true
    }
    habits.record(try effects(in: steps, of: branch), last: steps.upperBound)
    return (habits.oddities() + laws.oddities()).ranked(limit)
  }

  private func learner(of branch: BranchID, _ steps: ClosedRange<Int>) async throws -> LearnedLaws {
    var (samples, actions): ([Value], [Value]) = ([], [])
    for number in stride(
      from: steps.lowerBound, to: steps.upperBound, by: max(1, steps.count / 128))
    {
      if let state = try await knownState(at: Position(branch: branch, step: number)) {
        samples.append(state)
      }
    }
    if let last = try await knownState(at: Position(branch: branch, step: steps.upperBound)) {
      samples.append(last)
    }
    for number in stride(
      from: steps.lowerBound, to: steps.upperBound, by: max(1, steps.count / 2_000))
    {
      actions.append(try step(at: Position(branch: branch, step: number)).step.action)
    }
    return LearnedLaws(samples: samples, actions: actions)
  }
}
