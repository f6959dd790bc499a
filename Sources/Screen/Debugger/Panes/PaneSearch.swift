import Platform
import SessionWords
import TimeTravel
import ValueTree

/// A text search in one pane: in State through the whole value, else in the lines. Capital letters
/// make it case-sensitive.
struct PaneSearch: Sendable, Hashable {
  let text: String
  /// The limit of hits, so that huge states do not delay the answer.
  private static let mostHits = 1_000
  private static let mostPlaces = 50_000

  func matches(_ other: String) -> Bool {
    text.contains(where: \.isUppercase)
      ? other.contains(text) : other.lowercased().contains(text.lowercased())
  }

  func places(in value: Value) -> [ValuePath] {
    var found: [ValuePath] = []
    var rest = [(name: "", value: value, path: ValuePath.root)]
    var count = 0
    while let (name, value, path) = rest.popLast(), found.count < Self.mostHits,
      count < Self.mostPlaces
    {
      count += 1
      let content = CaseContent(of: value, at: path)
      let names = [name] + content.names
      if names.contains(where: matches) || content.value.plainText.map(matches) == true {
        found.append(path)
      }
      for index in (0..<min(content.value.childCount, Self.mostPlaces)).reversed() {
        guard let (part, child) = content.value.child(index) else {
          impossible("each index below the count has a child")
          continue
        }
        let name = if case .key(let key) = part { key } else { "" }
        rest.append((name, child, content.path.appending(part)))
      }
    }
    return found
  }
}

extension [Int] {
  func next(_ direction: Search.Direction, of place: Int) -> (hit: Int, number: Int)? {
    let index =
      direction == .forward
      ? firstIndex { $0 > place } ?? indices.first : lastIndex { $0 < place } ?? indices.last
    return index.map { (self[$0], $0 + 1) }
  }
}

extension Value {
  fileprivate var plainText: String? {
    switch self {
    case .string(let text): text
    case .array, .object: nil
    default: ValuePreview.text(self, limit: 200)
    }
  }
}

extension DebuggerUpdate {
  /// Goes to the next hit; `isNew` includes the line under the cursor.
  mutating func nextInPane(_ direction: Search.Direction, isNew: Bool = false) {
    guard let search = state.view.search else { return nextHit(direction) }
    var cursor = state.view.cursor - (isNew ? 1 : 0)
    if state.pane == .state, let value = state.moment?.state {
      // Unfolds first, because lines follow the folds.
      let places = search.places(in: value)
      let here = state.view.row?.path
      let index = places.firstIndex { $0 == here }
      cursor = isNew ? -1 : index ?? (direction == .forward ? -1 : places.count)
      guard let (hit, number) = Array(places.indices).next(direction, of: cursor) else {
        return sayNoHit(search)
      }
      state.view.reveal(places[hit], in: value)
      return say("/\(search.text)  \(grouped(number)) of \(grouped(places.count)) in State")
    }
    let rows = state.view.content.rows
    let hits = rows.indices.filter { search.matches(rows[$0].text) }
    guard let (hit, number) = hits.next(direction, of: cursor) else {
      return sayNoHit(search)
    }
    state.view.cursor = hit
    say("/\(search.text)  \(number) of \(hits.count) in \(state.pane.rawValue)")
  }

  private mutating func sayNoHit(_ search: PaneSearch) {
    say(
      "“\(search.text)” is not in \(state.pane.rawValue) at this step; "
        + "\(state.key("h")) and \(state.key("/")) search the steps.")
  }

  mutating func searchInPane(_ text: String) {
    state.view.search = text.isEmpty ? nil : PaneSearch(text: text)
    if !text.isEmpty { nextInPane(.forward, isNew: true) }
  }
}
