import SessionLog
import TextCanvas
import TimeTravel

extension DebuggerFeature {
  static func openForkForm(_ state: inout DebuggerState, _ work: inout [Work]) {
    guard mayFork(&state) else { return }
    open(form(state), &state, &work)
  }

  /// Whether a fork can be made now; says why where it cannot.
  static func mayFork(_ state: inout DebuggerState) -> Bool {
    if state.host == .none {
      state.overlay = .text(
        title: "a fork needs the app's reducer", lines: attachLines(state), top: 0)
    } else if !state.session.canReplay {
      state.message = Message("This session is for browsing only: it cannot be forked.", .warning)
    } else if let running = state.runningFork {
      state.message = Message("“\(running)” is still running; Ctrl-C stops it.", .warning)
    } else {
      return true
    }
    return false
  }

  /// A form with all that is known here.
  static func form(_ state: DebuggerState) -> ForkForm {
    var form = ForkForm(at: state.here, name: freeName(state))
    if state.here.step == state.session.steps.lowerBound { form.changes = [.insert] }
    if let moment = state.moment { form.fill(from: moment) }
    return form
  }

  static func open(_ form: ForkForm, _ state: inout DebuggerState, _ work: inout [Work]) {
    state.overlay = .fork(form)
    work += [.findTemplates(state.here), .findPending(state.here)]
  }

  /// The exact command that attaches a host.
  private static func attachLines(_ state: DebuggerState) -> [String] {
    let command = state.session.hostedCommand
    let lines = [
      "A fork runs your reducer in a process of its own: the host.",
      "Leave with q and open the session again with it:",
      "",
      "  \(command)",
      "",
    ]
    guard !state.session.isOfRedux else {
      return lines + [
        "FILE.js exports the reducer: as its default, or by the name in FILE.js#NAME."
      ]
    }
    return lines + [
      "Or give your app Retcon's command line; then it is its own host:",
      "",
      "  await RetconCommand.main(hosting: AppFeature())",
    ]
  }

  static func freeName(_ state: DebuggerState) -> String {
    let names = Set(state.branches.map(\.name))
    let numbers = (1...names.count + 1).lazy.map { "fork \($0)" }
    return numbers.first { !names.contains($0) } ?? "fork"
  }

  static func handleFork(
    _ key: Key, _ form: ForkForm, _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    var form = form
    switch key {
    case .escape:
      state.overlay = nil
      work.append(.stopAsking)
      return
    case .control("o"):
      work.append(.output(.compose(form.text.text, name: form.isJSON ? "value.json" : "value.txt")))
    case .enter:
      if form.field == .template, form.text.text.isEmpty { form.takeOffer() }
      if let change = form.wantedChange(), !form.isNew || isFree(form.name.text, &form, state) {
        state.overlay = nil
        work.append(.stopAsking)
        guard form.isNew else {
          state.changingFork = form.position.branch
          work.append(.change(change, at: form.position, newFork: nil))
          return
        }
        let script = Script(changing: change, at: form.position, rest: form.rest)
        state.undo.note(.forked(name: form.name.text, script, left: state.here))
        run(form.name.text, script, &state, &work)
        return
      }
    default: form.handle(key)
    }
    state.overlay = .fork(form)
  }

  private static func isFree(
    _ name: String, _ form: inout ForkForm, _ state: DebuggerState
  ) -> Bool {
    form.problem = problem(withName: name, state)
    if form.problem != nil { form.field = .name }
    return form.problem == nil
  }

  static func run(
    _ name: String, _ script: Script, _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    state.runningFork = name
    state.forkToShow = (name, nil)
    state.message = nil
    work.append(.fork(name, script))
  }

  static func problem(withName name: String, _ state: DebuggerState) -> String? {
    if name.allSatisfy({ $0 == " " }) { return "the fork needs a name" }
    if name.contains("/") || name.contains("@") {
      return "a name cannot hold / or @: positions are written file@branch/step"
    }
    if state.branches.contains(where: { $0.name == name }) {
      return "there is a branch “\(name)” already"
    }
    return nil
  }
}
