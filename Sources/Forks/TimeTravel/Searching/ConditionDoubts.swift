import SessionWords
import ValueTree

/// A word or place that a condition names and the session lacks, in a sentence.
package struct ConditionDoubt: Sendable {
  package var words: String
  /// Whether it is a place that is nowhere, and the right one is known. A text that no word is has a
  /// certain answer.
  package var isMisspelt = false
}

extension OpenSession {
  /// Says what a condition asks for in vain, with the nearest right words: a place that no step has,
  /// and a text that no word is. The answer is the same at every step. Each door of conditions says
  /// this. With steps, it also tells the places that their first and last state lack.
  package func doubts(
    about condition: Condition, of branch: BranchID, at steps: ClosedRange<Int>? = nil
  ) async throws -> [ConditionDoubt] {
    let absent = try await absentPlaces(in: condition, of: branch, at: steps)
      .filter { $0.isNowhere || steps != nil }
    return try valueDoubts(about: condition).map { ConditionDoubt(words: $0) }
      + wordDoubts(about: condition, of: branch)
      + absent.map { ConditionDoubt(words: $0.words, isMisspelt: $0.isNowhere && $0.hasNear) }
  }

  /// The names in the words of a step; those in actions and values are the app's.
  private static let names = [
    "cause": ["outside", "effect", "name", "output"],
    "standing": ["values", "outcome", "assumptions"],
    "reads": ["key", "arguments", "value", "failure"],
    "started": ["step", "time", "label", "action", "state"],
  ]

  private func wordDoubts(
    about condition: Condition, of branch: BranchID
  ) throws -> [ConditionDoubt] {
    var doubts: [ConditionDoubt] = []
    for (word, names) in Self.names.sorted(by: { $0.key < $1.key }) {
      let filtered = condition.filteredNames.filter { $0.list.tokens == [word] }.map(\.name)
      let asked = condition.likelyPaths(in: word).compactMap { place in
        place.tokens.first { Int($0) == nil }
      }
      for name in asked + filtered where !names.contains(name) {
        let path = word == "reads" ? "reads[]." : "\(word)."
        let near = suggestion(for: name, among: names).map { "Did you mean \(path)\($0)?" }
        let next = near ?? "There is \(names.map { path + $0 }.joined(separator: ", "))."
        doubts.append(
          ConditionDoubt(words: "no step has \(path)\(name). \(next)", isMisspelt: near != nil))
      }
    }
    return try doubts + actionDoubts(about: condition, of: branch)
  }

  /// Of long sessions, the first thousand steps are read; there, the last name must be nowhere in
  /// the file.
  private func actionDoubts(
    about condition: Condition, of branch: BranchID
  ) throws -> [ConditionDoubt] {
    guard let steps = self.branch(branch)?.steps else { return [] }
    let read = steps.dropFirst().prefix(1_000)
    var asked = condition.likelyPaths(in: "action").filter { !$0.tokens.isEmpty }
      .map { (place: $0, near: String?.none) }
    for number in read where !asked.isEmpty {
      let action = try step(at: Position(branch: branch, step: number)).step.action
      asked.removeAll { $0.place.place(in: action) != nil }
      for index in asked.indices where asked[index].near == nil {
        asked[index].near = asked[index].place.nearest(in: action).map {
          " Did you mean action.\(ValuePath($0, in: action).text)?"
        }
      }
    }
    return try asked.compactMap { place, near in
      guard try read.count == steps.count - 1 || firstMention(of: place, in: branch) == nil else {
        return nil
      }
      let path = ValuePath(place, in: .null).text
      return ConditionDoubt(
        words: "no step has action.\(path).\(near ?? "")", isMisspelt: near != nil)
    }
  }

  /// The texts compared with a word whose values are all known, if none of them matches.
  private func valueDoubts(about condition: Condition) -> [String] {
    let values = Standing.Values.allCases.map(\.rawValue)
    let outcomes = Standing.Outcome.allCases.map(\.rawValue)
    let known = [
      ("cause", ["user", "outside"]), ("branch", branches.map(\.name)),
      ("standing.values", values), ("standing.outcome", outcomes),
    ]
    let wrong = known.flatMap { word, known in
      let path = word.split(separator: ".").map(String.init)
      return condition.texts(comparedWith: path).filter { !known.contains($0) }.map { text in
        let near = suggestion(for: text, among: known)
        let next =
          near.map { "Did you mean “\($0)”?" } ?? "There is \(known.joined(separator: ", "))."
        return "no \(word) is “\(text)”. \(next)"
      }
    }
    return wrong
      + condition.texts(comparedWith: ["standing"]).map { text in
        let part = suggestion(for: text, among: values).map { "values == '\($0)'" }
        let other = suggestion(for: text, among: outcomes).map { "outcome == '\($0)'" }
        return
          "standing is no text. Write standing.\(part ?? other ?? "values, or standing.outcome")."
      }
  }
}
