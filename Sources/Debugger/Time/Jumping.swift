import SessionWords
import TextCanvas
import TimeTravel

extension Reaction {
  mutating func goBack() {
    guard let position = state.travel.history.goBack(from: state.here) else { return }
    state.go(to: position, isJump: false)
  }

  mutating func goForward() {
    guard let position = state.travel.history.goForward(from: state.here) else { return }
    state.go(to: position, isJump: false)
  }

  // MARK: The same again

  private mutating func find(_ finder: StepFinder, _ direction: Search.Direction) {
    state.searches.finding = (direction == .forward ? "next " : "previous ") + finder.words
    work.append(.find(finder, from: state.here, direction))
  }

  mutating func sameEffect(_ direction: Search.Direction) {
    let row = state.reading.pages[state.here.branch, state.here.step]
    if case .effect(let effect)? = row?.cause {
      find(.effect(effect), direction)
    } else if let started = state.moment?.effects.first(where: {
      $0.origin.step == state.here.step
    }) {
      find(.effect(started.number), direction)
    } else {
      say("No effect sent this action, and it started none.")
    }
  }

  mutating func find(label: String) { find(.label(label), .forward) }

  /// What the user did, without what came of it.
  mutating func nextOfUser(_ direction: Search.Direction) { find(.user, direction) }

  /// In the pane the value under the cursor, in the list the label.
  mutating func sameThing(_ direction: Search.Direction) {
    if state.paneSet.focus == .pane, [.diff, .state, .compare].contains(state.pane) {
      guard let path = state.view.row?.path else { return say("No value stands under the cursor.") }
      find(.change(path), direction)
    } else if let label = state.reading.pages[state.here.branch, state.here.step]?.label {
      find(.label(label), direction)
    }
  }

  mutating func toCause() {
    guard let moment = state.moment else { return }
    switch moment.step.cause {
    case .user: say("The user sent this action.")
    case .output(let step): state.go(to: step)
    case .effect(let number):
      guard let effect = moment.effects.first(where: { $0.number == number }) else {
        return say("The recording does not tell where \(EffectEvent.words(number)) started.")
      }
      state.go(to: effect.origin.step)
    }
  }

  // MARK: Other branches

  /// Sets another branch beside the fork.
  mutating func compareWithNext() {
    guard !state.branch.isMain else { return lookAtFork() }
    let others = state.branches.filter { $0.name != state.here.branch && !$0.isNotRun }
    let index = others.firstIndex { $0.name == state.otherBranch } ?? -1
    guard !others.isEmpty else { return }
    state.forks.compared = others[(index + 1) % others.count].name
    state.reading.renewMoments(of: state.here.branch)
    state.show(.compare)
    state.paneSet.forget()
    say("Compared with “\(state.forks.compared ?? "")”.")
  }

  /// From the recording to the fork that was made last, beside it.
  private mutating func lookAtFork() {
    guard let fork = state.branches.indices.last, fork > 0 else {
      return say("There is no fork yet to compare with: \(state.key("f")) makes one.")
    }
    look(at: .branch(fork))
    guard !state.branch.isMain else { return }
    state.show(.compare)
    say(
      "“\(state.branch.name)” beside \(state.otherBranch ?? Branch.main); \(state.key("[")) goes back."
    )
  }

  mutating func toFirstDifference() {
    guard let other = state.otherBranch else {
      return say(
        "\(state.key("D")) goes to where a fork differs from another branch: \(state.key("B")) lists them."
      )
    }
    state.show(.compare)
    state.searches.finding = "step that differs from “\(other)”"
    work.append(.findDifference(of: state.here.branch, with: other))
  }

  // MARK: Marks

  mutating func askForMark() { state.prompt = Prompt(.note, state.keeping.marks[state.here] ?? "") }

  mutating func setMark(_ new: String?) {
    state.keeping.undo.note(.marked(state.here, old: state.keeping.marks[state.here], new: new))
    putMark(state.here, to: new)
    let step = "step \(grouped(state.here.step))"
    let (list, undo) = (state.key("'"), state.key("z"))
    switch new {
    case nil: say("There is no mark at \(step) any more; \(undo) takes that back.")
    case "": say("A mark stands at \(step); \(list) lists them, \(undo) takes it back.")
    default: say("The note stands at \(step); \(list) lists them, \(undo) takes it back.")
    }
  }

  mutating func putMark(_ position: Position, to note: String?) {
    state.keeping.marks[position] = note
    work.append(.saveMark(position, note))
  }

  mutating func nextMark(_ direction: Search.Direction) {
    let steps = state.keeping.marks.keys.filter { $0.branch == state.here.branch }.map(\.step)
      .sorted()
    let here = state.here.step
    let next =
      direction == .forward
      ? steps.first { $0 > here } ?? steps.first : steps.last { $0 < here } ?? steps.last
    if let next {
      state.go(to: next)
    } else {
      say("No marks yet: \(state.key("m")) marks a step.")
    }
  }

  // MARK: Taking back

  mutating func undo() {
    guard let change = state.keeping.undo.takeDone() else { return say("Nothing to undo.") }
    say("\(change.words) was taken back; \(state.key("Z")) does it again.")
    switch change {
    case .marked(let position, let old, _): putMark(position, to: old)
    case .forked(let name, _, let left):
      removeFork(name)
      state.go(to: left, isJump: false)
    case .deleted(let saved): restore(saved)
    case .edited(let name, let old, _, let step):
      rerun(name, by: old, showing: step)
      state.forks.remark = "The last change was taken back, \(state.key("Z")) does it again"
    case .renamed(let old, let new): putName(old, on: new)
    case .noted(let name, let old, _): putNote(old, on: name)
    }
  }

  mutating func redo() {
    guard let change = state.keeping.undo.takeUndone() else { return say("Nothing to redo.") }
    say("\(change.words) is done again; \(state.key("z")) takes it back.")
    switch change {
    case .marked(let position, _, let new): putMark(position, to: new)
    case .forked(let name, let script, _): run(name, script)
    case .deleted(let saved):
      if let first = saved.first { removeFork(first.name) }
    case .edited(let name, _, let new, let step):
      rerun(name, by: new, showing: step)
      state.forks.remark = "The change is done again, \(state.key("z")) takes it back"
    case .renamed(let old, let new): putName(new, on: old)
    case .noted(let name, _, let new): putNote(new, on: name)
    }
  }
}
