import StoreCore
import Testing
import XCTest

/// The bridge to the two frameworks. Nothing else in this library talks to them about failures.
enum TestFrameworks {
  static func record(_ failure: Failure) {
    switch failure.kind {
    case .failure:
      recordFailure(failure)
    case .skipped where Test.current != nil:
      withKnownIssue { recordIssue(failure) }
    case .skipped, .note:
      print("\(failure.place.short): note: \(failure.message)")
    }
  }

  /// A test of Swift Testing knows itself through a task-local. Where that is lost (a detached
  /// task, a thread of one's own) both frameworks are told: the one that is not running ignores it.
  private static func recordFailure(_ failure: Failure) {
    recordIssue(failure)
    if Test.current == nil {
      XCTFail(failure.message, file: failure.place.filePath, line: failure.place.line)
    }
  }

  private static func recordIssue(_ failure: Failure) {
    let place = failure.place
    Issue.record(
      Comment(rawValue: failure.message),
      sourceLocation: SourceLocation(
        fileID: "\(place.fileID)", filePath: "\(place.filePath)", line: Int(place.line),
        column: Int(place.column)))
  }
}
