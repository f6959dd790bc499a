import SessionWords

/// Something that an open session could not do.
package struct Trouble: Explained, Sendable, Hashable {
  package var what: String
  package var place: String?
  package var next: String?

  package init(_ what: String, place: String? = nil, next: String? = nil) {
    self.what = what
    self.place = place
    self.next = next
  }

  static func noStep(_ number: Int, in summary: RecordingSummary) -> Trouble {
    Trouble(
      "there is no step \(number)", place: summary.name,
      next: "Steps \(summary.steps.lowerBound) to \(summary.steps.upperBound) are here")
  }

  /// What makes a fork possible where no host is attached.
  package static let attachHint = "Start again with --host COMMAND (--reducer FILE.js for Redux)"

  /// Any error as a sentence.
  package static func sentence(for error: any Error) -> String {
    (error as? any Explained)?.sentence ?? "\(error)"
  }
}
