import HostProtocol
import Platform
import SessionWords
import TimeTravel
import ValueTree

/// The goal of a search: what a session must show.
package enum Goal: Sendable, Hashable {
  case holds(StepQuestion)
  case crash(words: String)
  /// A place of the final state has this value; nil if it is missing.
  case ends(Pointer, with: Value?)
  case differs(DifferentStep)

  /// The step as recorded if it is the different one: for writing a session.
  package func asRecorded(_ told: BranchStep) -> BranchStep {
    guard case .differs(let different) = self, told.descendsFrom == different.step else {
      return told
    }
    var recorded = told
    recorded.patch = different.recorded.value
    return recorded
  }
}

package struct Verdict: Sendable, Hashable {
  package enum Answer: Sendable, Hashable {
    case happens
    case doesNot
    /// Another failure, which never counts as the goal.
    case otherFailure(String)
  }

  package var answer: Answer
  package var step: Int
  package var values: Standing.Values
  package var assumptions: [Assumption]
  /// The state at that step, until it is dropped.
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
  var otherFailure: String? { if case .otherFailure(let words) = answer { words } else { nil } }
  var bytes: Int {
    let words = otherFailure?.utf8.count ?? 0
    return assumptions.reduce(MemoryLayout<Self>.stride + words) {
      $0 + MemoryLayout<Assumption>.stride + $1.sentence.utf8.count
    }
  }
  /// Whether the live app certainly does the same.
  package var isKnown: Bool { values.areKnown }

  /// Takes the assumptions of another that it builds on, if it has none of its own.
  mutating func limitTrust(to other: Verdict) {
    guard isKnown, !other.isKnown else { return }
    (values, assumptions) = (other.values, other.assumptions)
  }
}

package enum Wanted: Sendable, Hashable {
  case holds(StepQuestion)
  case crash
  case divergence
}

extension Goal {
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
      wanted, in: session.summary.steps, of: .main, on: [host])
    if case .crash = self { return found?.goal == self }
    return found != nil
  }
}

extension OpenSession {
  package func goal(
    _ wanted: Wanted, in steps: ClosedRange<Int>, of branch: BranchID, on hosts: [any BranchHost]
  ) async throws -> (step: Int, goal: Goal)? {
    switch wanted {
    case .holds(let typed):
      let question = try await resolved(typed, of: branch)
      guard let named = try await firstStep(where: question, in: steps, of: branch) else {
        return nil
      }
      // A fork that leaves after the first such step would not tell of it.
      let start = self.branch(branch)?.steps.lowerBound ?? steps.lowerBound
      let first = try await firstStep(where: question, in: start...steps.lowerBound, of: branch)
      return (first ?? named, .holds(question))
    case .divergence:
      guard branch == .main else {
        throw Trouble(
          "a fork is made by today's reducer, so it cannot differ from it",
          next: "Ask about the recording")
      }
      return try await difference(on: hosts)
    case .crash: return try await crash(of: branch, on: hosts[0])
    }
  }

  /// The goal that a place has its value, at the step that set it.
  package func goal(
    endingWith place: Pointer, at position: Position
  ) async throws -> (step: Int, goal: Goal) {
    (
      try await setter(of: place, at: position),
      .ends(place, with: try await state(at: position)?[place])
    )
  }

  private func crash(
    of branch: BranchID, on host: any BranchHost
  ) async throws -> (step: Int, goal: Goal)? {
    let thrown = Locked<(step: Int, words: String)?>(nil)
    let first = try await firstKnownStep()
    let report = try await host.run(path(to: branch), from: first + 1) { told in
      guard let words = told.step.error else { return }
      thrown.withLock { $0 = $0 ?? (told.step.number, words) }
    }
    var found = thrown.withLock { $0 }
    if let end = report.ending, end.outcome != .undecodable {
      found = found ?? (end.step, end.reason)
    }
    return found.map { ($0.step, .crash(words: $0.words)) }
  }
}
