import SessionWords
import TextCanvas
import TimeTravel

extension DebuggerState {
  mutating func go(to step: Int, isJump: Bool = true) {
    go(to: Position(branch: here.branch, step: step), isJump: isJump)
  }

  mutating func go(to position: Position, isJump: Bool = true) {
    guard let branch = self[branch: position.branch] else { return }
    let steps = branch.steps
    var target = position
    target.step = min(max(target.step, steps.lowerBound), steps.upperBound)
    if target != here {
      if isJump { travel.history.push(here) }
      here = target
      closeCompare()
    }
    // A running fork will have the step soon.
    if branch.progress == .running, position.step > target.step, position.step < .max {
      showFork(branch.id, at: position.step)
    }
  }

  mutating func go(toPercent percent: Int) {
    let steps = branch.steps
    go(to: steps.lowerBound + (steps.count - 1) * min(max(percent, 0), 100) / 100)
  }

  mutating func move(by offset: Int) {
    let target = here.step.addingReportingOverflow(offset)
    go(to: target.overflow ? (offset < 0 ? .min : .max) : target.partialValue, isJump: false)
  }

  mutating func centerList(height: Int) { travel.listTop = here.step - max(1, height) / 2 }

  mutating func show(_ pane: Pane) {
    if panes.contains(pane) { paneSet.use(pane) }
  }

  mutating func closeCompare() {
    if !panes.contains(pane) { paneSet.use(.diff) }
  }
}

struct Travel: Sendable {
  var here: Position
  var history = History()
  var rangeStart: Position?
  var listTop: Int
  /// Whether the first failure is the place to begin: nothing else has been chosen.
  var seeksFailure = false
  /// Whether the debugger looks for the first state by itself. Finding none is then no message.
  var seeksState = false

  init(at start: Position) {
    here = start
    listTop = start.step
  }
}

struct History: Sendable, Hashable {
  private var back: [Position] = []
  private var forward: [Position] = []

  mutating func push(_ position: Position) {
    if back.last != position { back.append(position) }
    if back.count > 200 { back.removeFirst() }
    forward = []
  }

  mutating func pop(_ direction: Search.Direction, from position: Position) -> Position? {
    let isBack = direction == .backward
    guard let target = isBack ? back.popLast() : forward.popLast() else { return nil }
    if isBack { forward.append(position) } else { back.append(position) }
    return target
  }

  mutating func forget(_ branch: BranchID) {
    back.removeAll { $0.branch == branch }
    forward.removeAll { $0.branch == branch }
  }
}

extension DebuggerUpdate {
  mutating func goBack(_ direction: Search.Direction) {
    guard let position = state.travel.history.pop(direction, from: state.here) else { return }
    state.go(to: position, isJump: false)
  }

  // MARK: The same again

  mutating func find(_ finder: StepFinder, _ direction: Search.Direction) {
    state.travel.seeksState = finder == .state
    state.searches.finding = .step(finder, direction)
    effects.append(.find(finder, from: state.here, direction))
  }

  mutating func sameEffect(_ direction: Search.Direction) {
    if case .effect(let effect)? = state.row?.cause {
      find(.effect(effect), direction)
    } else if let started = state.moment?.effects.first(where: {
      $0.origin.step == state.here.step
    }) {
      find(.effect(started.number), direction)
    } else {
      say("No effect sent this action, and it started none.")
    }
  }

  /// Goes to the next change of the value under the cursor; in the list, to the next step with this
  /// label.
  mutating func sameThing(_ direction: Search.Direction) {
    if state.paneSet.focus == .pane, [.diff, .state, .compare].contains(state.pane) {
      guard let path = state.view.row?.path else { return say("No value is under the cursor.") }
      find(.change(path), direction)
    } else if let label = state.row?.label {
      find(.label(label), direction)
    }
  }

  mutating func toCause() {
    guard let moment = state.moment else { return }
    switch moment.step.cause {
    case .user, .outside, .unknown:
      let words = moment.outside.words
      say("\(words.prefix(1).uppercased() + words.dropFirst()).")
    case .output(let step): state.go(to: step)
    case .effect(let number):
      guard let effect = moment.effects.first(where: { $0.number == number }) else {
        return say("The recording does not say where \(number.words) started.")
      }
      state.go(to: effect.origin.step)
    }
  }

  // MARK: Other branches

