import SessionWords
import ValueTree

package struct HostRequest: Sendable, Hashable {
  /// Chosen by the debugger; every message about this request has it.
  package var id: Int
  package var ask: Ask
  /// By the place of a parent in the branch: the step in which it ended an earlier host.
  var ends: [Int: Int] = [:]

  package enum Ask: Sendable, Hashable {
    case greet(debugger: String)
    /// `isComputed`: this build of the reducer computed the session's states.
    case load(path: String, isComputed: Bool = false)
    case run(RunRequest)
    case state(branch: BranchPath, step: Int)
    case verify(VerifyOptions)
    /// Steps of a branch as source for a test, in the app's language, with the state before the
    /// first. The action of the last step is given if its reducer did not return: it is not run.
    case source(branch: BranchPath, steps: ClosedRange<Int>, unfinished: Value?)
    /// Runs one effect of a branch live, at the user's request.
    case live(LiveRequest)
    case check(ValueCheck)
    case actions
    /// Answered at once, even during a step.
    case whereabouts
    case cancel(request: Int)
    case quit

    /// Until its greeting, a host may be one that only reduces, and knows no other question.
    var isGreeting: Bool { if case .greet = self { true } else { false } }
  }
}

/// A branch with everything needed to compute it: the scripts from the one that leaves `main` to
/// its own. Empty for `main`.
///
/// Every request contains the path, so a restarted host needs nothing else.
package struct BranchPath: Sendable, Hashable {
  package var branches: [NamedScript]

  package static let main = BranchPath([])

  package init(_ branches: [NamedScript]) { self.branches = branches }

  package init(_ id: BranchID, _ script: Script) {
    branches = [NamedScript(id: id, script: script)]
  }
}

package struct NamedScript: Sendable, Hashable {
  package var id: BranchID
  package var script: Script
  /// The step in which this branch crashed an earlier process: a fork of it does not run the step
  /// again.
  package var endsAt: Int?

  package init(id: BranchID, script: Script) {
    self.id = id
    self.script = script
  }
}

package struct RunRequest: Sendable, Hashable {
  package var branch: BranchPath
  /// The first step to report, compared and with its patch; nil reports the end alone.
  package var from: Int?
  package var until: Int?

  package init(branch: BranchPath, from: Int? = 1, until: Int? = nil) {
    self.branch = branch
    self.from = from
    self.until = until
  }
}

package struct LiveRequest: Sendable, Hashable {
  package var branch: BranchPath
  package var effect: EffectID
  /// The question that the effect waits for on the tape: then only that is asked.
  package var question: Question?
  package var limits: LiveLimits

  package init(
    branch: BranchPath, effect: EffectID, question: Question? = nil,
    limits: LiveLimits = LiveLimits()
  ) {
    self.branch = branch
    self.effect = effect
    self.question = question
    self.limits = limits
  }
}

/// Steps as source for a test, written by a host that knows the app's types.
package struct StepSource: Sendable, Hashable {
  /// The expression for the reducer, if known: `Cart()`.
  package var reducer: String
  package var modules: [String]
  package var state: String
  package var steps: [Step]
  /// For an architecture with a test store of its own. Nil for the store of `StoreCore`.
  package var library: Library?

  /// How the tests of another architecture are written.
  package struct Library: Sendable, Hashable {
    /// States and changes are JSON, for `RecordedState`.
    package var isDecoded = false
    /// States are `Equatable`, as a `TestStore` needs them.
    package var comparesStates = true
    /// Actions are `Equatable`.
    package var comparesActions = true
    /// Statements before the store.
    package var preamble: [String] = []
    /// What the test does without, or why it has JSON.
    package var remarks: [String] = []

    package init() {}
  }

  package struct Step: Sendable, Hashable {
    package var number: Int
    package var action: String
    /// Statements that change the state before, named `$0`, into the state after.
    package var changes: [String]
    /// Statements for the store before the action: what a view changed by itself.
    package var before: [String] = []
    /// What changes in shared values. Unlike the rest of the state they change as soon as a reducer runs.
    package var shared: [Shared] = []

    package struct Shared: Sendable, Hashable {
      /// The place, such as `$0.$count`.
      package var path: String
      package var value: String

      package init(path: String, value: String) { (self.path, self.value) = (path, value) }
    }

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
  package func source(
    of branch: BranchPath, _ steps: ClosedRange<Int>, unfinished: Value?
  ) async throws(HostFailure) -> StepSource {
    let answer = try await ask(
      .source(branch: branch, steps: steps, unfinished: unfinished), loaded())
    guard case .source(let source) = answer else { throw unexpected(answer) }
    return source
  }
}

/// A typed value, to check against the app's types. It is decoded; no code of the app runs.
package enum ValueCheck: Sendable, Hashable {
  case action(Value)
  case part(Pointer, Value, step: Int, of: BranchPath)
}

extension HostRequest.Ask {
  package var branch: BranchPath? {
    switch self {
    case .run(let run): run.branch
    case .state(let branch, _), .source(let branch, _, _): branch
    case .live(let live): live.branch
    case .check(.part(_, _, _, let branch)): branch
    case .greet, .load, .verify, .check, .actions, .whereabouts, .cancel, .quit: nil
    }
  }
}

extension HostConnection {
  package func verdict(on check: ValueCheck) async throws -> ValueVerdict {
    guard let channel = try await checking() else { return .unknown }
    let answer = try await ask(.check(check), channel)
    guard case .checked(let problem) = answer else { throw unexpected(answer) }
    return problem.map { .problem($0) } ?? .fine
  }

  package func exampleActions() async throws -> [Value] {
    guard let channel = try await checking(orIsThin: true) else { return [] }
    let answer = try await ask(.actions, channel)
    guard case .actions(let actions) = answer else { throw unexpected(answer) }
    return actions
  }

  private func checking(orIsThin isEnough: Bool = false) async throws -> HostChannel? {
    let channel = try await loaded()
    let greeting = state.withLock { $0.greeting }
    return greeting?.checks == true || isEnough && greeting?.isThin == true ? channel : nil
  }
}
