import SessionLog
import ValueTree

/// An action of the recording that a new one can be made from.
package struct ActionTemplate: Sendable, Hashable {
  package var label: String
  package var action: Value
  package var step: Int

  package init(label: String, action: Value, step: Int) {
    self.label = label
    self.action = action
    self.step = step
  }
}

extension ActionTemplate {
  /// The label of an action that nobody has recorded yet.
  package static func label(of action: Value) -> String { action.caseNames }
}

extension OpenSession {
  /// One action of each label: the last one up to a position, or else the first one after it.
  package func templates(
    near position: Position, report: @Sendable ([ActionTemplate]) async -> Void
  ) async throws {
    guard let steps = branch(position.branch)?.steps else { return }
    var known: Set<String> = []
    var found: [ActionTemplate] = []
    let before = stride(from: position.step, through: steps.lowerBound + 1, by: -1)
    let after = stride(from: position.step + 1, through: steps.upperBound, by: 1)
    for (index, number) in [before, after].joined().enumerated() {
      if Task.isCancelled { return }
      let step = try step(at: Position(branch: position.branch, step: number)).step
      if step.damage == nil, known.insert(step.label).inserted {
        found.append(ActionTemplate(label: step.label, action: step.action, step: number))
      }
      // The first answer comes soon, later ones in larger pieces.
      if index == 31 || index % 1_024 == 1_023 {
        if !found.isEmpty { await report(found) }
        found = []
        await Task.yield()
      }
    }
    if !found.isEmpty { await report(found) }
  }
}
