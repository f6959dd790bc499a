import SessionLog
import TextCanvas
import TimeTravel

extension DebuggerFeature {
  /// `=` makes what is under the cursor something else: a value of the state, what a dependency gave,
  /// what an effect does, or the action.
  static func changeHere(_ state: inout DebuggerState, _ work: inout [Work]) {
    guard state.focus == .pane else { return replaceAction(&state, &work) }
    switch state.pane {
    case .diff, .state, .watch, .compare: setValue(&state, &work)
    case .action: replaceAction(&state, &work)
    case .reads: changeRead(&state, &work)
    case .effects: answer(state.view.row?.effect, &state, &work)
    }
  }

  private static func replaceAction(_ state: inout DebuggerState, _ work: inout [Work]) {
    guard state.here.step > state.session.steps.lowerBound else {
      state.message = Message("No action led here; = on a value of State sets it.")
      return
    }
    guard mayFork(&state), let moment = state.moment else { return }
    var form = form(state)
    form.isNew = !form.canChange
    form.change = .replace
    form.text.replace(with: moment.step.action.text())
    form.field = .text
    open(form, &state, &work)
  }

  private static func setValue(_ state: inout DebuggerState, _ work: inout [Work]) {
    guard let path = state.view.row?.path else {
      state.message = Message("No value stands under the cursor.")
      return
    }
    guard let value = state.moment?.state.flatMap(path.value(in:)) else {
      state.message = Message("\(path.text) is not there after this step, so it cannot be set.")
      return
    }
    guard mayFork(&state) else { return }
    var form = form(state)
    form.isNew = !form.canChange
    form.path = path
    form.oldValue = value
    form.changes.append(.set)
    form.choose(.set)
    form.field = .text
    open(form, &state, &work)
  }

  private static func changeRead(_ state: inout DebuggerState, _ work: inout [Work]) {
    guard let parts = state.view.row?.path?.parts, parts.count > 1,
      case .index(let index) = parts[1]
    else {
      state.message = Message("No read stands under the cursor.")
      return
    }
    guard parts[0] == .key(ReadsPane.inReducer) else {
      state.message = Message(
        "What an effect read is only shown; a answers the effect instead, = in Action the action.")
      return
    }
    guard mayFork(&state) else { return }
    var form = form(state)
    form.isNew = !form.canChange
    form.change = .read
    form.chooseRead(index)
    form.field = .text
    open(form, &state, &work)
  }

  /// Opens the form for an effect in flight; without one, for the first there is.
  static func answer(
    _ effect: Int?, _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    let inFlight = state.moment?.inFlight ?? []
    guard let index = effect.map({ number in inFlight.firstIndex { $0.number == number } }) ?? 0,
      inFlight.indices.contains(index)
    else {
      state.message = Message(
        effect == nil
          ? "No effect is in flight after this step."
          : "This effect has ended here: go to a step where it is in flight.")
      return
    }
    guard mayFork(&state) else { return }
    var form = form(state)
    form.isNew = !form.canChange
    form.effect = index
    form.change = .answer
    form.field = .template
    open(form, &state, &work)
  }
}
