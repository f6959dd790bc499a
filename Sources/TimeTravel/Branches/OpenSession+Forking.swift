import HostProtocol
import Platform
import SessionWords

extension OpenSession {
  /// The scripts that lead to a branch, for who asks a host about it.
  package func path(to branch: String) -> BranchPath { table.withLock { $0.path(to: branch) } }

  /// A new fork that is run at once; see ``addFork(_:_:)`` and ``runFork(_:)``.
  package func fork(_ name: String, _ script: Script) throws(Trouble) -> AsyncStream<Branch> {
    try runFork(try addFork(name, script).name)
  }

  /// Runs a fork through the host, and tells how it grows: the newest news only, then what it has
  /// become. Whoever stops listening stops the run.
  package func runFork(_ name: String) throws(Trouble) -> AsyncStream<Branch> {
    guard let host else {
      throw Trouble("a fork needs the app's reducer", next: Trouble.attachHint)
    }
    guard let script = branch(name)?.script else { throw Trouble("there is no fork “\(name)”") }
    // Without them an effect that ends on the fork would have no start; nothing worse.
    let inFlight =
      (try? effects(in: script.leavesAt...script.leavesAt, of: script.parent)) ?? []
    let started = table.withLock { table -> (BranchPath, Int)? in
      table.begin(name, inFlight: inFlight).map { (table.path(to: name), $0) }
    }
    guard let (path, number) = started else { throw Trouble("there is no fork “\(name)”") }
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { news in
      let work = Task(executorPreference: threads) {
        await self.run(path, from: script.leavesAt + 1, number, on: host, news)
      }
      news.onTermination = { if case .cancelled = $0 { work.cancel() } }
    }
  }

  private func run(
    _ path: BranchPath, from step: Int, _ number: Int, on host: any BranchHost,
    _ news: AsyncStream<Branch>.Continuation
  ) async {
    let name = path.branches.last?.name ?? Branch.main
    do {
      let report = try await host.run(path, from: step) { [table] step in
        let branch = table.withLock { table in
          table.append(step, to: name, run: number)
          return table[name]
        }
        if let branch { news.yield(branch) }
      }
      table.withLock { $0.finish(name, report, run: number, build: host.build) }
      await findFirstDifference(of: name, run: number)
    } catch {
      let ending: Branch.Progress =
        Task.isCancelled ? .stopped : .ended(Trouble.sentence(for: error))
      table.withLock { $0.stop(name, ending, run: number) }
    }
    if let branch = table.withLock({ $0[name] }) { news.yield(branch) }
    news.finish()
  }

  /// Finds where a fork begins to be another one than its parent.
  private func findFirstDifference(of name: String, run: Int) async {
    guard let parent = branch(name)?.script?.parent,
      let found = try? await firstDifference(of: name, with: parent)
    else { return }
    table.withLock { $0.setFirstDifference(found.step, of: name, run: run) }
  }
}
