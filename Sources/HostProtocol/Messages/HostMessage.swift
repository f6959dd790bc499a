import SessionLog
import ValueTree

/// A line from the host to the debugger.
public struct HostMessage: Sendable, Hashable {
  /// The request that it is about.
  public var id: Int
  public var content: Content

  public enum Content: Sendable, Hashable {
    case news(HostNews)
    /// The last message about a request.
    case answer(HostAnswer)
    /// Also a last message: the request cannot be fulfilled.
    case refusal(HostRefusal)
  }

  public init(id: Int, _ content: Content) {
    self.id = id
    self.content = content
  }
}

/// What a host tells while it works on a request.
public enum HostNews: Sendable, Hashable {
  case progress(done: Int, of: Int)
  case step(BranchStep)
  /// The reducer is about to end the process at this step.
  case dying(step: Int, words: String)
}

/// What a host gives at the end of a request.
public enum HostAnswer: Sendable, Hashable {
  case greeting(HostGreeting)
  case loaded(LoadReport)
  case ran(BranchReport)
  case state(Value)
  case verified(VerifyReport)
  case live(LiveRun)
  case source(StepSource)
  /// The step that is being reduced, nil when none is.
  case whereabouts(step: Int?)
  case done
}

/// Why a host did not do what it was asked.
public struct HostRefusal: Error, Sendable, Hashable {
  public var kind: Kind
  public var message: String

  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case cancelled
    /// The question was not understood.
    case unknownRequest
    /// No session is loaded, or it cannot be replayed.
    case noSession
    case unreadable
    /// The branch or step does not exist.
    case noSuchStep
    case undecodable
    case other
  }

  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}

/// What a host says of itself.
public struct HostGreeting: Sendable, Hashable {
  public var version: ProtocolVersion
  /// Shown in the title line.
  public var name: String
  /// Types of the state and the actions, for people.
  public var stateType: String
  public var actionType: String
  /// It sees effects start, end and be cancelled. When it does not, every emission after an edit
  /// is assumed.
  public var seesEffects: Bool
  /// It can run an effect live. One that cannot refuses it, too.
  public var runsLive = true

  public init(
    version: ProtocolVersion = .current, name: String, stateType: String = "",
    actionType: String = "", seesEffects: Bool = true
  ) {
    self.version = version
    self.name = name
    self.stateType = stateType
    self.actionType = actionType
    self.seesEffects = seesEffects
  }
}

/// The version of the talk between debugger and host. A newer minor version only adds keys and
/// kinds, which the older side ignores.
public struct ProtocolVersion: Sendable, Hashable, CustomStringConvertible {
  public var major: Int
  public var minor: Int

  public static let current = ProtocolVersion(major: 2, minor: 0)

  public init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
  }

  public var description: String { "\(major).\(minor)" }
}
