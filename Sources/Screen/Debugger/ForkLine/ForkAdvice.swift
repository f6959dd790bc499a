import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

extension ForkLine {
  private var labels: Set<String> { Set(allOffers.filter { $0.action != nil }.map(\.label)) }

  /// The known label of an action: deeper names may be its payload.
  private func knownLabel(of action: Value) -> String? {
    let label = action.caseNames
    let known = labels
    if known.contains(label) { return label }
    return known.filter { label.hasPrefix("\($0).") }.max { $0.count < $1.count }
  }

  private func name(ofUnknown action: Value) -> (typed: String, meant: String?) {
    let label = action.caseNames
    var typed = label[...]
    while true {
      if let near = nearest(String(typed), labels) { return (String(typed), near) }
      guard let dot = typed.lastIndex(of: ".") else { return (label, nil) }
      typed = typed[..<dot]
    }
  }

  /// A doubt about a change without a similar recorded one, if the host cannot tell whether the app
  /// has it.
  func doubt(about change: Edit) -> String? {
    guard !isSearching, let action = change.action, knownLabel(of: action) == nil else {
      return nil
    }
    let (typed, meant) = name(ofUnknown: action)
    let near = meant.map { "; “\($0)” was" } ?? ""
    return typed == "?"
      ? "this action has no name" : "no “\(typed)” was recorded\(near)"
  }

  func words(for problem: ValueProblem, in change: Edit) -> String {
    guard let action = change.action else { return problem.sentence }
    guard let label = knownLabel(of: action) else {
      let (typed, meant) = name(ofUnknown: action)
      return "the app has no action “\(typed)”" + (meant.map { ": did you mean “\($0)”?" } ?? "")
    }
    guard let (wrong, known) = wrongKey(for: problem, in: action, label) else {
      return problem.sentence
    }
    let near = wrong.flatMap { suggestion(for: $0, among: known) }
    let all = known.joined(separator: ", ")
    if let wrong, let near { return "“\(wrong)” is not a key here: did you mean “\(near)”?" }
    if let wrong { return "“\(wrong)” is not a key here; it has \(all)" }
    return "\(problem.sentence); it has \(all)"
  }

  private func wrongKey(
    for problem: ValueProblem, in action: Value, _ label: String
  ) -> (wrong: String?, known: [String])? {
    guard case .object(let typed)? = action[problem.path],
      let known = keys(at: problem.path, of: label)
    else { return nil }
    return (typed.map(\.key).first { !known.contains($0) }, known)
  }

  private func keys(at pointer: Pointer, of label: String) -> [String]? {
    for offer in allOffers where offer.label == label || offer.label.hasPrefix("\(label).") {
      if case .object(let object)? = offer.action?[pointer], !object.isEmpty {
        return object.map(\.key)
      }
    }
    return nil
  }

  /// The count of characters of the line before a problem of its value.
  func place(of problem: ValueProblem, in change: Edit) -> Int {
    let line = Array(words.start + words.text)
    let action = change.action
    let wrong = action.flatMap { action in
      knownLabel(of: action).flatMap { wrongKey(for: problem, in: action, $0)?.wrong }
    }
    var (place, next) = (words.start.count, words.start.count)
    for token in problem.path.tokens + (wrong.map { [$0] } ?? []) {
      let wanted = Array("\"\(token)\"")
      let rest = line[min(next, line.count)...]
      // A label replaces the first ones.
      guard let start = rest.indices.first(where: { rest[$0...].starts(with: wanted) }) else {
        continue
      }
      (place, next) = (start, start + wanted.count)
    }
    return place
  }
}
