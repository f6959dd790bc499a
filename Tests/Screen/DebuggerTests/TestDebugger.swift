import SessionWords
import StoreCore
import Testing
import TextCanvas
import TimeTravel
import ValueTree

@testable import Debugger

/// The debugger's reducer with the work done by hand: keys in, state and wanted work out.
struct TestDebugger {
  var state: DebuggerState
  var work: [Effect<DebuggerAction>] = []

  init(at step: Int = 5, host: HostStatus = .none, notices: [String] = []) {
    var summary = Wishes.recording.summary
    summary.notices = notices
    state = DebuggerState(session: summary, host: host, size: Size(width: 80, height: 24))
    state.go(to: Position(step: step), isJump: false)
    send(.started)
    for page in 0...0 {
      let id = StepPages.PageID(branch: "main", page: page)
      let rows = try? Wishes.session.rows(id.steps, of: "main")
      send(.stepsRead(id, rows ?? []))
    }
    work = []
  }

  mutating func send(_ action: DebuggerAction) {
    var action = action
    if case .input(.mouse(let mouse), nil) = action {
      let point = Point(column: mouse.column, row: mouse.row)
      action = .input(.mouse(mouse), link: DebuggerView.draw(state).link(at: point))
    }
    let new = DebuggerFeature.turn(of: action, on: &state)
    work += new
    if let edits = state.forkLine?.checking {
      send(.forkLine(isThere(edits) ? .foundThere(edits) : .checked(edits, verdict)))
    }
  }

  /// Whether the session already has these edits.
  var isThere: ([Edit]) -> Bool = { _ in false }
  /// The host's answer about the text in a fork's line.
  var verdict = ValueVerdict.fine

  /// Types each character; see ``Key/typed(_:)``.
  mutating func type(_ text: String) {
    for character in text { press(.typed(character)) }
  }

  /// A text in one piece, so that it is searched once.
  mutating func search(_ text: String) {
    type("/")
    send(.input(.paste(text)))
    type("⏎")
  }

  mutating func press(_ key: Key) { send(.input(.key(key))) }

  /// The moment that is looked at, as the background would bring it.
  mutating func bringMoment() async throws {
    send(.momentRead(try await Wishes.session.moment(at: state.here)))
  }

  var step: Int { state.here.step }
}

extension TestDebugger {
  /// The line of a fork, while it is typed.
  var forkLine: ForkLine? { state.shownForkLine }
  var line: String? { state.prompt?.line.text }

  /// The edits of the forks that were asked for.
  var edits: [Edit] {
    let scripts = state.keeping.undo.done.compactMap { change -> Script? in
      guard case .forked(let name, let script, _) = change else { return nil }
      return work.contains(.addFork(name, script)) ? script : nil
    }
    #expect(work.count { $0.name == "add fork" } == scripts.count)
    return scripts.flatMap(\.edits)
  }

  var message: String? { state.message?.text }

  /// Some lines of the screen.
  func lines(_ rows: Range<Int>) -> [Substring] {
    Array(
      DebuggerView.draw(state).text.split(separator: "\n", omittingEmptySubsequences: false)[rows])
  }
}
