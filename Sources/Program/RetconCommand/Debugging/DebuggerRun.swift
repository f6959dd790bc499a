import Debugger
import HostProtocol
import Platform
import SessionFile
import SessionWords
import TerminalKit
import TextCanvas
import TimeTravel

struct DebuggerRun: Sendable {
  var session: SessionArgument
  var host: HostConnection?
  var app: RunningApp?
  var script: ReducerScript?
  /// Runs the user's own functions.
  var code: HostedCode?
  /// Rules to set at the start.
  var rules: [String] = []
  var frame = FrameOptions()
  var workFolder = WorkFolder([:])
  var watches = false
  var runsAgain = false
  var welcome: (words: String, fork: BranchID)?
  var configuration = Configuration("", name: "")
  var ownRecording: String?
  /// Where the cursor begins, whatever was left in the session.
  var start: Start?
  /// All sessions of a running app, and what opens another one of them.
  var sessions: AppSessions?
  var other: (@Sendable (_ id: String) throws -> DebuggerRun?)?
  /// The file that marks and forks belong to, if it is not the one being read.
  var sidecarPath: String?
  /// The file for commands to suggest, if it is not the one being read.
  var shownFile: String?
  var input: Int32 = 0
  /// Makes the host for a reducer that the user names later.
  var hosting: (@Sendable (String) throws -> Hosting)?

  func run(in context: CommandContext) async throws -> ExitCode {
    try session.check()
    returnFreeMemorySoon()
    let file = session.position.file
    if ownRecording != nil, !LocalFile.isReadInPlace(file) {
      throw UsageError(
        what: "--record-self needs a session that stays where it is",
        next: "Unpack it, or write it to a file first")
    }
    var run = self
    // The shown path must be the same in every re-run.
    if ownRecording != nil { run.session.position.file = absolutePath(file) }
    if file == LocalFile.standardInput {
      run.input = Self.readKeysFromTerminal()
    } else {
      run.sidecarPath = file
    }
    return try await run.runLocal(in: context)
  }

  /// Reads keys from the terminal while the session comes through standard input. Returns the
  /// session's descriptor.
  private static func readKeysFromTerminal() -> Int32 {
    let input = dup(0)
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard input >= 0, terminal >= 0 else { return 0 }
    _ = fcntl(input, F_SETFD, FD_CLOEXEC)
    dup2(terminal, 0)
    close(terminal)
    return input
  }

  private func unpacked(
    in environment: [String: String], progress: (String) throws -> Void = { _ in }
  ) throws -> (run: DebuggerRun, file: LocalFile) {
    let local = try LocalFile(
      session.position.file, in: environment, input: input, progress: progress)
    var run = self
    run.session.position.file = local.path
    run.shownFile = local.original
    return (run, local)
  }

  private func runLocal(in context: CommandContext) async throws -> ExitCode {
    let isAtTerminal = isatty(0) == 1 && context.output.dataIsTerminal
    defer { host?.end() }
    let size = frame.print ?? (isAtTerminal ? nil : Size(width: 80, height: 24))
    if let size {
      let (run, local) = try unpacked(in: context.environment)
      defer { withExtendedLifetime(local) {} }
      return try await run.printFrame(size, context)
    }
    let terminal = try Terminal(frame.terminal)
    defer { terminal.end() }
    let farewell = try await show(on: terminal, context)
    terminal.end()
    if let farewell { context.output.messages("\(context.program): \(SafeText.line(farewell))\n") }
    return .yes
  }

  private func printFrame(_ size: Size, _ context: CommandContext) async throws -> ExitCode {
    let file = try HostedSession(session.position.file, in: workFolder, isHosted: host != nil)
    try checkStep(in: file.reader)
    var hosted = file
    do {
      hosted = try await withStates(file)
      if let words = try await attach(hosted)?.sentence {
        context.output.messages("\(context.program): \(SafeText.line(words.clipped(to: 2_000)))\n")
      }
    } catch {
      // The frame needs no host; the user learns the reason.
      context.output.messages("\(context.program): \(sentence(for: error))\n")
    }
    let open = openSession(hosted, of: file)
    let position = try await start(in: open)
    let canvas = await DebuggerApp.print(
      open, size: size, position: position, events: firstKeys
    ) { $0.configure(configuration.keys, problems: configuration.problems) }
    context.output.line((frame.isAsciiOnly ? canvas.asciiOnly : canvas).text)
    return .yes
  }

