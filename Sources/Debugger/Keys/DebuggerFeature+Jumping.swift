import SessionLog
import TextCanvas
import TimeTravel

extension DebuggerFeature {
  /// The keys that jump to a step with a meaning.
  static func jump(
    _ key: Key, _ count: Int?, _ state: inout DebuggerState, _ work: inout [Work]
  ) -> Bool {
    switch key {
    case .character("n"): nextHit(.forward, count ?? 1, &state, &work)
    case .character("N"): nextHit(.backward, count ?? 1, &state, &work)
    case .character("e"): nextError(.forward, &state, &work)
    case .character("E"): nextError(.backward, &state, &work)
    case .character("o"): sameEffect(.forward, &state, &work)
    case .character("O"): sameEffect(.backward, &state, &work)
    case .character("*"): sameThing(.forward, &state, &work)
    case .character("#"): sameThing(.backward, &state, &work)
    case .character("c"): toCause(&state)
    case .character("m"): setMark(state.marks[state.here] == nil ? "" : nil, &state, &work)
    case .character("u"): nextMark(.forward, &state)
    case .character("U"): nextMark(.backward, &state)
    case .character("["):
      if let position = state.history.goBack(from: state.here) {
        state.go(to: position, isJump: false)
      }
    case .character("]"):
      if let position = state.history.goForward(from: state.here) {
        state.go(to: position, isJump: false)
      }
    case .character("z"): undo(&state, &work)
    case .character("Z"): redo(&state, &work)
    default: return false
    }
    return true
  }

  // MARK: Hits and errors

  static func startSearch(
    _ question: Search.Question, _ direction: Search.Direction?, _ state: inout DebuggerState
  ) -> (Search, Work) {
    state.searchNumber += 1
    let start = state.here.step
    var search = Search(
      number: state.searchNumber, question: question, branch: state.branch, start: start)
    search.waiting = direction
    let work = Work.search(
      question, number: state.searchNumber, branch: state.here.branch, start: start)
    return (search, work)
  }

  private static func nextHit(
    _ direction: Search.Direction, _ count: Int, _ state: inout DebuggerState,
    _ work: inout [Work]
  ) {
    guard let last = state.search else {
      state.message = Message("Nothing was searched for yet: / searches a text, ; a condition.")
      return
    }
    guard last.branch == state.here.branch, last.isRunning || last.steps == state.branch.steps
    else {
      // The same question, asked of the branch that is looked at now, as long as it is now.
      if last.isRunning { work.append(.stopSearch(last.number)) }
      let (search, searching) = startSearch(last.question, direction, &state)
      state.search = search
      work.append(searching)
      return
    }
    for _ in 0..<min(count, 1_000) {
      state.search?.waiting = direction
      guard let hit = waitedHit(\.search, &state) else { return }
      let wrapped = direction == .forward ? hit <= state.here.step : hit >= state.here.step
      state.go(to: hit)
      if wrapped { state.message = Message("The search went on from the other end.") }
    }
  }

  private static func nextError(
    _ direction: Search.Direction, _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    let isOld = state.errors?.isRunning == false && state.errors?.steps != state.branch.steps
    if state.errors?.branch != state.here.branch || isOld {
      let (search, searching) = startSearch(.errors, direction, &state)
      state.errors = search
      work.append(searching)
      return
    }
    state.errors?.waiting = direction
    state.errors?.isSilent = false
    if let hit = waitedHit(\.errors, &state) {
      state.go(to: hit)
    } else if state.errors?.isRunning == false {
      state.message = Message("No errors in \(counted(state.branch.steps.count, "step")).")
    }
  }

  // MARK: The same again

  private static func find(
    _ finder: StepFinder, _ direction: Search.Direction, _ state: inout DebuggerState,
    _ work: inout [Work]
  ) {
    state.finding = (direction == .forward ? "next " : "previous ") + finder.words
    work.append(.find(finder, from: state.here, direction))
  }

  private static func sameEffect(
    _ direction: Search.Direction, _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    let row = state.pages[state.here.branch, state.here.step]
    if case .effect(let effect)? = row?.cause {
      find(.effect(effect), direction, &state, &work)
    } else if let started = state.moment?.effects.first(where: {
      $0.origin.step == state.here.step
    }) {
      find(.effect(started.number), direction, &state, &work)
    } else {
      state.message = Message("No effect sent this action, and it started none.")
    }
  }

