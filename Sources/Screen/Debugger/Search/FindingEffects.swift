import SessionWords
import StoreCore
import TextCanvas
import TimeTravel
import ValueTree

extension Effect<DebuggerAction> {
  /// Searches for a step and replaces the search before it.
  static func finding(
    _ name: String, _ body: @escaping @Sendable (OpenSession, Send<Action>) async throws -> Void
  ) -> Effect {
    .doing(name, orSend: { .findingFailed($0) }, body)
      .cancellable(id: Background.Job.finding, cancelInFlight: true)
  }

  static func find(
    _ finder: StepFinder, from position: Position, _ direction: Search.Direction
  ) -> Effect {
    .finding("find step") { session, send in
      let step = try await session.nearest(finder, from: position, isForward: direction == .forward)
      await send(
        .stepFound(step, words: try await session.words(for: step, finder, from: position)))
    }
  }

  /// Finds which of several rules a step breaks, and what functions say of it.
  static func nameBroken(_ rules: [String], at position: Position) -> Effect {
    .doing("name broken rules") { session, send in
      var broken: [String] = []
      for rule in rules {
        let question = try StepQuestion("!(\(rule))")
        var breaks = false
        try await session.find(
          question, in: position.step...position.step, of: position.branch
        ) { _ in
          breaks = true
          return true
        }
        guard breaks else { continue }
        let reasons = try await session.reasons(of: question.code, at: position)
        broken.append(reasons.isEmpty ? rule : reasons.joined(separator: "; "))
      }
      await send(.rulesNamed(NamedRules(position: position, rules: broken)))
    }.cancellable(id: Background.Job.naming, cancelInFlight: true)
  }

  static func findDifference(of branch: BranchID, with other: BranchID) -> Effect {
    .finding("find difference") { session, send in
      let found = try await session.firstDifference(of: branch, with: other)
      let words = found.map { "first difference from “\(session.name(of: other))”: \($0.words)" }
      await send(.stepFound(found?.step, words: words))
    }
  }
}

extension OpenSession {
  fileprivate func words(
    for step: Int?, _ finder: StepFinder, from position: Position
  ) async throws -> String? {
    if let step, finder == .state {
      return "The file has no state before step \(grouped(step)). "
        + "With \(summary.hostOption) Retcon computes the earlier ones."
    }
    guard let step, case .change(let path) = finder else { return nil }
    let moment = try await moment(at: Position(branch: position.branch, step: step))
    func text(_ state: Value?) -> String {
      state.flatMap(path.value(in:)).map { ValuePreview.text($0, limit: 30) } ?? "nothing"
    }
    let name = path.isRoot ? "the state" : path.shownText
    let new = text(moment.state)
    var words = "\(name)  \(text(moment.previousState)) → \(new)"
    guard step < position.step else { return words }
    words += "; \(new) was held for \(counted(position.step - step, "step"))"
    if let start = moment.step.time, let end = try self.step(at: position).step.time {
      words += ", \((end - start).longText)"
    }
    return words
  }
}
