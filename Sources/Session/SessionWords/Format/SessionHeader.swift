import ValueTree

/// The first line of a session: the app, the recorder, and the first state.
public struct SessionHeader: Sendable, Hashable {
  /// The format version of the file.
  public var version: FormatVersion = .current
  /// The recording's id, shared by its parts and trimmed copies.
  public var session: String?
  /// The recorded app, if known.
  public var app: App?
  /// Whether the session can be run again.
  public var capability: Capability
  /// The start of the recording as RFC 3339: `2026-11-20T10:56:00.123Z`.
  public var started: String?
  /// The seed of the app's random numbers, if any.
  public var seed: UInt64?
  /// The keys of recorded dependencies.
  public var tape: [String]
  /// The redacted paths and key names. A recorder adds `(asked for)`, for it cannot know what it will find.
  public var redacted: [String]
  /// The steps with states.
  public var states: StatePolicy
  /// The way states were taken; nil if unknown.
  public var snapshots: Snapshots?
  /// The step of the header's state: 0, unless the session starts in the middle.
  public var firstStep: Int
  /// The time of the first step.
  public var firstTime: Duration?
  /// The first state, if known.
  public var state: Value?
  /// The effects in flight at the session's start.
  public var effects: [EffectInFlight]
  /// 1, or more for further parts of a rotated recording.
  public var part: Int
  /// The file that the session was made from, if any.
  public var origin: Origin?
  /// Whether its steps have causes. If not, every step after an edit is assumed.
  public var knowsCauses = true
  /// Whether the app may send actions by itself, as a middleware does. If so, a fork that runs only
  /// the reducer may lack some, so all after an edit is assumed.
  public var mayHaveMiddleware = true
  /// `node` or `page`, if the recorder for JavaScript kept what the outside answered there.
  package var world: String?
  /// Unknown keys, preserved by trimming.
  public var unknown: ValueObject

  /// Creates a header for a new recording; set the other members afterwards.
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
    /// The app's name for people.
    public var name: String
    /// The app's own version, for the `SessionUpgrade` of `Replay`.
    public var version: String?
    package var unknown: ValueObject = [:]

    /// Creates an app's description.
    public init(_ name: String, version: String? = nil) {
      self.name = name
      self.version = version
    }
  }

  /// The possible uses of a log.
  public enum Capability: Sendable, Hashable {
    /// The session can run again.
    case replay
    /// The session can be viewed but not run, for this reason.
    case browse(because: String)
  }

  /// The steps that have a state in the file.
  public enum StatePolicy: Sendable, Hashable {
    /// All steps.
    case everyStep
    /// Every n-th step.
    case every(Int)
    /// Only the first step.
    case first
  }

  /// The way a recorder took states.
  public enum Snapshots: String, Sendable, Hashable {
    /// States are values, copied in `send` and encoded later.
    case copied
    /// States may hold references, so they were encoded before `send` returned.
    case encoded
  }

  /// The file that a session was made from.
  public struct Origin: Sendable, Hashable {
    /// `Redux DevTools`, `JSON Lines`, `trim`.
    public var format: String
    /// The file's name without its folder.
    public var file: String?
    /// The author's position in the file.
    public var position: Int?
    package var unknown: ValueObject = [:]
    /// The host that computed the states, if the file had none.
    public var statesBy: String?

    /// Creates an origin; `position` is the author's position.
    public init(format: String, file: String? = nil, position: Int? = nil) {
      self.format = format
      self.file = file
      self.position = position
    }

    package var isBranch: Bool { format.hasPrefix("branch ") }
  }
}

extension SessionHeader {
  /// Whether steps that set the state are marked by their label alone, as in format 1.0 in what
  /// Retcon made of other sessions.
  package var hasSetLabels: Bool {
    let hasMember = version >= FormatVersion(major: 1, minor: 1)
    guard !hasMember, let origin else { return false }
    return origin.format == "trim" || origin.isBranch
  }
}

/// The version of the session format: `1.1`. Newer minor versions can be read, newer major ones
/// cannot.
public struct FormatVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Differs between incompatible formats.
  public var major: Int
  /// Higher ones only add; unknown parts are preserved.
  public var minor: Int

  /// The version that this library writes.
  public static let current = FormatVersion(major: 1, minor: 1)

  /// Creates the version `major.minor`.
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
    // `Int` also reads `+1` and `-0`.
    guard description == text else { return nil }
  }

  /// `1.0`
  public var description: String { "\(major).\(minor)" }

  /// Whether it is older.
  public static func < (left: Self, right: Self) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }
}
