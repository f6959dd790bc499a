import SessionFile
import SessionWords

/// The options of a recording.
///
/// ```swift
/// var options = RecordingOptions(app: .init("Cart", version: "1.2"))
/// options.isWriteAhead = true  // the action that crashes a reducer is in the file
/// ```
public struct RecordingOptions: Sendable {
  /// The app, for the header; a replay distinguishes versions by it.
  public var app: SessionHeader.App?
  /// The seed of the app's random numbers, for the header.
  public var seed: UInt64?
  /// The steps that get their states: fewer make a smaller file that shows less.
  public var states: SessionHeader.StatePolicy = .everyStep
  /// Whether states are copied, or encoded before `send` returns.
  public var snapshots: Snapshots = .automatic
  /// The time when lines leave the process.
  public var flush: FlushPolicy = .whenIdle
  /// The reaction to an app that is faster than the recorder.
  public var backPressure: BackPressure = .keepUp(beyond: 2_000)
  /// Writes each action before its reducer runs, and the rest before `send` returns. The caller
  /// pays for encoding and writing.
  public var isWriteAhead = false
  /// The options of the file: its parts, and an existing file.
  public var writing: WritingOptions
  /// The parts that must not be written.
  public var redaction = Redaction()
  /// The time since the start; nil uses the system's clock.
  public var clock: (@Sendable () -> Duration)?
  /// The start as RFC 3339; nil uses the system's date.
  public var started: String?
  /// Called once for each kind of problem; by default prints to standard error. The recorder never
  /// throws into the app.
  public var report: @Sendable (RecordingTrouble) -> Void = { $0.writeToStandardError() }

  /// Creates the defaults: every state, written when there is time; the last few sessions of that
  /// name are kept.
  public init(app: SessionHeader.App? = nil) {
    self.app = app
    writing = WritingOptions()
    writing.existing = .keep(KeptSessions.usual)
  }

  /// The way to take states.
  public enum Snapshots: Sendable {
    /// Copies states whose type is proven to have only values, including payloads and elements.
    /// Others are encoded before `send` returns: those with class instances, and those that may
    /// have one in an existential, a closure, or a container that is not ``CopiedOnWrite``.
    case automatic
    /// Copies every state: for class instances that never change.
    case copied
    /// Encodes every state before `send` returns.
    case encoded
  }

  /// The reaction when this many steps wait.
  public enum BackPressure: Sendable {
    /// `send` waits, but less than 50 microseconds, which is enough for most states. When four
    /// times as many steps wait, drops states as ``dropStates(beyond:)`` does.
    case keepUp(beyond: Int)
    /// `send` waits.
    case wait(beyond: Int)
    /// Drops states, never actions; the file says so at each such step.
    case dropStates(beyond: Int)
  }
}

extension RecordingOptions.BackPressure {
  /// The number of waiting steps from which on states are dropped.
  var dropLimit: Int? {
    switch self {
    case .keepUp(let limit): 4 * limit
    case .dropStates(let limit): limit
    case .wait: nil
    }
  }
}

extension RecordingOptions {
  /// The number of steps that may wait for a napping worker: far fewer than for back pressure.
  var napLimit: Int {
    guard flush != .eachStep else { return 0 }
    switch backPressure {
    case .keepUp(let limit), .wait(let limit), .dropStates(let limit):
      return max(0, min(64, limit / 4))
    }
  }
}

enum SessionID {
  static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    let text = String(generator.next(), radix: 36)
    return String(repeating: "0", count: max(0, 13 - text.count)) + text
  }
}
