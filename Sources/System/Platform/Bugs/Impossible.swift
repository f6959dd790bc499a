/// Reports that the program reached a place that only its own bug can reach. The caller goes on as
/// if nothing had to be done.
///
/// A debug build traps. A release build writes a line to standard error, once for each place. Files,
/// hosts, sockets, agents and users never cause this: docs/decisions/0076-when-to-trap.md.
package func impossible(
  _ sentence: StaticString, file: StaticString = #fileID, line: UInt = #line
) {
  assertionFailure("\(sentence)", file: file, line: line)
  if let notice = BugNotices.ofProcess.notice(sentence, file: file, line: line) {
    WholeTransfer.write(notice, to: 2)
  }
}

/// The same where the caller goes on with a value.
package func impossible<Value>(
  _ sentence: StaticString, _ value: Value, file: StaticString = #fileID, line: UInt = #line
) -> Value {
  impossible(sentence, file: file, line: line)
  return value
}

/// The places whose bugs are reported, so that each is reported once.
package final class BugNotices: Sendable {
  static let ofProcess = BugNotices()

  private let places = Locked<Set<String>>([])

  package init() {}

  /// The line about a bug; nil if this place has one already.
  package func notice(_ sentence: StaticString, file: StaticString, line: UInt) -> String? {
    let place = "\(file):\(line)"
    guard places.withLock({ $0.insert(place).inserted }) else { return nil }
    return "retcon: this is a bug of Retcon, please report it: \(sentence) (\(place))\n"
  }
}
