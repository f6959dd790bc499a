import ValueTree

/// The first line of a session: what was recorded, how, and the state that it starts with.
public struct SessionHeader: Sendable, Hashable {
  /// The version that the file is written in.
  public var version: FormatVersion = .current
  /// The same in all parts of one recording, and in what was trimmed from it.
  public var session: String?
  /// Which app was recorded; nil where nobody said.
  public var app: App?
  /// Whether the session can be run again.
  public var capability: Capability
  /// When the recording began, as an RFC 3339 text: `2026-11-20T10:56:00.123Z`.
  public var started: String?
  /// The seed of the app's random numbers, where it has one.
  public var seed: UInt64?
  /// The keys of the dependencies that are on tape.
  public var tape: [String]
  /// What was taken out before writing, as the recorder describes it: paths, key names.
  public var redacted: [String]
  /// Which steps have their states.
  public var states: StatePolicy
  /// How the states were taken. Nil where the recorder does not say.
  public var snapshots: Snapshots?
  /// The step that the header's state belongs to: 0, unless the session starts in the middle.
  public var firstStep: Int
  /// The time of that step.
  public var firstTime: Duration?
  /// Nil when no state is known.
  public var state: Value?
  /// The effects that were running where the session starts; none at the beginning of an app.
  public var effects: [EffectInFlight]
  /// 1, or more for the further parts of a recording that was rotated.
  public var part: Int
  /// Where the session comes from when it was made from another file.
  public var origin: Origin?
  /// Whether its steps tell what sent them. Where they do not, every step after an edit is assumed.
  public var knowsCauses = true
  /// Keys that this version does not know, kept by trimming.
  public var unknown: ValueObject

  /// A header for a recording that begins here; the other members are set afterwards.
  public init(
    app: App? = nil, capability: Capability = .replay, state: Value? = nil,
    states: StatePolicy = .everyStep, firstStep: Int = 0
  ) {
    self.app = app
    self.capability = capability
    self.state = state
    self.states = states
    self.firstStep = firstStep
    tape = []
    redacted = []
    effects = []
    part = 1
    unknown = [:]
  }

  /// The app that was recorded.
  public struct App: Sendable, Hashable {
    /// As people know it.
    public var name: String
    /// As the app numbers its versions; given to ``SessionUpgrade`` of `Replay`, nil where nobody
    /// said.
    public var version: String?
    /// Members that this version does not know.
    package var unknown: ValueObject = [:]

    /// An app of this name.
    public init(_ name: String, version: String? = nil) {
      self.name = name
      self.version = version
    }
  }

  /// What a log is good for.
  public enum Capability: Sendable, Hashable {
    /// It can be run again.
    case replay
    /// It can be looked at but not run again, for this reason.
    case browse(because: String)
  }

  /// Which steps have a state in the file.
  public enum StatePolicy: Sendable, Hashable {
    /// All.
    case everyStep
    /// Every n-th step.
    case every(Int)
    /// Only the one that the session starts with.
    case first
  }

  /// How a recorder took its states.
  public enum Snapshots: String, Sendable, Hashable {
    /// The state is a value that was copied in `send` and encoded later.
    case copied
    /// The state may hold references, so it was encoded before `send` returned.
    case encoded
  }

  /// The file that a session was made from.
  public struct Origin: Sendable, Hashable {
    /// `Redux DevTools`, `JSON Lines`, `trim`.
    public var format: String
    /// The name of that file, without its folder.
    public var file: String?
    /// The step at which the author of the file stood.
    public var position: Int?
    /// Members that this version does not know.
    package var unknown: ValueObject = [:]
    /// The host that computed the states, where that file holds none.
    public var statesBy: String?

    /// `position` is the step at which its author stood.
    public init(format: String, file: String? = nil, position: Int? = nil) {
      self.format = format
      self.file = file
      self.position = position
    }
  }
}

/// The version of the session format: `1.0`. A newer minor version can be read, a newer major not.
public struct FormatVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Another one is another format.
  public var major: Int
  /// A higher one only adds; what is not known is kept and not understood.
  public var minor: Int

  /// The version that this library writes.
  public static let current = FormatVersion(major: 1, minor: 0)

  /// The version `major.minor`.
  public init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
  }

  /// Reads `1.0`; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let major = Int(parts[0]), let minor = Int(parts[1]),
      major >= 0, minor >= 0
    else { return nil }
    self.init(major: major, minor: minor)
  }

  /// `1.0`
  public var description: String { "\(major).\(minor)" }

  /// Whether it is older.
  public static func < (left: Self, right: Self) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }
}
