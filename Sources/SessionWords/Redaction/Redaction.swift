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
  /// Members of exactly these names, wherever they stand: in states, actions, reads and signposts, and
  /// in texts that are JSON themselves.
  public var keys: [String]
  /// Members of these names in upper or lower case.
  public var keysInAnyCase: [String] = []
  /// Says of any other value whether it must not be written: of numbers, of texts, of all else that
  /// the file would hold, names included.
  public var predicate: (@Sendable (Place, Value) -> Bool)?
  /// Regular expressions, for texts and numbers anywhere.
  package private(set) var patterns: [TextPattern] = []
  /// A copy in which one of its rules found nothing is refused.
  package var mustMatch = false

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
    self.patterns = try patterns.map { text throws(PatternError) in try TextPattern(text) }
  }

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

  /// One thing to look for.
  package enum Rule: Sendable, Hashable {
    case path(String)
    case key(String)
    case keyInAnyCase(String)
    case pattern(Int)
    case predicate

    /// It says nothing of a text that stands elsewhere.
    package var isOfPlace: Bool {
      switch self {
      case .path, .key, .keyInAnyCase: true
      case .pattern, .predicate: false
      }
    }

    /// The option that a person wrote for it.
    fileprivate func option(_ redaction: Redaction) -> String {
      switch self {
      case .path(let path): "--redact \(path)"
      case .key(let key): "--redact-key \(key)"
      case .keyInAnyCase(let key): "--redact-key-any-case \(key)"
      case .pattern(let index): "--redact-text \(redaction.patterns[index].text)"
      case .predicate: "the predicate"
      }
    }
  }

  package var rules: [Rule] {
    paths.map(Rule.path) + keys.map(Rule.key) + keysInAnyCase.map(Rule.keyInAnyCase)
      + patterns.indices.map(Rule.pattern) + (predicate == nil ? [] : [.predicate])
  }

  /// Whether nothing is taken out.
  public var isEmpty: Bool {
    paths.isEmpty && keys.isEmpty && keysInAnyCase.isEmpty && patterns.isEmpty && predicate == nil
  }

  /// How the header says what some rules have taken out; nil means all rules.
  package func descriptions(of found: Set<Rule>? = nil) -> [String] {
    let found = rules.filter { found?.contains($0) ?? true }
    var words: [String] = []
    var patternCount = 0
    for rule in found {
      switch rule {
      case .path(let path): words.append(path)
      case .key(let key): words.append("key \(key)")
      case .keyInAnyCase(let key): words.append("key \(key) in any case")
      // The patterns themselves may be what nobody is to read.
      case .pattern: patternCount += 1
      case .predicate: words.append("by a predicate of the app")
      }
    }
    if patternCount > 0 {
      words.append("by \(patternCount) \(patternCount == 1 ? "pattern" : "patterns")")
    }
    return words
  }

  /// The options that found nothing.
  package func missed(besides found: Set<Rule>) -> [String] {
    rules.filter { !found.contains($0) }.map { $0.option(self) }
  }
}

/// What is to be taken out, as a person writes it behind a command: `--redact /user/name`,
/// `--redact-key token`, `--redact-text [0-9]{16}`.
package struct RedactionWords: Sendable, Hashable {
  package var paths: [String] = []
  package var keys: [String] = []
  package var keysInAnyCase: [String] = []
  /// Regular expressions (RFC 9485).
  package var patterns: [String] = []
  /// What is not there needs not be taken out.
  package var mayMiss = false

  package init() {}

  package var isEmpty: Bool {
    paths.isEmpty && keys.isEmpty && keysInAnyCase.isEmpty && patterns.isEmpty
  }

  /// Takes the options off the end of the words of a command; says which of them is none.
  package init(takenFrom words: inout [String]) throws(SessionError) {
    guard let start = words.firstIndex(where: { $0.hasPrefix("--") }) else { return }
    var rest = words[start...]
    words.removeSubrange(start...)
    while let option = rest.popFirst() {
      if option == "--redact-missing-ok" {
        mayMiss = true
        continue
      }
      guard let value = rest.popFirst() else {
        throw SessionError(.badRedaction("\(option) needs a word behind it"), path: option)
      }
      switch option {
      case "--redact": paths.append(value)
      case "--redact-key": keys.append(value)
      case "--redact-key-any-case": keysInAnyCase.append(value)
      case "--redact-text": patterns.append(value)
      default: throw SessionError(.badRedaction("there is no option \(option)"), path: option)
      }
    }
  }

  package var redaction: Redaction {
    get throws(SessionError) {
      for path in paths where (try? Pointer(path)) == nil {
        throw SessionError(.badPointer(path, right: Pointer(meantBy: path).description), path: path)
      }
      do throws(PatternError) {
        var redaction = try Redaction(paths: paths, keys: keys, patterns: patterns)
        redaction.keysInAnyCase = keysInAnyCase
        redaction.mustMatch = !mayMiss
        return redaction
      } catch {
        throw SessionError(
          .badRedaction("a pattern cannot be used: \(error)"), path: patterns.joined(separator: " ")
        )
      }
    }
  }
}

extension Pointer {
  /// What somebody meant who wrote this: a pointer, or one without its first slash, or `state.user.name`.
  init(meantBy text: String) {
    if let pointer = try? Pointer(text) {
      self = pointer
    } else if text.hasPrefix("/") {
      self.init(tokens: text.dropFirst().components(at: ["/"]))
    } else {
      let tokens = text.components(at: text.contains("/") ? ["/"] : [".", "[", "]"])
      self.init(
        tokens: ["#", "$", "state"].contains(tokens.first) ? tokens.dropFirst() : tokens[...])
    }
  }
}

extension StringProtocol {
  fileprivate func components(at marks: Set<Character>) -> [String] {
    split(whereSeparator: marks.contains).map { String($0) }
  }
}
