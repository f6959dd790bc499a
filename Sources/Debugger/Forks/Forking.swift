import SessionFile
import SessionWords
import TextCanvas
import TimeTravel

struct ForkRuns: Sendable {
  var running: BranchID?
  var toRun: [BranchID] = []
  var changing: BranchID?
  var changingWords: String?
  var remark: String?
  /// The recorded step whose answer the fork that runs uses.
  var stepOfAnswer: Int?
  /// Whether the last key skipped a step: the same key then undoes that.
  var justSkipped = false
  /// The fork to show once it has this step (nil: a step of its own), unless you leave the place
  /// first.
  var toShow: (fork: BranchID, step: Int?, leaving: Position)?
  /// Whether the menu of `f` makes a new fork, where it could change this one.
  var makesNew = false
  var compared: BranchID?
  var beside: SideBySide?

  var busy: BranchID? { running ?? changing }
}

extension DebuggerState {
  /// The fork that has to run before a report is written.
  var forkForReport: Branch? {
    guard keeping.exporting != nil else { return nil }
    return branches.first { $0.progress == .running && $0.id != forks.running }
  }

  mutating func showFork(_ id: BranchID, at step: Int? = nil) { forks.toShow = (id, step, here) }
}

extension DebuggerUpdate {
  mutating func runFork(_ id: BranchID, showing step: Int? = nil) {
    state[branch: id]?.progress = .running
    state.forks.running = id
    state.showFork(id, at: step)
    effects.append(.runFork(id))
  }

  mutating func mayFork() -> Bool {
    if state.host.status == .none {
      let lines = attachLines().map { ListLine($0) }
      state.overlay = .list(.text(title: "a fork needs the app's reducer", lines))
    } else if !state.session.canReplay {
      say("This session can only be browsed, not forked.", .warning)
    } else if state.reading.life == .ended {
      say("The file has changed since it was opened. \(state.key("R")) opens it again.", .warning)
    } else if let running = state.forks.running {
      sayRuns(running)
    } else {
      return true
    }
    return false
  }

  mutating func sayRuns(_ fork: BranchID) {
    say("“\(state.name(of: fork))” is still running; Ctrl-C stops it.", .warning)
  }

  func form() -> ForkForm {
    var form = ForkForm(at: state.here, name: freeName())
    if state.here.step == state.session.steps.lowerBound { form.changes = [.insert] }
    form.enter = state.key("Enter", in: KeyTable.form)
    form.pickKeys = state.input.keys.words("`↑` `↓`", in: [KeyTable.form])
    if let moment = state.moment { form.fill(from: moment) }
    if state.session.isForeign { form.changes.removeAll { $0 == .answer } }
    return form
  }

  mutating func open(_ form: ForkForm) {
    state.form = form
    send(.form(.opened))
  }

  mutating func renewForm() {
    if case .list(.menu, _)? = state.overlay {} else { state.offers = nil }
    let names = Set(state.branches.map(\.name))
    state.form?.takenNames = names
  }

  private func attachLines() -> [String] {
    let command = state.session.hostedCommand
    let lines = [
      "A fork runs your reducer in a process of its own: the host.",
      "Leave with \(state.key("q", in: KeyTable.program)) and open the session again with it:",
      "",
      "  \(command)",
      "",
    ]
    let file = "FILE.js exports the reducer: as its default, or by the name in FILE.js#NAME."
    guard !state.session.isOfJavaScript else { return lines + [file] }
    guard !state.session.hasTypes else {
      return lines + [
        file, "A reducer in another language needs --host COMMAND: docs/hosts.md tells how.",
      ]
    }
    guard !state.session.isForeign else {
      return lines + [
        "COMMAND is a program around the reducer: `retcon host --write python` writes one,",
        "and docs/hosts.md tells how to write it in another language.",
      ]
    }
    return lines + [
      "Or give your app Retcon's command line; then it is its own host:",
      "",
      "  await RetconCommand.main(hosting: AppFeature())",
    ]
  }

  func freeName() -> String {
    SavedBranch.freeName(like: "fork 1", besides: Set(state.branches.map(\.name)))
  }

  mutating func composeForm() {
    guard let form = state.form else { return }
    effects.append(
      .output(.compose(form.text.text, name: form.isJSON ? "value.json" : "value.txt")))
  }

