import Platform
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
  /// This fork runs again: then you read what became of its bug.
  var asksAgain: BranchID?
  /// The run that searches were last started for because it was new.
  var asked: (branch: BranchID, run: Int)?

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

  func forkLine() -> ForkLine {
    var line = ForkLine(at: state.here)
    line.enter = state.key("Enter", in: KeyTable.prompt)
    if let moment = state.moment { line.fill(from: moment) }
    return line
  }

  private func attachLines() -> [String] {
    let command = state.session.hostedCommand
    let loads = state.session.isOfJavaScript || state.session.hasTypes
    let lines = [
      "A fork runs your reducer in a process of its own: the host.",
      (loads ? "Type :reducer FILE here. Or leave" : "Leave")
        + " with \(state.key("q", in: KeyTable.program)) and open the session again with it:",
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

  /// Returns the new fork, or the one that has these edits already.
  @discardableResult
  mutating func runNew(_ id: BranchID, _ script: Script) -> BranchID {
    if let same = state.branches.first(where: { $0.script == script }) {
      showSame(same)
      return same.id
    }
    state.keeping.undo.push(.forked(id, script, left: state.here))
    run(id, script)
    return id
  }

  /// Goes to the fork that has these edits already.
  mutating func showSame(_ fork: Branch) {
    guard let index = state.branches.firstIndex(where: { $0.id == fork.id }) else {
      return impossible("the fork was found among the branches")
    }
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
    let isTaken = state.branches.contains { $0.name == name }
    return SavedBranch.problem(withName: name)
      ?? (isTaken ? "there is a branch “\(name)” already" : nil)
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

  private mutating func replaceAction() {
    guard state.here.step > state.session.steps.lowerBound else {
      return say("No action led here; \(state.key("=")) on a value of State sets it.")
    }
    guard let step = state.moment?.step else { return }
    openForkLine(
      "replace ", value: TypedAction.text(step.action, label: step.label, like: step.action))
  }

  private mutating func setValue() {
    guard let path = state.view.row?.path else { return say("No value is under the cursor.") }
    guard let root = state.moment?.state, path.value(in: root) != nil else {
      return say("\(path.text) does not exist after this step, so it cannot be set.")
    }
    let known = [path.text, "state.\(path.text)"].first { TypedPlace.path($0, in: root) == path }
    let place = path.isRoot ? "state" : known ?? "\(path.pointer)"
    let value = TypedPlace.path(place, in: root)?.value(in: root)
    openForkLine("set \(place)=", value: value?.text() ?? "")
  }

  private mutating func changeRead() {
    guard let parts = state.view.row?.path?.parts, parts.count > 1,
      case .index(let index) = parts[1], let reads = state.moment?.step.reads
    else { return say("No read is under the cursor.") }
    guard parts[0] == .key(PaneWriter.inReducer) else {
      return say(
        "You cannot change what an effect read. \(state.key("a")) answers the effect, "
          + "\(state.key("=")) in Action changes its action.")
    }
    guard reads.indices.contains(index) else { return }
    let read = reads[index]
    let earlier = reads[..<index].count { $0.key == read.key }
    openForkLine(
      "\(read.outcome.isError ? "throw" : "read") \(read.key)\(earlier > 0 ? "[\(earlier)]" : "")=",
      value: read.outcome.content.text())
  }

  /// The step before the fork's first doubt that an answer settles.
  private var stepToAnswer: Int? {
    state.branch.report?.assumptions.first { !$0.kind.values.areKnown && $0.effect != nil }
      .map { $0.step - 1 }
  }

  /// Opens the line for an effect in flight: the given one, the one the step depends on, or the
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
    let span = inFlight[index]
    guard !state.session.isForeign else {
      var line = forkLine()
      return openForkLine("\(line.answerByAction(span).rawValue) ", in: line)
    }
    let name = EffectChoice(span).typedName(among: inFlight.map { EffectChoice($0) })
    openForkLine("answer \(name) ")
  }
}
