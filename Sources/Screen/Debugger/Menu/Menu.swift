import SessionWords
import TextCanvas
import TimeTravel

/// A choice of actions with one key each: what a fork can change here, or what the right button
/// offers.
enum Menu: Sendable, Hashable {
  case fork
  case here(Point)
}

extension DebuggerState {
  func items(of menu: Menu) -> [Hint] {
    switch menu {
    case .fork:
      KeyTable.forking.bindings.compactMap { binding in
        guard let key = binding.keys.first, let words = words(forking: key) else { return nil }
        return Hint(text: binding.short ?? "", key: key, words: words)
      }
    case .here: whatFits
    }
  }

  /// Every fork from here runs them again.
  fileprivate var laterSteps: Int { branch.steps.upperBound - here.step }

  /// The effect of a choice at this place, in words; nil if it has none.
  private func words(forking key: Key) -> String? {
    let isStart = here.step <= session.steps.lowerBound
    let label = row?.label ?? moment?.step.label ?? ""
    switch key {
    case .character("c"), .character("n"):
      guard !branch.isMain else { return nil }
      return forks.makesNew == (key == .character("n")) ? "● chosen" : "○"
    case .character("x"): return isStart ? nil : "without \(label)"
    case .character("e"): return words(of: .fails) ?? answer(isFailure: true)
    case .character("l"): return words(of: .late)
    case .character("w"): return words(of: .otherOrder)
    case .character("d"): return words(of: .lost)
    case .character("s"): return answer(isFailure: false)
    case .character("i"): return "after this step"
    case .character("r"): return isStart ? nil : "another action for \(label)"
    case .character("="): return moment?.state == nil ? nil : "in the state after this step"
    case .character("a"): return inFlight.first.map { "what \($0.name) does next, or how it ends" }
    case .character("o"):
      return laterSteps > 0 ? "the later steps, unchanged" : nil
    default: return nil
    }
  }

  fileprivate func outsideChange(_ kind: OutsideChange.Kind) -> OutsideChange? {
    moment?.outsideChanges.first { $0.kind == kind }
  }

  private func words(of kind: OutsideChange.Kind) -> String? {
    outsideChange(kind).map { "\(moment?.step.label ?? "") \($0.words)" }
  }

  /// The opposite of an answer; nil if it is known that the app has none.
  private func answer(isFailure: Bool) -> String? {
    guard let name = answered(isFailure: isFailure) else { return nil }
    let thing = isFailure ? "failure" : "answer"
    guard var line = forkLine else { return nil }
    fill(&line, isFailure: isFailure)
    if let choice = line.choices.first {
      let source = choice.step.map { "the \(thing) of step \(grouped($0))" } ?? "an example"
      return "\(name) gives \(source)"
    }
    let isKnown = !line.isSearching && !(line.words.known == .answer && line.isAsking)
    return isKnown ? nil : isFailure ? "\(name) gives a failure" : "\(name) gives its result"
  }

  /// The name of the effect whose answer can be the opposite of what it was.
  private func answered(isFailure: Bool) -> String? {
    if let effect = answeringEffect(isFailure: isFailure) { return effect.name }
    guard let effect = effectToAnswer, effect.end == nil || effect.answersFailure != isFailure
    else { return nil }
    return effect.name
  }

  /// The effect that sent this step's action, if that can fail or succeed instead.
  func answeringEffect(isFailure: Bool) -> EffectSpan? {
    guard let moment, case .effect(let number) = moment.step.cause,
      moment.step.carriesFailure != isFailure
    else { return nil }
    return moment.effects.first { $0.number == number }
  }

  /// The effect in flight that started here, or else any.
  var effectToAnswer: EffectSpan? {
    let inFlight = inFlight
    return inFlight.first { $0.origin.step == here.step } ?? inFlight.first
  }

  /// The effects in flight after this step: those of the host, once it has told them to the menu.
  var inFlight: [EffectSpan] {
    let inFlight = moment?.inFlight ?? []
    guard let forkLine, !forkLine.isAsking, forkLine.trouble == nil, !session.isForeign else {
      return inFlight
    }
    return inFlight.filter { span in forkLine.effects.contains { $0.number == span.number } }
  }

  /// Makes it look for the opposite of an answer.
  func fill(_ line: inout ForkLine, isFailure: Bool) {
    let sender = answeringEffect(isFailure: isFailure)
    let effect = effectToAnswer
    var like = sender == nil ? effect?.name ?? "" : moment?.step.label ?? ""
    var text = "replace "
    if sender == nil, session.isForeign, let effect {
      text = "\(line.answerByAction(effect).rawValue) "
      like += "/"
    } else if sender == nil, let effect {
      let choice = line.effects.first { $0.number == effect.number } ?? EffectChoice(effect)
      text = "answer \(choice.typedName(among: line.effects)) "
    }
    line.type("fork \(forks.makesNew ? "--new " : "")\(text)")
    line.wanted = ForkLine.Wanted(isFailure: isFailure, like: like)
    line.renew()
  }
}

