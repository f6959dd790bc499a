import SessionWords
import TextCanvas

enum KeyHelp {
  static func lines(for state: DebuggerState) -> [[Span]] {
    all(for: state).map(\.spans)
  }

  /// The lines as they are searched: also by the other names and the synonyms of a key.
  static func searched(for state: DebuggerState) -> [String] {
    all(for: state).map { $0.spans.map(\.text).joined() + " " + $0.also }
  }

  private static func all(for state: DebuggerState) -> [(spans: [Span], also: String)] {
    var lines: [(spans: [Span], also: String)] = []
    for (title, keys) in sections(for: state) {
      if !lines.isEmpty { lines.append(([], "")) }
      lines.append(([Span(title, .heading)], ""))
      for line in keys {
        let spans = row(line.key, line.words, width: state.size.width - 4)
        lines += spans.enumerated().map { ($1, $0 == 0 ? line.also : "") }
      }
    }
    return lines
  }

  private static func row(_ key: String, _ words: String, width: Int) -> [[Span]] {
    let key = padded(key)
    let indent = SafeText.width(key)
    return words.wrapped(to: max(width - indent, 20)).enumerated().map { index, words in
      [Span(index == 0 ? key : String(repeating: " ", count: indent), .place), Span(words)]
    }
  }

  private static func padded(_ key: String) -> String {
    "  " + key + String(repeating: " ", count: max(1, 16 - SafeText.width(key)))
  }

  private static func sections(for state: DebuggerState) -> [(title: String, rows: [Line])] {
    let change =
      state.host.status == .none
      ? [
        (
          state.key("f"),
          "a fork needs the app's reducer: start again with \(state.session.hostOption)", ""
        )
      ]
      : lines(of: KeyTable.change, state.input.keys)
    let first = state.keyMaps[0]
    let own = state.input.keys.commands.map { ($0.key, $0.command, "") }
    return (own.isEmpty ? [] : [("yours", own)]) + [
      (first.title, lines(of: first, state.input.keys)),
      (KeyTable.look.title, lines(of: KeyTable.look, state.input.keys)),
      (KeyTable.change.title, change),
      (
        KeyTable.program.title,
        lines(of: KeyTable.program, state.input.keys) + lines(of: KeyTable.always, state.input.keys)
      ),
      ("signs and words", signs.map { ($0, $1, "") }),
    ]
  }

  private static let signs: [(String, String)] = [
    ("main", "the recording; a fork shows what would have happened"),
    ("shared with", "on a fork: this step is the parent's own"),
    ("host", "the program that runs your app's reducer"),
    ("⚡ ↳", "sent by an effect; by the reducer itself"),
    ("⇢ ◦", "sent from outside the app; by an unknown sender"),
    ("▲ ◆ ✗ ▼", "a mark, a hit of the search, an error, a broken rule"),
    ("━━ ══ ‹ ›", "before here; the range; the session goes on there"),
    ("└ 3 ▅", "more forks start here"),
    ("▁▅█", "above the slider: how many steps in a second; below: a watched value, low to high"),
    ("├──┤ ├──×", "an effect that finished; that was cancelled"),
    ("├──✗ ├──▸", "that failed; that never ended"),
    ("⊘", "a step skipped when it was recorded"),
    ("│", "the step is shared with the parent"),
    line(Standing.signs[..<3]), line(Standing.signs[3..<6]), line(Standing.signs[6...]),
    ("~ + − ↕ ·", "changed, added, removed, moved, changed within"),
    ("! ?", "before an effect: it never ended; its answer is open"),
    ("○ ● ◐ ✗", "the reducer: starting, ready, working, gone"),
  ]

  private typealias Line = (key: String, words: String, also: String)

  private static func line(
    _ signs: ArraySlice<(sign: String, words: String)>
  ) -> (String, String) {
    (signs.map(\.sign).joined(separator: " "), signs.map(\.words).joined(separator: ", "))
  }

  private static func lines(of map: KeyMap<DebuggerUpdate>, _ keys: UserKeys) -> [Line] {
    map.rows.map { row in
      let names = row.names.flatMap(\.self)
      return (
        row.shortest(keys), keys.words(row.words, in: [map] + KeyTable.maps(for: .steps)),
        (names + names.compactMap { KeyTable.synonyms[$0] }).joined(separator: " ")
      )
    }
    .filter { !$0.0.isEmpty }
  }

  /// Short hints: `? help`, `h l fold`. Takes missing words from the table, and shows the user's
  /// keys for the table's.
  static func hints(
    _ parts: [String], in maps: [KeyMap<DebuggerUpdate>], _ keys: UserKeys
  ) -> [Hint] {
    parts.compactMap { part in
      let words = part.split(separator: " ").map(String.init)
      let named = words.prefix { !Key.named($0).isEmpty }
      let shown = named.compactMap { keys.name(for: $0, in: maps) }
      guard let key = named.first.flatMap({ Key.named($0).first }), !shown.isEmpty else {
        return nil
      }
      var rest = Array(words.dropFirst(named.count))
      if rest.isEmpty, let short = maps.lazy.compactMap({ $0[key]?.short }).first { rest = [short] }
      return Hint(text: (shown + rest).joined(separator: " "), key: key)
    }
  }
}

struct Hint: Sendable, Hashable {
  var text: String
  var key: Key
  /// The words of a menu behind it.
  var words = ""
}
