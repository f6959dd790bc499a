import Platform
import SessionFile
import SessionWords
import StoreCore
import TimeTravel

/// Effects for ``DebuggerUpdate/save(_:)``: they write beside the session.
extension Effect<DebuggerAction> {
  static func addFork(_ name: String, _ script: Script) -> Effect {
    .saving("add fork", fork: name) { try $0.addFork(name, script) }
  }

  static func changeFork(_ name: String, _ script: Script) -> Effect {
    .saving("change fork", fork: name) { try $0.changeFork(name, script) }
  }

  static func restoreForks(_ saved: [SavedBranch]) -> Effect {
    .saving("restore forks", fork: saved.first?.name ?? "") { $0.restoreForks(saved) }
  }

  static func deleteFork(_ name: String) -> Effect {
    .saving("delete fork") { KeptFork(remark: try $0.deleteFork(name)) }
  }

  static func renameFork(_ old: String, to new: String) -> Effect {
    @Dependency(\.background?.session) var session
    // The reads of this turn use the new name; only saving it takes time.
    let isRenamed = session?.beginRename(old, to: new) == true
    return .saving("rename fork") {
      try isRenamed ? $0.saveName(new, of: old) : $0.renameFork(old, to: new)
      return KeptFork()
    }
  }

  static func noteFork(_ name: String, _ note: String?) -> Effect {
    .saving("note fork") { KeptFork(remark: $0.setNote(note, ofFork: name)) }
  }

  static func saveMark(_ position: Position, _ note: String?) -> Effect {
    .saving("save mark") { KeptFork(remark: $0.setMark(position, note)) }
  }

  static func saveRest() -> Effect { .saving("save rest") { KeptFork(remark: $0.keepRest()) } }

  static func savePlace(_ place: Position) -> Effect {
    .saving("save place") {
      $0.keepPlace(place)
      return KeptFork()
    }
  }

  /// Such effects save in the order in which they were made.
  private static func saving(
    _ name: String, fork: String? = nil,
    _ save: @escaping @Sendable (OpenSession) throws -> KeptFork
  ) -> Effect {
    @Dependency(\.background) var background
    let place = background?.saving.nextPlace()
    return .run(name: name) { send in
      @Dependency(\.background) var background
      guard let background, let place else { return }
      await place.inTurn {
        await send(.kept(KeepingReport(background.session, fork: fork, after: save)))
      }
    }
  }
}

package struct KeepingReport: Sendable {
  /// The requested fork, and its real name: another one if the name was taken.
  var fork: (asked: String, name: String)?
  var failure: String?
  var remarks: [String] = []
  var branches: [Branch]
  var marks: [Position: String]
  var notKept: [String]
  var keepsPlace: Bool

  init(
    _ session: OpenSession, fork asked: String? = nil,
    after save: (OpenSession) throws -> KeptFork = { _ in KeptFork() }
  ) {
    fork = asked.map { ($0, $0) }
    do {
      let kept = try save(session)
      fork?.name = kept.name
      if let remark = kept.remark { remarks = ["\(remark)."] }
    } catch {
      failure = Trouble.sentence(for: error)
    }
    branches = session.branches
    marks = session.marks
    notKept = session.notKept
    keepsPlace = session.keepsPlace
  }
}

/// Lets effects save in the order in which they were made.
final class SavingQueue: Sendable {
  struct Place: Sendable {
    fileprivate let before: AsyncStream<Void>?
    fileprivate let end: AsyncStream<Void>.Continuation

    /// Does it even if cancelled.
    func inTurn(_ work: () async -> Void) async {
      await Task.detached { [before] in if let before { for await _ in before {} } }.value
      defer { end.finish() }
      await work()
    }
  }

  private let last = Locked<AsyncStream<Void>?>(nil)

  func nextPlace() -> Place {
    let (stream, end) = AsyncStream<Void>.makeStream()
    return last.withLock { Place(before: exchange(&$0, with: stream), end: end) }
  }
}
