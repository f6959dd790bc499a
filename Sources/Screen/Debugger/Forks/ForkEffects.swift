import SessionWords
import StoreCore
import TimeTravel

extension Effect<DebuggerAction> {
  static func runFork(_ id: BranchID) -> Effect {
    .doing("run fork", orSend: { .forkFailed(id, $0) }) { session, send in
      for await branch in try session.runFork(id) { await send(.forkGrew(branch)) }
      await session.reviveHost()
    }.cancellable(id: Background.Job.fork, cancelInFlight: true)
  }

  /// The forks' steps are outdated: forgets them, then runs the first one in view.
  static func runAgain(_ next: BranchID?) -> Effect {
    let forgetting = doing("forget runs") { session, _ in session.forgetRuns() }
    guard let next else { return forgetting }
    return .concatenate(forgetting, .runFork(next))
      .cancellable(id: Background.Job.fork, cancelInFlight: true)
  }

  /// Changes the script of this fork, or of a new one.
  static func change(_ edits: [Edit], at position: Position, newFork: BranchID?) -> Effect {
    .doing("change script", orSend: { .scriptNotChanged($0) }) { session, send in
      let changed =
        try newFork == nil
        ? session.changed(edits, at: position) : session.changedInFork(edits, at: position)
      await send(.scriptChanged(newFork ?? position.branch, changed, left: position))
    }
  }

  static func restartHost() -> Effect {
    .doing("restart host", orSend: { .hostRestarted(nil, failure: $0) }) { session, send in
      await send(.hostRestarted(try await session.restartHost(), failure: nil))
    }
  }
}
