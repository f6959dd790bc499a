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

  package init(open: String, all: @escaping @Sendable () -> [AppSession]) {
    (self.open, self.all) = (open, all)
  }
}

extension DebuggerUpdate {
  /// Goes to the newest session of the same name once the open one has ended.
  mutating func takeSessions(_ all: [AppSession]) {
    let wasOver = state.driving.openSession?.end != nil
    state.driving.sessions = all
    guard let own = state.driving.openSession, let end = own.end else { return }
    let newest = all.last { $0.name == own.name && $0.end == nil }
    if let newest, newest.id != state.driving.newest {
      state.driving.newest = newest.id
      guard state.isWatching(state.session.steps.upperBound) else {
        return say("\(own.name) has a newer session, since \(end): :sessions goes there.")
      }
      leave(to: .openSession(newest.id, at: nil))
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

extension Effect<DebuggerAction> {
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
