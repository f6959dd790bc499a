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
  package var name: String
  package var remark: String?

  package init(name: String = "", remark: String? = nil) {
    (self.name, self.remark) = (name, remark)
  }
}

extension OpenSession {
  /// Adds a fork without running it, and saves it. If saving fails, the fork exists and says so.
  package func addFork(_ name: String, _ script: Script) throws(Trouble) -> KeptFork {
    try checkForking()
    guard let parent = branch(script.parent) else {
      throw Trouble("there is no branch “\(script.parent)” to leave")
    }
    guard script.leavesAt >= parent.steps.lowerBound else {
      throw Trouble("no fork can change step \(parent.steps.lowerBound), or what is before it")
    }
    if let known = branch(name) {
      guard known.script == script else {
        throw Trouble("there is a branch “\(name)” already", next: "Pick another name")
      }
      return KeptFork(name: name)
    }
    if let problem = SavedBranch.problem(withName: name) { throw Trouble(problem) }
    let (fork, problem) = keep(SavedBranch(name: name, script: script))
    table.withLock {
      $0.add(SavedBranch(name: fork.name, script: script))
      $0.update(fork.name) { $0.notKept = problem }
    }
    return fork
  }

  /// Changes a fork's script. If another program changed it, too, both are kept: the returned fork
  /// is a new one.
  package func changeFork(_ name: String, _ script: Script) throws(Trouble) -> KeptFork {
    try checkForking()
    guard let old = branch(name), !old.isMain else { throw Trouble("there is no fork “\(name)”") }
    let (fork, problem) = keep(SavedBranch(name: name, script: script, note: old.note))
    table.withLock {
      if fork.name == name {
        $0.change(name, script)
      } else {
        $0.add(SavedBranch(name: fork.name, script: script, note: old.note))
      }
      $0.update(fork.name) { $0.notKept = problem }
    }
    return fork
  }

  /// The same name, or one with a number if it is taken.
  package func freeName(_ name: String) -> String {
    let names = Set(branches.map(\.name))
    return names.contains(name) ? SavedBranch.freeName(like: name, besides: names) : name
  }

  private func checkForking() throws(Trouble) {
    _ = try host(or: "a fork needs the app's reducer")
    guard summary.canReplay else {
      throw Trouble(
        "this session can only be browsed", place: summary.name,
        next: "Record one whose state and actions encode to fork it")
    }
  }

  private func keep(_ fork: SavedBranch) -> (KeptFork, problem: String?) {
    guard let kept else { return (KeptFork(name: fork.name), nil) }
    let ancestors = path(to: fork.script.parent).branches.compactMap { branch($0.name)?.saved }
    do throws(SessionError) {
      let names = Set(branches.map(\.name))
      return (try kept.keep(fork, after: ancestors, taken: names), nil)
    } catch {
      return (KeptFork(name: fork.name), error.sentence)
    }
  }

  @discardableResult
  private func keepAgain(_ name: String) -> KeptFork {
    guard let saved = branch(name)?.saved else { return KeptFork(name: name) }
    let (fork, problem) = keep(saved)
    table.withLock {
      if fork.name != name { _ = $0.rename(name, to: fork.name) }
      $0.update(fork.name) { $0.notKept = problem }
    }
    return fork
  }

  /// Deletes a fork and its descendants, also beside the session. Keeps there what other programs
  /// have changed, and says so.
  package func deleteFork(_ name: String) throws -> String? {
    let names = table.withLock { $0.remove(name) }
    return try kept?.delete(names)
  }

  /// Restores deleted forks, parents first; they run on demand. A fork whose name was taken gets
  /// another one.
  package func restoreForks(_ saved: [SavedBranch]) -> KeptFork {
    var first: String?
    var remark: String?
    var names: [String: String] = [:]
    for var fork in saved {
      let old = fork.name
      if let parent = names[fork.script.parent] { fork.script.parent = parent }
      fork.name = freeName(old)
      guard table.withLock({ $0.restore(fork) }) else { continue }
      let again = keepAgain(fork.name)
      remark = again.remark ?? remark
      names[old] = again.name
      first = first ?? again.name
    }
    return KeptFork(name: first ?? saved.first?.name ?? "", remark: remark)
  }

  package func setNote(_ note: String?, ofFork name: String) -> String? {
    let name = table.withLock { $0.newName(of: name) }
    table.withLock { $0.update(name) { $0.note = note } }
    return keepAgain(name).remark
  }

  package func renameFork(_ old: String, to new: String) throws {
    if let problem = SavedBranch.problem(withName: new) { throw Trouble(problem) }
    guard beginRename(old, to: new) else { throw taken(new) }
    try saveName(new, of: old)
  }

  /// Renames a fork in memory, so that all later reads find it. False if the name is taken.
  package func beginRename(_ old: String, to new: String) -> Bool {
    guard table.withLock({ $0.rename(old, to: new) }) else { return false }
    marksNotKept.withLock { marks in
      for (position, mark) in marks where position.branch == old {
        marks[position] = nil
        marks[Position(branch: new, step: position.step)] = mark
      }
    }
    return true
  }

