import ValueTree

/// The known word nearest to a mistyped one, if near enough.
package func suggestion(for word: String, among known: [String]) -> String? {
  let near = known.map { (word: $0, distance: NearestWord.distance(word, $0)) }
    .min { $0.distance < $1.distance }
  guard let near, near.distance <= max(1, word.count / 3) else { return nil }
  return near.word
}

/// The probable label for an unknown text: one that ends with it or nearly so, else the nearest.
package func nearest(_ text: String, _ labels: Set<String>) -> String? {
  let known = labels.sorted()
  if let whole = known.first(where: { $0.hasSuffix(".\(text)") || $0.hasSuffix("/\(text)") }) {
    return whole
  }
  func last(_ label: String) -> String {
    label.split { $0 == "." || $0 == "/" }.last.map(String.init) ?? label
  }
  return suggestion(for: text, among: known)
    ?? suggestion(for: last(text), among: known.map(last)).flatMap { name in
      known.first { last($0) == name }
    }
}

extension Pointer {
  /// The place in a value, with the unnamed payloads that the screen leaves out; nil without such a
  /// place.
  package func place(in value: Value) -> Pointer? {
    let payload = "_0"
    let found = tokens.reduce(Optional(Pointer())) { place, token in
      place.flatMap { place in
        [place, place.appending(payload)].map { $0.appending(token) }
          .first { value[$0] != nil }
      }
    }
    guard let found, case .object(let members)? = value[found], members.count == 1,
      members[payload] != nil
    else { return found }
    return found.appending(payload)
  }

  /// The places that it may mean: with and without an unnamed payload before each of its first names.
  var spellings: [Pointer] {
    tokens.prefix(4).reduce([Pointer()]) { places, token in
      places.flatMap { [$0, $0.appending("_0")] }.map { $0.appending(token) }
    }
  }

  /// The nearest existing place, replacing unknown names by near ones. A name that stands deeper is
  /// found there.
  package func nearest(in state: Value) -> Pointer? {
    var known = Pointer()
    var isWrong = false
    for (depth, token) in tokens.enumerated() {
      var next = known.appending(token)
      if state[next] == nil {
        guard case .object(let object)? = state[known],
          let near = suggestion(for: token, among: object.map(\.key)).map({ Pointer(tokens: [$0]) })
            ?? state[known]?.place(named: token)
        else { return isWrong ? Pointer(tokens: known.tokens + tokens.dropFirst(depth)) : nil }
        next = Pointer(tokens: known.tokens + near.tokens)
        isWrong = true
      }
      known = next
    }
    return isWrong ? known : nil
  }
}

extension Value {
  /// The place of a member with this name, a few objects deep; the outermost one.
  fileprivate func place(named name: String) -> Pointer? {
    var level = [(place: Pointer(), value: self)]
    for _ in 0..<4 {
      var next: [(place: Pointer, value: Value)] = []
      for (place, value) in level.prefix(1_000) {
        guard case .object(let members) = value else { continue }
        if members[name] != nil { return place.appending(name) }
        next += members.prefix(1_000).map { (place.appending($0.key), $0.value) }
      }
      level = next
    }
    return nil
  }
}
