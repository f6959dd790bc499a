/// How well a host can replay a session.
public struct LoadReport: Sendable, Hashable {
  public var steps: Int
  public var grade: Grade
  public var findings: [Finding]
  /// How many actions were not looked at: of a long session some, evenly spread.
  public var unchecked = 0
  /// How many of the values that were looked at the app's upgrade function changed.
  public var upgraded = 0
  /// How its tape differs from the app's, in a sentence each.
  public var remarks: [String] = []

  public enum Grade: String, Sendable, Hashable, CaseIterable {
    /// Every action and state that was looked at decodes, and encodes to the same again.
    case fine
    /// Some do not; the findings name them.
    case risky
    /// Nothing can be replayed. The session can still be browsed.
    case impossible
  }

  public struct Finding: Sendable, Hashable {
    /// The first step where it shows.
    public var step: Int
    /// The type that changed.
    public var type: String
    /// Where in the action or state.
    public var path: String
    public var problem: String

    public init(step: Int, type: String, path: String, problem: String) {
      self.step = step
      self.type = type
      self.path = path
      self.problem = problem
    }
  }

  public init(steps: Int, grade: Grade, findings: [Finding] = []) {
    self.steps = steps
    self.grade = grade
    self.findings = findings
  }
}
