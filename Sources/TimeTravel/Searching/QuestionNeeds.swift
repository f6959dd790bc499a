import SessionFile
import ValueTree

struct QuestionNeeds: Sendable {
  /// In the order in which a step shows them.
  enum Word: String, CaseIterable, Sendable {
    case step, time, label, action, branch, cause, reads, standing, state, previous
    /// The values of the user's own functions.
    case code
    /// Earlier steps.
    case started, last

    static let ofOtherSteps: Set<Word> = [.started, .last]
  }

  let words: [Word]
  let code: [String]
  let lasts: [LastQuestion]
  let asksForStates: Bool
  let parts: StepPreview.Parts
  let places: [Pointer]?
  /// Whether the answer depends only on the state and the one before.
  let isStateAlone: Bool
  /// The words of earlier steps whose states it asks for.
  let asksForStateOf: Set<Word>
  /// Whether it asks for earlier steps.
  var asksForOtherSteps: Bool { !Set(words).isDisjoint(with: Word.ofOtherSteps) }
  /// A text in every matching line, if the lines alone decide.
  let needle: TextNeedle?

  init(_ condition: Condition) {
    let first = condition.paths.map(\.tokens.first)
    code = condition.code
    words = Word.allCases.filter {
      first.contains($0.rawValue) || first.contains(nil) && ![.code, .last].contains($0)
    }
    lasts = condition.lasts
    asksForStateOf = Set(
      condition.paths.map(\.tokens).compactMap { tokens in
        guard let word = tokens.first.flatMap(Word.init), Word.ofOtherSteps.contains(word) else {
          return nil
        }
        let part = word == .last ? 2 : 1
        return tokens.count <= part || tokens[part] == "state" ? word : nil
      })
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
