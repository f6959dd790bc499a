import Platform
import SessionFile
import SessionWords

package struct CopiedMarks: Sendable, Hashable {
  package private(set) var count = 0
  /// The number of notes left out, because they may contain redacted text.
  package private(set) var notesLeft = 0
  private var remark: String?

  package init(
    _ marks: [Mark], to path: String, without redaction: Redaction = Redaction()
  ) throws(SessionError) {
    let redactor = Redactor(redaction)
    let isPlaceOnly = redaction.rules.contains { $0.isOfPlace }
    let copies = marks.map { mark in
      var copy = mark
      copy.note = mark.note.flatMap { note in
        isPlaceOnly || redactor.text(note, .message) != note ? nil : note
      }
      return copy
    }
    (count, notesLeft) = (marks.count, zip(marks, copies).count { $0.note != $1.note })
    guard count > 0 else { return }
    let sidecar = Sidecar(session: path)
    try sidecar.update { $0.marks += copies }
    remark = sidecar.takeRemark()
  }

  /// The end of a sentence: `, 3 marks beside it, 1 without its note`.
  package var words: String {
    guard count > 0 else { return "" }
    let notes = notesLeft == 1 ? "1 without its note" : "\(notesLeft) without their notes"
    return ", \(counted(count, "mark")) beside it" + (notesLeft == 0 ? "" : ", \(notes)")
      + (remark.map { "; \($0)" } ?? "")
  }
}

package struct KeptFork: Sendable, Hashable {
  /// The asked one, or that of an equal fork which had the name.
  package var id: BranchID
  package var remark: String?
}

extension OpenSession {
  /// Adds a fork without running it, and saves it. If saving fails, the fork exists and says so.
  package func addFork(_ id: BranchID, _ script: Script) throws(Trouble) -> KeptFork {
    try checkForking()
    guard let parent = branch(script.parent) else {
      throw Trouble("there is no branch “\(script.parent.firstName)” to leave")
    }
    guard script.leavesAt >= parent.steps.lowerBound else {
      throw Trouble("no fork can change step \(parent.steps.lowerBound), or what is before it")
    }
    if let known = branch(id) ?? branches[named: id.firstName] {
      guard known.script == script else { throw nameTrouble(known.name) }
      return KeptFork(id: known.id)
    }
    if let problem = SavedBranch.problem(withName: id.firstName) { throw Trouble(problem) }
    table.withLock { $0.add(id, name: id.firstName, script) }
    // Those of a deleted fork wait for its return.
    try? kept?.forgetMarks(of: id.firstName)
    return KeptFork(id: id, remark: save(id))
  }

  /// Changes a fork's script. If another program changed it, too, both are kept: this one gets
  /// another name.
  package func changeFork(_ id: BranchID, _ script: Script) throws(Trouble) -> String? {
    try checkForking()
    guard branch(id)?.isMain == false else { throw noFork(id) }
    table.withLock { $0.change(id, script) }
    return save(id)
  }

  /// The id of a new fork of this name, or of one with a number if it is taken.
  package func freeID(for name: String) -> BranchID {
    let branches = branches
    let names = Set(branches.map(\.name))
    return branches.freeID(
      for: names.contains(name) ? SavedBranch.freeName(like: name, besides: names) : name)
  }

  func noFork(_ id: BranchID) -> Trouble { Trouble("there is no fork “\(name(of: id))”") }

  private func checkForking() throws(Trouble) {
    _ = try host(or: "a fork needs the app's reducer")
    guard summary.canReplay else {
      throw Trouble(
        "this session can only be browsed", place: summary.name,
        next: "Record one whose state and actions encode to fork it")
    }
  }

  /// Saves a fork as it is now. If another program has one of its name, it gets another.
  @discardableResult
  private func save(_ id: BranchID) -> String? {
    let (saved, ancestors, names) = table.withLock { table in
      let ancestors = table.path(to: id).branches.dropLast()
      return (
        table.saved(id), ancestors.compactMap { table.saved($0.id) },
        Set(table.branches.map(\.name))
      )
    }
    guard let saved, let kept else { return nil }
    var (name, remark, problem): (String, String?, String?) = (saved.name, nil, nil)
    do throws(SessionError) {
      (name, remark) = try kept.save(saved, after: ancestors, taken: names)
    } catch {
      problem = error.sentence
    }
    table.withLock { $0.update(id) { ($0.name, $0.notKept) = (name, problem) } }
    return remark
  }

  /// Deletes a fork and its descendants, also beside the session. Keeps there what other programs
  /// have changed, and says so.
  package func deleteFork(_ id: BranchID) throws -> String? {
    let names = table.withLock { $0.remove(id) }
    return try kept?.delete(names)
  }

  /// Restores deleted forks, parents first; they run on demand. A fork whose name was taken gets
  /// another one.
  package func restoreForks(_ forks: [Branch]) -> String? {
    var remark: String?
    for fork in forks {
      guard let script = fork.script else {
        impossible("only a fork is deleted, and restored")
        continue
      }
      let name = freeID(for: fork.name).firstName
      guard table.withLock({ $0.restore(fork.id, name, script, fork.note) }) else { continue }
      remark = save(fork.id) ?? remark
    }
    return remark
  }

  package func setNote(_ note: String?, ofFork id: BranchID) -> String? {
    table.withLock { $0.update(id) { $0.note = note } }
    return save(id)
  }

