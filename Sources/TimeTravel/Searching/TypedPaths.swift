import SessionFile
import SessionWords
import ValueTree

/// Paths are typed as the screen shows them: without the names of unnamed payloads.
extension OpenSession {
  /// The condition with its paths as the states have them.
  package func resolved(
    _ question: StepQuestion, of branch: BranchID
  ) async throws -> StepQuestion {
    var text = question.condition.text
    for (word, typed) in question.typedPaths {
      guard let (place, state) = try await place(typed, of: branch), place != typed else {
        continue
      }
      func path(_ place: Pointer) -> String { "\(word).\(ValuePath(place, in: state).text)" }
      for range in text.ranges(of: path(typed)).reversed() {
        let next = text[range.upperBound...].first
        guard next.map({ $0.isLetter || $0.isNumber || "_-".contains($0) }) != true else {
          continue
        }
        text.replaceSubrange(range, with: path(place))
      }
    }
    guard text != question.condition.text, let condition = try? Condition(text) else {
      return question
    }
    return StepQuestion(condition)
  }

  package func resolved(_ place: Pointer, of branch: BranchID) async throws -> Pointer {
    try await self.place(place, of: branch)?.place ?? place
  }

  /// Says that a path is in no state; nil if each may be in one.
  package func absence(in question: StepQuestion, of branch: BranchID) async throws -> String? {
    for (_, typed) in question.typedPaths where try await placeAtAnEnd(typed, of: branch) == nil {
      guard let steps = self.branch(branch)?.steps,
        try await knownState(at: Position(branch: branch, step: steps.upperBound)) != nil,
        try firstMention(of: typed) == nil
      else { continue }
      return "no state has \(ValuePath(typed, in: .null).text)"
    }
    return nil
  }

  private func place(
    _ typed: Pointer, of branch: BranchID
  ) async throws -> (place: Pointer, state: Value)? {
    if let found = try await placeAtAnEnd(typed, of: branch) { return found }
    guard self.branch(branch) != nil, let recording = recording as? any WalkedRecording,
      try firstMention(of: "_0") != nil, let first = try firstMention(of: typed)
    else { return nil }
    let steps = recording.summary.steps
    // A line may hold the state before it, too.
    var walk = recording.walk(typed.spellings, from: max(first - 1, steps.lowerBound))
    while walk.next <= steps.upperBound {
      try Task.checkCancellation()
      var step: Int?
      try walk.visit(through: min(walk.next + 4_095, steps.upperBound)) { preview in
        guard preview.hasChanged, preview.state.flatMap(typed.place(in:)) != nil else {
          return true
        }
        step = preview.number
        return false
      }
      if let step, let found = try await place(typed, at: Position(step: step)) { return found }
    }
    return nil
  }

  /// In the first or the last state of a branch.
  private func placeAtAnEnd(
    _ typed: Pointer, of branch: BranchID
  ) async throws -> (place: Pointer, state: Value)? {
    guard let steps = self.branch(branch)?.steps else { return nil }
    for step in [steps.lowerBound, steps.upperBound] {
      if let found = try await place(typed, at: Position(branch: branch, step: step)) {
        return found
      }
    }
    return nil
  }

  private func place(
    _ typed: Pointer, at position: Position
  ) async throws -> (place: Pointer, state: Value)? {
    guard let state = try await knownState(at: position) else { return nil }
    return typed.place(in: state).map { ($0, state) }
  }

  /// The first recorded step with the last name of a place; nil without one.
  private func firstMention(of place: Pointer) throws -> Int? {
    guard let name = place.tokens.last(where: { Int($0) == nil }), name.allSatisfy(\.isASCII)
    else { return summary.steps.lowerBound }
    return try firstMention(of: name)
  }

  private func firstMention(of name: String) throws -> Int? {
    guard let recording = recording as? any WalkedRecording,
      let needle = TextNeedle(name, ignoringCase: false)
    else { return summary.steps.lowerBound }
    return try recording.steps(holding: needle, in: recording.summary.steps, limit: 1).first
  }
}

extension StepQuestion {
  /// The longest first, because one may begin another.
  fileprivate var typedPaths: [(word: String, place: Pointer)] {
    ["state", "previous"].flatMap { word in
      condition.likelyPaths(in: word).filter { !$0.tokens.isEmpty }.map { (word, $0) }
    }.sorted { $0.place.tokens.count > $1.place.tokens.count }
  }
}
