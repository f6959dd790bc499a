import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

extension ForkForm {
  private var actions: [Value] { allOffers.compactMap(\.action) }

  private var labels: Set<String> { Set(allOffers.filter { $0.action != nil }.map(\.label)) }

  var namelessWords: String {
    let typed = filter.text
    let near = nearest(typed, labels).map { ": did you mean “\($0)”?" } ?? ""
    return "nothing is named “\(typed)”\(near)"
  }

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
      ? "this action has no name. \(enter) again sends it"
      : "no “\(typed)” was recorded\(near). \(enter) again sends it as it is"
  }

  func words(for problem: ValueProblem, in change: Edit) -> String {
    guard let action = change.action else { return problem.sentence }
    guard let label = knownLabel(of: action) else {
      let (typed, meant) = name(ofUnknown: action)
      return "the app has no action “\(typed)”" + (meant.map { ": did you mean “\($0)”?" } ?? "")
    }
    guard case .object(let typed)? = action[problem.path],
      let known = keys(at: problem.path, of: label)
    else { return problem.sentence }
    let wrong = typed.map(\.key).first { !known.contains($0) }
    let near = wrong.flatMap { suggestion(for: $0, among: known) }
    let all = known.joined(separator: ", ")
    if let wrong, let near { return "“\(wrong)” is not a key here: did you mean “\(near)”?" }
    if let wrong { return "“\(wrong)” is not a key here; it has \(all)" }
    return "\(problem.sentence); it has \(all)"
  }

  private func keys(at pointer: Pointer, of label: String) -> [String]? {
    for offer in allOffers where offer.label == label || offer.label.hasPrefix("\(label).") {
      if case .object(let object)? = offer.action?[pointer], !object.isEmpty {
        return object.map(\.key)
      }
    }
    return nil
  }

  func textPlace(of problem: ValueProblem) -> Int {
    var place = 0
    for token in problem.path.tokens {
      let wanted = Array("\"\(token)\"")
      let rest = text.characters[place...]
      guard let start = rest.indices.first(where: { rest[$0...].starts(with: wanted) }) else {
        break
      }
      place = start + wanted.count
    }
    return place
  }

  // MARK: Completing

  var completion: String? {
    if field == .part, part.cursor == part.characters.count {
      return state.flatMap { TypedPlace.completions(of: part.text, in: $0).first }
        .map { String($0.dropFirst(part.text.count)) }
    }
    if field == .text, text.characters.isEmpty, change == .set { return oldValue?.text() }
    guard field == .text, isJSON, text.characters.count < 4_000,
      text.cursor == text.characters.count || !isLetter(text.cursor)
    else { return nil }
    let before = text.characters[..<text.cursor]
    guard let quote = before.lastIndex(of: "\""), quote + 1 < text.cursor else { return nil }
    guard let sign = before[..<quote].last(where: { $0 != " " && !$0.isNewline }),
      sign == "{" || sign == ","
    else { return nil }
    let word = String(before[(quote + 1)...])
    let isOpen = text.cursor == text.characters.count
    return keys.first { $0.hasPrefix(word) && $0 != word }.map {
      $0.dropFirst(word.count) + (isOpen ? "\":" : "")
    }
  }

  private func isLetter(_ index: Int) -> Bool {
    text.characters[index].isLetter || text.characters[index].isNumber
  }

  private var keys: [String] {
    var known: Set<String> = []
    var keys: [String] = []
    func add(_ value: Value) {
      switch value {
      case .object(let object):
        for member in object {
          if known.insert(member.key).inserted { keys.append(member.key) }
          add(member.value)
        }
      case .array(let array): array.prefix(3).forEach(add)
      default: break
      }
    }
    if let oldValue { add(oldValue) }
    actions.forEach(add)
    return keys
  }
}
