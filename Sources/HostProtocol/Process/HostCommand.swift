import SessionLog

/// How a host is started: a program and its arguments. No shell is involved.
public struct HostCommand: Sendable, Hashable {
  /// A path, or a name that is looked up in `PATH`.
  public var program: String
  public var arguments: [String]
  /// Set in the environment of the host, beside what this process has.
  public var environment: [String: String]

  public init(_ program: String, _ arguments: [String] = [], environment: [String: String] = [:]) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
  }

  /// Splits a line that a user typed: words at spaces, `'…'` and `"…"` keep spaces, `\` takes the
  /// next character as it is. Nothing is expanded. Nil when there is no word or a quote stays open.
  ///
  /// ```swift
  /// HostCommand(words: "node redux-host.mjs 'my reducer.mjs'")
  /// ```
  public init?(words line: String) {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\" && quote != "'" {
        isEscaped = true
        word = word ?? ""
      } else if character == quote {
        quote = nil
      } else if quote == nil && (character == "'" || character == "\"") {
        quote = character
        word = word ?? ""
      } else if quote == nil && character.isWhitespace {
        if let finished = word { words.append(finished) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil, !isEscaped else { return nil }
    if let word { words.append(word) }
    guard let program = words.first else { return nil }
    self.init(program, Array(words.dropFirst()))
  }

  /// As one line that ``init(words:)`` reads back, and a shell too.
  public var text: String {
    ([program] + arguments).map(ShellWord.quoted).joined(separator: " ")
  }
}
