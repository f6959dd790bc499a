import Platform
import StoreCore
import TextCanvas
import TimeTravel

extension Background {
  func run(_ name: String) -> Effect<DebuggerAction> {
    .doing("fork", orSend: { .forkFailed(name: name, $0) }) { [session] send in
      for await branch in try session.runFork(name) { await send(.forkGrew(branch)) }
      await session.reviveHost()
    }.cancellable(id: Job.fork, cancelInFlight: true)
  }

  func change(
    _ change: BranchChange, _ position: Position, _ newFork: String?
  ) -> Effect<DebuggerAction> {
    .doing("change script", orSend: { .scriptNotChanged($0) }) { [session] send in
      let changed =
        try newFork == nil
        ? session.changed(change, at: position) : session.changedInFork(change, at: position)
      await send(.scriptChanged(name: newFork ?? position.branch, changed, left: position))
    }
  }

  // MARK: Keeping

  func keep(
    fork name: String, _ work: @escaping @Sendable (OpenSession) throws -> KeptFork
  ) -> Effect<DebuggerAction> {
    keep { session, report in
      report.fork = (name, name)
      let fork = try work(session)
      report.fork = (name, fork.name)
      if let remark = fork.remark { report.remarks.append("\(remark).") }
    }
  }

  func keep(
    _ work: @escaping @Sendable (OpenSession, inout KeepingReport) throws -> Void
  ) -> Effect<DebuggerAction> {
    let task = keeping.add(on: session.threads) { [session] in
      var report = KeepingReport(session)
      do {
        try work(session, &report)
      } catch {
        report.failure = Trouble.sentence(for: error)
      }
      var after = KeepingReport(session)
      (after.fork, after.failure, after.remarks) = (report.fork, report.failure, report.remarks)
      return after
    }
    return .run(name: "keep") { send in await send(.kept(await task.value)) }
  }

  func keepRemark(
    _ work: @escaping @Sendable (OpenSession) throws -> String?
  ) -> Effect<DebuggerAction> {
    keep { session, report in
      if let remark = try work(session) { report.remarks.append("\(remark).") }
    }
  }

  // MARK: Exporting

  /// Writes a file and reports it; one at a time, and you can stop it.
  func write(
    _ name: String,
    _ file: @escaping @Sendable (OpenSession, Send<DebuggerAction>) async throws -> String
  ) -> Effect<DebuggerAction> {
    .doing(name, orSend: { .exported(Message($0, .failure)) }) { [session] send in
      await send(.exported(Message(try await file(session, send))))
    }.cancellable(id: Job.exporting, cancelInFlight: true)
  }
}

final class KeepingQueue: Sendable {
  private let last = Locked<Task<KeepingReport, Never>?>(nil)

  func add(
    on threads: (any TaskExecutor)?, _ work: @escaping @Sendable () -> KeepingReport
  ) -> Task<KeepingReport, Never> {
    last.withLock { last in
      let before = last
      let task = Task.detached(executorPreference: threads) {
        _ = await before?.value
        return work()
      }
      last = task
      return task
    }
  }
}
