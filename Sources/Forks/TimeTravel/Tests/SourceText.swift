struct SourceText {
  private var text = ""
  private static let width = 100

  var closed: String { text + "  }\n}\n" }

  mutating func add(_ line: String = "", indent: Int = 0) {
    text += line.isEmpty ? "\n" : Self.broken(line, indent) + "\n"
  }

  private static func broken(_ line: String, _ indent: Int) -> String {
    let blanks = String(repeating: " ", count: indent)
    guard indent + line.count > width, let group = BracketGroup(line), !group.parts.isEmpty else {
      return blanks + line
    }
    let parts = group.parts.map { broken($0, indent + 2) }.joined(separator: ",\n")
    return blanks + group.head + "\n" + parts + "\n" + blanks + group.tail
  }
}

/// The longest outermost brackets of a line, split at commas.
private struct BracketGroup {
  var head = ""
  var parts: [String] = []
  var tail = ""

  init?(_ line: String) {
    var best: (start: Int, end: Int, commas: [Int])?
    var (start, commas, depth) = (0, [Int](), 0)
    let characters = Array(line)
    var index = 0
    while index < characters.count {
      switch characters[index] {
      case "\"", "#":
        index = Self.endOfText(characters, from: index)
        continue
      case "(", "[":
        if depth == 0 { (start, commas) = (index, []) }
        depth += 1
      case ")", "]":
        depth -= 1
        if depth == 0, index - start > (best.map { $0.end - $0.start } ?? 1) {
          best = (start, index, commas)
        }
      case "," where depth == 1: commas.append(index)
      default: break
      }
      index += 1
    }
    guard let best else { return nil }
    head = String(characters[...best.start])
    tail = String(characters[best.end...])
    var from = best.start + 1
    for place in best.commas + [best.end] {
      let part = String(characters[from..<place].drop { $0 == " " })
      if !part.isEmpty { parts.append(part) }
      from = place + 1
    }
  }

  private static func endOfText(_ characters: [Character], from start: Int) -> Int {
    var index = start
    while index < characters.count, characters[index] == "#" { index += 1 }
    let signs = index - start
    guard index < characters.count, characters[index] == "\"" else { return max(index, start + 1) }
    index += 1
    while index < characters.count {
      if characters[index] == "\\", signs == 0 {
        index += 2
        continue
      }
      index += 1
      guard characters[index - 1] == "\"" else { continue }
      if characters[index...].prefix(signs).count == signs,
        characters[index...].prefix(signs).allSatisfy({ $0 == "#" })
      {
        return index + signs
      }
    }
    return index
  }
}
