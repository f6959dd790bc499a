import ValueTree

/// The parts of states, actions and reads that must not be written. The recorder removes them
/// first.
///
/// ```swift
/// options.redaction = Redaction(paths: ["/user/name"], keys: ["password", "token"])
/// ```
public struct Redaction: Sendable {
  /// Places in the state as RFC 6901 pointers; `*` matches any member or element.
  public var paths: [String]
  /// Members with exactly these names, anywhere: in states, actions, reads and signposts, and in
  /// texts that are JSON. A text that only contains such a member is replaced as a whole.
  public var keys: [String]
  /// Members with these names in any case.
  public var keysInAnyCase: [String] = []
  /// Decides about any other value in the file: numbers, texts and the rest, names included.
  public var predicate: (@Sendable (Place, Value) -> Bool)?
  package private(set) var patterns: [TextPattern] = []
  /// Whether a rule without hits is an error.
  package var mustMatch = false

  /// The replacement of redacted values.
  public static let placeholder = Value.string(marker())

  /// The beginning of each replacement.
  package static let mark = "<redacted"

  /// The replacement of a redacted text. Redacted keys of an object have numbers.
  package static func marker(_ number: Int = 1) -> String {
    number == 1 ? "\(mark)>" : "\(mark) \(number)>"
  }

  /// Creates a redaction; `predicate` decides about all values that the others leave, also on other
  /// threads.
  public init(
    paths: [String] = [], keys: [String] = [], predicate: (@Sendable (Place, Value) -> Bool)? = nil
  ) {
    self.paths = paths
    self.keys = keys
    self.predicate = predicate
  }

  /// Creates a redaction of every text and number that matches a regular expression (RFC 9485),
  /// anywhere: in values, keys, labels, messages and names.
  public init(
    paths: [String] = [], keys: [String] = [], patterns: [String]
  ) throws(PatternError) {
    self.init(paths: paths, keys: keys)
    self.patterns = try patterns.map { text throws(PatternError) in try TextPattern(text) }
  }

  /// The first place in a value that is redacted; nil without one.
  package static func place(
    in value: Value, _ path: () -> Pointer = { Pointer() }
  ) -> Pointer? {
    switch value {
    case .string(let text): return text.contains(mark) ? path() : nil
    case .array(let array):
      for (index, element) in array.enumerated() {
        if let found = place(in: element, { path().appending(index) }) { return found }
      }
    case .object(let object):
      for (key, member) in object {
        if key.contains(mark) { return path().appending(key) }
        if let found = place(in: member, { path().appending(key) }) { return found }
      }
    case .null, .bool, .number: break
    }
    return nil
  }

  /// The place of a value that may be redacted.
  public struct Place: Sendable, Hashable {
    /// The kind of thing that contains it.
    public var source: Source
    /// The path from the root, as an RFC 6901 pointer.
    public var path: String

    /// Creates a place, to try a predicate.
    public init(_ source: Source, path: String) {
      self.source = source
      self.path = path
    }
  }

  /// The kind of thing that contains a value.
  public enum Source: Sendable, Hashable {
    /// A state.
    case state
    /// An action.
    case action
    /// The question or the answer of this dependency.
    case read(key: String)
    /// The app's note, or an unknown member.
    case signpost
    /// The message of a failed effect, or of a reducer.
    case message
    /// The cancel id of an effect.
    case cancelID
    /// The label of an action.
    case label
    /// A member's key as text: a dictionary's may be secret. The path is the object's.
    case key
    /// The name or the file of an effect, or the key of a recorded dependency.
    case name
  }

  package enum Rule: Sendable, Hashable {
    case path(String)
    case key(String)
    case keyInAnyCase(String)
    case pattern(Int)
    case predicate

    package var isOfPlace: Bool {
      switch self {
      case .path, .key, .keyInAnyCase: true
      case .pattern, .predicate: false
      }
    }

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

  /// Whether free words may tell what it hides: no rule of a place finds a value in them.
  package var hidesWords: Bool { rules.contains(where: \.isOfPlace) }

  /// Whether it removes nothing.
  public var isEmpty: Bool {
    paths.isEmpty && keys.isEmpty && keysInAnyCase.isEmpty && patterns.isEmpty && predicate == nil
  }

  /// The header's description of rules; nil means all.
  package func descriptions(of found: Set<Rule>? = nil) -> [String] {
    let found = rules.filter { found?.contains($0) ?? true }
    var words: [String] = []
    var patternCount = 0
    for rule in found {
      switch rule {
      case .path(let path): words.append(path)
      case .key(let key): words.append("key \(key)")
      case .keyInAnyCase(let key): words.append("key \(key) in any case")
      // The patterns themselves may be secret.
      case .pattern: patternCount += 1
      case .predicate: words.append("by a predicate of the app")
      }
    }
    if patternCount > 0 {
      words.append("by \(patternCount) \(patternCount == 1 ? "pattern" : "patterns")")
    }
    return words
  }

  package func missed(besides found: Set<Rule>) -> [String] {
    rules.filter { !found.contains($0) }.map { $0.option(self) }
  }
}

/// Redaction options of a command: `--redact /user/name`, `--redact-key token`,
/// `--redact-text [0-9]{16}`.
package struct RedactionWords: Sendable, Hashable {
  package var paths: [String] = []
  package var keys: [String] = []
  package var keysInAnyCase: [String] = []
  package var patterns: [String] = []
  package var mayMiss = false

  package init() {}

  package var isEmpty: Bool {
    paths.isEmpty && keys.isEmpty && keysInAnyCase.isEmpty && patterns.isEmpty
  }

  /// Takes the options out of a command's words; reports an unknown one.
  package init(takenFrom words: inout [String]) throws(SessionError) {
    var (rest, others) = (words[...], [String]())
    while let word = rest.popFirst() {
      guard word.hasPrefix("-") else {
        others.append(word)
        continue
      }
      if word == "--redact-missing-ok" {
        mayMiss = true
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let option = String(parts[0])
      let list: WritableKeyPath<Self, [String]>
      switch option {
      case "--redact": list = \.paths
      case "--redact-key": list = \.keys
      case "--redact-key-any-case": list = \.keysInAnyCase
      case "--redact-text": list = \.patterns
      default: throw SessionError(.badRedaction("there is no option \(option)"), path: option)
      }
      guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
        throw SessionError(.badRedaction("\(option) needs a word behind it"), path: option)
      }
      self[keyPath: list].append(value)
    }
    words = others
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
  /// Accepts a pointer, one without its first slash, or `state.user.name`.
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
