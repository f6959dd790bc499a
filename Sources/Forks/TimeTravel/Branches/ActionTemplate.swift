import SessionWords
import ValueTree

package struct ActionTemplate: Sendable, Hashable {
  package var label: String
  package var action: Value
  package var step: Int?
  /// Whether an effect sent it, as far as the session tells.
  package var isAnswer = true
  /// The questions of the effect that sent it.
  package var asked: [Question] = []
}

extension OpenSession {
  private static var mostOfLabel: Int { 6 }

  /// Actions by label: first those up to a position, latest first, then those after it. Answers get
  /// the id of a request that started at a step.
  package func templates(
    near position: Position, answering start: Int? = nil,
    report: @Sendable ([ActionTemplate]) async -> Void
  ) async throws {
    guard let steps = branch(position.branch)?.steps else { return }
    let request = try start.flatMap {
      try step(at: Position(branch: position.branch, step: $0)).step.action["meta"]?["requestId"]
    }
    var known: [String: Set<Value>] = [:]
    var found: [ActionTemplate] = []
    let before = stride(from: position.step, through: steps.lowerBound + 1, by: -1)
    let after = stride(from: position.step + 1, through: steps.upperBound, by: 1)
    for (index, number) in [before, after].joined().enumerated() {
      if Task.isCancelled { return }
      let step = try step(at: Position(branch: position.branch, step: number)).step
      var action = step.action
      var isAnswer =
        !step.cause.isProven(ifKnown: summary.knowsCauses) && action["meta"]?["requestId"] == nil
      if case .effect = step.cause { isAnswer = true }
      if isAnswer, let request, action["meta"]?["requestId"] != nil {
        action["meta"]?["requestId"] = request
      }
      if step.damage == nil, step.set == nil,
        known[step.label, default: []].count < Self.mostOfLabel,
        known[step.label, default: []].insert(action).inserted
      {
        var asked: [Question] = []
        if case .effect(let effect) = step.cause { asked = try questions(of: effect) }
        found.append(
          ActionTemplate(
            label: step.label, action: action, step: number, isAnswer: isAnswer, asked: asked))
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

  package func exampleActions() async throws -> [ActionTemplate] {
    try await host?.exampleActions().map { ActionTemplate(label: $0.caseNames, action: $0) } ?? []
  }

  /// The edit is one of a fork that leaves this branch.
  package func verdict(on edit: Edit, of branch: BranchID) async throws -> ValueVerdict {
    guard let host else { return .unknown }
    if let action = edit.action { return try await host.verdict(on: .action(action)) }
    guard case .set(let step, let pointer, let value) = edit else { return .fine }
    return try await host.verdict(on: .part(pointer, value, step: step, of: path(to: branch)))
  }
}
