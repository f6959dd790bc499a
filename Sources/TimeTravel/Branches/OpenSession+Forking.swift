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
    // Without them an effect that ends on the fork would have no start; nothing worse.
    let inFlight =
      (try? effects(in: script.leavesAt...script.leavesAt, of: script.parent)) ?? []
    let path = table.withLock { table -> BranchPath? in
      table.begin(name, script, inFlight: inFlight) ? table.path(to: name) : nil
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

  /// Forgets a fork and those that leave it, in the sidecar too. The recording stays.
  public func deleteFork(_ name: String) throws {
    table.withLock { $0.remove(name) }
    let left = Set(branches.map(\.name))
    try sidecar?.update { $0.branches.removeAll { !left.contains($0.name) } }
  }

  /// Keeps a fork beside the session: its script, not its steps.
  public func saveFork(_ name: String) throws {
    guard let script = branch(name)?.script else { return }
    try sidecar?.update { contents in
      contents.branches.removeAll { $0.name == name }
      contents.branches.append(SavedBranch(name: name, script: script))
    }
  }

  /// The marks of the sidecar, with their notes.
  public var marks: [Position: String] {
    let marks = sidecar?.contents.marks ?? []
    return Dictionary(
      marks.map { (Position(branch: $0.branch, step: $0.step), $0.note ?? $0.name ?? "") }
    ) { $1 }
  }

  /// Sets or, with nil, removes the mark on a step, in the sidecar.
  public func setMark(_ position: Position, _ note: String?) throws {
    try sidecar?.update { contents in
      contents.marks.removeAll { $0.branch == position.branch && $0.step == position.step }
      guard let note else { return }
      contents.marks.append(
        Mark(
          branch: position.branch, step: position.step, name: nil,
          note: note.isEmpty ? nil : note))
    }
  }

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
