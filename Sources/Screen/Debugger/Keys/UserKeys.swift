import TextCanvas
import TimeTravel

/// The user's keys: each replaces a key of the table, or runs a command.
///
/// The table stays the same, so that everything behind it (waiting keys, two-key commands, counts)
/// sees one name. Only what is shown goes through here.
package struct UserKeys: Sendable, Hashable {
  private enum Meaning: Sendable, Hashable {
    case key(Key)
    case command(String)
    case nothing
  }

  private struct Choice: Sendable, Hashable {
    var key: Key
    var meaning: Meaning
    var line: Int
  }

  package struct Problem: Error, Hashable {
    package var words: String
  }

  private var choices: [Choice] = []

  package init() {}

  /// Without Escape users are trapped, and digits are counts.
  private static let fixed: Set<Key> = Set(["Esc", "Ctrl-c"].flatMap(Key.named))
    .union("0123456789".map { .character($0) })

  /// Applies a line of the configuration: `key F2 f`, `key x none`, `key F5 :filter only …`.
  package mutating func bind(_ name: String, to meaning: [String], line: Int) throws(Problem) {
    let key = try Self.key(name)
    if Self.fixed.contains(key) {
      throw Problem(words: "\(name) always means the same; choose another key")
    }
    if let other = choices.first(where: { $0.key == key }) {
      throw Problem(words: "\(name) has a meaning in line \(other.line) already")
    }
    choices.append(Choice(key: key, meaning: try Self.meaning(meaning), line: line))
  }

  private static func key(_ name: String) throws(Problem) -> Key {
    if let key = Key.named(name).first, Key.named(name).count == 1 { return key }
    let modified = name.last.map { ["Ctrl-\($0)", "Alt-\($0)"] } ?? []
    throw Problem(words: "there is no key “\(name)”" + hint(for: name, among: Key.names + modified))
  }

  private static func meaning(_ words: [String]) throws(Problem) -> Meaning {
    let first = words.first ?? ""
    if words == ["none"] { return .nothing }
    if first.count > 1, first.hasPrefix(":") {
      guard KeyTable.commands[String(first.dropFirst())] != nil else {
        let names = KeyTable.commands.keys.map { ":" + $0 }.sorted()
        throw Problem(words: "there is no command “\(first)”" + hint(for: first, among: names))
      }
      return .command(String(words.joined(separator: " ").dropFirst()))
    }
    guard words.count == 1 else {
      throw Problem(words: "a key stands for one key, for a :command, or for none")
    }
    let key = try key(first)
    let known = KeyTable.everything.flatMap { $0.names.flatMap(Key.named) }
    guard known.contains(key) else {
      throw Problem(words: "\(first) has no meaning that another key could have")
    }
    return .key(key)
  }

  private static func hint(for word: String, among known: [String]) -> String {
    suggestion(for: word, among: known).map { "; did you mean \($0)?" } ?? ""
  }

  /// The actions that lost their last key, and the line that took it.
  package var losses: [(line: Int, words: String)] {
    var told: Set<Key> = []
    return KeyTable.everything.compactMap { entry in
      let keys = entry.names.flatMap(Key.named)
      guard !keys.isEmpty, names(entry.names).isEmpty,
        let taken = choices.last(where: { keys.contains($0.key) && $0.meaning != .nothing }),
        told.insert(taken.key).inserted
      else { return nil }
      let name = taken.key.name
      return (
        taken.line,
        "\(name) was for “\(entry.words.filter { $0 != "`" })”, which no key does now: add key KEY \(name)"
      )
    }
  }

  // MARK: Pressed keys

  func events(for event: InputEvent, in state: DebuggerState) -> [InputEvent] {
    guard case .key(let key) = event, let choice = choices.first(where: { $0.key == key })
    else { return [event] }
    let isTyping = state.prompt != nil
    if isTyping, key.isCharacter { return [event] }
    switch choice.meaning {
    case .nothing: return []
    case .key(let key): return isTyping && key.isCharacter ? [] : [.key(key)]
    case .command(let text):
      guard !isTyping, state.overlay == nil, state.keeping.leaving == nil else { return [] }
      let takesMore = KeyTable.commands[text]?.takes != nil
      let line = [.key(.character(":")), .paste(takesMore ? text + " " : text)] as [InputEvent]
      return takesMore ? line : line + [.key(.enter)]
    }
  }

  // MARK: Shown keys

  /// The names of a binding: the user's own, and the table's that are still free.
  func names(_ names: [String]) -> [String] {
    if choices.isEmpty { return names }
    return own(names) + names.filter { !Key.named($0).contains(where: isTaken) }
  }

  private func own(_ names: [String]) -> [String] {
    let keys = Set(names.flatMap(Key.named))
    return choices.filter { choice in
      switch choice.meaning {
      case .key(let key): keys.contains(key)
      // A command may be followed by its arguments.
      case .command(let text): names.contains { $0.prefix { $0 != " " } == ":" + text }
      case .nothing: false
      }
    }.map(\.key.name)
  }

  private func isTaken(_ key: Key) -> Bool { choices.contains { $0.key == key } }

  /// The key to press for a table key; nil if none is left.
  func name<Subject>(for name: String, in maps: [KeyMap<Subject>]) -> String? {
    guard !choices.isEmpty, let key = Key.named(name).first,
      let binding = maps.lazy.compactMap({ $0[key] }).first
    else { return name }
    if let own = own(binding.names).first { return own }
    let left = names(binding.names).filter { !Key.named($0).isEmpty }
    return left.contains(name) ? name : left.first
  }

  func words(_ text: String, in maps: [KeyMap<DebuggerUpdate>]) -> String {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
      index.isMultiple(of: 2) ? String(part) : name(for: String(part), in: maps) ?? String(part)
    }.joined()
  }

  /// Commands with arguments that have a user key; the table does not list them.
  var commands: [(key: String, command: String)] {
    choices.compactMap { choice in
      guard case .command(let text) = choice.meaning, text.contains(" ") else { return nil }
      return (choice.key.name, ":" + text)
    }
  }
}

extension KeyTable {
  static let everything: [(names: [String], words: String)] = {
    let maps = [
      always, pane, range, timeline, arranging, copying, time, look, change, forking, program,
      playing, lists, menu, prompt,
    ]
    return maps.flatMap(\.namesAndWords) + typing.namesAndWords
  }()
}

extension Key {
  var isCharacter: Bool { if case .character = self { true } else { false } }
}

extension DebuggerState {
  func key(_ name: String, in map: KeyMap<DebuggerUpdate>? = nil) -> String {
    input.keys.name(for: name, in: map.map { [$0] } ?? keyMaps) ?? name
  }
}

extension DebuggerUpdate {
  mutating func configure(_ keys: UserKeys, _ problems: [String]) {
    state.input.keys = keys
    state.input.problems = problems
    state.showProblems()
  }
}
