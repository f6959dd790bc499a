import HostProtocol
import SessionLog
import ValueTree

extension OpenSession {
  /// Runs a script through the host as a new branch, and tells how it grows: the newest news only,
  /// then what it has become. Whoever stops listening stops the run.
  public func fork(_ name: String, _ script: Script) throws(Trouble) -> AsyncStream<Branch> {
    guard let host else {
      throw Trouble("a fork needs the app's reducer", next: Trouble.attachHint)
    }
    guard summary.canReplay else {
      throw Trouble(
        "this session is for browsing only", place: summary.name,
        next: "Record one whose state and actions encode to fork it")
    }
    let path = table.withLock { table -> BranchPath? in
      guard table[name] == nil, table[script.parent] != nil else { return nil }
      table.add(name, script)
      return table.path(to: name)
    }
    guard let path else {
      throw Trouble("there is a branch “\(name)” already", next: "Pick another name")
    }
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { news in
      let work = Task { [table] in
        await Self.run(path, from: script.leavesAt + 1, on: host, table, news)
      }
      news.onTermination = { if case .cancelled = $0 { work.cancel() } }
    }
  }

  private static func run(
    _ path: BranchPath, from step: Int, on host: any BranchHost, _ table: Locked<BranchTable>,
    _ news: AsyncStream<Branch>.Continuation
  ) async {
    let name = path.branches.last?.name ?? Branch.main
    do {
      let report = try await host.run(path, from: step) { step in
        let branch = table.withLock { table in
          table.append(step, to: name)
          return table[name]
        }
        if let branch { news.yield(branch) }
      }
      table.withLock { $0.finish(name, report) }
    } catch {
      let reason = Task.isCancelled ? "stopped" : Trouble.sentence(for: error)
      table.withLock { $0.stop(name, reason) }
    }
    if let branch = table.withLock({ $0[name] }) { news.yield(branch) }
    news.finish()
  }

  /// Forgets a fork and those that leave it. The recording stays.
  public func deleteFork(_ name: String) { table.withLock { $0.remove(name) } }

  /// What differs between a fork and its parent at the same place: at the parent's step that the
  /// fork's step descends from. Nil on the recording and where both share their steps.
  public func compare(_ position: Position) async throws -> Comparison? {
    let owner = table.withLock { $0.owner(of: position) }
    guard owner == position, let script = branch(position.branch)?.script else { return nil }
    let step = try step(at: position)
    var comparison = Comparison(fork: position)
    guard let number = step.descendsFrom else { return comparison }
    let parent = Position(branch: script.parent, step: number)
    comparison.parent = parent
    comparison.parentLabel = try? self.step(at: parent).step.label
    if let theirs = try await state(at: parent), let ours = try await state(at: position) {
      comparison.difference = ValueDifference(from: theirs, to: ours)
    }
    return comparison
  }
}