  /// In the pane the value under the cursor, in the list the label.
  private static func sameThing(
    _ direction: Search.Direction, _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    if state.focus == .pane, [.diff, .state, .compare].contains(state.pane) {
      guard let path = state.view.row?.path else {
        state.message = Message("No value stands under the cursor.")
        return
      }
      find(.change(path), direction, &state, &work)
    } else if let label = state.pages[state.here.branch, state.here.step]?.label {
      find(.label(label), direction, &state, &work)
    }
  }

  private static func toCause(_ state: inout DebuggerState) {
    guard let moment = state.moment else { return }
    switch moment.step.cause {
    case .user: state.message = Message("The user sent this action.")
    case .output(let step): state.go(to: step)
    case .effect(let number):
      guard let effect = moment.effects.first(where: { $0.number == number }) else {
        state.message = Message("The recording does not tell where effect \(number) started.")
        return
      }
      state.go(to: effect.origin.step)
    }
  }

  // MARK: Other branches

  /// Sets another branch beside the fork.
  static func compareWithNext(_ state: inout DebuggerState) {
    guard !state.branch.isMain else {
      state.message = Message("C compares a fork: B lists them.")
      return
    }
    let others = state.branches.filter { $0.name != state.here.branch && !$0.isNotRun }
    let index = others.firstIndex { $0.name == state.otherBranch } ?? -1
    guard !others.isEmpty else { return }
    state.comparedBranch = others[(index + 1) % others.count].name
    state.moments.forget(state.here.branch)
    state.awaitedMoment = nil
    state.lookedAheadFrom = nil
    state.pane = .compare
    state.view.forget()
    state.message = Message("Compared with “\(state.comparedBranch ?? "")”.")
  }

  static func toFirstDifference(_ state: inout DebuggerState, _ work: inout [Work]) {
    guard let other = state.otherBranch else {
      state.message = Message("D goes to where a fork differs from another branch: B lists them.")
      return
    }
    state.pane = .compare
    state.finding = "step that differs from “\(other)”"
    work.append(.findDifference(of: state.here.branch, with: other))
  }

  // MARK: Marks

  static func setMark(_ new: String?, _ state: inout DebuggerState, _ work: inout [Work]) {
    state.undo.note(.marked(state.here, old: state.marks[state.here], new: new))
    putMark(state.here, to: new, &state, &work)
  }

  private static func putMark(
    _ position: Position, to note: String?, _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    state.marks[position] = note
    work.append(.saveMark(position, note))
  }

  private static func nextMark(_ direction: Search.Direction, _ state: inout DebuggerState) {
    let steps = state.marks.keys.filter { $0.branch == state.here.branch }.map(\.step).sorted()
    let here = state.here.step
    let next =
      direction == .forward
      ? steps.first { $0 > here } ?? steps.first : steps.last { $0 < here } ?? steps.last
    if let next {
      state.go(to: next)
    } else {
      state.message = Message("No marks yet: m marks a step.")
    }
  }

  // MARK: Taking back

  private static func undo(_ state: inout DebuggerState, _ work: inout [Work]) {
    guard let change = state.undo.takeDone() else {
      state.message = Message("Nothing to undo.")
      return
    }
    switch change {
    case .marked(let position, let old, _): putMark(position, to: old, &state, &work)
    case .forked(let name, _, let left):
      removeFork(name, &state, &work)
      state.go(to: left, isJump: false)
      state.message = Message("“\(name)” was taken back; Z brings it again.")
    case .deleted(let saved): restore(saved, &state, &work)
    case .edited(let name, let old, _, let step):
      rerun(name, by: old, showing: step, &state, &work)
    case .renamed(let old, let new): putName(old, on: new, &state, &work)
    case .noted(let name, let old, _): putNote(old, on: name, &state, &work)
    }
  }

  private static func redo(_ state: inout DebuggerState, _ work: inout [Work]) {
    guard let change = state.undo.takeUndone() else {
      state.message = Message("Nothing to redo.")
      return
    }
    switch change {
    case .marked(let position, _, let new): putMark(position, to: new, &state, &work)
    case .forked(let name, let script, _): run(name, script, &state, &work)
    case .deleted(let saved):
      if let first = saved.first { removeFork(first.name, &state, &work) }
    case .edited(let name, _, let new, let step):
      rerun(name, by: new, showing: step, &state, &work)
    case .renamed(let old, let new): putName(new, on: old, &state, &work)
    case .noted(let name, _, let new): putNote(new, on: name, &state, &work)
    }
  }
}
