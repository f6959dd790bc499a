import Platform
import SessionWords
import StoreCore
import TextCanvas
import TimeTravel
import ValueTree

@testable import Debugger

/// The debugger's reducer with the work done by hand: keys in, state and wanted work out.
struct TestDebugger {
  var state: DebuggerState
  var work: [Work] = []

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
    if case .fork(let form)? = state.overlay, let change = form.checking {
      send(.form(isThere(change) ? .foundThere(change) : .checked(change, verdict)))
    }
  }

  /// What the session says of a change that it has already.
  var isThere: (BranchChange) -> Bool = { _ in false }
  /// What the host says of what is typed into forms.
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

extension DebuggerFeature {
  /// What an action changes, with all that is sent in its turn; what is asked of the background comes back.
  static func turn(of action: DebuggerAction, on state: inout DebuggerState) -> [Work] {
    let asked = Locked<[Work]>([])
    let feature = DebuggerFeature(session: Wishes.session) { work in
      asked.withLock { $0.append(work) }
      return .none
    }
    var actions = [action]
    while !actions.isEmpty {
      actions += feature.reduce(into: &state, action: actions.removeFirst()).operation.sent
    }
    return asked.withLock(\.self)
  }
}

extension EffectOperation {
  /// What is sent in the same turn.
  fileprivate var sent: [Action] {
    switch self {
    case .send(let action): [action]
    case .merge(let operations), .concatenate(let operations): operations.flatMap(\.sent)
    case .cancellable(let operation, _, _), .inChild(_, let operation): operation.sent
    case .none, .run, .cancel, .cancelChild, .throttle: []
    }
  }
}

extension TestDebugger {
  /// The form of a fork, while it is shown.
  var form: ForkForm? { if case .fork(let form)? = state.overlay { form } else { nil } }

  /// The edits of the forks that were asked for.
  var edits: [Edit] {
    work.flatMap { if case .fork(_, let script) = $0 { script.edits } else { [Edit]() } }
  }

  var message: String? { state.message?.text }

  /// Some lines of the screen.
  func lines(_ rows: Range<Int>) -> [Substring] {
    Array(
      DebuggerView.draw(state).text.split(separator: "\n", omittingEmptySubsequences: false)[rows])
  }
}
