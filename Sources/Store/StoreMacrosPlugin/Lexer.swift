package struct Token: Equatable {
  package enum Kind: Equatable {
    case word
    case literal
    case directive
    case sign
  }

  package var kind: Kind
  package var text: String
  package var start: Int
  package var end: Int
  package var beginsLine: Bool

  func `is`(_ text: String) -> Bool { self.text == text && kind != .literal }
}

extension Sequence<Token> {
  /// The tokens as source, separated by single spaces.
  var source: String {
    var text = ""
    var end: Int?
    for token in self {
      if let end, token.start > end { text += " " }
      text += token.text
      end = token.end
    }
    return text
  }
}

/// Splits Swift source into tokens, so that comments and strings are not mistaken for source.
package struct Lexer {
  private let bytes: [UInt8]
  private var position = 0
  private var tokens: [Token] = []
  private var isNewLine = true

  package static func tokens(of source: String) throws(Diagnostic) -> [Token] {
    var lexer = Lexer(bytes: Array(source.utf8))
    try lexer.run(until: nil)
    return lexer.tokens
  }

  private func byte(_ ahead: Int = 0) -> UInt8? {
    position + ahead < bytes.count ? bytes[position + ahead] : nil
  }

  private func isAt(_ text: StaticString) -> Bool {
    bytes[position...].starts(with: "\(text)".utf8)
  }

  /// Reads to the closing bracket of an interpolation, or the end.
  private mutating func run(until close: UInt8?) throws(Diagnostic) {
    var depth = 0
    while let next = byte() {
      switch next {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        isNewLine = true
        position += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"): position += 1
      case _ where isAt("//"): skipLine()
      case _ where isAt("/*"): try skipComment()
      case UInt8(ascii: "\""): try string(hashes: 0, from: position)
      case UInt8(ascii: "#"): try hash()
      case UInt8(ascii: "`"): try quotedWord()
      case UInt8(ascii: "/") where beginsExpression: slash()
      case _ where Self.isWord(next): word(.word, from: position)
      default:
        if close != nil {
          if next == UInt8(ascii: "(") { depth += 1 }
          if next == UInt8(ascii: ")") {
            if depth == 0 { return }
            depth -= 1
          }
        }
        position += 1
        add(.sign, from: position - 1)
      }
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  private mutating func add(_ kind: Token.Kind, from start: Int) {
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    tokens.append(
      Token(kind: kind, text: text, start: start, end: position, beginsLine: isNewLine))
    isNewLine = false
  }

  private mutating func word(_ kind: Token.Kind, from start: Int) {
    while let next = byte(), Self.isWord(next) { position += 1 }
    add(kind, from: start)
  }

  private mutating func quotedWord() throws(Diagnostic) {
    let start = position
    position += 1
    while let next = byte(), next != UInt8(ascii: "`"), next != UInt8(ascii: "\n") { position += 1 }
    guard byte() == UInt8(ascii: "`") else { throw Diagnostic("A ` is not closed.", start) }
    position += 1
    add(.word, from: start)
  }

  private mutating func skipLine() {
    while let next = byte(), next != UInt8(ascii: "\n") { position += 1 }
  }

  private mutating func skipComment() throws(Diagnostic) {
    let start = position
    var depth = 0
    repeat {
      if isAt("/*") {
        depth += 1
        position += 2
      } else if isAt("*/") {
        depth -= 1
        position += 2
      } else if let next = byte() {
        if next == UInt8(ascii: "\n") { isNewLine = true }
        position += 1
      } else {
        throw Diagnostic("A comment is not closed.", start)
      }
    } while depth > 0
  }

  /// A directive, a macro, or a literal with `#` around its quotes.
  private mutating func hash() throws(Diagnostic) {
    let start = position
    var hashes = 0
    while byte() == UInt8(ascii: "#") {
      hashes += 1
      position += 1
    }
    if byte() == UInt8(ascii: "\"") { return try string(hashes: hashes, from: start) }
    if byte() == UInt8(ascii: "/") { return try regularExpression(hashes: hashes, from: start) }
    if let next = byte(), Self.isWord(next) { return word(.directive, from: start) }
    add(.sign, from: start)
  }

  /// Whether a value may begin here, so that a `/` does not divide.
  private var beginsExpression: Bool {
    guard let last = tokens.last, !isNewLine else { return false }
    return last.kind == .sign && "=(,:{[!&|?;".contains(last.text)
      || last.is("return") || last.is("in") || last.is("case") || last.is("try")
  }

  /// A regular expression without `#`, which ends on its line, or an operator.
  private mutating func slash() {
    let start = position
    position += 1
    var end = position
    while end < bytes.count, bytes[end] != UInt8(ascii: "/"), bytes[end] != UInt8(ascii: "\n") {
      end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    let isLiteral =
      end < bytes.count && end > position && bytes[end] == UInt8(ascii: "/")
      && bytes[position] != UInt8(ascii: " ")
    if isLiteral { position = end + 1 }
    add(isLiteral ? .literal : .sign, from: start)
  }

  private mutating func regularExpression(hashes: Int, from start: Int) throws(Diagnostic) {
    let close = [UInt8(ascii: "/")] + Array(repeating: UInt8(ascii: "#"), count: hashes)
    position += 1
    while position < bytes.count, !bytes[position...].starts(with: close) { position += 1 }
    guard position < bytes.count else {
      throw Diagnostic("A regular expression is not closed.", start)
    }
    position += close.count
    add(.literal, from: start)
  }

  private mutating func string(hashes: Int, from start: Int) throws(Diagnostic) {
    let quotes = isAt("\"\"\"") ? 3 : 1
    position += quotes
    let marks = Array(repeating: UInt8(ascii: "#"), count: hashes)
    let close = Array(repeating: UInt8(ascii: "\""), count: quotes) + marks
    let escape = [UInt8(ascii: "\\")] + marks
    while let next = byte() {
      if bytes[position...].starts(with: close) {
        position += close.count
        return add(.literal, from: start)
      }
      if bytes[position...].starts(with: escape) {
        position += escape.count
        if byte() == UInt8(ascii: "(") {
          try interpolation()
        } else if byte() != nil {
          position += 1
        }
      } else if next == UInt8(ascii: "\n"), quotes == 1 {
        break
      } else {
        position += 1
      }
    }
    throw Diagnostic("A string is not closed.", start)
  }

  /// The content of `\( )` is source, and part of the literal.
  private mutating func interpolation() throws(Diagnostic) {
    let start = position
    let (kept, wasNewLine) = (tokens, isNewLine)
    position += 1
    try run(until: UInt8(ascii: ")"))
    guard byte() == UInt8(ascii: ")") else {
      throw Diagnostic("An interpolation is not closed.", start)
    }
    position += 1
    tokens = kept
    isNewLine = wasNewLine
  }
}
