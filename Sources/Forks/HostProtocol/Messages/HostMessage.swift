import SessionWords
import ValueTree

package struct HostMessage: Sendable, Hashable {
  package var id: Int
  package var content: Content

  package enum Content: Sendable, Hashable {
    case news(HostEvent)
    case answer(HostAnswer)
    case refusal(HostRefusal)
  }

  package init(id: Int, _ content: Content) {
    self.id = id
    self.content = content
  }
}

package enum HostEvent: Sendable, Hashable {
  case progress(done: Int, of: Int)
  case step(BranchStep)
  /// The reducer is about to crash the process at this step.
  case dying(step: Int, words: String)
}

package enum HostAnswer: Sendable, Hashable {
  case greeting(HostGreeting)
  case loaded(LoadReport)
  case ran(BranchReport)
  case state(Value)
  case verified(VerifyReport)
  case live(LiveRun)
  case source(StepSource)
  case checked(ValueProblem?)
  case actions([Value])
  case whereabouts(step: Int?)
  case done
}

package struct HostRefusal: Error, Sendable, Hashable {
  package var kind: Kind
  package var message: String

  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case cancelled
    case unknownRequest
    /// No session is loaded, or it cannot be replayed.
    case noSession
    case unreadable
    case noSuchStep
    case undecodable
    case other
  }

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  var failure: HostFailure { kind == .cancelled ? .cancelled : .refused(self) }
}

package struct HostGreeting: Sendable, Hashable {
  package var version: ProtocolVersion
  package var name: String
  package var stateType: String
  package var actionType: String
  /// Whether it sees effects start, end and be cancelled. If not, every emission after an edit is
  /// assumed.
  package var seesEffects: Bool
  package var runsLive = true
  package var checks = false
  /// It runs nothing by itself: an engine runs sessions and forks with it.
  package var isThin = false
  /// Of a thin host: the user gave it the first state.
  package var hasState = false
  /// The abilities of a thin host besides reducing.
  package var can = ThinAbilities()

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

package struct ThinAbilities: Sendable, Hashable {
  /// It gives its reducer the recorded answers, and tells what it asked.
  package var reads = false
  /// It tells which effects a step started and cancelled, and what its reducer sent.
  package var effects = false
  /// It runs the bodies of effects, step by step.
  package var bodies = false
  /// With its own recorded answers a body sends what it sent, so a verification runs it, too.
  package var repeats = false
  /// It can put a body's question to the outside, once, in a process of its own.
  package var live = false
  /// Its effects start anew after a state is set by hand.
  package var sets = false
  /// It runs an app whose middleware keeps more than the state holds, so equal states may go on
  /// differently. It hears the time of each step.
  package var whole = false

  package init() {}
}

/// The version of the protocol. A newer minor version only adds keys and kinds, which the older
/// side ignores.
package struct ProtocolVersion: Sendable, Hashable, CustomStringConvertible {
  package var major: Int
  package var minor: Int

  package static let current = ProtocolVersion(major: 2, minor: 3)

  /// Whether a step that sets the state says so by its label alone.
  var hasSetLabels: Bool { minor < 1 }

  package var description: String { "\(major).\(minor)" }
}
