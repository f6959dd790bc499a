import SessionFile
import SessionWords
import TextCanvas
import TimeTravel

struct Keeping: Sendable {
  var marks: [Position: String] = [:]
  var undo = UndoHistory()
  var inFlight = 0
  var notKept: [String] = []
  var leaving: Leaving?
  var keepsPlace = false
  /// Where you left last time, on a fork that must run first.
  var placeToResume: Position?
  var exporting: String?
  /// The test that was written last: the next key can open it.
  var test: String?
  /// The files that have a test.
  var tests: Set<String> = []
}

enum Leaving: Sendable, Hashable {
  case saving
  case asking
}

extension DebuggerUpdate {
  // MARK: Leaving

  mutating func leave() {
    if state.keeping.leaving == nil, state.keeping.keepsPlace {
      save(.savePlace(state.here))
    }
    guard state.keeping.leaving == nil,
      state.keeping.inFlight > 0 || !state.keeping.notKept.isEmpty
    else { return effects.append(.output(.quit)) }
    state.keeping.leaving = .saving
    if !state.keeping.notKept.isEmpty { save(.saveRest()) }
  }

  /// Handles a key while quitting; false if it has its usual meaning.
  mutating func handleLeaving(_ event: InputEvent) -> Bool {
    guard let leaving = state.keeping.leaving, case .key(let key) = event, !key.isForScreen
    else {
      return false
    }
    if [.character("q"), .control("c")].contains(key) {
      effects.append(.output(.quit))
      return true
    }
    state.keeping.leaving = nil
    return leaving == .asking
  }

  // MARK: Coming back

  mutating func resume() {
    guard let place = state.keeping.placeToResume else { return }
    guard !state.input.wasTouched, state[branch: place.branch] != nil else {
      return state.keeping.placeToResume = nil
    }
    guard case .ready = state.host.status, state.forks.busy == nil else { return }
    state.keeping.placeToResume = nil
    runFork(place.branch, showing: place.step)
  }

  // MARK: After saving

  mutating func takeKept(_ report: KeepingReport) {
    state.keeping.inFlight = max(0, state.keeping.inFlight - 1)
    if let (asked, name) = report.fork {
      takeMade(name, asked: asked, report)
    } else if let failure = report.failure {
      say(failure, .warning)
    }
    takeBranches(report)
    guard state.keeping.leaving == .saving, state.keeping.inFlight == 0 else { return }
    if state.keeping.notKept.isEmpty {
      effects.append(.output(.quit))
    } else {
      state.keeping.leaving = .asking
    }
  }

  /// Runs a newly made fork, unless that was stopped meanwhile.
  private mutating func takeMade(_ name: String, asked: String, _ report: KeepingReport) {
    if let failure = report.failure {
      if state.forks.running == asked { state.forks.running = nil }
      state.forks.toShow = nil
      return say(failure, .failure)
    }
    guard let fork = report.branches.first(where: { $0.name == name }) else { return }
    let isWanted = state.forks.running == asked
    state[branch: name] = state[branch: name] ?? fork
    state[branch: name]?.progress = isWanted ? .running : .stopped
    if name != asked { use(name, insteadOf: asked) }
    guard isWanted else { return }
    state.forks.running = name
    effects.append(.runFork(name))
  }

  private mutating func use(_ name: String, insteadOf asked: String) {
    if state.forks.toShow?.name == asked { state.forks.toShow?.name = name }
    state.keeping.undo.use(name, insteadOf: asked)
    if state.here.branch == asked { state.go(to: Position(branch: name, step: state.here.step)) }
  }

  /// Applies the forks beside the session, including other people's.
  mutating func takeBranches(_ report: KeepingReport) {
    state.keeping.notKept = report.notKept
    state.keeping.keepsPlace = report.keepsPlace
    for branch in report.branches { state[branch: branch.name]?.notKept = branch.notKept }
    if let remark = report.remarks.first {
      let rest = report.remarks.count - 1
      say(
        rest > 0
          ? "\(remark) And \(grouped(rest)) more; \(state.key("B")) lists the branches." : remark,
        .warning)
    }
    // The report lacks pending changes.
    guard state.keeping.inFlight == 0 else { return }
    state.keeping.marks = report.marks
    let names = Set(report.branches.map(\.name))
    for gone in state.branches where !gone.isMain && !names.contains(gone.name) {
      guard state[branch: gone.name] != nil else { continue }
      state.keeping.undo.note(.deleted(state.savedForks(from: gone.name)))
      takeAway(gone.name)
    }
    for branch in report.branches where !branch.isMain {
      let known = state[branch: branch.name]
      state[branch: branch.name]?.note = branch.note
      guard known?.script != branch.script else { continue }
      state[branch: branch.name] = branch
      guard known != nil else { continue }
      state.reading.forget(branch.name)
      if state.here.branch == branch.name { state.go(to: state.here.step, isJump: false) }
    }
    scrollOverlay(by: 0)
  }
}

struct UndoHistory: Sendable, Hashable {
  enum Change: Sendable, Hashable {
    case marked(Position, old: String?, new: String?)
    case forked(name: String, Script, left: Position)
    case deleted([SavedBranch])
    case edited(name: String, old: Script, new: Script, at: Int)
    case renamed(old: String, new: String)
    case noted(name: String, old: String?, new: String?)

    var words: String {
      switch self {
      case .marked(let position, let old, let new):
        "The \((old ?? new)?.isEmpty == false ? "note" : "mark") at step \(grouped(position.step))"
      case .forked(let name, _, _): "“\(name)”"
      case .deleted(let saved): "Deleting “\(saved.first?.name ?? "")”"
      case .edited(let name, _, _, _): "The change of “\(name)”"
      case .renamed(let old, _): "The new name of “\(old)”"
      case .noted(let name, _, _): "The note on “\(name)”"
      }
    }
  }

  private(set) var done: [Change] = []
  private(set) var undone: [Change] = []

  mutating func note(_ change: Change) {
    done.append(change)
    undone = []
  }

  mutating func use(_ name: String, insteadOf asked: String) {
    switch done.last {
    case .forked(asked, let script, let left)?:
      done[done.count - 1] = .forked(name: name, script, left: left)
    case .edited(asked, _, let script, let step)?:
      let left = Position(branch: asked, step: step)
      done[done.count - 1] = .forked(name: name, script, left: left)
    default: break
    }
  }

  mutating func take(isRedo: Bool) -> Change? {
    guard let change = isRedo ? undone.popLast() : done.popLast() else { return nil }
    if isRedo { done.append(change) } else { undone.append(change) }
    return change
  }

  /// The one that can be taken the other way.
  func last(isRedo: Bool) -> Change? { isRedo ? done.last : undone.last }
}
