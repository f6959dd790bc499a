import TextCanvas

package struct LineEditor: Sendable, Hashable {
  private(set) var characters: [Character]
  private(set) var cursor: Int
  /// The earlier texts, one before each change, the newest last.
  private var before: [[Character]] = []

  private static let most = 1_048_576

  package init(_ text: String = "") {
    characters = Array(text.prefix(Self.most))
    cursor = characters.count
  }

  var text: String { String(characters) }

  func begins(with text: String) -> Bool { characters.starts(with: text) }

  mutating func replace(with text: String) {
    saveForUndo()
    characters = Array(text.prefix(Self.most))
    cursor = characters.count
  }

  /// Long lines keep one state only.
  private mutating func saveForUndo() {
    before = (before + [characters]).suffix(characters.count < 10_000 ? 100 : 1)
  }

  mutating func undo() {
    guard let last = before.popLast() else { return }
    let common = zip(last.reversed(), characters.reversed()).prefix { $0 == $1 }.count
    characters = last
    cursor = max(last.count - common, 0)
  }

  mutating func place(at index: Int) { cursor = min(max(index, 0), characters.count) }

  mutating func place(_ cells: Int, after start: Int) {
    var left = cells
    let reached = characters.dropFirst(start).prefix { character in
      left -= SafeText.width(String(character))
      return left >= 0
    }
    place(at: start + reached.count)
  }

  mutating func insert(_ text: String) {
    // Pasted line breaks become blanks.
    saveForUndo()
    let room = max(0, Self.most - characters.count)
    let added = text.prefix(room).map { $0.isNewline ? " " : $0 }
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
    let end = min(end, characters.count)
    guard start < end else { return }
    saveForUndo()
    characters.removeSubrange(start..<end)
    cursor = start
  }

  var startOfWord: Int {
    var start = cursor
    while start > 0, " =".contains(characters[start - 1]) { start -= 1 }
    while start > 0, !" =".contains(characters[start - 1]) { start -= 1 }
    return start
  }

  var endOfWord: Int {
    let word = characters[cursor...].drop { $0 == " " }
    return word.firstIndex(of: " ") ?? characters.count
  }
}
