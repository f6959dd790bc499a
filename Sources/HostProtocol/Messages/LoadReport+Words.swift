extension LoadReport {
  /// What a person should know before they believe a re-run; nil where all is fine.
  public var sentence: String? {
    let more = findings.count > 1 ? ", and \(findings.count - 1) more" : ""
    let cause = findings.first.map { "\($0.sentence)\(more)" } ?? "its values do not decode"
    return switch grade {
    case .fine: nil
    case .risky: "some of it cannot be run again: \(cause)"
    case .impossible: "it can be browsed but not run again: \(cause)"
    }
  }
}

extension LoadReport.Finding {
  public var sentence: String {
    let place = path.isEmpty ? "" : " at \(path)"
    return "step \(step)\(place): \(problem)" + (type.isEmpty ? "" : " (\(type))")
  }
}
