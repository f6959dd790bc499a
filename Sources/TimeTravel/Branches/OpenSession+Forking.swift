import HostProtocol
import Platform
import SessionLog

extension OpenSession {
  /// Runs a script through the host as a new branch, and tells how it grows: the newest news only,
  /// then what it has become. Whoever stops listening stops the run.
  public func fork(_ name: String, _ script: Script) throws(Trouble) -> AsyncStream<Branch> {
    try start(name, script) { $0.begin(name, script, inFlight: $1) }
  }

  /// The same for a branch that is there and gets another script.
  public func refork(_ name: String, _ script: Script) throws(Trouble) -> AsyncStream<Branch> {
    try start(name, script) { $0.restart(name, script, inFlight: $1) }
  }

  private func start(
    _ name: String, _ script: Script, begin: (inout BranchTable, [EffectSpan]) -> Int?
  ) throws(Trouble) -> AsyncStream<Branch> {
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
    let started = table.withLock { table -> (BranchPath, Int)? in
      begin(&table, inFlight).map { (table.path(to: name), $0) }
    }
    guard let (path, number) = started else {
      throw Trouble("there is a branch “\(name)” already", next: "Pick another name")
    }
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { news in
      let work = Task {
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
      table.withLock { $0.finish(name, report, run: number) }
      await findFirstDifference(of: name, run: number)
    } catch {
      let reason = Task.isCancelled ? "stopped" : Trouble.sentence(for: error)
      table.withLock { $0.stop(name, reason, run: number) }
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

  /// Forgets a fork and those that leave it, in the sidecar too. The recording stays.
  public func deleteFork(_ name: String) throws {
    table.withLock { $0.remove(name) }
    let left = Set(branches.map(\.name))
    try sidecar?.update { $0.branches.removeAll { !left.contains($0.name) } }
  }

  /// Brings deleted forks back, the parents first; they run when somebody looks at them.
  public func restoreForks(_ saved: [SavedBranch]) throws {
    let restored = table.withLock { table in saved.filter { table.restore($0) } }
    try sidecar?.update { contents in
      for branch in restored { contents.branches.keep(branch) }
    }
  }

  /// Keeps a fork beside the session: its script and its note, not its steps.
  public func saveFork(_ name: String) throws {
    guard let branch = branch(name), let script = branch.script else { return }
    try sidecar?.update {
      $0.branches.keep(SavedBranch(name: name, script: script, note: branch.note))
    }
  }

  public func setNote(_ note: String?, ofFork name: String) throws {
    table.withLock { $0.setNote(note, of: name) }
    try saveFork(name)
  }

  /// Gives a fork another name, in all that names it.
  public func renameFork(_ old: String, to new: String) throws {
    guard table.withLock({ $0.rename(old, to: new) }) else {
      throw Trouble("there is a branch “\(new)” already", next: "Pick another name")
    }
    try sidecar?.update { contents in
      for index in contents.branches.indices {
        if contents.branches[index].name == old { contents.branches[index].name = new }
        if contents.branches[index].script.parent == old {
          contents.branches[index].script.parent = new
        }
      }
      for index in contents.marks.indices where contents.marks[index].branch == old {
        contents.marks[index].branch = new
      }
    }
  }

  /// The marks of the sidecar, with their notes.
  public var marks: [Position: String] {
    let table = table.withLock { $0 }
    let marks = (sidecar?.contents.marks ?? []).filter(table.hasPlace)
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
}

extension [SavedBranch] {
  /// A fork keeps its place: those that leave it come after it.
  fileprivate mutating func keep(_ branch: SavedBranch) {
    if let index = firstIndex(where: { $0.name == branch.name }) {
      self[index] = branch
    } else {
      append(branch)
    }
  }
}
