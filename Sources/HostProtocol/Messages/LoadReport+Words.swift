extension LoadReport {
  /// What a person should know before they believe a re-run; nil where all is fine.
  package var sentence: String? {
    let more = findings.count > 1 ? ", and \(findings.count - 1) more" : ""
    let cause = findings.first.map { "\($0.sentence)\(more)" } ?? "its values do not decode"
    switch grade {
    case .fine: return scope.isEmpty ? nil : "it can be run again; \(scope)"
    case .risky:
      return "some of it cannot be run again: \(cause)" + (scope.isEmpty ? "" : "; \(scope)")
    case .impossible: return "it can be browsed but not run again: \(cause)"
    }
  }

  /// What the grade rests on, where that is less than the whole of what was recorded.
  private var scope: String {
    var parts: [String] = []
    if upgraded > 0 {
      parts.append(
        upgraded == 1 ? "1 old value was upgraded" : "\(upgraded) old values were upgraded")
    }
    if unchecked > 0 {
      parts.append("\(max(0, steps - unchecked)) of \(steps) actions were looked at")
    }
    return (parts + remarks).joined(separator: ", ")
  }
}

extension LoadReport.Finding {
  package var sentence: String {
    let place = path.isEmpty ? "" : " at \(path)"
    return "step \(step)\(place): \(problem)" + (type.isEmpty ? "" : " (\(type))")
  }
}
