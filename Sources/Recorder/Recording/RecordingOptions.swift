import SessionFile
import SessionWords

/// How a session is recorded.
///
/// ```swift
/// var options = RecordingOptions(app: .init("Cart", version: "1.2"))
/// options.isWriteAhead = true  // the action that crashes a reducer is in the file
/// ```
public struct RecordingOptions: Sendable {
  /// Written into the header; a replay tells versions apart by it.
  public var app: SessionHeader.App?
  /// The seed of the app's random numbers, written into the header.
  public var seed: UInt64?
  /// Which steps get their states: with fewer the file is smaller, and shows less.
  public var states: SessionHeader.StatePolicy = .everyStep
  /// Whether states are copied or encoded before `send` returns.
  public var snapshots: Snapshots = .automatic
  /// When lines leave the process.
  public var flush: FlushPolicy = .whenIdle
  /// What gives way when the app is faster than the recorder.
  public var backPressure: BackPressure = .dropStates(beyond: 2_000)
  /// Writes each action before its reducer runs, and everything else before `send` returns. It costs
  /// the caller what encoding and writing take.
  public var isWriteAhead = false
  /// How the file is written: its parts, and what becomes of one that has the name.
  public var writing: WritingOptions
  /// What must not be written.
  public var redaction = Redaction()
  /// Time since the start; nil for the system's.
  public var clock: (@Sendable () -> Duration)?
  /// The RFC 3339 text of the start; nil for the system's date.
  public var started: String?
  /// Told once of each kind of trouble; by default in one line on standard error. Nothing is ever
  /// thrown into the app.
  public var report: @Sendable (RecordingTrouble) -> Void = { $0.writeToStandardError() }

  /// Every state, written when there is time; the last few sessions of that name are kept.
  public init(app: SessionHeader.App? = nil) {
    self.app = app
    writing = WritingOptions()
    writing.existing = .keep(KeptSessions.usual)
  }

  /// How the states are taken.
  public enum Snapshots: Sendable {
    /// Copies states whose type proves that they are values all through, payloads of enums and
    /// elements of collections included. All others are encoded before `send` returns: those with
    /// class instances, and those that may hold one behind an existential, in a closure, or in a
    /// container that is not ``CopiedOnWrite``.
    case automatic
    /// Copies every state: for those whose class instances never change.
    case copied
    /// Encodes every state before `send` returns.
    case encoded
  }

  /// What happens when the app is faster than the recorder for so long that this many steps wait.
  public enum BackPressure: Sendable {
    /// `send` waits.
    case wait(beyond: Int)
    /// States are left out, actions never; the file says so at each such step.
    case dropStates(beyond: Int)
  }
}

extension RecordingOptions {
  /// How many steps may wait for a worker that naps: long before states are left out or `send` waits.
  var napLimit: Int {
    guard flush != .eachStep else { return 0 }
    switch backPressure {
    case .wait(let limit), .dropStates(let limit): return max(0, min(64, limit / 4))
    }
  }
}

/// Tells the parts of one recording from those of another.
enum SessionID {
  static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    let text = String(generator.next(), radix: 36)
    return String(repeating: "0", count: max(0, 13 - text.count)) + text
  }
}
