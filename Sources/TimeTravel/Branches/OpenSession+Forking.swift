import SessionLog
import ValueTree

extension OpenSession {
  /// Runs a script through the host as a new branch. `report` is called as the branch grows, and
  /// once when it has ended.
  public func fork(
    _ name: String, _ script: Script, report: @escaping @Sendable (Branch) async -> Void
  ) async throws {
    guard let host else {
      throw Trouble("a fork needs the app's reducer", next: Self.attachHint)
    }
    guard summary.canReplay else {
      throw Trouble(
        "this session is for browsing only", place: summary.name,
        next: "record one whose state and actions encode to fork it")
    }
    let line = table.withLock { table -> BranchLine? in
      guard table[name] == nil, table[script.parent] != nil else { return nil }
      table.add(name, script)
      return table.line(to: name)
    }
    guard let line else {
      throw Trouble("there is a branch “\(name)” already", next: "pick another name")
    }
    do {
      let result = try await host.run(line) { [table] steps in
        let branch = table.withLock { table in
          table.append(steps, to: name)
          return table[name]
        }
        if let branch { await report(branch) }
      }
      table.withLock { $0.finish(name, result) }
    } catch {
      let reason = Task.isCancelled ? "stopped" : Trouble.sentence(for: error)
      table.withLock { $0.stop(name, reason) }
    }
    if let branch = branch(name) { await report(branch) }
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