  mutating func takeForm(_ action: ForkFormFeature.Action) {
    if case .failed(let sentence) = action { say(sentence, .warning) }
    guard let form = state.form, let edits = form.decided else { return }
    state.overlay = nil
    state.forks.stepOfAnswer = form.stepOfAnswer
    guard form.isNew else {
      state.forks.changing = form.position.branch
      return effects.append(.change(edits, at: form.position, newFork: nil))
    }
    let script = Script(making: edits, at: form.position, rest: form.rest)
    runNew(state.branches.freeID(for: form.name.text), script)
  }

  /// Returns the new fork, or the one that has these edits already.
  @discardableResult
  mutating func runNew(_ id: BranchID, _ script: Script) -> BranchID {
    if let same = state.branches.first(where: { $0.script == script }) {
      showSame(same)
      return same.id
    }
    state.keeping.undo.note(.forked(id, script, left: state.here))
    run(id, script)
    return id
  }

  /// Goes to the fork that has these edits already.
  mutating func showSame(_ fork: Branch) {
    guard let index = state.branches.firstIndex(where: { $0.id == fork.id }) else { return }
    look(at: .branch(index))
    if !fork.isNotRun { say("“\(fork.name)” has the same change, so there is no new fork.") }
  }

  mutating func run(_ id: BranchID, _ script: Script, showing step: Int? = nil) {
    state.forks.running = id
    state.showFork(id, at: step)
    state.message = nil
    save(.addFork(id, script))
  }

  func problem(withName name: String) -> String? {
    ForkForm.problem(withName: name, taken: Set(state.branches.map(\.name)))
  }

  // MARK: Changing the thing under the cursor

  /// `=` changes the thing under the cursor: a value of the state, a read, an effect, or the
  /// action.
  mutating func changeHere() {
    guard state.paneSet.focus == .pane else { return replaceAction() }
    switch state.pane {
    case .diff, .state, .watch, .compare: setValue()
    case .action: replaceAction()
    case .reads: changeRead()
    case .effects: answer(state.view.row?.effect)
    }
  }

  mutating func change(_ fill: (inout ForkForm) -> Void) {
    guard mayFork() else { return }
    var form = form()
    form.isNew = !form.canChange || state.forks.makesNew
    fill(&form)
    open(form)
  }

  private mutating func replaceAction() {
    guard state.here.step > state.session.steps.lowerBound else {
      return say("No action led here; \(state.key("=")) on a value of State sets it.")
    }
    guard let moment = state.moment else { return }
    change { form in
      form.change = .replace
      form.text.replace(with: moment.step.action.text())
      form.field = .text
    }
  }

  private mutating func setValue() {
    guard let path = state.view.row?.path else { return say("No value is under the cursor.") }
    guard let value = state.moment?.state.flatMap(path.value(in:)) else {
      return say("\(path.text) does not exist after this step, so it cannot be set.")
    }
    change { form in
      form.path = path
      form.part.replace(with: path.text)
      form.oldValue = value
      form.choose(.set)
      form.field = .text
    }
  }

  private mutating func changeRead() {
    guard let parts = state.view.row?.path?.parts, parts.count > 1,
      case .index(let index) = parts[1]
    else { return say("No read is under the cursor.") }
    guard parts[0] == .key(PaneWriter.inReducer) else {
      return say(
        "You cannot change what an effect read. \(state.key("a")) answers the effect, "
          + "\(state.key("=")) in Action changes its action.")
    }
    change { form in
      form.change = .read
      form.chooseRead(index)
      form.field = .text
    }
  }

  /// The step before the fork's first doubt that an answer settles.
  private var stepToAnswer: Int? {
    state.branch.report?.assumptions.first { !$0.kind.values.areKnown && $0.effect != nil }
      .map { $0.step - 1 }
  }

  /// Opens the form for an effect in flight: the given one, the one the step depends on, or the
  /// first.
  mutating func answer(_ effect: EffectID?) {
    let inFlight = state.inFlight
    let open = state.moment?.assumptions.compactMap(\.effect) ?? []
    guard
      let index = effect.map({ number in inFlight.firstIndex { $0.number == number } })
        ?? inFlight.firstIndex(where: { open.contains($0.number) }) ?? 0,
      inFlight.indices.contains(index)
    else {
      if effect == nil, let step = stepToAnswer, step != state.here.step {
        state.go(to: step)
        return state.input.waiting.wait(with: [.key(.character("a"))], until: .momentIsThere)
      }
      return say(
        effect == nil
          ? "No effect is in flight after this step."
          : "This effect has ended here: go to a step where it is in flight.")
    }
    let isForeign = state.session.isForeign
    change { form in
      if isForeign {
        form.answerByAction(inFlight[index])
      } else {
        form.effect = index
        form.change = .answer
      }
      form.field = .template
    }
  }
}
