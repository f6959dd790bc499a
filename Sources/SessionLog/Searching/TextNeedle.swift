/// A text as it may stand in the bytes of a session file: what is looked for before anything is
/// parsed.
///
/// ```swift
/// let needle = TextNeedle("tea", ignoringCase: true)
/// let maybe = try session.steps(holding: needle, in: session.steps)
/// ```
///
/// No line is missed that holds the text in a string or a key, however it is written there. Some
/// lines are found that hold it elsewhere.
package struct TextNeedle: Sendable {
  private let run: [UInt8]
  private let ignoresCase: Bool
  /// What may stand for a part of the text: characters that count as the same, and escapes.
  private let others: [[UInt8]]

  /// Nil when bytes do not tell where the text may be: it has no letter of ASCII, or may be a number
  /// that is written in another way.
  package init?(_ text: String, ignoringCase ignoresCase: Bool) {
    let runs = text.split { !$0.isWrittenAsItIs }.filter { !$0.allSatisfy(\.isInNumbers) }
    guard let longest = runs.max(by: { $0.count < $1.count }), text != "?" else { return nil }
    run = Array((ignoresCase ? longest.lowercased() : String(longest)).utf8)
    self.ignoresCase = ignoresCase
    others =
      [Array(#"\u"#.utf8)]
      + [("k", "\u{212A}"), ("K", "\u{212A}"), (";", "\u{37E}"), ("`", "\u{1FEF}")]
      .filter { longest.contains($0.0) }.map { Array($0.1.utf8) }
  }

  /// How many bytes the longest of the things has that are looked for.
  var longest: Int { max(run.count, 3) }

  func searches(sample: [UInt8]) -> [ByteSearch] {
    ByteSearch.all(for: run, ignoringCase: ignoresCase, sample: sample)
      + others.flatMap { ByteSearch.all(for: $0, ignoringCase: false, sample: sample) }
  }
}

extension Character {
  /// Whether JSON has only one way to write it, but for `\u`.
  fileprivate var isWrittenAsItIs: Bool {
    guard let byte = utf8.first, utf8.count == 1, byte >= 0x20, byte < 0x7F else { return false }
    return self != "\"" && self != "\\" && self != "/"
  }

  fileprivate var isInNumbers: Bool { "0123456789+-.eE".contains(self) }
}
