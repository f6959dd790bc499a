/// A text as one word of a shell command.
///
/// Suggested commands contain names of files and apps from possibly hostile sessions: no name may
/// mean anything to the shell.
package enum ShellWord {
  package static func quoted(_ text: String) -> String {
    if isPlain(text) { return text }
    // By scalar: a quote and a combining mark are one character, and the shell sees the quote.
    let parts = text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.map { String($0) }.joined(separator: #"'\''"#) + "'"
  }

  /// The words of a text, as a shell splits it. Of one with patterns, only blanks split, and a
  /// backslash that protects nothing stays. Nil: a quote is open, or nothing follows a backslash.
  package static func words(in text: String, withPatterns: Bool = false) -> [String]? {
    var words: [String] = []
    var (word, quote, rest) = (String?.none, Unicode.Scalar?.none, text.unicodeScalars[...])
    while let scalar = rest.popFirst() {
      let protected = (quote == nil ? " \"'\\" : quote == "\"" ? "\"\\" : "").unicodeScalars
      if scalar == "\\", quote != "'",
        !withPatterns || rest.first.map(protected.contains) == true
      {
        guard let next = rest.popFirst() else { return nil }
        word = (word ?? "") + String(next)
      } else if scalar == quote {
        quote = nil
      } else if quote == nil, scalar == "\"" || scalar == "'" {
        (word, quote) = (word ?? "", scalar)
      } else if quote == nil, withPatterns ? scalar == " " : scalar.properties.isWhitespace {
        words += word.map { [$0] } ?? []
        word = nil
      } else {
        word = (word ?? "") + String(scalar)
      }
    }
    return quote == nil ? words + (word.map { [$0] } ?? []) : nil
  }

  package static func isPlain(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "_./:=@%+,-".utf8.contains(byte)
        }
      }
  }
}

package func named(_ steps: ClosedRange<Int>) -> String {
  steps.count == 1
    ? "step \(grouped(steps.lowerBound))"
    : "steps \(grouped(steps.lowerBound)) to \(grouped(steps.upperBound))"
}

package func grouped(_ number: Int) -> String {
  var text = ""
  for (index, digit) in String(number).reversed().enumerated() {
    if index > 0, index % 3 == 0, digit != "-" { text.append(",") }
    text.append(digit)
  }
  return String(text.reversed())
}

package func counted(_ number: Int, _ singular: String) -> String {
  "\(grouped(number)) \(singular)\(number == 1 ? "" : "s")"
}
