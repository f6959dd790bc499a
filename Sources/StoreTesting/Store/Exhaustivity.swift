/// How much of what happens a test has to state.
public enum Exhaustivity: Sendable, Equatable {
  /// Everything: each change of the state, each action that effects send, each effect's end.
  case on
  /// What it likes to. Optionally what it left out is shown as known issues.
  case off(showSkippedAssertions: Bool)

  /// What it likes to.
  public static let off = Exhaustivity.off(showSkippedAssertions: false)

  /// What becomes of something that the test left out; nil where that is nobody's business.
  var kindOfSkipped: Failure.Kind? {
    switch self {
    case .on: .failure
    case .off(showSkippedAssertions: true): .skipped
    case .off(showSkippedAssertions: false): nil
    }
  }
}
