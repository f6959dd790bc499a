import SessionWords
import ValueTree

package struct LoadReport: Sendable, Hashable {
  package var steps: Int
  package var grade: Grade
  package var findings: [Finding]
  /// The number of unchecked actions: of a long session, an even sample is checked.
  package var unchecked = 0
  /// The number of checked values that the app's upgrade function changed.
  package var upgraded = 0
  /// The differences between its tape and the app's, a sentence each.
  package var remarks: [String] = []
  /// Notes about the loaded reducer, a sentence each.
  package var notes: [String] = []
  /// The files that the reducer was loaded from. A change of one is a rebuilt host.
  package var files: [String] = []

  package enum Grade: String, Sendable, Hashable, CaseIterable {
    /// Every checked action and state decodes, and encodes to the same value.
    case fine
    case risky
    /// Nothing can be replayed. The session can still be browsed.
    case impossible
  }

  package struct Finding: Sendable, Hashable {
    package var step: Int
    package var type: String
    package var path: Pointer
    package var problem: String

    package init(step: Int, type: String, path: Pointer, problem: String) {
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

extension LoadReport {
  package var sentence: String? {
    let more = findings.count > 1 ? ", and \(findings.count - 1) more" : ""
    let cause = findings.first.map { "\($0.sentence)\(more)" } ?? "its values do not decode"
    switch grade {
    case .fine: return scope.isEmpty ? nil : "it can run again; \(scope)"
    case .risky:
      return "some of it cannot run again: \(cause)" + (scope.isEmpty ? "" : "; \(scope)")
    case .impossible: return "it can be browsed but cannot run again: \(cause)"
    }
  }

  private var scope: String {
    var parts: [String] = []
    if upgraded > 0 {
      parts.append("\(counted(upgraded, "old value")) \(upgraded == 1 ? "was" : "were") upgraded")
    }
    if unchecked > 0 {
      let checked = grouped(max(0, steps - unchecked))
      parts.append("\(checked) of \(grouped(steps)) actions were decoded before the run")
    }
    return (parts + remarks).joined(separator: ", ")
  }
}

extension LoadReport.Finding {
  package var sentence: String {
    let place = path.isRoot ? "" : " at \(path)"
    return "step \(step)\(place): \(problem)" + (type.isEmpty ? "" : " (\(type))")
  }
}
