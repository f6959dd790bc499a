import Platform
import SessionFile
import SessionWords
import StoreCore
import TimeTravel

/// Effects for ``DebuggerUpdate/save(_:)``: they write beside the session.
extension Effect<DebuggerAction> {
  static func addFork(_ id: BranchID, _ script: Script) -> Effect {
    .saving("add fork", fork: id) { try $0.addFork(id, script).remark }
  }

  static func changeFork(_ id: BranchID, _ script: Script) -> Effect {
    .saving("change fork", fork: id) { try $0.changeFork(id, script) }
  }

  static func restoreForks(_ forks: [Branch]) -> Effect {
    .saving("restore forks", fork: forks.first?.id) { $0.restoreForks(forks) }
  }

  static func deleteFork(_ id: BranchID) -> Effect {
    .saving("delete fork") { try $0.deleteFork(id) }
  }

  static func renameFork(_ id: BranchID, to new: String) -> Effect {
    .saving("rename fork") {
      try $0.renameFork(id, to: new)
      return nil
    }
  }

  static func saveNote(_ id: BranchID, _ note: String?) -> Effect {
    .saving("note fork") { $0.setNote(note, ofFork: id) }
  }

  static func saveMark(_ position: Position, _ note: String?) -> Effect {
    .saving("save mark") { $0.setMark(position, note) }
  }

  static func saveRest() -> Effect { .saving("save rest") { $0.saveRest() } }

  static func saveView(_ view: SavedView) -> Effect {
    .saving("save view") {
      $0.saveView(view)
      return nil
    }
  }

  static func savePlace(_ place: Position) -> Effect {
    .saving("save place") {
      $0.savePlace(place)
      return nil
    }
  }

  /// Such effects save in the order in which they were made.
  private static func saving(
    _ name: String, fork: BranchID? = nil,
    _ save: @escaping @Sendable (OpenSession) throws -> String?
  ) -> Effect {
    @Dependency(\.background) var background
    let place = background?.saving.nextPlace()
    return .run(name: name) { send in
      @Dependency(\.background) var background
      guard let background, let place else {
        return impossible("the app gives effects a background")
      }
      await place.inTurn {
        await send(.kept(KeepingReport(background.session, fork: fork, after: save)))
      }
    }
  }
}

package struct KeepingReport: Sendable {
  /// The fork that was made or changed, and should run.
  var fork: BranchID?
  var failure: String?
  var remarks: [String] = []
  var branches: [Branch]
  var marks: [Position: String]
  var notKept: [String]
  var keepsPlace: Bool

  init(
    _ session: OpenSession, fork: BranchID? = nil,
    after save: (OpenSession) throws -> String? = { _ in nil }
  ) {
    self.fork = fork
    do {
      if let remark = try save(session) { remarks = ["\(remark)."] }
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
