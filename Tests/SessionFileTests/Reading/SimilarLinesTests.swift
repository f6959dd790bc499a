import SessionFile
import SessionImports
import SessionWords
import TestSupport
import Testing
import ValueTree

/// A walk takes a line apart like the similar one before it. Each answer must be the parser's.
@Suite("Similar lines") struct SimilarLinesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let texts = [
    "tick1", "tick2", "", "a", "twelve letters", "with \\\"quotes\\\"", "é", "\\u0061", "}{][,:",
    "/n", "a text that is longer than eight bytes and ends here",
  ]
  private static let words = [
    "0", "1", "2", "12", "-7", "1.5", "20e-1", "02", "true", "false", "null",
    "123456789012345678901",
    "\"2\"", "\"\"", "[]", "[2]", "{}", "{\"n\":2}", "", "1 ", "x",
  ]

  private struct Writer {
    var random: SeededGenerator

    mutating func text() -> String { "\"\(texts.randomElement(using: &random) ?? "")\"" }

    mutating func word() -> String {
      // Mostly numbers, so that most lines are similar.
      Int.random(in: 0..<4, using: &random) > 0
        ? "\(Int.random(in: 0..<1_500, using: &random))"
        : words.randomElement(using: &random) ?? ""
    }

    mutating func action() -> String {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: #"{"type":\#(text()),"n":\#(word()),"note":\#(text()),"on":\#(word())}"#
      case 1: #"{"type":\#(text()),"note":"the same for all of them","n":\#(word())}"#
      case 2: #"{"type": \#(text()), "list": [\#(word()), \#(word())], "n": \#(word())}"#
      default: text()
      }
    }

    mutating func state() -> String {
      #"{"n":\#(word()),"name":\#(text()),"items":[{"id":\#(word()),"title":\#(text())}]}"#
    }

    mutating func patch() -> String {
      let name = Int.random(in: 0..<9, using: &random) == 0 ? "name" : "n"
      let other = Int.random(in: 0..<9, using: &random) == 0 ? "op" : "value"
      return Int.random(in: 0..<5, using: &random) == 0
        ? #"[{"op":"replace","path":"/n","value":\#(word())}]"#
        : #"[{"op":"replace","path":"/\#(name)","value":\#(word())},"#
          + #"{"op":"replace","path":"/items/0/id","\#(other)":\#(word())}]"#
    }

    mutating func ownLine(_ step: Int) -> String {
      let start =
        #"{"step":\#(step),"label":\#(text()),"action":\#(action()),"cause":"user","time":\#(word())"#
      return switch Int.random(in: 0..<12, using: &random) {
      case 0: start + #","keyframe":true,"state":\#(state())}"#
      case 1: start + #","keyframe":true,"state":\#(state()),"patch":\#(patch())}"#
      case 2: start + #","patch":null}"#
      default: start + #","patch":\#(patch())}"#
      }
    }

    mutating func foreignLine() -> String {
      Int.random(in: 0..<9, using: &random) == 0
        ? #"{"type":\#(text()),"n":\#(word()),"state":\#(state())}"#
        : #"{"action":\#(action()),"state":\#(state()),"error":\#(word())}"#
    }

    /// A few bytes may be lost or be others.
    mutating func damaged(_ line: String) -> [UInt8] {
      var bytes = Array(line.utf8)
      guard Int.random(in: 0..<12, using: &random) == 0 else { return bytes }
      let place = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes.remove(at: place)
      case 1: bytes.removeSubrange(place..<bytes.count)
      case 2: bytes[place] = UInt8.random(in: 0x20...0xFF, using: &random)
      default:
        bytes.insert(
          contentsOf: Array(#"","{}[]\"#.utf8).shuffled(using: &random).prefix(1), at: place)
      }
      return bytes
    }
  }

  @Test("of Retcon's own format", arguments: 0..<12)
  func own(seed: Int) throws {
    var writer = Writer(random: SeededGenerator(seed: UInt64(seed)))
    var bytes = Array(
      #"{"retcon":"1.0","state":{"n":0,"name":"","items":[{"id":0,"title":""}]}}"#.utf8)
    for step in 1...250 { bytes += [0x0A] + writer.damaged(writer.ownLine(step)) }
    try check(try SessionReader(path: folder.write(bytes + [0x0A], to: "own.retcon")))
  }

  @Test("of JSON Lines", arguments: 0..<12)
  func foreign(seed: Int) throws {
    var writer = Writer(random: SeededGenerator(seed: UInt64(seed)))
    var bytes = Array(#"{"action":{"type":"a"},"state":{"n":0}}"#.utf8)
    for _ in 1...250 { bytes += [0x0A] + writer.damaged(writer.foreignLine()) }
    var opener = SessionOpener.standard
    opener.indexCache = nil
    try check(try opener.open(folder.write(bytes + [0x0A], to: "log.jsonl")))
  }

  private static let conditions = [
    "state.n == 2", "state.n > 1000 && label == 'tick1'", "action.n > 1000", "action.n != 2",
    "action.list[1] == 12 || action.note == 'a'", "state.items[0].id < 100", "!action.on",
  ]

  private func check(_ session: SessionReader) throws {
    let (first, last) = (session.steps.lowerBound, session.steps.upperBound)
    for words in Self.conditions {
      let condition = try Condition(words)
      let text = try #require(TextCondition(condition))
      let places = condition.paths(in: "state")
      // A walk for one step has no line before it.
      let alone = try (first...last).map { number in
        var told: String?
        var walk = session.walk(places, from: number)
        try walk.advance(through: number) {
          told = self.told($0, text, places ?? [])
          return true
        }
        return try #require(told)
      }
      var walk = session.walk(places, from: first)
      try walk.advance(through: last) {
        #expect(told($0, text, places ?? []) == alone[$0.number - first], "\(words), \($0.number)")
        return true
      }
    }
  }

  /// All that a walk tells of a step.
  private func told(
    _ preview: StepPreview, _ text: TextCondition, _ places: [Pointer]
  ) -> String {
    let answer = text.answer { preview.answer($0) }
    let parts = StepPreview.Parts(
      [.label, .cause, .time, .error], actionPlaces: [["n"], ["list"]])
    let step = try? preview.step(parts)
    let values = places.map { preview.value(at: $0)?.text() ?? "–" }
    return """
      \(answer.map { "\($0)" } ?? "–") \(preview.isStateKnown) \(values) \(step?.label ?? "–") \
      \(step?.action.text() ?? "–") \(step?.time.map { "\($0)" } ?? "–") \(step?.error ?? "–")
      """
  }
}
