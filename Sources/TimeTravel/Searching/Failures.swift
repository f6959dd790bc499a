import SessionWords
import ValueTree

extension Step {
  /// Whether its action reports a failure, by its name or by what it carries: `factFailed`,
  /// `fetch/rejected`, `response(failure(…))`, `{"error": …}`.
  package var carriesFailure: Bool {
    let name = label.split { "./".contains($0) }.last ?? ""
    return Self.failures.contains(name)
      || ["Failure", "Failed", "Rejected"].contains { name.hasSuffix($0) } || action.carriesFailure
  }

  fileprivate static let failures: Set<Substring> = ["failure", "failed", "rejected", "error"]
}

extension Value {
  package var carriesFailure: Bool {
    let errors = [self["error"], self["payload"]?["error"]].compactMap(\.self)
    return errors.contains { ![.null, false, ""].contains($0) }
      || CaseContent(of: self).names.contains("failure")
  }
}

extension OpenSession {
  /// Whether a step has an error: in its reducer, in its re-run, in the action that it carries, or in
  /// an effect that failed there.
  package func hasError(at position: Position) throws -> Bool {
    let step = try step(at: position)
    if step.step.error != nil || step.step.damage != nil || step.step.carriesFailure { return true }
    if step.standing.outcome.isError { return true }
    return try spans(in: position.step...position.step, of: position.branch).contains {
      guard $0.end?.step == position.step else { return false }
      if case .failed = $0.end?.manner { return true }
      return try answersFailure($0, of: position.branch)
    }
  }

  /// Whether the last thing that an effect sent is a failure, or comes of one that it read.
  func answersFailure(_ span: EffectSpan, of branch: String) throws -> Bool {
    guard let end = span.end, end.manner == .finished else { return false }
    let told = try step(at: Position(branch: branch, step: end.step))
    guard told.step.cause == .effect(span.number) else { return false }
    if told.step.carriesFailure || told.standing.values != .recorded {
      return told.step.carriesFailure
    }
    if case .failure? = try recording.reads(ofEffect: span.number).last?.outcome { return true }
    return false
  }
}