  /// Saves the new name of a fork, or gives back the old one.
  package func saveName(_ new: String, of old: String) throws {
    do {
      guard try kept?.rename(old, to: new) ?? true else { throw taken(new) }
    } catch {
      _ = beginRename(new, to: old)
      throw error
    }
    if branch(new)?.notKept != nil { keepAgain(new) }
  }

  private func taken(_ name: String) -> Trouble {
    Trouble("there is a branch “\(name)” already", next: "Pick another name")
  }

  // MARK: Marks

  package var marks: [Position: String] {
    let known = kept?.marks ?? marksToRead
    var marks = table.withLock { table in
      Dictionary(
        known.filter(table.hasPlace).map { ($0.position, $0.note ?? $0.name ?? "") }
      ) { $0.isEmpty ? $1 : $1.isEmpty ? $0 : "\($0); \($1)" }
    }
    for (position, mark) in marksNotKept.withLock({ $0 }) { marks[position] = mark.note }
    return marks
  }

  /// Sets a step's mark, or removes it with nil. It stays even if saving fails.
  package func setMark(_ position: Position, _ note: String?) -> String? {
    do throws(SessionError) {
      let remark = try kept?.setMark(position, note)
      marksNotKept.withLock { $0[position] = nil }
      return remark
    } catch {
      let mark = UnkeptMark(note: note, problem: error.sentence)
      marksNotKept.withLock { $0[position] = mark }
      return nil
    }
  }

  package func copyMarks(
    along branch: String, in steps: ClosedRange<Int>, to path: String,
    without redaction: Redaction = Redaction()
  ) throws(SessionError) -> CopiedMarks {
    let all = marks
    var copied: [Int: Mark] = [:]
    var (name, last) = (branch, steps.upperBound)
    while last >= steps.lowerBound {
      for (position, note) in all
      where position.branch == name && (steps.lowerBound...last).contains(position.step) {
        copied[position.step] = Mark(step: position.step, note: note.isEmpty ? nil : note)
      }
      guard let script = self.branch(name)?.script else { break }
      (name, last) = (script.parent, min(last, script.leavesAt))
    }
    return try CopiedMarks(
      copied.values.sorted { $0.step < $1.step }, to: path, without: redaction)
  }

  struct UnkeptMark: Sendable {
    var note: String?
    var problem: String
  }

  // MARK: The last place

  package var lastPlace: Position? {
    guard let place = kept?.place, let branch = branch(place.branch) else { return nil }
    return branch.isNotRun || branch.steps.contains(place.step) ? place : nil
  }

  /// Whether saving the place needs no new file.
  package var keepsPlace: Bool { kept?.exists ?? false }

  /// Saves the last place. A failure loses no work, so it is ignored.
  package func keepPlace(_ place: Position) { _ = try? kept?.keepPlace(place) }

  // MARK: Unsaved changes

  package var notKept: [String] {
    let forks = branches.compactMap { branch in
      branch.notKept.map { "The fork “\(branch.name)” is not saved: \($0)" }
    }
    let marks = marksNotKept.withLock { $0 }.sorted {
      ($0.key.branch, $0.key.step) < ($1.key.branch, $1.key.step)
    }
    return forks
      + marks.map { position, mark in
        let what = mark.note == nil ? "Removing the mark of" : "The mark on"
        return "\(what) step \(position.text) is not saved: \(mark.problem)"
      }
  }

  package func keepRest() -> String? {
    var remark: String?
    for branch in branches where branch.notKept != nil {
      remark = keepAgain(branch.name).remark ?? remark
    }
    for (position, mark) in marksNotKept.withLock({ $0 }) {
      remark = setMark(position, mark.note) ?? remark
    }
    return remark
  }

  /// Applies other programs' changes to marks and forks. Returns nil without changes, else
  /// messages, maybe none.
  package func takeInOthersWork() -> [String]? {
    let own = Set(branches.filter { $0.notKept != nil }.map(\.name))
    guard let news = kept?.news(besides: own) else { return nil }
    var words: [String] = []
    table.withLock { table in
      for fork in news.deleted where table[fork] != nil {
        table.remove(fork)
        words.append("Another debugger has deleted “\(fork)”; undo brings it back.")
      }
      for fork in news.changed {
        guard table[fork.name]?.script != fork.script else {
          table.update(fork.name) { $0.note = fork.note }
          continue
        }
        words.append("Another debugger has changed “\(fork.name)”.")
        if !table.restore(fork) {
          table.change(fork.name, fork.script)
          table.update(fork.name) { $0.note = fork.note }
        }
      }
      for fork in table.addInOrder(news.made) {
        words.append("Another debugger has made “\(fork)”.")
      }
    }
    return words
  }
}

extension Branch {
  package var saved: SavedBranch? {
    script.map { SavedBranch(name: name, script: $0, note: note) }
  }
}
