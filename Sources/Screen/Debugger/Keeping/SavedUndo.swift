import ForkSearch
import SessionFile
import SessionWords
import TimeTravel
import ValueTree

// The sidecar keeps undo and results. It names a branch as it is called now, because a session that
// is opened again knows it by its name.

extension DebuggerState {
  /// The changes that undo can take back, as far as each branch in them has a name of its own.
  var savedUndo: [Value] {
    let names = Set(branches.map(\.name))
    var saved: [Value] = []
    for change in keeping.undo.done.suffix(SavedView.mostChanges).reversed() {
      var isClear = true
      let line = change.line { id in
        if let branch = self[branch: id] { return branch.name }
        if names.contains(id.text) { isClear = false }
        return id.text
      }
      guard isClear else { break }
      saved.append(line)
    }
    return saved.reversed()
  }

  var savedResults: [Value] { searches.results.map { $0.line(naming: name(of:)) } }

  mutating func restore(_ view: SavedView) {
    keeping.undo = UndoHistory(view.undo.compactMap(change))
    searches.results = view.results.compactMap(result)
  }

  /// The branch that a sidecar names; it may be gone.
  private func id(_ name: String) -> BranchID {
    if let branch = branches[named: name] { return branch.id }
    let parts = name.split(separator: "/")
    return BranchID(
      parts.first.map(String.init) ?? name, count: parts.last.flatMap { Int($0) } ?? 1)
  }

  private func change(_ line: Value) -> UndoHistory.Change? {
    try? UndoHistory.Change(ValueFields(line, at: "undo"), steps: session.steps, id: id)
  }

  private func result(_ line: Value) -> KeptResult? {
    try? KeptResult(ValueFields(line, at: "results")) { branches[named: $0]?.id }
  }
}

extension UndoHistory.Change {
  fileprivate func line(naming name: (BranchID) -> String) -> Value {
    func named(_ script: Script?) -> Script? {
      var script = script
      if let parent = script?.parent { script?.parent = BranchID(name(parent)) }
      return script
    }
    switch self {
    case .marked(let place, let old, let new):
      return .line([
        "what": "marked", "branch": name(place.branch), "step": place.step, "old": old, "new": new,
      ])
    case .forked(let fork, let script, let left):
      return .line([
        "what": "forked", "branch": name(fork), "script": named(script),
        "from": name(left.branch), "step": left.step,
      ])
    case .deleted(let forks):
      let lines = forks.map { fork in
        Value.line([
          "branch": name(fork.id), "name": fork.name, "note": fork.note,
          "script": named(fork.script),
        ])
      }
      return .line(["what": "deleted", "forks": Value.array(ValueArray(lines))])
    case .edited(let fork, let old, let new, let step):
      return .line([
        "what": "edited", "branch": name(fork), "script": named(old), "to": named(new),
        "step": step,
      ])
    case .renamed(let fork, let old, let new):
      return .line(["what": "renamed", "branch": name(fork), "old": old, "new": new])
    case .noted(let fork, let old, let new):
      return .line(["what": "noted", "branch": name(fork), "old": old, "new": new])
    }
  }

  fileprivate init(
    _ fields: ValueFields, steps: ClosedRange<Int>, id: (String) -> BranchID
  ) throws(ValueFieldError) {
    // A stranger's sidecar must not take away the recording, and all that leaves it.
    func fork(of fields: ValueFields) throws(ValueFieldError) -> BranchID {
      let fork = id(try fields.string("branch"))
      guard fork != .main else { throw fields.wrong("branch", "a fork") }
      return fork
    }
    func script(_ key: String, of fields: ValueFields) throws(ValueFieldError) -> Script {
      var script: Script = try fields.part(key)
      script.parent = id(script.parent.text)
      return script
    }
    let what = try fields.string("what")
    switch what {
    case "marked":
      self = .marked(
        Position(branch: id(try fields.string("branch")), step: try fields.number("step")),
        old: try fields.optionalString("old"), new: try fields.optionalString("new"))
    case "forked":
      self = .forked(
        try fork(of: fields), try script("script", of: fields),
        left: Position(
          branch: id(try fields.string("from")), step: try fields.number("step")))
    case "deleted":
      var forks: [Branch] = []
      for line in try fields.optionalValues("forks") ?? [] {
        let fields = try ValueFields(line, at: "undo.forks")
        var branch = Branch(
          try fork(of: fields), name: try fields.string("name"),
          script: try script("script", of: fields), steps: steps, progress: .notRun)
        branch.note = try fields.optionalString("note")
        forks.append(branch)
      }
      self = .deleted(forks)
    case "edited":
      self = .edited(
        try fork(of: fields), old: try script("script", of: fields),
        new: try script("to", of: fields),
        at: try fields.number("step"))
    case "renamed":
      self = .renamed(
        try fork(of: fields), old: try fields.string("old"), new: try fields.string("new"))
    case "noted":
      self = .noted(
        try fork(of: fields), old: try fields.optionalString("old"),
        new: try fields.optionalString("new"))
    default: throw fields.unknown("what", what)
    }
  }
}

extension KeptResult {
  fileprivate func line(naming name: (BranchID) -> String) -> Value {
    let lines = lines.prefix(SavedView.mostLines).map { line in
      Value.line([
        "text": line.text, "branch": line.place.map { name($0.branch) }, "step": line.place?.step,
      ])
    }
    return .line([
      "title": title, "lines": Value.array(ValueArray(lines)), "fork": smallest.map(name),
      "shows": shown?.text, "about": about.isEmpty ? nil : about,
    ])
  }

  /// The same search runs again: today's reducer may have another answer.
  fileprivate init(
    _ fields: ValueFields, id: (String) -> BranchID?
  ) throws(ValueFieldError) {
    title = try fields.string("title")
    about = try fields.optionalString("about") ?? ""
    lines = []
    for line in try fields.optionalValues("lines") ?? [] {
      let fields = try ValueFields(line, at: "results.lines")
      let branch = try fields.optionalString("branch").flatMap(id)
      let step = fields.member("step").flatMap(ValueFields.number)
      lines.append(
        ListLine(
          try fields.string("text"),
          at: branch.flatMap { branch in step.map { Position(branch: branch, step: $0) } }))
    }
    smallest = try fields.optionalString("fork").flatMap(id)
    shown = try fields.optionalString("shows").flatMap(Wanted.init(text:))
  }
}

extension Wanted {
  fileprivate var text: String {
    switch self {
    case .holds(let question): question.condition.text
    case .crash: "--crash"
    case .divergence: "--divergence"
    }
  }

  fileprivate init?(text: String) {
    switch text {
    case "--crash": self = .crash
    case "--divergence": self = .divergence
    default:
      // Code beside a session does not run.
      guard let question = try? StepQuestion(text), question.code.isEmpty else { return nil }
      self = .holds(question)
    }
  }
}
