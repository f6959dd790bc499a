import HostProtocol
import SessionWords
import ValueTree

/// The state after a step, as far as it is known.
package enum StepState: Sendable {
  case recorded(Value)
  /// By the host: the file lacks it, or the step is a fork's.
  case computed(Value)
  /// With the reason, if it is more than that the file holds none.
  case unknown((any Error)?)

  /// Nil if it is unknown without a further reason.
  var value: Value? {
    get throws {
      switch self {
      case .recorded(let state), .computed(let state): return state
      case .unknown(let reason):
        if let reason { throw reason }
        return nil
      }
    }
  }
}

extension OpenSession {
  /// The state after a step, as far as it is known. Everyone who shows, compares or searches states
  /// asks here.
  package func told(stateAt position: Position) async throws -> StepState {
    let told = try await held(stateAt: position)
    let owner = table.withLock { $0.owner(of: position) }
    guard case .recorded(let state) = told, recording.isComputed(stateAfter: owner.step) else {
      return told
    }
    return .computed(state)
  }

  /// Does not look whether a host computed a state of the recording before it was opened: that takes
  /// a second reading.
  private func held(stateAt position: Position) async throws -> StepState {
    let (owner, path) = table.withLock { table in
      let owner = table.owner(of: position)
      return (owner, table.path(to: owner.branch))
    }
    if owner.branch == .main { return try await held(recordedStateAfter: owner.step) }
    // A step that ended in an error has no state.
    if try step(at: owner).standing.outcome.isError { return .unknown(nil) }
    let host = try host(or: "no host is attached", place: name(of: position.branch))
    let build = branch(owner.branch)?.build
    let state = try await host.state(of: path, after: owner.step)
    if let build, host.build != build {
      throw Trouble(
        "this step was run by an older build of the host", place: name(of: position.branch),
        next: ":reload runs everything again")
    }
    return .computed(state)
  }

  private func held(recordedStateAfter step: Int) async throws -> StepState {
    var loss: (any Error)?
    do {
      if let state = try recording.state(after: step) { return .recorded(state) }
    } catch let error as SessionError {
      guard error.problem.isOfOneState else { throw error }
      loss = error
    }
    // A host may never return from an unfinished step.
    guard computesStates, let host, try !recording.step(step).isUnfinished else {
      return .unknown(loss)
    }
    if let (first, reason) = unreachable.withLock({ $0 }), step >= first {
      return .unknown(loss ?? reason)
    }
    do {
      return .computed(try await host.state(of: .main, after: step))
    } catch {
      try Task.checkCancellation()
      if let failure = error as? HostFailure, !failure.isRefusal {
        let first = failure.blamedStep ?? summary.steps.lowerBound
        unreachable.withLock { known in
          if known.map({ first < $0.first }) ?? true { known = (first, error) }
        }
      }
      return .unknown(loss ?? error)
    }
  }

  /// Nil if it is lost, too.
  func recordedState(after step: Int) throws -> Value? {
    do { return try recording.state(after: step) } catch let error as SessionError {
      guard error.problem.isOfOneState else { throw error }
      return nil
    }
  }

  /// Whether a host can tell states that the recording lacks. If it did so before, it told all.
  var computesStates: Bool { host != nil && summary.canReplay && summary.statesBy == nil }

  /// The first step, if neither file nor host can tell its state. A search passes it.
  package var untoldStart: Int? {
    let summary = summary
    return summary.beginsWithAction && !computesStates ? summary.steps.lowerBound : nil
  }

  package func state(at position: Position) async throws -> Value? {
    try await held(stateAt: position).value
  }

  /// The first step whose state is known: only the steps behind it can run again. If none is, the
  /// first step.
  package func firstKnownStep() async throws -> Int {
    let first = summary.steps.lowerBound
    var step: Int? = first
    while let known = step, try await knownState(at: Position(step: known)) == nil {
      step = recording.keyframe(from: known + 1)
    }
    return step ?? first
  }

  /// Says which steps cannot run again; nil if all can.
  package static func remark(from known: Int, in steps: ClosedRange<Int>) -> String? {
    known > steps.lowerBound
      ? "no state before step \(known) is known, so this begins behind that step" : nil
  }

  /// The same without the reason why it is unknown.
  package func knownState(at position: Position) async throws -> Value? {
    let held = try await held(stateAt: position)
    return if case .unknown = held { nil } else { try held.value }
  }
}

extension SessionError.Problem {
  /// Whether only a state is missing, not the file.
  fileprivate var isOfOneState: Bool {
    switch self {
    case .stateNotStored, .stateLost, .stepUnfinished: true
    default: false
    }
  }
}
