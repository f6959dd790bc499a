import Platform
import SessionWords
import StoreCore
import TextCanvas
import TimeTravel

/// The debugger without a terminal: events in, pictures out.
///
/// ```swift
/// let app = DebuggerApp(session: session, size: terminal.size) { output in … } onChange: { loop.wake() }
/// app.start()
/// app.handle(.key(.character("j")))
/// terminal.present(app.frame)
/// ```
///
/// The debugger calls `output` in the background, and `onChange` inside the turn that changed
/// something, so it should only wake the drawing thread. You may call all functions from any
/// thread.
package final class DebuggerApp: Sendable {
  private let store: Store<DebuggerState, DebuggerAction>
  private let subscription: Subscription
  private let shown: Locked<Shown>

  private struct Shown {
    var changes = 0
    var picture: Canvas?
  }

  package init(
    session: OpenSession, size: Size, position: Position? = nil, host: HostStatus? = nil,
    app: RunningApp? = nil, sessions: AppSessions? = nil, runsAgainByItself: Bool = false,
    rehearsal: ScriptedRun? = nil,
    output: @escaping @Sendable (DebuggerOutput) -> Void,
    onChange: @escaping @Sendable () -> Void
  ) {
    let host = host ?? session.hostName.map { .ready($0) } ?? .none
    var state = DebuggerState(session: session.summary, host: host, size: size)
    state.branches = session.branches
    state.keeping.marks = session.marks
    state.host.runsAgainByItself = runsAgainByItself
    state.driving.hasApp = app != nil
    (state.driving.session, state.driving.sessions) = (sessions?.open, sessions?.all() ?? [])
    state.reading.sources.host = machineName()
    state.keeping.keepsPlace = session.keepsPlace
    state.keeping.view = session.savedView
    let chosen = position ?? session.lastPlace
    state.travel.seeksFailure = chosen == nil && session.summary.position == nil
    if let place = chosen {
      let branch = session.branch(place.branch)
      if branch?.isNotRun == true, branch?.script?.parent == .main {
        state.keeping.placeToResume = place
      }
      let isThere = branch?.isNotRun != true
      state.go(to: isThere ? place : Position(step: place.step), isJump: false)
    }
    let start = state
    store = Store(initialState: start) {
      DebuggerFeature()
    } withDependencies: {
      $0.background = Background(
        session: session, folder: rehearsal?.folder, app: app, sessions: sessions,
        output: output)
      if rehearsal != nil { $0.continuousClock = ImmediateClock() }
      if let threads = session.threads { $0.effectExecutor = threads }
    }
    let shown = Locked(Shown())
    self.shown = shown
    subscription = store.observe { _ in
      shown.withLock { $0 = Shown(changes: $0.changes + 1) }
      onChange()
    }
  }

  @discardableResult
  package func start() -> StoreTask { store.send(.started) }

  @discardableResult
  package func follow(every interval: Duration = .milliseconds(500)) -> StoreTask {
    store.send(.follows(every: interval))
  }

  @discardableResult
  package func handle(_ event: InputEvent) -> StoreTask {
    guard case .mouse(let mouse) = event, [.press, .doubleClick].contains(mouse.action) else {
      return store.send(.input(event))
    }
    let link = frame.link(at: Point(column: mouse.column, row: mouse.row))
    return store.send(.input(event, link: link))
  }

  /// The same, or the text from the user's editor; see ``DebuggerOutput/compose(_:name:)``.
  @discardableResult
  package func handle(_ input: TypedInput) -> StoreTask {
    switch input {
    case .event(let event): handle(event)
    case .composed(let text): store.send(.composed(text))
    }
  }

  package func hostChanged(_ host: HostStatus, _ report: HostReport = HostReport()) {
    store.send(.hostChanged(host, report))
  }

  package func hostRebuilt() { store.send(.hostRebuilt) }

  package func welcome(_ words: String, fork: BranchID? = nil) {
    store.send(.welcomed(words, fork: fork))
  }

  package func set(rules: [String]) {
    for rule in rules { store.send(.ruleSet(rule)) }
  }

  package func arrange(_ arrangement: String) { store.send(.arranged(arrangement)) }

  package func recall(_ typed: String) { store.send(.recalled(typed)) }

  package func configure(_ keys: UserKeys, problems: [String]) {
    store.send(.configured(keys, problems: problems))
  }

  package var arrangement: String { store.state.paneSet.arrangement }

  /// The lines typed into searches and commands, for the next start.
  package var typed: String { store.state.input.typed.lines }

  /// Shows a message at the bottom: the result of the clipboard, or of the editor.
  package func say(_ sentence: String, isFailure: Bool = false) {
    store.send(.said(Message(sentence, isFailure ? .failure : .news)))
  }

  package var frame: Canvas {
    let before = shown.withLock(\.self)
    if let picture = before.picture { return picture }
    let picture = DebuggerView.draw(store.state)
    shown.withLock { if $0.changes == before.changes { $0.picture = picture } }
    return picture
  }

  package var state: DebuggerState { store.state }
}

/// The mode of a debugger that records itself or replays itself: time does not pass, so that keys
/// always give the same result.
package struct ScriptedRun: Sendable {
  package var folder: String?

  package init(folder: String? = nil) { self.folder = folder }
}

extension DebuggerApp {
  /// A frame as text after all background work has finished, for `--print`.
  package static func print(
    _ session: OpenSession, size: Size, position: Position? = nil,
    events: [InputEvent] = [], prepare: (DebuggerApp) -> Void = { _ in }
  ) async -> Canvas {
    let app = DebuggerApp(
      session: session, size: size, position: position, output: { _ in }, onChange: {})
    prepare(app)
    await app.start().finish()
    for event in events { await app.handle(event).finish() }
    return app.frame
  }
}