  @discardableResult
  func show(on screen: any TerminalScreen, _ context: CommandContext) async throws -> String? {
    let recording = ownRecording.map { SelfRecording(to: $0) }
    let loop = DebuggerLoop(
      screen: screen, externalTools: ExternalTools(environment: context.environment),
      colors: configuration.colors, recording: recording)
    let threads = WorkThreads()
    let memory = ScreenMemory(context.environment)
    let opened = Locked<DebuggerApp?>(nil)
    defer {
      if let app = opened.withLock({ $0 }) { memory.save(app.arrangement, typed: app.typed) }
    }
    if let recording {
      try await loop.run(session.position.file, on: threads) { _, _ in
        let start = RecordedDebugger.Start(self, screen.size, arrangement: memory.arrangement)
        let app = try await rehearse(
          screen.size, arrangement: start.arrangement, ScriptedRun(), on: threads,
          output: { loop.perform($0) }, onChange: { loop.changed() })
        opened.withLock { $0 = app }
        recording.start(start, app)
        return app
      }
      return recording.finish()
    }
    let unpacked = Locked<LocalFile?>(nil)
    defer { withExtendedLifetime(unpacked.withLock { $0 }) {} }
    let current = Locked(self)
    defer {
      let last = current.withLock { $0 }
      last.app?.leave()
      last.host?.end()
    }
    let file = session.position.file
    let name = file == LocalFile.standardInput ? "standard input" : file
    try await loop.run(name, on: threads) { wanted, progress in
      if case .openSession(let id, let clock)? = wanted {
        try current.withLock { try $0.turn(to: id, at: clock) }?.end()
      }
      let begun = current.withLock { $0 }
      var (run, local) = try begun.unpacked(in: context.environment, progress: progress)
      if case .reopen(let step, let reducer)? = wanted {
        run.session = SessionArgument(file: run.session.position.file)
        run.start = .step(step)
        run.runsAgain = false
        if let reducer {
          let own = try begun.hosting(reducer)
          (run.host, run.script) = (own.host, own.script)
        } else {
          run.host?.restart()
        }
      }
      unpacked.withLock { $0 = local }
      let app = try await run.opened(screen.size, memory, loop, on: threads, progress)
      let (host, script) = (run.host, run.script)
      current.withLock { ($0.host, $0.script) = (host, script) }
      if begun.host !== host { begun.host?.end() }
      opened.withLock { $0 = app }
      return app
    }
    return nil
  }

  private func hosting(_ reducer: String) throws -> Hosting {
    guard let hosting else {
      throw Trouble("This session has its own reducer", next: "Open it with retcon FILE --reducer")
    }
    return try hosting(reducer)
  }

  /// The bytes of a log that are read before the first frame.
  private static let piece = 16 << 20

  private func opened(
    _ size: Size, _ memory: ScreenMemory, _ loop: DebuggerLoop, on threads: WorkThreads,
    _ progress: @escaping (String) throws -> Void
  ) async throws -> DebuggerApp {
    // Where you left may be anywhere in the file, and so may a step that was asked for.
    let isAtStart =
      session.position.step == nil && session.position.isOnMain && start == nil
      && !Sidecar(session: sidecarPath ?? session.position.file).exists
    let file = try HostedSession(
      session.position.file, in: workFolder, isHosted: host != nil,
      piece: isAtStart ? Self.piece : .max
    ) { try progress("\(Int($0 * 100)) %") }
    var hosted = file
    do { hosted = try await withStates(file) { loop.computes($0) } } catch {
      hosted.remarks = ["no states were computed: \(sentence(for: error))"]
    }
    let open = openSession(hosted, of: file, on: threads)
    // A fork that was looked at runs again at once, and compares with these states.
    if runsAgain || file.needsStates || !session.position.isOnMain {
      _ = try? await attach(hosted)
    }
    let app = DebuggerApp(
      session: open, size: size, position: try await start(in: open),
      host: host.map { HostStatus($0) }, app: app, sessions: sessions, runsAgainByItself: watches,
      output: { loop.perform($0) }, onChange: { loop.changed() })
    app.configure(configuration.keys, problems: configuration.problems)
    if let welcome {
      app.welcome(welcome.words, fork: welcome.fork)
    } else if let words = configuration.words(for: host, ofSessionAt: session.position.file) {
      app.welcome(words)
    } else if memory.isNew {
      app.welcome("New here? `j` `k` go through time, `Tab` the panes, `f` what if")
    }
    if let arrangement = memory.arrangement { app.arrange(arrangement) }
    if let typed = memory.typed { app.recall(typed) }
    app.start()
    for key in firstKeys { app.handle(key) }
    app.set(rules: rules)
    app.follow()
    attach(to: app, hosted)
    return app
  }

  /// A debugger in which every key is fully handled before the next.
  func rehearse(
    _ size: Size, arrangement: String?, _ rehearsal: ScriptedRun, on threads: WorkThreads,
    output: @escaping @Sendable (DebuggerOutput) -> Void, onChange: @escaping @Sendable () -> Void
  ) async throws -> DebuggerApp {
    let file = try HostedSession(session.position.file, in: workFolder, isHosted: host != nil)
    let hosted = try await withStates(file)
    let open = openSession(hosted, of: file, on: threads)
    // Only forks are missing without a host.
    _ = try? await attach(hosted)
    let app = DebuggerApp(
      session: open, size: size, position: try await start(in: open),
      host: host.map { HostStatus($0) }, rehearsal: rehearsal, output: output, onChange: onChange)
    app.configure(configuration.keys, problems: configuration.problems)
    if let arrangement { app.arrange(arrangement) }
    await app.start().finish()
    return app
  }

