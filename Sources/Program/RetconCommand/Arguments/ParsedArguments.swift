import SessionWords
import TimeTravel

struct ParsedArguments: Sendable, Equatable {
  private(set) var positionals: [String] = []
  private var values: [String: [String]] = [:]
  /// Whether the session is one of several.
  private(set) var isOfList = false

  /// Sorts the words. `--` ends the options; `--name=value`, `--name value`, `-n value` and
  /// `-nvalue` all give a value; a lone `-` is a positional, and `-@3` a step of standard input.
  init(_ words: some Sequence<String>, for declarations: [Option]) throws(UsageError) {
    var rest = Array(words)[...]
    while let word = rest.popFirst() {
      if word == "--" {
        positionals += rest
        return
      } else if word.hasPrefix("--") {
        try readLong(word.dropFirst(2), &rest, declarations)
      } else if word.hasPrefix("-"), word != "-", !word.hasPrefix("-@") {
        try readLetters(word.dropFirst(), &rest, declarations)
      } else {
        positionals.append(word)
      }
    }
  }

  /// The same words for a session that a list names, in place of so many files.
  func naming(_ file: String, insteadOf count: Int) -> ParsedArguments {
    var result = self
    result.positionals.replaceSubrange(0..<count, with: [file])
    result.isOfList = true
    return result
  }

  func has(_ name: String) -> Bool { values[name] != nil }
  func value(_ name: String) -> String? { values[name]?.last }
  func all(_ name: String) -> [String] { values[name] ?? [] }

  func number<Number: LosslessStringConvertible & Numeric & Comparable>(
    _ name: String, upTo limit: Int, such example: Int
  ) throws(UsageError) -> Number? {
    guard let text = value(name) else { return nil }
    guard let number = Number(text), number > 0, number <= Number(exactly: limit) ?? 0 else {
      throw UsageError(
        what: "--\(name) is \(text), and it must be a number above 0 and up to \(limit)",
        next: "Write --\(name) \(example)")
    }
    return number
  }

  func count(_ name: String, upTo limit: Int = 1_000_000) throws(UsageError) -> Int? {
    try number(name, upTo: limit, such: 4)
  }

  private mutating func readLong(
    _ word: Substring, _ rest: inout ArraySlice<String>, _ declarations: [Option]
  ) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let declaration = declarations.first(where: { $0.name == name }) else {
      throw UsageError(
        what: "there is no option --\(name)",
        next: suggestion(for: name, among: declarations.map(\.name)).map { "Try --\($0)" })
    }
    let inline = parts.count > 1 ? String(parts[1]) : nil
    guard declaration.value != nil || inline == nil else {
      throw UsageError(what: "--\(name) takes no value")
    }
    try readValue(of: declaration, as: "--\(name)", inline, &rest)
  }

  private mutating func readLetters(
    _ letters: Substring, _ rest: inout ArraySlice<String>, _ declarations: [Option]
  ) throws(UsageError) {
    var letters = letters
    while let letter = letters.popFirst() {
      guard let declaration = declarations.first(where: { $0.letter == letter }) else {
        throw UsageError(what: "there is no option -\(letter)")
      }
      let takesLetters = declaration.value != nil && !letters.isEmpty
      try readValue(of: declaration, as: "-\(letter)", takesLetters ? String(letters) : nil, &rest)
      if takesLetters { return }
    }
  }

  private mutating func readValue(
    of option: Option, as written: String, _ inline: String?, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    var value = inline
    if value == nil, let placeholder = option.value {
      value = rest.popFirst()
      guard value != nil else {
        throw UsageError(what: "\(written) needs a value", next: "Write \(written) \(placeholder)")
      }
    }
    values[option.name, default: []].append(value ?? "")
  }
}

struct Option: Sendable {
  var name: String
  var letter: Character?
  var value: String?
  var help: String
  /// The values to choose from, which shells complete.
  var choices: [String]

  init(
    _ name: String, letter: Character? = nil, value: String? = nil, choices: [String] = [],
    help: String
  ) {
    self.choices = choices
    self.name = name
    self.letter = letter
    self.value = value
    self.help = help
  }
}

struct UsageError: Explained, Equatable {
  var what: String
  var next: String?
  var place: String? { nil }
}
