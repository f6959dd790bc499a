import SessionFile
import ValueTree

struct QuestionNeeds: Sendable {
  /// In the order in which a step shows them.
  enum Word: String, CaseIterable, Sendable {
    case step, time, label, action, branch, cause, reads, standing, state, previous
    /// The values of the user's own functions.
    case code
  }

  let words: [Word]
  let code: [String]
  let asksForStates: Bool
  let parts: StepPreview.Parts
  let places: [Pointer]?
  /// Whether the answer depends only on the state and the one before.
  let isStateAlone: Bool
  /// A text in every matching line, if the lines alone decide.
  let needle: TextNeedle?

  init(_ condition: Condition) {
    let first = condition.paths.map(\.tokens.first)
    code = condition.code
    words = Word.allCases.filter {
      first.contains($0.rawValue) || first.contains(nil) && $0 != .code
    }
    asksForStates = !Set(words).isDisjoint(with: [.state, .previous, .code])
    isStateAlone =
      words.allSatisfy { [.state, .previous, .branch].contains($0) } && condition.neighbours.isEmpty
    // An assumption may be in an earlier step's line.
    needle =
      asksForStates || words.contains(.standing)
      ? nil : condition.neededText.flatMap { TextNeedle($0, ignoringCase: false) }
    places =
      asksForStates
      ? ["state", "previous"].compactMap(condition.paths(in:)).flatMap(\.self) : nil
    var parts = StepPreview.Parts()
    let members: [(Word, StepPreview.Part)] = [
      (.label, .label), (.cause, .cause), (.time, .time), (.reads, .reads),
      (.standing, .standing),
    ]
    for (word, part) in members where words.contains(word) { parts.members.insert(part) }
    parts.actionPlaces = condition.paths(in: "action")
    self.parts = parts
  }
}
