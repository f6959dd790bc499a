import TextCanvas

package struct LineEditor: Sendable, Hashable {
  private(set) var characters: [Character]
  private(set) var cursor: Int

  package init(_ text: String = "") {
    characters = Array(text)
    cursor = characters.count
  }

  var text: String { String(characters) }

  mutating func replace(with text: String) { self = LineEditor(text) }

  mutating func showStart() { if characters.count > 40 { cursor = 0 } }

  mutating func place(at index: Int) { cursor = min(max(index, 0), characters.count) }

  /// Puts the cursor at a line and a column of the text, both from 1.
  mutating func place(line: Int, column: Int) {
    var start = 0
    for _ in 1..<max(line, 1) {
      guard let end = characters[start...].firstIndex(where: \.isNewline) else { break }
      start = end + 1
    }
    cursor = min(start + max(column - 1, 0), characters.count)
  }

  mutating func place(_ cells: Int, after start: Int) {
    var left = cells
    let reached = characters.dropFirst(start).prefix { character in
      left -= SafeText.width(String(character))
      return left >= 0 && !character.isNewline
    }
    place(at: start + reached.count)
  }

  mutating func insert(_ text: String) {
    // Pasted line breaks become blanks.
    let added = text.map { $0.isNewline ? " " : $0 }
    characters.insert(contentsOf: added, at: cursor)
    cursor += added.count
  }

  mutating func handle(_ key: Key) -> Bool {
    if case .character(let character) = key {
      insert(String(character))
      return true
    }
    return KeyTable.typing.handle(key, &self)
  }

  mutating func move(by offset: Int) { cursor = min(max(cursor + offset, 0), characters.count) }

  mutating func delete(from start: Int, to end: Int) {
    let start = max(start, 0)
    characters.removeSubrange(start..<min(end, characters.count))
    cursor = start
  }

  var startOfWord: Int {
    var start = cursor
    while start > 0, characters[start - 1] == " " { start -= 1 }
    while start > 0, characters[start - 1] != " " { start -= 1 }
    return start
  }
}
