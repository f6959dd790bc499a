/// How well a host can replay a session.
package struct LoadReport: Sendable, Hashable {
  package var steps: Int
  package var grade: Grade
  package var findings: [Finding]
  /// How many actions were not looked at: of a long session some, evenly spread.
  package var unchecked = 0
  /// How many of the values that were looked at the app's upgrade function changed.
  package var upgraded = 0
  /// How its tape differs from the app's, in a sentence each.
  package var remarks: [String] = []

  package enum Grade: String, Sendable, Hashable, CaseIterable {
    /// Every action and state that was looked at decodes, and encodes to the same again.
    case fine
    /// Some do not; the findings name them.
    case risky
    /// Nothing can be replayed. The session can still be browsed.
    case impossible
  }

  package struct Finding: Sendable, Hashable {
    /// The first step where it shows.
    package var step: Int
    /// The type that changed.
    package var type: String
    /// Where in the action or state.
    package var path: String
    package var problem: String

    package init(step: Int, type: String, path: String, problem: String) {
      self.step = step
      self.type = type
      self.path = path
      self.problem = problem
    }
  }

  package init(steps: Int, grade: Grade, findings: [Finding] = []) {
    self.steps = steps
    self.grade = grade
    self.findings = findings
  }
}
