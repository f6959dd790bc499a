import SessionLog
import ValueTree

/// A line from the debugger to the host.
public struct HostRequest: Sendable, Hashable {
  /// Chosen by the debugger; every message about this request carries it.
  public var id: Int
  public var ask: Ask

  public enum Ask: Sendable, Hashable {
    case greet(debugger: String)
    case load(path: String)
    case run(RunRequest)
    /// The state of a branch after a step.
    case state(branch: BranchPath, step: Int)
    case verify(VerifyOptions)
    /// Steps of a branch as source for a test, in the language of the app.
    case source(SourceRequest)
    /// Runs one effect of a branch live, because the user asks for it.
    case live(LiveRequest)
    /// Answered at once, whatever the reducer does.
    case whereabouts
    case cancel(request: Int)
    case quit
  }

  public init(id: Int, ask: Ask) {
    self.id = id
    self.ask = ask
  }
}

/// A branch with all that is needed to compute it: its scripts, from the one that leaves `main`
/// down to its own. Empty for `main` itself.
///
/// The path travels with every request, so a host that was started again needs no reminding.
public struct BranchPath: Sendable, Hashable {
  public var branches: [NamedScript]

  public static let main = BranchPath([])

  public init(_ branches: [NamedScript]) { self.branches = branches }

  /// A branch that leaves `main`.
  public init(name: String, _ script: Script) {
    branches = [NamedScript(name: name, script: script)]
  }
}

public struct NamedScript: Sendable, Hashable {
  public var name: String
  public var script: Script

  public init(name: String, script: Script) {
    self.name = name
    self.script = script
  }
}

public struct RunRequest: Sendable, Hashable {
  public var branch: BranchPath
  /// Which steps of the branch are told; its earlier ones are only run.
  public var tells: Detail
  /// The last step of the branch to run, nil for all.
  public var until: Int?

  public enum Detail: Sendable, Hashable {
    /// Every step from this one on, compared and with its patch.
    case steps(from: Int)
    /// Only the report at the end: nothing is compared or encoded.
    case report
  }

  public init(branch: BranchPath, tells: Detail = .steps(from: 1), until: Int? = nil) {
    self.branch = branch
    self.tells = tells
    self.until = until
  }
}

public struct SourceRequest: Sendable, Hashable {
  public var branch: BranchPath
  /// The steps that are written; the state before the first is written, too.
  public var steps: ClosedRange<Int>

  public init(branch: BranchPath, steps: ClosedRange<Int>) {
    self.branch = branch
    self.steps = steps
  }
}

public struct LiveRequest: Sendable, Hashable {
  public var branch: BranchPath
  /// The effect, by its number in the branch.
  public var effect: Int
  public var limits: LiveLimits

  public init(branch: BranchPath, effect: Int, limits: LiveLimits = LiveLimits()) {
    self.branch = branch
    self.effect = effect
    self.limits = limits
  }
}
