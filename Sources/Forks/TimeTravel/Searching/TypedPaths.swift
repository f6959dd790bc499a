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
      if let list = typed.measured, try await place(typed, of: branch) == nil,
        let (place, state) = try await place(list, of: branch), state[place]?.hasLength == true
      {
        let path = "\(word).\(ValuePath(list, in: state).text)"
        text = text.replacing("\(path).length", with: "length(\(path))")
        continue
      }
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

  /// The places of a condition that the first and the last state lack, with words for each. One that
  /// is nowhere in the file may be a typing error: the answer is the same at every step.
  package func absentPlaces(
    in condition: Condition, of branch: BranchID, at steps: ClosedRange<Int>? = nil
  ) async throws -> [(words: String, isNowhere: Bool, hasNear: Bool)] {
    let words = ["state", "previous"].filter { condition.paths(in: $0) != nil }
    guard !words.isEmpty, let steps = steps ?? self.branch(branch)?.steps else { return [] }
    var ends: [(step: Int, state: Value)] = []
    for step in Set([steps.lowerBound, steps.upperBound]).sorted() {
      let state = try await knownState(at: Position(branch: branch, step: step))
      if let state { ends.append((step, state)) }
    }
    guard let last = ends.last?.state else { return [] }
    let numbers = ends.map { "\($0.step)" }.joined(separator: " and ")
    func absence(
      _ name: String, _ place: Pointer, _ near: String?
    ) throws -> (words: String, isNowhere: Bool, hasNear: Bool) {
      let isNowhere = try firstMention(of: place, in: branch) == nil
      let words =
        isNowhere
        ? "no state has \(name)."
        : "there is no \(name) at \(ends.count == 1 ? "step" : "steps") \(numbers)."
      return (words + (near.map { " Did you mean \($0)?" } ?? ""), isNowhere, near != nil)
    }
    var absent: [(words: String, isNowhere: Bool, hasNear: Bool)] = []
    for word in words {
      for place in condition.paths(in: word) ?? []
      where ends.allSatisfy({ place.place(in: $0.state) == nil }) {
        if let list = place.measured,
          ends.contains(where: { end in
            list.place(in: end.state).flatMap { end.state[$0] }?.hasLength == true
          })
        {
          continue
        }
        func name(_ place: Pointer) -> String { "\(word).\(ValuePath(place, in: last).text)" }
        absent.append(try absence(name(place), place, place.nearest(in: last).map(name)))
      }
      for (list, key) in condition.filteredNames where list.tokens.first == word {
        let list = Pointer(tokens: list.tokens.dropFirst())
        let elements = ends.flatMap { end in
          list.place(in: end.state).flatMap { end.state[$0] }?.elements ?? []
        }
        let place = Pointer(tokens: [key])
        guard !elements.contains(where: { place.place(in: $0) != nil }) else { continue }
        let path = "\(word).\(ValuePath(list, in: last).text)"
        let near = elements.lazy.compactMap { place.nearest(in: $0) }.first?.tokens.last
        let found = try absence("\(path)[].\(key)", place, near)
        if found.isNowhere || !elements.isEmpty { absent.append(found) }
      }
    }
    return absent
  }

  private func place(
    _ typed: Pointer, of branch: BranchID
  ) async throws -> (place: Pointer, state: Value)? {
    if let found = try await placeAtAnEnd(typed, of: branch) { return found }
    guard self.branch(branch) != nil, let recording = recording as? any WalkedRecording,
      try firstMention(of: "_0") != nil, let first = try firstMention(of: typed, in: .main)
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

  /// The first step with the last name of a place; nil without one.
  func firstMention(of place: Pointer, in branch: BranchID) throws -> Int? {
    guard let name = place.tokens.last(where: { Int($0) == nil }), name.allSatisfy(\.isASCII)
    else { return summary.steps.lowerBound }
    if let first = try firstMention(of: name) { return first }
    guard let fork = self.branch(branch), fork.script != nil else { return nil }
    return try fork.steps.first { number in
      let step = try step(at: Position(branch: branch, step: number))
      return [step.patch, step.step.action].contains { $0?.text().contains(name) == true }
    }
  }

  private func firstMention(of name: String) throws -> Int? {
    guard let recording = recording as? any WalkedRecording,
      let needle = TextNeedle(name, ignoringCase: false)
    else { return summary.steps.lowerBound }
    return try recording.steps(holding: needle, in: recording.summary.steps, limit: 1).first
  }
}

extension Value {
  /// The elements that a filter goes through.
  fileprivate var elements: [Value] {
    switch self {
    case .array(let array): Array(array)
    case .object(let object): object.map(\.value)
    default: []
    }
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

extension Pointer {
  /// The place whose length a path asks for: as in JavaScript, lists and texts have one.
  fileprivate var measured: Pointer? { tokens.last == "length" ? parent : nil }
}

extension Value {
  /// The length that a typed place asks for, as in JavaScript: `cart.length`.
  package func length(at place: Pointer) -> (of: Pointer, length: Int)? {
    guard let measured = place.measured, self[place] == nil else { return nil }
    switch self[measured] {
    case .array(let array)?: return (measured, array.count)
    case .string(let text)?: return (measured, text.unicodeScalars.count)
    case .object(let object)?: return (measured, object.count)
    default: return nil
    }
  }

  fileprivate var hasLength: Bool {
    switch self {
    case .array, .string, .object: true
    default: false
    }
  }
}