  mutating func compareWithNext() {
    guard !state.branch.isMain else { return lookAtFork() }
    let others = state.branches.filter { $0.id != state.here.branch && !$0.isNotRun }
      .sorted { $0.id == state.branch.script?.parent && $1.id != $0.id }
    let isCompared = state.otherBeside != nil || Layout(state).place(of: .compare) != nil
    let index = isCompared ? others.firstIndex { $0.id == state.otherBranch } ?? -1 : -1
    guard !others.isEmpty else { return }
    let other = others[(index + 1) % others.count]
    state.forks.compared = other.id
    state.reading.renewMoments(of: state.here.branch)
    state.show(.compare)
    if Layout(state).shape == .narrow { state.paneSet.focus = .pane }
    state.paneSet.forget()
    say("Compared with “\(other.name)”.")
  }

  private mutating func lookAtFork() {
    guard let fork = state.branches.indices.last, fork > 0 else {
      return say("There is no fork yet to compare with: \(state.key("f")) makes one.")
    }
    look(at: .branch(fork))
    guard !state.branch.isMain else { return }
    state.show(.compare)
    say(
      "“\(state.branch.name)” beside \(state.name(of: state.otherBranch ?? .main)); \(state.key("[")) goes back."
    )
  }

  mutating func toFirstDifference() {
    guard let other = state.otherBranch else {
      return say(
        "\(state.key("D")) goes to where a fork differs from another branch: \(state.key("B")) lists them."
      )
    }
    state.show(.compare)
    state.searches.finding = .difference(from: state.name(of: other))
    effects.append(.findDifference(of: state.here.branch, with: other))
  }

  // MARK: Marks

  mutating func askForMark() { state.prompt = Prompt(.note, state.keeping.marks[state.here] ?? "") }

  mutating func setMark(_ new: String?) {
    state.keeping.undo.push(.marked(state.here, old: state.keeping.marks[state.here], new: new))
    putMark(state.here, to: new)
    let step = "step \(grouped(state.here.step))"
    let (list, undo) = (state.key("'"), state.key("z"))
    switch new {
    case nil: say("There is no mark at \(step) any more; \(undo) undoes that.")
    case "": say("Marked \(step); \(list) lists marks, \(undo) undoes it.")
    default: say("Noted at \(step); \(list) lists marks, \(undo) undoes it.")
    }
  }

  mutating func putMark(_ position: Position, to note: String?) {
    state.keeping.marks[position] = note
    save(.saveMark(position, note))
  }

  mutating func nextMark(_ direction: Search.Direction) {
    let steps = state.keeping.marks.keys.filter { $0.branch == state.here.branch }.map(\.step)
      .sorted()
    if let next = steps.next(direction, of: state.here.step) {
      go(toHit: next.hit, direction)
    } else {
      let undo = state.keeping.undo.done.isEmpty ? "" : " \(state.key("z")) undoes a change."
      say("No marks yet: \(state.key("m")) marks a step.\(undo)")
    }
  }

  // MARK: Taking back

  mutating func undo(isRedo: Bool = false) {
    let again = isRedo ? "\(state.key("z")) undoes it" : "\(state.key("Z")) redoes it"
    guard let change = state.keeping.undo.pop(isRedo: isRedo) else {
      let word = isRedo ? "redo" : "undo"
      // After an accidental second undo, name the first one.
      guard let last = state.keeping.undo.last(isRedo: isRedo) else {
        return say("Nothing to \(word).")
      }
      return say("Nothing more to \(word). \(last.words(in: state)): \(again).")
    }
    let words = change.words(in: state)
    say("\(words) \(isRedo ? "is done again" : "was taken back"); \(again).")
    switch change {
    case .marked(let position, let old, let new): putMark(position, to: isRedo ? new : old)
    case .forked(let fork, let script, _) where isRedo:
      run(fork, script)
      state.forks.remark = "\(words) is there again, \(again)"
    case .forked(let fork, _, let left):
      removeFork(fork)
      state.go(to: left, isJump: false)
    case .deleted(let forks) where isRedo: if let first = forks.first { removeFork(first.id) }
    case .deleted(let forks):
      restore(forks)
      state.forks.remark = "\(words) was taken back, \(again)"
    case .edited(let fork, let old, let new, let step):
      rerun(fork, by: isRedo ? new : old, showing: step)
      state.forks.remark =
        "The \(isRedo ? "change is done again" : "last change was taken back"), \(again)"
    case .renamed(let fork, let old, let new): putName(isRedo ? new : old, on: fork)
    case .noted(let fork, let old, let new): putNote(isRedo ? new : old, on: fork)
    }
  }
}
