import Platform
import SessionFile
import SessionWords
import ValueTree

/// The marks and forks beside a session, which other programs may change at the same time.
///
/// It remembers the last contents, and applies each change to the current ones. Other changes
/// survive; if both changed one thing, both versions are kept. It knows branches by their names, as
/// the file does.
final class SavedWork: Sendable {
  private let sidecar: Sidecar
  private let known: Locked<Known>

  private struct Known: Equatable {
    var forks: [String: SavedBranch]
    /// By marks without words.
    var marks: [Mark: [Mark]]

    init(_ contents: SidecarContents) {
      forks = Dictionary(contents.branches.map { ($0.name, $0) }) { first, _ in first }
      marks = contents.marks.byPlace
    }
  }

  init(_ sidecar: Sidecar) {
    self.sidecar = sidecar
    known = Locked(Known(sidecar.contents))
  }

  // MARK: Forks

  /// Saves a fork, and its parents if they are gone; returns its name. `taken` are names in use here.
  func save(
    _ fork: SavedBranch, after ancestors: [SavedBranch], taken: Set<String>
  ) throws(SessionError) -> (name: String, remark: String?) {
    try known.withLock { (known) throws(SessionError) -> (name: String, remark: String?) in
      var remark: String?
      var written = fork
      try sidecar.update { contents in
        for ancestor in ancestors where contents.branches.place(of: ancestor.name) == nil {
          contents.branches.append(ancestor)
        }
        guard let place = contents.branches.place(of: fork.name) else {
          if known.forks[fork.name] != nil {
            remark =
              "Another debugger deleted “\(fork.name)”; it is kept, since it was changed here"
          }
          contents.branches.append(fork)
          return
        }
        let theirs = contents.branches[place]
        if theirs == known.forks[fork.name] || theirs == fork {
          contents.branches[place] = fork
          return
        }
        let names = taken.union(contents.branches.map(\.name))
        written.name = SavedBranch.freeName(like: fork.name, besides: names)
        remark =
          known.forks[fork.name] == nil
          ? "Another debugger has made a “\(fork.name)”: this one is “\(written.name)”"
          : "Another debugger has changed “\(fork.name)” too: this one is “\(written.name)” now"
        contents.branches.append(written)
      }
      for ancestor in ancestors where known.forks[ancestor.name] == nil {
        known.forks[ancestor.name] = ancestor
      }
      known.forks[written.name] = written
      return (written.name, sidecar.takeRemark() ?? remark)
    }
  }

  /// Deletes forks, descendants first. Keeps those that others have changed or use, and returns
  /// messages.
  func delete(_ names: [String]) throws(SessionError) -> String? {
    try known.withLock { (known) throws(SessionError) -> String? in
      var remark: String?
      try sidecar.update { contents in
        for name in names {
          guard let place = contents.branches.place(of: name), let mine = known.forks[name] else {
            continue
          }
          if contents.branches[place] != mine {
            remark = "“\(name)” stays: another debugger has changed it"
          } else if let child = contents.branches.first(where: { $0.script.parent.text == name }) {
            remark = "“\(name)” stays: “\(child.name)” of another debugger leaves it"
          } else {
            contents.branches.remove(at: place)
          }
        }
      }
      for name in names { known.forks[name] = nil }
      return remark
    }
  }

  /// Those of a fork that was deleted, if no other debugger has one of its name.
  func forgetMarks(of name: String) throws(SessionError) {
    try known.withLock { (known) throws(SessionError) in
      guard known.marks.keys.contains(where: { $0.branch == name }) else { return }
      try sidecar.update { contents in
        guard contents.branches.place(of: name) == nil else { return }
        contents.marks.removeAll { $0.branch == name }
      }
      known.marks = known.marks.filter { $0.key.branch != name }
    }
  }

  /// False if the new name is taken.
  func rename(_ old: String, to new: String) throws(SessionError) -> Bool {
    try known.withLock { (known) throws(SessionError) -> Bool in
      var isFree = true
      try sidecar.update { contents in
        isFree = contents.branches.place(of: new) == nil
        if isFree { contents.rename(old, to: new) }
      }
      guard isFree else { return false }
      var contents = SidecarContents()
      contents.branches = Array(known.forks.values)
      contents.marks = known.marks.values.flatMap(\.self)
      contents.rename(old, to: new)
      known = Known(contents)
      return true
    }
  }

  // MARK: Marks

