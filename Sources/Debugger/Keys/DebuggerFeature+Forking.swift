import SessionLog
import TextCanvas
import TimeTravel

extension DebuggerFeature {
  static func openForkForm(_ state: inout DebuggerState, _ work: inout [Work]) {
    guard state.host != .none else {
      state.overlay = .text(
        title: "a fork needs the app's reducer", lines: attachLines(state), top: 0)
      return
    }
    guard state.session.canReplay else {
      state.message = Message("This session is for browsing only: it cannot be forked.", .warning)
      return
    }
    if let running = state.runningFork {
      state.message = Message("“\(running)” is still running; Ctrl-C stops it.", .warning)
      return
    }
    state.overlay = .fork(ForkForm(at: state.here, name: freeName(state)))
    work.append(.findTemplates(state.here))
  }

  /// The exact command that attaches a host.
  private static func attachLines(_ state: DebuggerState) -> [String] {
    [
      "A fork runs your reducer in a process of its own: the host.",
      "Leave with q and open the session again with it:",
      "",
      "  retcon \(state.session.name) --host .build/debug/\(state.session.app ?? "App")Host",
      "",
      "Or give your app Retcon's command line; then it is its own host:",
      "",
      "  try await RetconCommand.main(hosting: AppFeature())",
    ]
  }

  private static func freeName(_ state: DebuggerState) -> String {
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
      work.append(.stopTemplates)
      return
    case .enter:
      if form.field == .template, form.action.text.isEmpty { form.takeTemplate() }
      if let script = form.script(), isFree(form.name.text, &form, state) {
        state.overlay = nil
        work.append(.stopTemplates)
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
    if name.allSatisfy({ $0 == " " }) {
      form.problem = "the fork needs a name"
    } else if name.contains("/") || name.contains("@") {
      form.problem = "a name cannot hold / or @: positions are written file@branch/step"
    } else if state.branches.contains(where: { $0.name == name }) {
      form.problem = "there is a branch “\(name)” already"
    } else {
      return true
    }
    form.field = .name
    return false
  }

  static func run(
    _ name: String, _ script: Script, _ state: inout DebuggerState, _ work: inout [Work]
  ) {
    state.runningFork = name
    state.forkToShow = name
    state.message = nil
    work.append(.fork(name, script))
  }
}

extension ForkForm {
  /// A key that is not Enter or Escape.
  mutating func handle(_ key: Key) {
    switch key {
    case .tab: move(by: 1)
    case .backTab: move(by: -1)
    case .up, .control("p"): pick(by: -1)
    case .down, .control("n"): pick(by: 1)
    default: type(key)
    }
  }

  /// In the list, another template; elsewhere, another field.
  private mutating func pick(by offset: Int) {
    guard field == .template else { return move(by: offset) }
    let count = shownTemplates.count
    guard count > 0 else { return }
    selected = min(max(selected + offset, 0), count - 1)
    takeTemplate()
  }

  private mutating func type(_ key: Key) {
    switch field {
    case .name: _ = name.handle(key)
    case .action:
      if action.handle(key) {
        problem = nil
        problemPlace = nil
      }
    case .template:
      let before = filter.text
      if filter.handle(key), filter.text != before {
        selected = 0
        takeTemplate()
      }
    case .change: turn(key) { $0.change = $0.change.next(by: $1) }
    case .rest: turn(key) { form, _ in form.rest = form.rest == .rerun ? .nothing : .rerun }
    }
  }

  private mutating func turn(_ key: Key, _ change: (inout ForkForm, Int) -> Void) {
    switch key {
    case .right, .character(" "), .character("l"): change(&self, 1)
    case .left, .character("h"): change(&self, -1)
    default: break
    }
  }

  mutating func paste(_ text: String) {
    switch field {
    case .name: name.insert(text)
    case .action: action.insert(text)
    case .template: filter.insert(text)
    case .change, .rest: break
    }
  }
}

extension ForkForm.Change {
  fileprivate func next(by offset: Int) -> Self {
    let all = Self.allCases
    let index = all.firstIndex(of: self) ?? 0
    return all[(index + offset + all.count) % all.count]
  }
}
