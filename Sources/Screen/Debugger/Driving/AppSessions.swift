import SessionWords
import StoreCore
import TextCanvas
import TimeTravel

/// The session of one store of a running app.
package struct AppSession: Sendable, Hashable {
  var id: String
  var name: String
  var steps: Int
  /// Why it has ended.
  var end: String?

  package init(id: String, name: String, steps: Int, end: String?) {
    (self.id, self.name, self.steps, self.end) = (id, name, steps, end)
  }
}

/// All sessions that are recorded now, and the one that is open.
package struct AppSessions: Sendable {
  var open: String
  var all: @Sendable () -> [AppSession]
  /// Reads another session; nil if none has this id.
  var read: @Sendable (_ id: String) throws -> OpenSession?

  package init(
    open: String, all: @escaping @Sendable () -> [AppSession],
    read: @escaping @Sendable (_ id: String) throws -> OpenSession? = { _ in nil }
  ) {
    (self.open, self.all, self.read) = (open, all, read)
  }
}

extension AppSession {
  /// The branch that shows it beside the open one.
  fileprivate var branch: Branch {
    Branch(BranchID("session \(id)"), name: name, steps: 0...max(0, steps))
  }
}

extension DebuggerUpdate {
  /// Goes to the newest session of the same name once the open one has ended.
  mutating func receiveSessions(_ all: [AppSession]) {
    let wasOver = state.driving.openSession?.end != nil
    state.driving.sessions = all
    if let beside = state.driving.beside {
      state.driving.beside = all.map(\.branch).first { $0.id == beside.id }
    }
    guard let own = state.driving.openSession, let end = own.end else { return }
    let newest = all.last { $0.name == own.name && $0.end == nil }
    if let newest, newest.id != state.driving.newest {
      state.driving.newest = newest.id
      guard state.isWatching(state.session.steps.upperBound) else {
        return say("\(own.name) has a newer session, since \(end): :sessions goes there.")
      }
      quit(to: .openSession(newest.id, at: nil))
    } else if newest == nil, !wasOver {
      say("This session has ended: \(end).", .warning)
    }
  }

  mutating func listSessions() {
    guard !state.driving.sessions.isEmpty else {
      return say("No app is recorded here: retcon attach and retcon listen do it.", .warning)
    }
    let open = state.driving.sessions.firstIndex { $0.id == state.driving.session }
    state.overlay = .list(.sessions, at: open ?? 0)
  }

  /// Goes to another session at the same moment in time.
  mutating func goToSession(_ index: Int) {
    let all = state.driving.sessions
    guard all.indices.contains(index), all[index].id != state.driving.session else { return }
    effects.append(.goToSession(all[index].id, from: state.here))
  }
}

extension DebuggerUpdate {
  /// Shows the next session of the app beside this one, and none after the last.
  mutating func turnSessionBeside() {
    let all = state.driving.sessions.filter { $0.id != state.driving.session }
    // Those that have ended come last.
    let others = (all.filter { $0.end == nil } + all.filter { $0.end != nil }).map(\.branch)
    let shown = others.firstIndex { $0.id == state.driving.beside?.id }
    let next = others.dropFirst(shown.map { $0 + 1 } ?? 0).first
    state.driving.beside = next
    state.forks.beside = next.map { _ in SideBySide() }
    if let next {
      say(
        "“\(next.name)” beside it, by their clocks; \(state.key("T")) shows another one, or none.")
    }
  }

  /// Pairs the steps of the session beside this one. Returns false if a branch is there instead.
  mutating func alignSession(_ steps: ClosedRange<Int>) -> Bool {
    guard let beside = state.driving.beside,
      let session = state.driving.sessions.first(where: { $0.branch.id == beside.id })
    else { return false }
    effects.append(.align(withSession: session.id, as: beside.id, steps))
    return true
  }
}

extension Effect<DebuggerAction> {
  /// Pairs each step with the last one of another session that had happened by then.
  static func align(
    withSession id: String, as branch: BranchID, _ steps: ClosedRange<Int>
  ) -> Effect {
    .doing("align sessions", orSend: { .said(Message($0, .failure)) }) { session, send in
      @Dependency(\.background?.sessions) var sessions
      guard let other = try sessions?.read(id) else { return }
      _ = try await other.refresh()
      var pairs: [Int: Int] = [:]
      var last = -1
      for step in steps.clamped(to: session.summary.steps) {
        guard let clock = try session.clock(at: Position(step: step)) else { continue }
        let match = try other.step(byClock: clock)
        if match > last { (pairs[step], last) = (match, match) }
      }
      let shown = (pairs.values.min() ?? 0)...max(last, 0)
      let length = StepPages.pageLength
      for page in shown.lowerBound / length...shown.upperBound / length {
        let id = StepPages.PageID(branch: branch, page: page)
        await send(.stepsRead(id, try other.rows(id.steps, of: .main)))
      }
      await send(.aligned(.main, branch, pairs))
    }.cancellable(id: Background.Job.align, cancelInFlight: true)
  }

  static func goToSession(_ id: String, from place: Position) -> Effect {
    .doing("go to session", orSend: { .said(Message($0, .failure)) }) { session, send in
      await send(.leavesForSession(id, at: try session.clock(at: place)))
    }
  }
}

extension Painter {
  mutating func drawSessions(selected: Int) {
    let lines = state.driving.sessions.map { session in
      let isOpen = session.id == state.driving.session
      let words = [Span(isOpen ? "▸ " : "  ", .place), Span(session.name)]
      let end = session.end.map { [Span("  ended: \($0)", .quiet)] } ?? []
      return words + [Span("  \(counted(session.steps, "step"))", .quiet)] + end
    }
    box("sessions", rows: lines.count, width: max(lines.width, 40)) {
      $0.drawList(lines, selected: selected)
    }
  }
}
