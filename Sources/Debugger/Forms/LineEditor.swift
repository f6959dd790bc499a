import TextCanvas

/// One line of text that is being typed.
public struct LineEditor: Sendable, Hashable {
  private(set) var characters: [Character]
  private(set) var cursor: Int

  public init(_ text: String = "") {
    characters = Array(text)
    cursor = characters.count
  }

  var text: String { String(characters) }
  var beforeCursor: String { String(characters[..<cursor]) }

  mutating func replace(with text: String) { self = LineEditor(text) }

  /// Puts the cursor at a place of a text that may have several lines; both count from 1.
  mutating func place(line: Int, column: Int) {
    var start = 0
    for _ in 1..<max(line, 1) {
      guard let end = characters[start...].firstIndex(where: \.isNewline) else { break }
      start = end + 1
    }
    cursor = min(start + max(column - 1, 0), characters.count)
  }

  mutating func insert(_ text: String) {
    // What was pasted may have several lines: the line stays one line.
    let added = text.map { $0.isNewline ? " " : $0 }
    characters.insert(contentsOf: added, at: cursor)
    cursor += added.count
  }

  /// Whether the key was one for typing.
  mutating func handle(_ key: Key) -> Bool {
    switch key {
    case .character(let character): insert(String(character))
    case .left, .control("b"): cursor = max(0, cursor - 1)
    case .right, .control("f"): cursor = min(characters.count, cursor + 1)
    case .home, .control("a"): cursor = 0
    case .end, .control("e"): cursor = characters.count
    case .backspace:
      guard cursor > 0 else { return true }
      cursor -= 1
      characters.remove(at: cursor)
    case .delete:
      if cursor < characters.count { characters.remove(at: cursor) }
    case .control("u"):
      characters.removeSubrange(..<cursor)
      cursor = 0
    case .control("k"): characters.removeSubrange(cursor...)
    case .control("w"): removeWord()
    default: return false
    }
    return true
  }

  private mutating func removeWord() {
    var start = cursor
    while start > 0, characters[start - 1] == " " { start -= 1 }
    while start > 0, characters[start - 1] != " " { start -= 1 }
    characters.removeSubrange(start..<cursor)
    cursor = start
  }
}
