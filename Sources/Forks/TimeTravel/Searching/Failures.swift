import SessionFile
import SessionWords
import ValueTree

extension Step {
  /// Whether its action reports a failure, by its name or by what it carries: `factFailed`,
  /// `fetch/rejected`, `response(failure(…))`, `{"error": …}`.
  package var carriesFailure: Bool { isNamedFailure || action.carriesFailure }

  private var isNamedFailure: Bool {
    // A label may have millions of characters.
    let name = label.suffix(100).split { "./".contains($0) }.last ?? ""
    return Self.failures.contains(name)
      || ["Failure", "Failed", "Rejected"].contains { name.hasSuffix($0) }
  }

  /// A condition that holds where this failure happens.
  package var failureCondition: String? {
    guard carriesFailure else { return nil }
    let isLabel = "label == '\(label.escapedInCondition)'"
    if isNamedFailure { return isLabel }
    return isLabel + " && action..\(action.carriesError ? "error" : "failure")"
  }

  fileprivate static let failures: Set<Substring> = ["failure", "failed", "rejected", "error"]
}

extension Value {
  package var carriesFailure: Bool {
    carriesError || carries("failure")
  }

  /// Whether its payload is a result of this case.
  fileprivate func carries(_ result: String) -> Bool {
    let content = CaseContent(of: self)
    if content.names.contains(result) { return true }
    // Any payload may be the result: `saved("a", failure(…))`, `answered(number: 3, with: failure(…))`.
    guard case .object(var payloads) = content.value else { return false }
    if payloads.count == 1, case .object(let labelled) = payloads[0].value { payloads = labelled }
    return payloads.contains { CaseContent(of: $0.value).names.contains(result) }
  }

  fileprivate var carriesError: Bool {
    [self["error"], self["payload"]?["error"]].contains { ![nil, .null, false, ""].contains($0) }
  }
}

extension Value {
  /// The place of the first alert or error in here, by the names of members: `alert`, `loadError`.
  fileprivate func alert(at place: Pointer) -> Pointer? {
    let name = place.tokens.last?.lowercased() ?? ""
    if ["alert", "error", "errormessage", "error_message"].contains(where: { name.hasSuffix($0) }) {
      let nothing: [Value] = [.null, false, "", [], [:]]
      return nothing.contains(self) ? nil : place
    }
    guard case .object(let members) = self else { return nil }
    return members.lazy.compactMap { $0.value.alert(at: place.appending($0.key)) }.first
  }
}

extension Moment {
  /// A condition that holds where this failure shows: in the state, if it shows there. A test may
  /// send the failed action again, so a condition about that would stay red.
  package var failureCondition: String? {
    let shown = difference?.changes.lazy.compactMap { change -> Pointer? in
      switch change.kind {
      case .added(let value), .changed(_, let value): value.alert(at: change.path.pointer)
      case .removed, .moved: nil
      }
    }.first
    guard let shown, let state, !step.action.carries("success") else {
      return step.failureCondition
    }
    return "state.\(ValuePath(shown, in: state).text)"
  }
}

extension OpenSession {
  /// The steps with an error: of the reducer, a re-run, the action or an effect that failed there.
  /// An error that the state shows from there on counts, too; not an alert about a success.
  package func errors(in steps: ClosedRange<Int>, of branch: BranchID) async throws -> [Int] {
    var found: [Int] = []
    for part in parts(of: steps, on: branch) {
      // Only lines with such a name are read for their changes.
      let mayOpen = try part.recorded.map { recorded in
        Set(try Self.alerts.flatMap { try recorded.holding($0) })
      }
      for number in part.recorded?.steps ?? part.step...part.step {
        let position = Position(branch: branch, step: number)
        if try hasError(at: position) {
          found.append(number)
        } else if mayOpen?.contains(number) != false, try await alert(openedAt: position) != nil,
          try !step(at: position).step.action.carries("success")
        {
          found.append(number)
        }
      }
    }
    return found
  }

  private static let alerts = ["alert", "error"].compactMap {
    TextNeedle($0, ignoringCase: true)
  }

  private func hasError(at position: Position) throws -> Bool {
    let step = try step(at: position)
    if step.step.error != nil && !step.step.isNotRun { return true }
    if step.step.damage != nil || step.step.carriesFailure { return true }
    if step.standing.outcome.isError { return true }
    return try spans(in: position.step...position.step, of: position.branch).contains {
      guard $0.end?.step == position.step else { return false }
      if case .failed = $0.end?.manner { return true }
      return try answersFailure($0, of: position.branch)
    }
  }

  /// The place of an alert or an error that the state has after a step and had not before.
  package func alert(openedAt position: Position) async throws -> Pointer? {
    let owner = table.withLock { $0.owner(of: position) }
    guard position.step > summary.steps.lowerBound else { return nil }
    var patch: Patch?
    if owner.branch == .main { patch = try recording.patch(at: owner.step).map(Patch.init) }
    if patch == nil {
      let before = Position(branch: position.branch, step: position.step - 1)
      guard let old = try await knownState(at: before),
        let new = try await knownState(at: position)
      else { return nil }
      patch = Patch(from: old, to: new)
    }
    for operation in patch?.operations ?? [] {
      switch operation {
      case .add(let place, let value), .replace(let place, let value):
        if let alert = value.alert(at: place) { return alert }
      default: break
      }
    }
    return nil
  }

  /// Whether the last action of an effect is a failure, or follows one that it read.
  func answersFailure(_ span: EffectSpan, of branch: BranchID) throws -> Bool {
    guard let end = span.end, end.manner == .finished else { return false }
    let position = Position(branch: branch, step: end.step)
    let told = try step(at: position)
    guard told.step.cause == .effect(span.number) else { return false }
    return try told.step.carriesFailure || effectReads(at: position).last?.outcome.isError == true
  }
}
