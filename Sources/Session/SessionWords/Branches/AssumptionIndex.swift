import Platform

/// The assumptions of a growing branch, found by step without a search.
package struct AssumptionIndex: Sendable {
  /// By the step after which they began, in the order reported.
  private var raised: [Int: [Assumption]] = [:]
  private var steps: [Int] = []
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

  package func raised(at step: Int) -> [Assumption] { raised[step] ?? [] }

  package func standing(after step: Int) -> [Assumption] {
    steps.prefix { $0 <= step }.flatMap(raised(at:))
  }

  /// Whether a step that follows this one has none.
  package func isKnown(after step: Int) -> Bool { steps.first.map { $0 > step } ?? true }

  package func assumptions(at step: Int) -> [Assumption] {
    standing(after: step - 1) + raised(at: step).filter { $0.step <= step }
  }

  package func kinds(at step: Int) -> Set<Assumption.Kind> {
    Set(firstSteps.filter { $0.value <= step }.keys)
  }
}

extension Assumption {
  /// The step after which it began: an effect may send from the step after its start.
  package var raisedAt: Int { kind == .open ? step - 1 : step }
}