extension KeyTable {
  /// The menu of `f`, in its order.
  static let forking = KeyMap<DebuggerUpdate>(
    "in the menu of f",
    [
      Binding("c", "change this fork", short: "change this fork") { $0.chooseFork(isNew: false) },
      Binding("n", "make a new fork from here", short: "a new fork from here") {
        $0.chooseFork(isNew: true)
      },
      Binding("x", "skip this step", short: "skip this step", needs: .fork) { $0.skipStep() },
      Binding("e", "fails instead: the answer is a failure of this app", short: "fails instead") {
        if !$0.change(.fails) { $0.answerInstead(isFailure: true) }
      },
      Binding("s", "succeeds instead", short: "succeeds instead") {
        $0.answerInstead(isFailure: false)
      },
      Binding("l", "answer this request after the user's next action", short: "answer it late") {
        _ = $0.change(.late)
      },
      Binding("w", "answer this request after the next one", short: "answer in the other order") {
        _ = $0.change(.otherOrder)
      },
      Binding("d", "lose this socket for 3 s, or this stream", short: "lose the socket") {
        _ = $0.change(.lost)
      },
      Binding("i", "send an action after this step", short: "send an action") {
        $0.sendAction()
      },
      Binding("r", "replace this step's action", short: "replace") { $0.openForkLine("replace ") },
      Binding("=", "set a value in the state", short: "set a value") {
        let isValue = [.diff, .state, .watch, .compare].contains($0.state.pane)
        if $0.state.paneSet.focus == .pane, isValue {
          $0.changeHere()
        } else {
          $0.openForkLine("set ")
        }
      },
      Binding("a", "answer an effect in flight", short: "answer an effect") { $0.answer(nil) },
      Binding("o", "run on from here: the later steps again, unchanged", short: "run on from here")
      {
        $0.runOn()
      },
    ])
}

extension DebuggerUpdate {
  mutating func openForkMenu() {
    guard mayFork() else { return }
    state.forks.makesNew = false
    state.overlay = .list(.menu(.fork))
    state.forkLine = forkLine()
    send(.forkLine(.opened))
  }

  /// The menu stays open for what to change.
  mutating func chooseFork(isNew: Bool) {
    state.forks.makesNew = isNew
    state.overlay = .list(.menu(.fork), at: isNew ? 1 : 0)
  }

  /// A key in a menu; one that the menu lacks closes it and means what it always does.
  mutating func press(_ key: Key, in menu: Menu) {
    state.overlay = nil
    defer { if state.overlay == nil { state.forks.makesNew = false } }
    let keys = [Key.character("f"), key].map { InputEvent.key($0) }
    if menu == .fork, state.moment == nil, "es=alwd".contains(where: { key == .character($0) }) {
      // The choices depend on data that is still being read.
      state.input.waiting.wait(with: keys, until: .momentIsThere)
    } else if menu == .fork, state.items(of: menu).contains(where: { $0.key == key }) {
      // A fork may have begun to run since the menu was opened.
      if mustWaitForFork() {
        state.input.waiting.wait(with: keys, until: .forkHasRun)
      } else {
        _ = KeyTable.forking.handle(key, &self)
      }
    } else if menu != .fork, key == .character("y") {
      copyValue()
    } else {
      pressInPanes(key)
    }
  }

  mutating func sendAction() {
    var line = forkLine()
    line.request = state.effectToAnswer?.origin.step
    openForkLine("send ", in: line)
  }

  /// Runs the fork at once if the app has such an answer; else the line asks for one.
  mutating func answerInstead(isFailure: Bool) {
    guard mayFork() else { return }
    var line = forkLine()
    // The fork uses the answer that the menu has named.
    if let offers = state.forkLine, offers.position == line.position, !state.session.isForeign {
      (line.templates, line.effects) = (offers.templates, offers.effects)
    }
    state.fill(&line, isFailure: isFailure)
    line.runsWhenFound = true
    state.forkLine = line
    send(.forkLine(.opened))
  }

  /// Makes a fork in which something else comes from outside; false if that is not possible here.
  mutating func change(_ kind: OutsideChange.Kind) -> Bool {
    guard let found = state.outsideChange(kind) else { return false }
    change(found.edits, "changed: it \(found.words)")
    return true
  }

  mutating func runOn() {
    guard mayFork() else { return }
    runFound(Script(parent: state.here.branch, leavesAt: state.here.step, edits: []))
  }
}

extension Painter {
  mutating func draw(_ menu: Menu, selected: Int) {
    let items = state.items(of: menu)
    let keys = state.input.keys
    let nameWidth = items.map { SafeText.width($0.text) }.max() ?? 0
    let lines = items.map { item in
      guard menu == .fork else { return [Span(item.text)] }
      let key = keys.name(for: item.key.name, in: [KeyTable.forking]) ?? item.key.name
      let gap = String(repeating: " ", count: nameWidth - SafeText.width(item.text) + 2)
      return [Span(key, .place), Span("  \(item.text)\(gap)"), Span(item.words, .quiet)]
    }
    guard case .here(let point) = menu else {
      let later = state.laterSteps
      let rest =
        later > 0 ? "; \(counted(later, "later step")) \(later == 1 ? "runs" : "run") again" : ""
      let title = "what if, at step \(grouped(state.here.step)) of \(state.branch.name)\(rest)"
      let width = min(canvas.size.width - 4, max(lines.width, SafeText.width(title) + 2, 60))
      return box(title, rows: lines.count, width: width) {
        $0.drawList(lines, selected: selected)
      }
    }
    let size = Size(width: lines.width + 4, height: lines.count + 2)
    let isBelow = point.row + 1 + size.height < canvas.size.height
    let frame = Rectangle(
      column: max(0, min(point.column, canvas.size.width - size.width)),
      row: isBelow ? point.row + 1 : max(0, point.row - size.height), width: size.width,
      height: size.height)
    box(frame, "here") { $0.drawList(lines, selected: selected) }
  }
}