  /// Opens it with its marks and forks. If the host computes the states, a rebuilt one computes
  /// them anew.
  private func openSession(
    _ hosted: HostedSession, of file: HostedSession, on threads: WorkThreads? = nil
  ) -> OpenSession {
    let recording = SessionRecording(
      hosted.reader, recorded: hosted.recorded, remarks: hosted.remarks, path: shownFile)
    let computeStates = { @Sendable [self] in
      let hosted = try await withStates(file)
      recording.useReader(
        hosted.reader, recorded: hosted.recorded, remarks: hosted.remarks)
      try await attach(hosted)
    }
    return OpenSession(
      recording, host: host, script: script, code: code,
      sidecar: Sidecar(session: sidecarPath ?? session.position.file), threads: threads,
      computeStates: file.needsStates ? computeStates : nil)
  }

  private func attach(to app: DebuggerApp, _ session: HostedSession) {
    guard let host else { return }
    host.onChange { [weak host, weak app] in
      guard let host, let app else { return }
      let report = report(of: host)
      app.hostChanged(HostStatus(host), report)
    }
    Task { [weak host, weak app] in
      while let host, let app {
        try await Task.sleep(for: .seconds(1))
        if host.isNewlyRebuilt() { app.hostRebuilt() }
      }
    }
    Task {
      do {
        if let words = try await attach(session)?.sentence {
          app.say(SafeText.line(words), isFailure: true)
        }
      } catch {
        app.hostChanged(.down(host.name, reason: sentence(for: error)), report(of: host))
      }
    }
  }

  private func report(of host: HostConnection) -> HostReport {
    let because = configuration.words(for: host, ofSessionAt: session.position.file)
    let change = host.changes
    return HostReport(
      lines: (because.map { [$0, ""] } ?? []) + host.report, build: host.build, change: change)
  }

  @discardableResult
  private func attach(_ session: HostedSession) async throws -> LoadReport? {
    try await host?.load(session.path, as: session.reader)
  }

  private func withStates(
    _ session: HostedSession, onRun: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> HostedSession {
    guard let host, session.needsStates else { return session }
    return try await session.withStates(of: host, onRun: onRun)
  }

  private func checkStep(in reader: SessionReader) throws {
    guard session.position.isOnMain, let step = session.position.step,
      !reader.steps.contains(step)
    else { return }
    throw SessionError(.noStep(step, available: reader.steps), path: session.position.file)
  }

  /// The first keys: show the recording beside the fork, and the pane that compares them.
  private var firstKeys: [InputEvent] {
    runsAgain ? [.key(.character("T")), .key(.alt("7"))] : []
  }

  /// The cursor's first place: as requested, else the author's. Runs a fork with its parents first.
  private func start(in open: OpenSession) async throws -> Position? {
    switch start {
    case .step(let step): return Position(step: step)
    case .end: return Position(step: open.summary.steps.upperBound)
    case .clock(let clock): return Position(step: try open.step(byClock: clock))
    case nil: break
    }
    let place = session.position
    guard place.step != nil || !place.isOnMain else { return nil }
    if runsAgain, let step = place.step, step > open.summary.steps.lowerBound {
      let fork = try open.addFork(
        BranchID("step \(step) again"), Script(leavesAt: step - 1, edits: []))
      try await open.runWithParents(fork.id)
      return Position(branch: fork.id, step: step)
    }
    let branch = try await open.branchThatRan(place)
    let firstOwn = branch.script.map { $0.leavesAt + 1 } ?? branch.steps.lowerBound
    let step = place.step ?? min(firstOwn, branch.steps.upperBound)
    return Position(branch: branch.id, step: step)
  }
}

extension HostStatus {
  init(_ host: HostConnection) {
    switch host.life {
    case .unused, .starting: self = .starting(host.name)
    case .ready: self = .ready(host.name)
    case .ended(let failure): self = .down(host.name, reason: SafeText.line(failure.sentence))
    }
  }
}

struct FrameOptions: Sendable {
  var print: Size?
  var isAsciiOnly = false
  var usesMouse = true

  static let declarations = [
    Option("print", value: "WIDTHxHEIGHT", help: "print one frame as text and leave"),
    Option("ascii", help: "draw with ASCII characters only"),
    Option("no-mouse", help: "leave the mouse to the terminal"),
  ]

  var terminal: TerminalOptions {
    var options = TerminalOptions.fromEnvironment
    options.isAsciiOnly = isAsciiOnly
    options.usesMouse = usesMouse
    return options
  }
}

extension FrameOptions {
  init(_ arguments: ParsedArguments) throws {
    print = try arguments.value("print").map { try Size(argument: $0) }
    isAsciiOnly = arguments.has("ascii")
    usesMouse = !arguments.has("no-mouse")
  }
}

extension Size {
  init(argument text: String) throws(UsageError) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1],
      (1...2_000).contains(width), (1...2_000).contains(height)
    else {
      throw UsageError(
        what: "\(text) is no size of a frame", next: "Write WIDTHxHEIGHT, for example 80x24")
    }
    self.init(width: width, height: height)
  }
}
