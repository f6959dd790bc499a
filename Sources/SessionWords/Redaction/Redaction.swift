import ValueTree

/// What must not be written: parts of states, actions and reads, taken out before anything else
/// happens with them.
///
/// ```swift
/// options.redaction = Redaction(paths: ["/user/name"], keys: ["password", "token"])
/// ```
public struct Redaction: Sendable {
  /// Places in the state, as RFC 6901 pointers; `*` stands for any member or element.
  public var paths: [String]
  /// Members of these names, wherever they stand: in states, actions, reads and signposts.
  public var keys: [String]
  /// Says of any other value whether it must not be written: of numbers, of texts, of all else that
  /// the file would hold, names included.
  public var predicate: (@Sendable (Place, Value) -> Bool)?

  /// What stands in place of what was taken out.
  public static let placeholder: Value = "<redacted>"

  /// `predicate` is asked for every value that the other two leave, also on other threads.
  public init(
    paths: [String] = [], keys: [String] = [], predicate: (@Sendable (Place, Value) -> Bool)? = nil
  ) {
    self.paths = paths
    self.keys = keys
    self.predicate = predicate
  }

  /// Takes out every text and every number in which one of the regular expressions (RFC 9485) is
  /// found, wherever it stands: in values, keys, labels, messages and names.
  public init(
    paths: [String] = [], keys: [String] = [], patterns: [String]
  ) throws(PatternError) {
    self.init(paths: paths, keys: keys)
    guard !patterns.isEmpty else { return }
    let expressions = try patterns.map { text throws(PatternError) in try TextPattern(text) }
    predicate = { _, value in
      switch value {
      case .string(let text): expressions.contains { $0.isFound(in: text) }
      case .number(let number): expressions.contains { $0.isFound(in: number.text) }
      default: false
      }
    }
    // The patterns themselves may be what nobody is to read.
    predicateWords = ["by \(patterns.count) \(patterns.count == 1 ? "pattern" : "patterns")"]
  }

  /// How the header names the predicate.
  private var predicateWords = ["by a predicate of the app"]

  /// Where a value stands that may be taken out.
  public struct Place: Sendable, Hashable {
    /// What kind of thing it stands in.
    public var source: Source
    /// From the root of the state, action or value, as an RFC 6901 pointer.
    public var path: String

    /// For trying a predicate by hand.
    public init(_ source: Source, path: String) {
      self.source = source
      self.path = path
    }
  }

  /// What a value stands in.
  public enum Source: Sendable, Hashable {
    /// A state.
    case state
    /// An action.
    case action
    /// What the dependency of this key was asked or gave.
    case read(key: String)
    /// A note of the app, or a member that this version does not know.
    case signpost
    /// The message of an effect that failed, or of a reducer.
    case message
    /// The cancel id of an effect.
    case cancelID
    /// The label of an action.
    case label
    /// The key of a member in any of them, as a text: that of a dictionary may be a secret. The path
    /// is that of the object.
    case key
    /// The name of an effect or its file, or the key of a dependency on tape.
    case name
  }

  /// Whether nothing is taken out.
  public var isEmpty: Bool { paths.isEmpty && keys.isEmpty && predicate == nil }

  /// How the header says it.
  package var descriptions: [String] {
    paths + keys.map { "key \($0)" } + (predicate == nil ? [] : predicateWords)
  }
}

/// What is to be taken out, as a person writes it behind a command: `--redact /user/name`,
/// `--redact-key token`, `--redact-text [0-9]{16}`.
package struct RedactionWords: Sendable, Hashable {
  package var paths: [String] = []
  package var keys: [String] = []
  /// Regular expressions (RFC 9485).
  package var patterns: [String] = []

  package init() {}

  package var isEmpty: Bool { paths.isEmpty && keys.isEmpty && patterns.isEmpty }

  /// Takes the options off the end of the words of a command; says which of them is none.
  package init(takenFrom words: inout [String]) throws(SessionError) {
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

  package var redaction: Redaction {
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
