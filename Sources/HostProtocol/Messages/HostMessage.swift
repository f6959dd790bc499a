import SessionWords
import ValueTree

/// A line from the host to the debugger.
package struct HostMessage: Sendable, Hashable {
  /// The request that it is about.
  package var id: Int
  package var content: Content

  package enum Content: Sendable, Hashable {
    case news(HostNews)
    /// The last message about a request.
    case answer(HostAnswer)
    /// Also a last message: the request cannot be fulfilled.
    case refusal(HostRefusal)
  }

  package init(id: Int, _ content: Content) {
    self.id = id
    self.content = content
  }
}

/// What a host tells while it works on a request.
package enum HostNews: Sendable, Hashable {
  case progress(done: Int, of: Int)
  case step(BranchStep)
  /// The reducer is about to end the process at this step.
  case dying(step: Int, words: String)
}

/// What a host gives at the end of a request.
package enum HostAnswer: Sendable, Hashable {
  case greeting(HostGreeting)
  case loaded(LoadReport)
  case ran(BranchReport)
  case state(Value)
  case verified(VerifyReport)
  case live(LiveRun)
  case source(StepSource)
  /// What is wrong with a value, nil when nothing is.
  case checked(ValueProblem?)
  case actions([Value])
  /// The step that is being reduced, nil when none is.
  case whereabouts(step: Int?)
  case done
}

/// Why a host did not do what it was asked.
package struct HostRefusal: Error, Sendable, Hashable {
  package var kind: Kind
  package var message: String

  package enum Kind: String, Sendable, Hashable, CaseIterable {
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

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}

/// What a host says of itself.
package struct HostGreeting: Sendable, Hashable {
  package var version: ProtocolVersion
  /// Shown in the title line.
  package var name: String
  /// Types of the state and the actions, for people.
  package var stateType: String
  package var actionType: String
  /// It sees effects start, end and be cancelled. When it does not, every emission after an edit
  /// is assumed.
  package var seesEffects: Bool
  /// It can run an effect live. One that cannot refuses it, too.
  package var runsLive = true
  /// It answers `check` and `actions`.
  package var checks = false

  package init(
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
package struct ProtocolVersion: Sendable, Hashable, CustomStringConvertible {
  package var major: Int
  package var minor: Int

  package static let current = ProtocolVersion(major: 2, minor: 0)

  package var description: String { "\(major).\(minor)" }
}
