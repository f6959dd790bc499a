/// How long a host may take, and how much it may say.
package struct HostLimits: Sendable, Hashable {
  /// How long a reducer may stay in one step, and a host work without getting on.
  package var patience: Duration
  /// How long a host may take to greet, and then to load the session.
  package var timeToStart: Duration
  /// The bytes of one message.
  package var message: Int
  /// The values in one message.
  package var entries: Int { max(1, message / 64) }

  /// The bytes of all told steps of one run that have to be kept.
  var toldSteps: Int { message * 4 }

  /// A longer sentence of a host is cut at its end.
  static let sentence = 4096
  /// How many steps more than the recording a branch may have.
  static let ownSteps = 1_000_000
  /// How long a host that was asked to end may take.
  static let timeToEnd = Duration.milliseconds(500)

  package init(
    patience: Duration = .seconds(5), timeToStart: Duration = .seconds(60),
    message: Int = 64 << 20
  ) {
    self.patience = patience
    self.timeToStart = timeToStart
    self.message = message
  }

  /// How long a request may take without getting on.
  func patience(with ask: HostRequest.Ask) -> Duration {
    switch ask {
    case .greet, .load: timeToStart
    case .live(let live): patience + live.limits.time
    default: patience
    }
  }

  /// Whether a message has more values than it may have. Only a long one can.
  func hasTooManyEntries(_ line: UnsafeRawBufferPointer) -> Bool {
    guard line.count > entries else { return false }
    var count = 1
    var isInString = false
    var isEscaped = false
    for byte in line {
      if isEscaped {
        isEscaped = false
      } else if isInString {
        if byte == UInt8(ascii: "\\") { isEscaped = true }
        if byte == UInt8(ascii: "\"") { isInString = false }
      } else if byte == UInt8(ascii: "\"") {
        isInString = true
      } else if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
      {
        count += 1
      }
    }
    return count > entries
  }
}
