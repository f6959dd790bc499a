import SessionFile
import ValueTree

/// What must be read of a step to answer a condition.
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
  /// How many words these are.
  let count: Int
  /// The members of a step's line, besides its state.
  let parts: StepGlance.Parts
  /// The places of the state; nil when none is asked about.
  let places: [Pointer]?
  /// Whether steps with the same state, and the same one before, have the same answer.
  let isStateAlone: Bool
  /// What stands in the lines of all steps that are found, where nothing but these lines is needed.
  let needle: TextNeedle?
  /// Answers without reading steps, where their lines tell; nil when they never do.
  let text: TextCondition?

  init(_ condition: Condition) {
    let first = condition.paths.map(\.tokens.first)
    words = Words(
      Words.named.filter { first.contains(nil) || first.contains($0.0) }.map(\.1))
    count = words.rawValue.nonzeroBitCount
    isStateAlone =
      words.isSubset(of: [.state, .previous, .branch]) && condition.neighbours.isEmpty
    // What a step rests on may stand in the line of an earlier one.
    needle =
      words.isDisjoint(with: [.state, .previous, .standing])
      ? condition.neededText.flatMap { TextNeedle($0, ignoringCase: false) } : nil
    places =
      words.isDisjoint(with: [.state, .previous])
      ? nil : ["state", "previous"].compactMap(condition.paths(in:)).flatMap(\.self)
    var parts = StepGlance.Parts()
    let members: [(Words, StepGlance.Part)] = [
      (.label, .label), (.cause, .cause), (.time, .time), (.reads, .reads),
      (.standing, .standing),
    ]
    for (word, part) in members where words.contains(word) { parts.members.insert(part) }
    parts.actionPlaces = condition.paths(in: "action")
    self.parts = parts
    text = TextCondition(condition)
  }
}
