import SessionFile
import ValueTree

struct QuestionNeeds: Sendable {
  struct Words: OptionSet, Sendable {
    let rawValue: Int

    static let step = Words(rawValue: 1)
    static let time = Words(rawValue: 2)
    static let label = Words(rawValue: 4)
    static let action = Words(rawValue: 8)
    static let cause = Words(rawValue: 16)
    static let reads = Words(rawValue: 32)
    static let branch = Words(rawValue: 64)
    static let standing = Words(rawValue: 128)
    static let state = Words(rawValue: 256)
    static let previous = Words(rawValue: 512)

    static let all = Words(named.map(\.1))
    static let named: [(String, Words)] = [
      ("step", .step), ("time", .time), ("label", .label), ("action", .action), ("cause", .cause),
      ("reads", .reads), ("branch", .branch), ("standing", .standing), ("state", .state),
      ("previous", .previous),
    ]
  }

  let words: Words
  let count: Int
  let parts: StepPreview.Parts
  let places: [Pointer]?
  /// Whether the answer depends only on the state and the one before.
  let isStateAlone: Bool
  /// A text in every matching line, if the lines alone decide.
  let needle: TextNeedle?

  init(_ condition: Condition) {
    let first = condition.paths.map(\.tokens.first)
    words = Words(
      Words.named.filter { first.contains(nil) || first.contains($0.0) }.map(\.1))
    count = words.rawValue.nonzeroBitCount
    isStateAlone =
      words.isSubset(of: [.state, .previous, .branch]) && condition.neighbours.isEmpty
    // An assumption may be in an earlier step's line.
    needle =
      words.isDisjoint(with: [.state, .previous, .standing])
      ? condition.neededText.flatMap { TextNeedle($0, ignoringCase: false) } : nil
    places =
      words.isDisjoint(with: [.state, .previous])
      ? nil : ["state", "previous"].compactMap(condition.paths(in:)).flatMap(\.self)
    var parts = StepPreview.Parts()
    let members: [(Words, StepPreview.Part)] = [
      (.label, .label), (.cause, .cause), (.time, .time), (.reads, .reads),
      (.standing, .standing),
    ]
    for (word, part) in members where words.contains(word) { parts.members.insert(part) }
    parts.actionPlaces = condition.paths(in: "action")
    self.parts = parts
  }
}
