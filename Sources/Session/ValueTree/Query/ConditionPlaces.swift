extension Condition {
  /// The places that the answer depends on, each once, in text order. A change that overlaps none
  /// of them cannot change the answer.
  ///
  /// A place ends before the first index, wildcard, slice or filter, because insertions move
  /// elements. Questions about other steps have places of their own.
  public var paths: [Pointer] {
    var dependencies = Dependencies()
    dependencies.add(expression)
    var distinct: [Pointer] = []
    for path in dependencies.paths where !distinct.contains(where: { path.starts(with: $0) }) {
      distinct.removeAll { $0.starts(with: path) }
      distinct.append(path)
    }
    return distinct
  }

  /// The functions that it names, each once: `rules.mjs#isSorted`. Those in questions about other
  /// steps, too.
  package var code: [String] {
    var dependencies = Dependencies()
    dependencies.add(expression)
    var names: [String] = []
    for name in dependencies.code + neighbours.flatMap(\.condition.code) where !names.contains(name)
    {
      names.append(name)
    }
    return names
  }

  /// A place in the value of a function, whose name is the first token:
  /// `selectors.mjs#visible[0].id`. Nil for other texts.
  package static func codePlace(_ text: String) -> Pointer? {
    guard text.contains("#"), !text.hasPrefix("/") || text.contains("."),
      let condition = try? Condition("\(text) == 0"), condition.code.count == 1,
      case .comparison(.single, .equal, _) = condition.expression
    else { return nil }
    return condition.likelyPaths(in: code).first
  }

  /// The places inside one word: for `state` and a condition on `state.total`, `/total`. Nil if the
  /// condition does not use the word.
  public func paths(in word: String) -> [Pointer]? {
    let inside = paths.compactMap { path -> Pointer? in
      guard let first = path.tokens.first else { return [] }
      return first == word ? Pointer(tokens: path.tokens.dropFirst()) : nil
    }
    return inside.isEmpty ? nil : inside
  }

  /// The same with literal indices, although elements may move: a guess at what the condition is
  /// about.
  package func likelyPaths(in word: String) -> [Pointer] {
    var dependencies = Dependencies(followsIndices: true)
    dependencies.add(expression)
    return dependencies.paths.filter { $0.tokens.first == word }
      .map { Pointer(tokens: $0.tokens.dropFirst()) }
  }

  /// The first names that filters ask of the elements of a list: for `count(state.items[?@.id])`,
  /// `id` and `/state/items`.
  package var filteredNames: [(list: Pointer, name: String)] {
    var dependencies = Dependencies()
    dependencies.add(expression)
    return dependencies.filtered
  }

  package var parts: [Condition] {
    func parts(of expression: LogicalExpression) -> [LogicalExpression] {
      switch expression {
      case .all(let inner): inner.flatMap(parts)
      case .not(.any(let inner)): inner.flatMap { parts(of: .not($0)) }
      case .not(.not(let inner)): parts(of: inner)
      default: [expression]
      }
    }
    return parts(of: expression).enumerated().map { place, expression in
      Condition(text: "part \(place) of \(text)", expression: expression, neighbours: neighbours)
    }
  }

  /// Whether a patch to a word's value can change the answer.
  public func dependsOn(_ patch: Patch, to word: String) -> Bool {
    paths(in: word)?.contains { patch.touches($0) } ?? false
  }
}

extension Condition {
  /// The texts that a word or a place in it is compared with: `a` for `label == 'a'`.
  package func texts(comparedWith path: [String]) -> [String] {
    func texts(_ expression: LogicalExpression) -> [String] {
      switch expression {
      case .any(let parts), .all(let parts): parts.flatMap(texts)
      case .not(let inner): texts(inner)
      default: expression.equalText.flatMap { $0.place == path ? [$0.text] : nil } ?? []
      }
    }
    return texts(expression)
  }

  /// The longest text that must occur in the label or the action of a matching step.
  package var neededText: String? {
    func needed(_ expression: LogicalExpression) -> [String] {
      if case .all(let parts) = expression { return parts.flatMap(needed) }
      guard let (place, text) = expression.equalText else { return [] }
      return ["label", "action"].contains(place.first) ? [text] : []
    }
    return needed(expression).max { $0.utf8.count < $1.utf8.count }
  }
}

extension LogicalExpression {
  /// Whether the answer depends on the value of one of these words of a step.
  func depends(on words: [String]) -> Bool {
    guard !words.isEmpty else { return false }
    if case .exists(let query) = self, query.segments.count == 1, query.single != nil {
      return false
    }
    var dependencies = Dependencies()
    dependencies.add(self)
    return dependencies.paths.contains { $0.tokens.first.map(words.contains) ?? true }
  }

  fileprivate var equalText: (place: [String], text: String)? {
    switch self {
    case .comparison(.single(let query), .equal, .literal(let literal)),
      .comparison(.literal(let literal), .equal, .single(let query)):
      literal.value.string.map { (query.names, $0) }
    default: nil
    }
  }
}

private struct Dependencies {
  var followsIndices = false
  var paths: [Pointer] = []
  var isInsideFilter = false
  var code: [String] = []
  var filtered: [(list: Pointer, name: String)] = []
  /// The list whose elements are filtered; nil if its place is unknown.
  private var list: Pointer?

  init(followsIndices: Bool = false) { self.followsIndices = followsIndices }

  mutating func add(_ expression: LogicalExpression) {
    switch expression {
    case .any(let parts), .all(let parts): for part in parts { add(part) }
    case .not(let inner): add(inner)
    case .exists(let query), .isTrue(let query), .elements(_, let query): add(query)
    case .comparison(let left, _, let right):
      add(left)
      add(right)
    case .matches(let text, let pattern, _):
      add(text)
      if case .found(let pattern) = pattern { add(pattern) }
    case .neighbour: break
    }
  }

  private mutating func add(_ comparand: Comparand) {
    switch comparand {
    case .literal: break
    case .single(let query), .count(let query), .value(let query), .sum(let query): add(query)
    case .length(let inner): add(inner)
    }
  }

  private mutating func add(_ query: InnerQuery) {
    if query.isCode { code.append(query.names[1]) }
    if query.origin == .root || !isInsideFilter {
      paths.append(Pointer(tokens: query.segments.names(followingIndices: followsIndices)))
    }
    if isInsideFilter, query.origin == .current, let list, let name = query.names.first {
      filtered.append((list, name))
    }
    let (wasInside, outer) = (isInsideFilter, list)
    isInsideFilter = true
    for (index, segment) in query.segments.enumerated() {
      let isKnown = query.names.count == index && (query.origin == .root || !wasInside)
      list = isKnown && segment.onlyChild != nil ? Pointer(tokens: query.names) : nil
      for case .filter(let filter) in segment.selectors { add(filter) }
    }
    (isInsideFilter, list) = (wasInside, outer)
  }
}

extension [QuerySegment] {
  func names(followingIndices: Bool = false) -> [String] {
    var names: [String] = []
    for segment in self {
      switch segment.onlyChild {
      case .name(let name)?: names.append(name)
      case .index(let index)? where followingIndices && index >= 0: names.append(String(index))
      default: return names
      }
    }
    return names
  }
}
