import SessionLog
import TextCanvas
import TimeTravel

extension Reaction {
  /// `=` makes what is under the cursor something else: a value of the state, what a dependency gave,
  /// what an effect does, or the action.
  mutating func changeHere() {
    guard state.focus == .pane else { return replaceAction() }
    switch state.pane {
    case .diff, .state, .watch, .compare: setValue()
    case .action: replaceAction()
    case .reads: changeRead()
    case .effects: answer(state.view.row?.effect)
    }
  }

  private mutating func replaceAction() {
    guard state.here.step > state.session.steps.lowerBound else {
      return say("No action led here; = on a value of State sets it.")
    }
    guard mayFork(), let moment = state.moment else { return }
    var form = form()
    form.isNew = !form.canChange
    form.change = .replace
    form.text.replace(with: moment.step.action.text())
    form.field = .text
    open(form)
  }

  private mutating func setValue() {
    guard let path = state.view.row?.path else { return say("No value stands under the cursor.") }
    guard let value = state.moment?.state.flatMap(path.value(in:)) else {
      return say("\(path.text) is not there after this step, so it cannot be set.")
    }
    guard mayFork() else { return }
    var form = form()
    form.isNew = !form.canChange
    form.path = path
    form.oldValue = value
    form.changes.append(.set)
    form.choose(.set)
    form.field = .text
    open(form)
  }

  private mutating func changeRead() {
    guard let parts = state.view.row?.path?.parts, parts.count > 1,
      case .index(let index) = parts[1]
    else { return say("No read stands under the cursor.") }
    guard parts[0] == .key(ReadsPane.inReducer) else {
      return say(
        "What an effect read is only shown; a answers the effect instead, = in Action the action.")
    }
    guard mayFork() else { return }
    var form = form()
    form.isNew = !form.canChange
    form.change = .read
    form.chooseRead(index)
    form.field = .text
    open(form)
  }

  /// Opens the form for an effect in flight; without one, for the first there is.
  mutating func answer(_ effect: Int?) {
    let inFlight = state.moment?.inFlight ?? []
    guard let index = effect.map({ number in inFlight.firstIndex { $0.number == number } }) ?? 0,
      inFlight.indices.contains(index)
    else {
      return say(
        effect == nil
          ? "No effect is in flight after this step."
          : "This effect has ended here: go to a step where it is in flight.")
    }
    guard mayFork() else { return }
    var form = form()
    form.isNew = !form.canChange
    form.effect = index
    form.change = .answer
    form.field = .template
    open(form)
  }
}
