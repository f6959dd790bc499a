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
  /// The step of this branch in which it ended an earlier process: who leaves it does not run it again.
  package var endsAt: Int?

  package init(name: String, script: Script) {
    self.name = name
    self.script = script
  }
}

package struct RunRequest: Sendable, Hashable {
  package var branch: BranchPath
  /// Which steps of the branch are told; its earlier ones are only run.
  package var tells: RunDetail
  /// The last step of the branch to run, nil for all.
  package var until: Int?

  package init(branch: BranchPath, tells: RunDetail = .steps(from: 1), until: Int? = nil) {
    self.branch = branch
    self.tells = tells
    self.until = until
  }
}

package struct SourceRequest: Sendable, Hashable {
  package var branch: BranchPath
  /// The steps that are written; the state before the first is written, too.
  package var steps: ClosedRange<Int>
  /// The action of the last of them, where the reducer does not return from it: it is not run.
  package var unfinished: Value?

  package init(branch: BranchPath, steps: ClosedRange<Int>, unfinished: Value? = nil) {
    self.branch = branch
    self.steps = steps
    self.unfinished = unfinished
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

/// Steps as source for a test: what a host, which knows the app's types, writes of values.
package struct StepSource: Sendable, Hashable {
  /// The expression that makes the reducer, as far as it can be told: `Cart()`.
  package var reducer: String
  /// What the source needs to import.
  package var modules: [String]
  /// The state before the first step, as an expression.
  package var state: String
  package var steps: [Step]

  package struct Step: Sendable, Hashable {
    package var number: Int
    /// The action as an expression.
    package var action: String
    /// Statements that make the state after it of the one before, which is called `$0`.
    package var changes: [String]

    package init(number: Int, action: String, changes: [String]) {
      self.number = number
      self.action = action
      self.changes = changes
    }
  }

  package init(reducer: String, modules: [String], state: String, steps: [Step]) {
    self.reducer = reducer
    self.modules = modules
    self.state = state
    self.steps = steps
  }
}

extension HostConnection {
  /// Steps of a branch as source for a test.
  package func source(_ request: SourceRequest) async throws(HostFailure) -> StepSource {
    let answer = try await ask(.source(request), loaded())
    guard case .source(let source) = answer else { throw unexpected(answer) }
    return source
  }
}

/// A value that somebody has typed: whether the types of the app can hold it. It is decoded, and nothing
/// runs.
package enum ValueCheck: Sendable, Hashable {
  case action(Value)
  /// A part of the state after a step of a branch.
  case part(Pointer, Value, step: Int, of: BranchPath)
}

extension HostRequest.Ask {
  /// The branch that it is about, with all that it leaves.
  package var branch: BranchPath? {
    get {
      switch self {
      case .run(let run): run.branch
      case .state(let branch, _): branch
      case .source(let source): source.branch
      case .live(let live): live.branch
      case .check(.part(_, _, _, let branch)): branch
      case .greet, .load, .verify, .check, .actions, .whereabouts, .cancel, .quit: nil
      }
    }
    set {
      guard let branch = newValue else { return }
      switch self {
      case .run(var run):
        run.branch = branch
        self = .run(run)
      case .state(_, let step): self = .state(branch: branch, step: step)
      case .source(var source):
        source.branch = branch
        self = .source(source)
      case .live(var live):
        live.branch = branch
        self = .live(live)
      case .check(.part(let pointer, let value, let step, _)):
        self = .check(.part(pointer, value, step: step, of: branch))
      case .greet, .load, .verify, .check, .actions, .whereabouts, .cancel, .quit: break
      }
    }
  }
}

extension HostConnection {
  package func verdict(on check: ValueCheck) async throws -> ValueVerdict {
    guard let talk = try await checking() else { return .unknown }
    let answer = try await ask(.check(check), talk)
    guard case .checked(let problem) = answer else { throw unexpected(answer) }
    return problem.map { .problem($0) } ?? .fine
  }

  /// An action of each kind that the app has, whether anybody recorded it or not.
  package func exampleActions() async throws -> [Value] {
    guard let talk = try await checking() else { return [] }
    let answer = try await ask(.actions, talk)
    guard case .actions(let actions) = answer else { throw unexpected(answer) }
    return actions
  }

  private func checking() async throws -> HostTalk? {
    let talk = try await loaded()
    return state.withLock { $0.greeting?.checks == true } ? talk : nil
  }
}
