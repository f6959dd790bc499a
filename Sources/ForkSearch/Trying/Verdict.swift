import HostProtocol
import Platform
import SessionWords
import TimeTravel
import ValueTree

/// What a search is about: what has to happen in a session for it to show the problem.
package enum Goal: Sendable, Hashable {
  /// A condition holds after a step.
  case holds(StepQuestion)
  /// The reducer ends its process, or throws, with these last words.
  case crash(words: String)
  /// A place of the state has this value in the end; nil where there is nothing.
  case ends(Pointer, with: Value?)
  /// Today's reducer takes a step otherwise than it was recorded.
  case differs(DifferentStep)

  /// The step as it was recorded, where it is the one that differs: so it is written into a session.
  package func asRecorded(_ told: BranchStep) -> BranchStep {
    guard case .differs(let different) = self, told.descendsFrom == different.step else {
      return told
    }
    var recorded = told
    recorded.patch = different.recorded.value
    return recorded
  }
}

/// What came of running a script.
package struct Verdict: Sendable, Hashable {
  package enum Answer: Sendable, Hashable {
    case happens
    case doesNot
    /// Something else went wrong: never taken for what is searched.
    case otherFailure(String)
  }

  package var answer: Answer
  /// The branch's step that says so: the one where it happens, else the last one.
  package var step: Int
  /// What the answer rests on.
  package var values: Standing.Values
  package var assumptions: [Assumption]
  /// The state at that step, as long as it is not kept.
  package var state: Value?

  package init(
    _ answer: Answer, step: Int = 0, values: Standing.Values = .recorded,
    assumptions: [Assumption] = []
  ) {
    self.answer = answer
    self.step = step
    self.values = values
    self.assumptions = assumptions
  }

  package var happens: Bool { answer == .happens }
  /// How much memory it takes, about, the state left out.
  var bytes: Int {
    let words = if case .otherFailure(let words) = answer { words.utf8.count } else { 0 }
    return assumptions.reduce(MemoryLayout<Self>.stride + words) {
      $0 + MemoryLayout<Assumption>.stride + $1.sentence.utf8.count
    }
  }
  /// Whether the app, run live, does exactly this.
  package var isKnown: Bool { values.areKnown }
}

/// What somebody wants a search to be about.
package enum Wanted: Sendable, Hashable {
  /// It holds after a step.
  case holds(StepQuestion)
  /// The reducer ends its process, or throws.
  case crash
  /// Today's reducer does not do what was recorded.
  case divergence
}

extension Goal {
  /// Whether the recording of a session shows this when it is run again.
  package func happens(in session: OpenSession, on host: any BranchHost) async throws -> Bool {
    let wanted: Wanted
    switch self {
    case .holds(let question): wanted = .holds(question)
    case .crash: wanted = .crash
    case .differs: wanted = .divergence
    case .ends(let place, let value):
      let end = Position(step: session.summary.steps.upperBound)
      return try await isSame(session.state(at: end)?[place], value)
    }
    let found = try await session.goal(
      wanted, in: session.summary.steps, of: Branch.main, on: [host])
    if case .crash = self { return found?.goal == self }
    return found != nil
  }
}

extension OpenSession {
  /// The first step of a branch where it happens; nil where it does not.
  package func goal(
    _ wanted: Wanted, in steps: ClosedRange<Int>, of branch: String, on hosts: [any BranchHost]
  ) async throws -> (step: Int, goal: Goal)? {
    switch wanted {
    case .holds(let question):
      return try await firstStep(where: question, in: steps, of: branch)
        .map { ($0, .holds(question)) }
    case .divergence:
      guard branch == Branch.main else {
        throw Trouble(
          "a fork is what today's reducer does: it differs from no recording",
          next: "Ask about the recording")
      }
      return try await difference(on: hosts)
    case .crash: return try await crash(of: branch, on: hosts[0])
    }
  }

  private func crash(
    of branch: String, on host: any BranchHost
  ) async throws -> (step: Int, goal: Goal)? {
    let thrown = Locked<(step: Int, words: String)?>(nil)
    let first = self.branch(branch)?.steps.lowerBound ?? 0
    let report = try await host.run(path(to: branch), from: first + 1) { told in
      guard let words = told.step.error else { return }
      thrown.withLock { $0 = $0 ?? (told.step.number, words) }
    }
    var found = thrown.withLock { $0 }
    if case .crashed(let step, let words) = report.ending { found = found ?? (step, words) }
    return found.map { ($0.step, .crash(words: $0.words)) }
  }
}
