import Platform

extension IssueReporter {
  /// Writes one line for each issue to standard error.
  public static let standardError = IssueReporter { issue in
    let place = issue.place.map { "\($0): " } ?? ""
    StandardError.write("\(place)\(issue.message)\n")
  }
}

enum StandardError {
  static func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = WholeTransfer.write(UnsafeRawBufferPointer($0), to: 2) }
  }
}