  func setMark(_ place: Mark, _ note: String?) throws(SessionError) -> String? {
    try known.withLock { (known) throws(SessionError) -> String? in
      var remark: String?
      var marks: [Mark] = []
      try sidecar.update { contents in
        let theirs = contents.marks.byPlace[place] ?? []
        marks = theirs.filter { !(known.marks[place] ?? []).contains($0) }
        if !marks.isEmpty {
          remark =
            note == nil
            ? "Step \(place.text) stays marked: another debugger has marked it too"
            : "Another debugger has marked step \(place.text) too: both marks are kept"
        }
        if let note {
          let mark = Mark(
            branch: place.branch, step: place.step, note: note.isEmpty ? nil : note)
          if !marks.contains(mark) { marks.append(mark) }
        }
        contents.marks.removeAll { $0.place == place }
        contents.marks += marks
      }
      known.marks[place] = marks
      return sidecar.takeRemark() ?? remark
    }
  }

  var marks: [Mark] { known.withLock { $0.marks.values.flatMap(\.self) } }

  // MARK: The last place

  private static let placeKey = "position"

  var exists: Bool { sidecar.exists }

  var place: Mark? {
    guard let place = sidecar.contents.view[Self.placeKey],
      case .string(let branch)? = place["branch"],
      let step = place["step"].flatMap(ValueFields.number)
    else { return nil }
    return Mark(branch: branch, step: step)
  }

  func savePlace(_ place: Mark) throws(SessionError) {
    guard exists, sidecar.notice == nil, place != self.place else { return }
    try sidecar.update {
      $0.view[Self.placeKey] = [
        "branch": .string(place.branch), "step": .number(Number(place.step)),
      ]
    }
  }

  // MARK: The view

  private static let viewKey = "asked"

  var view: SavedView { SavedView(sidecar.contents.view[Self.viewKey] ?? [:]) }

  func saveView(_ view: SavedView) throws(SessionError) {
    guard sidecar.notice == nil, view != self.view else { return }
    try sidecar.update { $0.view[Self.viewKey] = view.value }
  }

  // MARK: News

  struct News: Sendable {
    var made: [SavedBranch] = []
    var changed: [SavedBranch] = []
    var deleted: [String] = []
  }

  /// Nil without changes. `own` are forks with unsaved changes.
  func news(besides own: Set<String>) -> News? {
    known.withLock { known in
      if sidecar.hasChanged { sidecar.reload() }
      // An unreadable sidecar says nothing about its contents.
      guard sidecar.notice == nil else { return nil }
      let contents = sidecar.contents
      var new = Known(contents)
      for name in own { new.forks[name] = known.forks[name] }
      guard new != known else { return nil }
      var news = News()
      for fork in contents.branches where !own.contains(fork.name) {
        if let mine = known.forks[fork.name] {
          if fork != mine { news.changed.append(fork) }
        } else {
          news.made.append(fork)
        }
      }
      for name in known.forks.keys.sorted() where new.forks[name] == nil && !own.contains(name) {
        news.deleted.append(name)
      }
      known = new
      return news
    }
  }
}

extension [SavedBranch] {
  fileprivate func place(of name: String) -> Int? { firstIndex { $0.name == name } }
}

extension [Mark] {
  fileprivate var byPlace: [Mark: [Mark]] { Dictionary(grouping: self, by: \.place) }
}

extension Mark {
  fileprivate var place: Mark { Mark(branch: branch, step: step) }
}

extension SidecarContents {
  fileprivate mutating func rename(_ old: String, to new: String) {
    for index in branches.indices {
      if branches[index].name == old { branches[index].name = new }
      if branches[index].script.parent.text == old {
        branches[index].script.parent = BranchID(new)
      }
    }
    for index in marks.indices where marks[index].branch == old { marks[index].branch = new }
  }
}

extension Sidecar {
  /// The parts that do not fit the session, one sentence each: they stay in the file, but are not
  /// shown.
  func notices(on table: BranchTable) -> [String] {
    var notices = notice.map { [$0] } ?? []
    let contents = contents
    let strays = contents.marks.count { table.position(of: $0) == nil }
    if strays > 0 {
      notices.append(
        strays == 1
          ? "1 mark beside the session is on a step that it does not have; it is not shown."
          : "\(strays) marks beside the session are on steps that it does not have; "
            + "they are not shown.")
    }
    for branch in contents.branches.prefix(100) where table.branches[named: branch.name] == nil {
      let (parent, step) = (branch.script.parent.text, branch.script.leavesAt)
      let place =
        table.branches[named: parent] == nil
        ? "branch “\(parent)” that it could leave" : "step \(step) that it could leave at"
      notices.append(
        "The fork “\(branch.name)” beside the session is not shown: there is no \(place).")
    }
    return notices
  }
}

extension BranchTable {
  /// A mark's place, if its step exists, or may exist after its fork runs.
  func position(of mark: Mark) -> Position? {
    guard let branch = branches[named: mark.branch], mark.step >= branch.steps.lowerBound,
      branch.isNotRun || branch.progress == .running || branch.steps.contains(mark.step)
    else { return nil }
    return Position(branch: branch.id, step: mark.step)
  }
}
