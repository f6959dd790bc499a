import ValueTree

/// What is to be taken out, as a person writes it behind a command: `--redact /user/name`,
/// `--redact-key token`, `--redact-text [0-9]{16}`.
public struct RedactionWords: Sendable, Hashable {
  public var paths: [String] = []
  public var keys: [String] = []
  /// Regular expressions (RFC 9485).
  public var patterns: [String] = []

  public init() {}

  public var isEmpty: Bool { paths.isEmpty && keys.isEmpty && patterns.isEmpty }

  /// Takes the options off the end of the words of a command; says which of them is none.
  public init(takenFrom words: inout [String]) throws(SessionError) {
    guard let start = words.firstIndex(where: { $0.hasPrefix("--") }) else { return }
    var rest = words[start...]
    words.removeSubrange(start...)
    while let option = rest.popFirst() {
      guard let value = rest.popFirst() else {
        throw SessionError(.badRedaction("\(option) needs a word behind it"), path: option)
      }
      switch option {
      case "--redact": paths.append(value)
      case "--redact-key": keys.append(value)
      case "--redact-text": patterns.append(value)
      default: throw SessionError(.badRedaction("there is no option \(option)"), path: option)
      }
    }
  }

  public var redaction: Redaction {
    get throws(SessionError) {
      do throws(PatternError) {
        return try Redaction(paths: paths, keys: keys, patterns: patterns)
      } catch {
        throw SessionError(
          .badRedaction("a pattern cannot be used: \(error)"), path: patterns.joined(separator: " ")
        )
      }
    }
  }
}