  package func renameFork(_ id: BranchID, to new: String) throws {
    if let problem = SavedBranch.problem(withName: new) { throw Trouble(problem) }
    guard let fork = branch(id), !fork.isMain else { throw noFork(id) }
    guard branches[named: new] == nil, try kept?.rename(fork.name, to: new) ?? true else {
      throw nameTrouble(new)
    }
    table.withLock { $0.update(id) { $0.name = new } }
    if fork.notKept != nil { save(id) }
  }

  private func nameTrouble(_ name: String) -> Trouble {
    Trouble("there is a branch “\(name)” already", next: "Pick another name")
  }

  // MARK: Marks

  package var marks: [Position: String] {
    let known = kept?.marks ?? marksToRead
    var marks = table.withLock { table in
      Dictionary(
        known.compactMap { mark in
          table.position(of: mark).map { ($0, mark.note ?? mark.name ?? "") }
        }
      ) { $0.isEmpty ? $1 : $1.isEmpty ? $0 : "\($0); \($1)" }
    }
    for (position, mark) in marksNotKept.withLock({ $0 }) { marks[position] = mark.note }
    return marks
  }

  /// Sets a step's mark, or removes it with nil. It stays even if saving fails.
  package func setMark(_ position: Position, _ note: String?) -> String? {
    do throws(SessionError) {
      let place = Mark(branch: name(of: position.branch), step: position.step)
      let remark = try kept?.setMark(place, note)
      // A session that saves nothing keeps its marks here.
      let mark = kept == nil ? note.map { UnkeptMark(note: $0) } : nil
      marksNotKept.withLock { $0[position] = mark }
      return remark
    } catch {
      let mark = UnkeptMark(note: note, problem: error.sentence)
      marksNotKept.withLock { $0[position] = mark }
      return nil
    }
  }

  package func copyMarks(
    along branch: BranchID, in steps: ClosedRange<Int>, to path: String,
    without redaction: Redaction = Redaction()
  ) throws(SessionError) -> CopiedMarks {
    let all = marks
    var copied: [Int: Mark] = [:]
    var (id, last) = (branch, steps.upperBound)
    while last >= steps.lowerBound {
      for (position, note) in all
      where position.branch == id && (steps.lowerBound...last).contains(position.step) {
        copied[position.step] = Mark(step: position.step, note: note.isEmpty ? nil : note)
      }
      guard let script = self.branch(id)?.script else { break }
      (id, last) = (script.parent, min(last, script.leavesAt))
    }
    return try CopiedMarks(
      copied.values.sorted { $0.step < $1.step }, to: path, without: redaction)
  }

  struct UnkeptMark: Sendable {
    var note: String?
    /// Nil if nothing was to be saved.
    var problem: String?
  }

  // MARK: The last place

  package var lastPlace: Position? {
    guard let place = kept?.place, let branch = branches[named: place.branch] else { return nil }
    return branch.isNotRun || branch.steps.contains(place.step)
      ? Position(branch: branch.id, step: place.step) : nil
  }

  /// Whether saving the place needs no new file.
  package var keepsPlace: Bool { kept?.exists ?? false }

  /// Saves the last place. A failure loses no work, so it is ignored.
  package func savePlace(_ place: Position) {
    _ = try? kept?.savePlace(Mark(branch: name(of: place.branch), step: place.step))
  }

  // MARK: The view

  package var savedView: SavedView { kept?.view ?? SavedView() }

  /// Saves what was asked. A failure loses no work, so it is ignored.
  package func saveView(_ view: SavedView) { _ = try? kept?.saveView(view) }

  // MARK: Unsaved changes

  package var notKept: [String] {
    let forks = branches.compactMap { branch in
      branch.notKept.map { "The fork “\(branch.name)” is not saved: \($0)" }
    }
    let marks = marksNotKept.withLock { $0 }.sorted {
      (name(of: $0.key.branch), $0.key.step) < (name(of: $1.key.branch), $1.key.step)
    }
    return forks
      + marks.compactMap { position, mark in
        guard let problem = mark.problem else { return nil }
        let what = mark.note == nil ? "Removing the mark of" : "The mark on"
        return "\(what) step \(text(of: position)) is not saved: \(problem)"
      }
  }

  package func saveRest() -> String? {
    var remark: String?
    for branch in branches where branch.notKept != nil {
      remark = save(branch.id) ?? remark
    }
    for (position, mark) in marksNotKept.withLock({ $0 }) {
      remark = setMark(position, mark.note) ?? remark
    }
    return remark
  }

  /// Applies other programs' changes to marks and forks. Returns nil without changes, else
  /// messages, maybe none.
  package func applyOthersWork() -> [String]? {
    let own = Set(branches.filter { $0.notKept != nil }.map(\.name))
    guard let news = kept?.news(besides: own) else { return nil }
    var words: [String] = []
    table.withLock { table in
      for fork in news.deleted {
        guard let known = table.branches[named: fork] else { continue }
        table.remove(known.id)
        words.append("Another debugger has deleted “\(fork)”; undo brings it back.")
      }
      for fork in news.changed {
        let known = table.branches[named: fork.name]
        if let known { table.update(known.id) { $0.note = fork.note } }
        guard let script = table.script(of: fork), known?.script != script else { continue }
        words.append("Another debugger has changed “\(fork.name)”.")
        if let known { table.change(known.id, script) } else { _ = table.restore(fork) }
      }
      for fork in table.addInOrder(news.made) {
        words.append("Another debugger has made “\(fork)”.")
      }
    }
    return words
  }
}
