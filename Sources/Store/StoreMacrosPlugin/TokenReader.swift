struct TokenReader {
  private let tokens: [Token]
  private var index = 0

  init(_ tokens: [Token]) { self.tokens = tokens }

  var next: Token? { index < tokens.count ? tokens[index] : nil }
  var rest: ArraySlice<Token> { tokens.dropFirst(index) }
  var position: Int { next?.start ?? tokens.last?.end ?? 0 }
  var opensBracket: Bool {
    next.map { ["(", "[", "{"].contains($0.text) && $0.kind == .sign } ?? false
  }

  mutating func skip() { index += 1 }

  mutating func consume(_ text: String) -> Bool {
    guard next?.is(text) == true else { return false }
    index += 1
    return true
  }

  mutating func skipOne() throws(Diagnostic) {
    if opensBracket { _ = try readBracket() } else { index += 1 }
  }

  /// From a bracket to its closing one, inclusive.
  mutating func readBracket() throws(Diagnostic) -> ArraySlice<Token> {
    let start = index
    var open: [Token] = []
    while let token = next {
      index += 1
      guard token.kind == .sign else { continue }
      switch token.text {
      case "(", "[", "{": open.append(token)
      case ")", "]", "}":
        let opening = open.popLast()?.text
        guard opening == ["(": "(", ")": "(", "]": "[", "}": "{"][token.text] else {
          throw Diagnostic("This closes a bracket that is not open.", token.start)
        }
        if open.isEmpty { return tokens[start..<index] }
      default: break
      }
    }
    throw Diagnostic("This bracket is not closed.", tokens[start].start)
  }

  mutating func readVariable(
    into property: inout Declaration.Property, until isEnd: (Token) -> Bool
  ) throws(Diagnostic) {
    let start = index
    var isValue = false
    while let token = next, !isEnd(token) || [":", "="].contains(tokens[index - 1].text) {
      if token.is(","), index == start || beginsVariable(index + 1) { return }
      if token.is("{"), !isValue {
        property.accessors = Array(try readBracket())
        return
      }
      let first = index
      try skipOne()
      if isValue {
        property.value += tokens[first..<index]
      } else if token.is("=") {
        isValue = true
      } else if !token.is(":") || first > start {
        property.type += tokens[first..<index]
      }
    }
  }

  /// Whether another variable begins here: a name with a type or a value.
  private func beginsVariable(_ index: Int) -> Bool {
    guard index + 1 < tokens.count, tokens[index].kind == .word else { return false }
    return tokens[index + 1].is(":") || tokens[index + 1].is("=")
  }

  mutating func readAttributesAndModifiers(
    _ words: Set<String>
  ) throws(Diagnostic) -> (attributes: [String], modifiers: [String]) {
    var attributes: [String] = []
    var modifiers: [String] = []
    while let token = next {
      if token.is("@") {
        attributes.append(try readAttribute())
      } else if token.kind == .word, words.contains(token.text) {
        skip()
        let detail = next?.is("(") == true ? try readBracket().source : ""
        modifiers.append(token.text + detail)
      } else {
        break
      }
    }
    return (attributes, modifiers)
  }

  private mutating func readAttribute() throws(Diagnostic) -> String {
    var text = "@"
    skip()
    while let token = next, token.kind == .word || token.is(".") {
      text += token.text
      skip()
      // A name continues only after a dot.
      if token.kind == .word, next?.is(".") != true { break }
    }
    if next?.is("<") == true {
      var depth = 0
      repeat {
        if next?.is("<") == true { depth += 1 }
        if next?.is(">") == true { depth -= 1 }
        text += next?.text ?? ""
        skip()
      } while depth > 0 && next != nil
    }
    if let token = next, token.is("("), tokens[index - 1].end == token.start {
      text += try readBracket().source
    }
    return text
  }
}
