import Platform

/// What the steps of a branch rest on and nobody knows, found by step: it grows, and nothing is looked
/// through to answer for one of many steps.
package struct AssumptionIndex: Sendable {
  /// By the step after which they came in, in the order in which they were told.
  private var raised: [Int: [Assumption]] = [:]
  /// Those steps, ascending.
  private var steps: [Int] = []
  /// The first step that rests on one of a kind.
  private var firstSteps: [Assumption.Kind: Int] = [:]

  package init(_ assumptions: [Assumption] = []) { add(assumptions) }

  package mutating func add(_ assumptions: [Assumption]) {
    for assumption in assumptions {
      let step = assumption.raisedAt
      if raised[step] == nil {
        steps.insert(step, at: steps.indices.firstBehind { steps[$0] < step })
      }
      raised[step, default: []].append(assumption)
      firstSteps[assumption.kind] = min(firstSteps[assumption.kind] ?? .max, assumption.step)
    }
  }

  package var isEmpty: Bool { steps.isEmpty }

  /// What came in with a step, or with what happened after it.
  package func raised(at step: Int) -> [Assumption] { raised[step] ?? [] }

  /// What a step rests on that follows this one.
  package func standing(after step: Int) -> [Assumption] {
    steps.prefix { $0 <= step }.flatMap(raised(at:))
  }

  /// Whether a step that follows this one rests on nothing.
  package func isKnown(after step: Int) -> Bool { steps.first.map { $0 > step } ?? true }

  /// What a step itself rests on.
  package func assumptions(at step: Int) -> [Assumption] {
    standing(after: step - 1) + raised(at: step).filter { $0.step <= step }
  }

  /// The kinds of ``assumptions(at:)``.
  package func kinds(at step: Int) -> Set<Assumption.Kind> {
    Set(firstSteps.filter { $0.value <= step }.keys)
  }
}

extension Assumption {
  /// After which step of its branch it came in: an effect may speak from the step on after the one that
  /// started it.
  package var raisedAt: Int { kind == .open ? step - 1 : step }
}
