/// Turns the timestamps of a lifted state into times since its start.
///
/// The start is the moment of the first entry, `@@INIT`; but where that entry was made anew later,
/// for example when the file was imported somewhere, it is the first action's.
struct ReduxClock {
  private let start: Int64?

  init(first: Int64?, second: Int64?) {
    switch (first, second) {
    case (let first?, let second?): start = first <= second ? first : second
    default: start = first ?? second
    }
  }

  func time(_ milliseconds: Int64?) -> Duration? {
    guard let start, let milliseconds else { return nil }
    let (difference, isTooLarge) = milliseconds.subtractingReportingOverflow(start)
    return isTooLarge ? nil : .milliseconds(difference)
  }

  /// The start as an RFC 3339 text.
  var started: String? { start.flatMap { UTCText.of(milliseconds: $0) } }
}
