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
  /// The output that follows instead of quitting.
  var next: DebuggerOutput?
  var keepsPlace = false
  /// The rules, watches and filter that are beside the session.
  var view = SavedView()
  /// Whether it is asked again. An earlier change must not write over it.
  var isViewResumed = false
  /// How often undo and the results had changed when the view was written.
  var written = 0
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

  mutating func reopen() {
    say("Opening the file again …")
    quit(to: .reopen(step: state.here.step))
  }

  /// `:reducer src/store.ts`
  mutating func loadReducer() {
    guard !argument.isEmpty else {
      return say("Write :reducer FILE, as in :reducer src/store.ts or store.ts#reducer.")
    }
    say("Loading \(argument) …")
    quit(to: .reopen(step: state.here.step, reducer: argument))
  }

  private var ending: DebuggerOutput { state.keeping.next ?? .quit }

  mutating func quit(to next: DebuggerOutput? = nil) {
    state.keeping.next = next
    if state.keeping.leaving == nil, state.keeping.keepsPlace {
      save(.savePlace(state.here))
    }
    guard state.keeping.leaving == nil,
      state.keeping.inFlight > 0 || !state.keeping.notKept.isEmpty
    else { return effects.append(.output(ending)) }
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

  /// Asks again what was asked when the session was left.
  mutating func resumeView() {
    let (view, message) = (state.keeping.view, state.message)
    state.restore(view)
    state.searches.rules = view.rules.filter { (try? StepQuestion($0)) != nil }
    if !state.searches.rules.isEmpty { lookAtRules(isSilent: true) }
    for place in view.watches.compactMap({ TypedPlace.path($0, in: .null) })
    where place.pointer.codeName == nil {
      send(.watch(.turned(place)))
    }
    if let filter = view.filter ?? state.filterAtStart {
      _ = setFilter(filter, unfoldsShort: view.filter == nil)
    }
    if let search = view.search.flatMap({ try? StepQuestion($0) }) {
      look(for: .condition(search), isSilent: true)
    }
    state.message = message
    if let rule = view.waiting.first {
      say("The rule \(rule) is code, which waits: :rule \(rule) runs it.", .warning)
    }
    state.keeping.isViewResumed = true
  }

  /// Keeps rules, watches, the filter, undo and results as they change. A search alone makes no
  /// file.
  mutating func renewView() {
    guard state.keeping.isViewResumed else { return }
    var view = state.asked
    let changes = state.keeping.undo.changes + state.searches.resultCount
    if changes != state.keeping.written {
      (view.undo, view.results) = (state.savedUndo, state.savedResults)
    }
    guard view != state.keeping.view else { return }
    state.keeping.view.search = view.search
    state.keeping.view.results = view.results
    state.keeping.written = changes
    guard view != state.keeping.view || state.keeping.keepsPlace else { return }
    state.keeping.view = view
    save(.saveView(view))
  }

  // MARK: After saving

  mutating func receiveReport(_ report: KeepingReport) {
    state.keeping.inFlight = max(0, state.keeping.inFlight - 1)
    if let fork = report.fork {
      receiveMadeFork(fork, report)
    } else if let failure = report.failure {
      say(failure, .warning)
    }
    applyBranches(report)
    guard state.keeping.leaving == .saving, state.keeping.inFlight == 0 else { return }
    if state.keeping.notKept.isEmpty {
      effects.append(.output(ending))
    } else {
      state.keeping.leaving = .asking
    }
  }

  /// Runs a newly made fork, unless that was stopped meanwhile.
  private mutating func receiveMadeFork(_ id: BranchID, _ report: KeepingReport) {
    let isWanted = state.forks.running == id
    guard report.failure == nil, let fork = report.branches[id] else {
      if isWanted { state.forks.running = nil }
      state.forks.toShow = nil
      if let failure = report.failure { say(failure, .failure) }
      return
    }
    state[branch: id] = state[branch: id] ?? fork
    state[branch: id]?.progress = isWanted ? .running : .stopped
    if isWanted { effects.append(.runFork(id)) }
  }

  /// Applies the forks beside the session, including other people's.
  mutating func applyBranches(_ report: KeepingReport) {
    state.keeping.notKept = report.notKept
    state.keeping.keepsPlace = report.keepsPlace
    for branch in report.branches { state[branch: branch.id]?.notKept = branch.notKept }
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
    for gone in state.branches where report.branches[gone.id] == nil {
      guard state[branch: gone.id] != nil else { continue }
      state.keeping.undo.push(.deleted(state.forks(from: gone.id)))
      forgetBranch(gone.id)
    }
    for branch in report.branches where !branch.isMain {
      let known = state[branch: branch.id]
      state[branch: branch.id]?.name = branch.name
      state[branch: branch.id]?.note = branch.note
      guard known?.script != branch.script else { continue }
      state[branch: branch.id] = branch
      guard known != nil else { continue }
      state.reading.forget(branch.id)
      if state.here.branch == branch.id { state.go(to: state.here.step, isJump: false) }
    }
    scrollOverlay(by: 0)
  }
}

struct UndoHistory: Sendable, Hashable {
  enum Change: Sendable, Hashable {
    case marked(Position, old: String?, new: String?)
    case forked(BranchID, Script, left: Position)
    case deleted([Branch])
    case edited(BranchID, old: Script, new: Script, at: Int)
    case renamed(BranchID, old: String, new: String)
    case noted(BranchID, old: String?, new: String?)

    func words(in state: DebuggerState) -> String {
      switch self {
      case .marked(let position, let old, let new):
        "The \((old ?? new)?.isEmpty == false ? "note" : "mark") at step \(grouped(position.step))"
      case .forked(let fork, _, _): "“\(state.name(of: fork))”"
      case .deleted(let forks): "Deleting “\(forks.first?.name ?? "")”"
      case .edited(let fork, _, _, _): "The change of “\(state.name(of: fork))”"
      case .renamed(_, let old, _): "The new name of “\(old)”"
      case .noted(let fork, _, _): "The note on “\(state.name(of: fork))”"
      }
    }
  }

  private(set) var done: [Change] = []
  private(set) var undone: [Change] = []
  /// How often something changed here.
  private(set) var changes = 0

  init(_ done: [Change] = []) { self.done = done }

  mutating func push(_ change: Change) {
    done.append(change)
    undone = []
    changes += 1
  }

  mutating func pop(isRedo: Bool) -> Change? {
    guard let change = isRedo ? undone.popLast() : done.popLast() else { return nil }
    if isRedo { done.append(change) } else { undone.append(change) }
    changes += 1
    return change
  }

  /// The one that can be taken the other way.
  func last(isRedo: Bool) -> Change? { isRedo ? done.last : undone.last }
}

extension DebuggerState {
  /// The present questions about the session.
  fileprivate var asked: SavedView {
    var view = keeping.view
    view.rules = searches.rules
    view.waiting.removeAll(where: searches.rules.contains)
    view.watches = watch.places.map(\.text)
    view.filter = filterToKeep
    // A line that is still being typed is not yet a question.
    if searches.before == nil, case .condition(let question)? = searches.asked?.question {
      view.search = question.condition.text
    }
    return view
  }
}
