import SessionWords
import ValueTree

/// A line from the debugger to the host.
package struct HostRequest: Sendable, Hashable {
  /// Chosen by the debugger; every message about this request carries it.
  package var id: Int
  package var ask: Ask

  package enum Ask: Sendable, Hashable {
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
    /// Whether the types of the app can hold a value.
    case check(ValueCheck)
    /// An action of each kind that the app has.
    case actions
    /// Answered at once, whatever the reducer does.
    case whereabouts
    case cancel(request: Int)
    case quit
  }

  package init(id: Int, ask: Ask) {
    self.id = id
    self.ask = ask
  }
}

/// A branch with all that is needed to compute it: its scripts, from the one that leaves `main`
/// down to its own. Empty for `main` itself.
///
/// The path travels with every request, so a host that was started again needs no reminding.
package struct BranchPath: Sendable, Hashable {
  package var branches: [NamedScript]

  package static let main = BranchPath([])

  package init(_ branches: [NamedScript]) { self.branches = branches }

  /// A branch that leaves `main`.
  package init(name: String, _ script: Script) {
    branches = [NamedScript(name: name, script: script)]
  }
}

package struct NamedScript: Sendable, Hashable {
  package var name: String
  package var script: Script

  package init(name: String, script: Script) {
    self.name = name
    self.script = script
  }
}

package struct RunRequest: Sendable, Hashable {
  package var branch: BranchPath
  /// Which steps of the branch are told; its earlier ones are only run.
  package var tells: Detail
  /// The last step of the branch to run, nil for all.
  package var until: Int?

  package enum Detail: Sendable, Hashable {
    /// Every step from this one on, compared and with its patch.
    case steps(from: Int)
    /// Only the report at the end: nothing is compared or encoded.
    case report
  }

  package init(branch: BranchPath, tells: Detail = .steps(from: 1), until: Int? = nil) {
    self.branch = branch
    self.tells = tells
    self.until = until
  }
}

package struct SourceRequest: Sendable, Hashable {
  package var branch: BranchPath
  /// The steps that are written; the state before the first is written, too.
  package var steps: ClosedRange<Int>

  package init(branch: BranchPath, steps: ClosedRange<Int>) {
    self.branch = branch
    self.steps = steps
  }
}

package struct LiveRequest: Sendable, Hashable {
  package var branch: BranchPath
  /// The effect, by its number in the branch.
  package var effect: Int
  /// What the effect waits for on the tape: then only that is asked.
  package var question: Question?
  package var limits: LiveLimits

  package init(
    branch: BranchPath, effect: Int, question: Question? = nil, limits: LiveLimits = LiveLimits()
  ) {
    self.branch = branch
    self.effect = effect
    self.question = question
    self.limits = limits
  }
}
