import Platform
import StoreCore
import TextCanvas
import TimeTravel

/// The debugger without a terminal: events go in, pictures come out.
///
/// ```swift
/// let app = DebuggerApp(session: session, size: terminal.size) { output in … } onChange: { loop.wake() }
/// app.start()
/// app.handle(.key(.character("j")))
/// terminal.present(app.frame)
/// ```
///
/// `output` is called from the background; `onChange` inside the turn that changed something, so it
/// should do no more than wake whoever draws. All functions may be called from any thread.
package final class DebuggerApp: Sendable {
  private let store: Store<DebuggerState, DebuggerAction>
  private let subscription: Subscription
  private let shown: Locked<Shown>

  /// The last picture, as long as it is that of the state, and how often the state has changed.
  private struct Shown {
    var changes = 0
    var picture: Canvas?
  }

  package init(
    session: OpenSession, size: Size, position: Position? = nil, host: HostStatus? = nil,
    runsAgainByItself: Bool = false, rehearsal: Rehearsal? = nil,
    output: @escaping @Sendable (DebuggerOutput) -> Void,
    onChange: @escaping @Sendable () -> Void
  ) {
    let host = host ?? session.hostName.map { .ready($0) } ?? .none
    var state = DebuggerState(session: session.summary, host: host, size: size)
    state.branches = session.branches
    state.keeping.marks = session.marks
    state.host.runsAgainByItself = runsAgainByItself
    state.reading.sources.host = machineName()
    state.keeping.keepsPlace = session.keepsPlace
    if let place = position ?? session.lastPlace {
      let branch = session.branch(place.branch)
      if branch?.isNotRun == true, branch?.script?.parent == Branch.main {
        state.keeping.placeToResume = place
      }
      let isThere = branch?.isNotRun != true
      state.go(to: isThere ? place : Position(step: place.step), isJump: false)
    }
    let start = state
    store = Store(initialState: start) {
      let background = Background(session: session, folder: rehearsal?.folder, output: output)
      DebuggerFeature(session: session) { background.effect(for: $0) }
    } withDependencies: {
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

  /// Begins the work in the background. What comes back ends when all of it is done.
  @discardableResult
  package func start() -> StoreTask { store.send(.started) }

  /// Looks now and then whether the recording has grown, or was replaced, as long as the app lives.
  @discardableResult
  package func follow(every interval: Duration = .milliseconds(500)) -> StoreTask {
    store.send(.follows(every: interval))
  }

  /// Something happened at the terminal.
  @discardableResult
  package func handle(_ event: InputEvent) -> StoreTask {
    guard case .mouse(let mouse) = event, [.press, .doubleClick].contains(mouse.action) else {
      return store.send(.input(event))
    }
    let link = frame.link(at: Point(column: mouse.column, row: mouse.row))
    return store.send(.input(event, link: link))
  }

  /// The same, or what the person made of a text in their editor; see ``DebuggerOutput/compose(_:name:)``.
  @discardableResult
  package func handle(_ input: TypedInput) -> StoreTask {
    switch input {
    case .event(let event): handle(event)
    case .composed(let text): store.send(.composed(text))
    }
  }

  /// The host came, went, or got another name.
  package func hostChanged(_ host: HostStatus, _ report: HostReport = HostReport()) {
    store.send(.hostChanged(host, report))
  }

  /// The files of the host are others than those that it was started from.
  package func hostRebuilt() { store.send(.hostRebuilt) }

  /// Says something until a key is pressed, and runs a fork that is to be seen.
  package func welcome(_ words: String, fork: String? = nil) {
    store.send(.welcomed(words, fork: fork))
  }

  /// Where the panes stand, as a person arranged them the last time.
  package func arrange(_ arrangement: String) { store.send(.arranged(arrangement)) }

  /// The keys of the user's own, and what is wrong with the file in which they stand.
  package func configure(_ keys: UserKeys, problems: [String]) {
    store.send(.configured(keys, problems: problems))
  }

  /// Where they stand now, for the next time.
  package var arrangement: String { store.state.paneSet.arrangement }

  /// One sentence for the bottom line: an answer of the clipboard, or of the editor.
  package func say(_ sentence: String, isFailure: Bool = false) {
    store.send(.said(Message(sentence, isFailure ? .failure : .news)))
  }

  /// The screen as it is now.
  package var frame: Canvas {
    let before = shown.withLock(\.self)
    if let picture = before.picture { return picture }
    let picture = DebuggerView.draw(store.state)
    shown.withLock { if $0.changes == before.changes { $0.picture = picture } }
    return picture
  }

  package var state: DebuggerState { store.state }
}

/// How a debugger is used that records itself, or is run again from such a recording: no time passes, so that
/// what comes of a key is the same each time.
package struct Rehearsal: Sendable {
  /// Where files go that are written, whatever place was asked for; nil for that place.
  package var folder: String?

  package init(folder: String? = nil) { self.folder = folder }
}

extension DebuggerApp {
  /// A frame as text, after all work in the background has settled: what `--print` prints.
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
