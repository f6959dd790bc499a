import SessionLog
import StoreCore
import TextCanvas
import TimeTravel

/// Running, changing, keeping and writing forks.
extension Background {
  func fork(_ name: String, _ script: Script) -> Effect<DebuggerAction> {
    run(name) { session throws(Trouble) in try session.fork(name, script) }
  }

  /// Follows a run of a fork. A run that follows it takes its place.
  func run(
    _ name: String,
    start: @escaping @Sendable (OpenSession) throws(Trouble) -> AsyncStream<Branch>
  ) -> Effect<DebuggerAction> {
    .run(name: "fork") { [session] send in
      do {
        let news = try start(session)
        do {
          try session.saveFork(name)
        } catch {
          await send(.said(Message(Trouble.sentence(for: error), .warning)))
        }
        for await branch in news { await send(.forkGrew(branch)) }
        if let host = session.hostName { await send(.hostChanged(.ready(host))) }
      } catch {
        await send(.forkFailed(name: name, Trouble.sentence(for: error)))
      }
    }.cancellable(id: Job.fork)
  }

  func change(
    _ change: BranchChange, _ position: Position, _ newFork: String?
  ) -> Effect<DebuggerAction> {
    .run(name: "change script") { [session] send in
      do {
        let changed =
          try newFork == nil
          ? session.changed(change, at: position) : session.changedInFork(change, at: position)
        await send(
          .scriptChanged(name: newFork ?? position.branch, changed, left: position))
      } catch {
        await send(.said(Message(Trouble.sentence(for: error), .warning)))
      }
    }
  }

  func deleteFork(_ name: String) -> Effect<DebuggerAction> {
    keep { try $0.deleteFork(name) }
  }

  func restore(_ saved: [SavedBranch]) -> Effect<DebuggerAction> {
    guard let first = saved.first else { return .none }
    return run(first.name) { session throws(Trouble) in
      do {
        try session.restoreForks(saved)
      } catch {
        throw Trouble(Trouble.sentence(for: error))
      }
      return try session.fork(first.name, first.script)
    }
  }

  /// Work that only has something to say when it goes wrong.
  func keep(
    _ work: @escaping @Sendable (OpenSession) throws -> Void
  ) -> Effect<DebuggerAction> {
    .run(name: "keep") { [session] _ in
      try work(session)
    } catch: { error, send in
      await send(.said(Message(Trouble.sentence(for: error), .warning)))
    }
  }

  // MARK: Exporting

  func exportBranch(_ branch: String, _ path: String) -> Effect<DebuggerAction> {
    .run(name: "export branch") { [session] send in
      do {
        let last = try await session.export(branch, to: path)
        await send(.exported(Message("“\(branch)” is in \(path), with \(counted(last, "step")).")))
      } catch {
        await send(.exported(Message(Trouble.sentence(for: error), .failure)))
      }
    }.cancellable(id: Job.exporting, cancelInFlight: true)
  }

  func exportState(_ position: Position, _ path: String) -> Effect<DebuggerAction> {
    .run(name: "export state") { [session] send in
      do {
        try await session.exportState(at: position, to: path)
        await send(.said(Message("The state after \(position.text) is in \(path).")))
      } catch {
        await send(.said(Message(Trouble.sentence(for: error), .failure)))
      }
    }
  }
}
