/// The texts that a source file can show: its string literals of two words or more. A literal with
/// another added is one text, and `…` is what the program fills in.
struct SourceTexts {
  private(set) var texts: [String] = []
  private let source: [UInt8]
  private var index = 0

  init(_ text: String) {
    source = Array(text.utf8)
    var current: [UInt8] = []
    /// Whether only blanks and plus signs came since the last literal.
    var isAdded = false
    while index < source.count {
      let byte = source[index]
      if byte == UInt8(ascii: "/"), starts("//") {
        while index < source.count, source[index] != UInt8(ascii: "\n") { index += 1 }
        continue
      }
      if let literal = literal() {
        if !isAdded { add(&current) }
        current += literal
        isAdded = true
        continue
      }
      if byte > UInt8(ascii: " "), byte != UInt8(ascii: "+") { isAdded = false }
      index += 1
    }
    add(&current)
  }

  private mutating func add(_ text: inout [UInt8]) {
    let words = String(decoding: text, as: UTF8.self).split { $0 == " " || $0 == "\n" }
    let isText = words.filter { $0.filter(\.isLetter).count > 1 }.count > 1
    if isText { texts.append(words.joined(separator: " ")) }
    text = []
  }

  private func starts(_ text: String) -> Bool {
    source[index...].starts(with: text.utf8)
  }

  /// The literal that begins here; behind it the scanner goes on.
  private mutating func literal() -> [UInt8]? {
    guard source[index] == UInt8(ascii: "\"") || source[index] == UInt8(ascii: "#") else {
      return nil
    }
    let start = index
    while index < source.count, source[index] == UInt8(ascii: "#") { index += 1 }
    let hashes = String(repeating: "#", count: index - start)
    guard index < source.count, source[index] == UInt8(ascii: "\"") else {
      index = start
      return nil
    }
    let quotes = starts("\"\"\"") ? "\"\"\"" : "\""
    index += quotes.count
    var text: [UInt8] = []
    while index < source.count {
      let byte = source[index]
      if byte == UInt8(ascii: "\""), starts(quotes + hashes) { break }
      guard byte == UInt8(ascii: "\\"), starts("\\" + hashes) else {
        text.append(byte)
        index += 1
        continue
      }
      index += 1 + hashes.count
      let escaped = source[index]
      index += 1
      switch escaped {
      case UInt8(ascii: "("):
        skipInterpolation()
        text += "…".utf8
      case UInt8(ascii: "u"):
        while source[index] != UInt8(ascii: "}") { index += 1 }
        index += 1
        text += "…".utf8
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(escaped)
      case UInt8(ascii: "\n"): break
      default: text.append(UInt8(ascii: " "))
      }
    }
    index += quotes.count + hashes.count
    return text
  }

  private mutating func skipInterpolation() {
    var depth = 1
    while index < source.count, depth > 0 {
      if literal() != nil { continue }
      if source[index] == UInt8(ascii: "(") { depth += 1 }
      if source[index] == UInt8(ascii: ")") { depth -= 1 }
      index += 1
    }
  }
}
