import Debugger
import HostProtocol
import Platform
import SessionLog
import TerminalKit
import TextCanvas
import TimeTravel

/// One run of the debugger: in the terminal, or as one printed frame.
struct DebuggerRun: Sendable {
  var session: SessionArgument
  var host: HostConnection?
  var frame: FrameOptions
  /// A rebuilt host is started again without being asked for.
  var watches = false

  func run(in context: CommandContext) async throws -> ExitCode {
    let isAtTerminal = isatty(0) == 1 && context.output.dataIsTerminal
    defer { host?.end() }
    let size = frame.print ?? (isAtTerminal ? nil : Size(width: 80, height: 24))
    if let size { return try await printFrame(size, context) }
    try session.check()
    let terminal = try Terminal(frame.terminal)
    defer { terminal.end() }
    try await show(on: terminal, context)
    return .yes
  }

  private func printFrame(_ size: Size, _ context: CommandContext) async throws -> ExitCode {
    let reader = try session.open()
    let position = try start(in: reader)
    do {
      if let words = try await attach(reader)?.sentence {
        context.output.talk("\(context.program): \(SafeText.line(words.clipped(to: 2_000)))\n")
      }
    } catch {
      // A frame of the recording needs no host; the person learns why there is none.
      context.output.talk("\(context.program): \(sentence(for: error))\n")
    }
    let open = openSession(reader)
    context.output.line(await DebuggerApp.print(open, size: size, position: position).text)
    return .yes
  }

  /// Shows the debugger on a screen until the person quits.
  func show(on screen: any TerminalScreen, _ context: CommandContext) async throws {
    let loop = DebuggerLoop(screen: screen, errands: Errands(environment: context.environment))
    try await loop.run(session.position.file) { progress in
      let reader = try session.open(progress: progress)
      let app = DebuggerApp(
        session: openSession(reader), size: screen.size, position: try start(in: reader),
        host: host.map { HostStatus($0) }, runsAgainByItself: watches, output: { loop.perform($0) },
        onChange: { loop.changed() })
      app.start()
      app.follow()
      attach(to: app, reader)
      return app
    }
  }

  /// With the marks and forks that lie beside the file.
  private func openSession(_ reader: SessionReader) -> OpenSession {
    OpenSession(
      SessionRecording(reader), host: host, sidecar: Sidecar(session: session.position.file))
  }

  /// Gives the session to the host in the background, and tells the debugger what becomes of it.
  private func attach(to app: DebuggerApp, _ reader: SessionReader) {
    guard let host else { return }
    host.onChange { [weak host] in
      if let host { app.hostChanged(HostStatus(host), HostReport(host)) }
    }
    Task { [weak host] in
      while let host {
        try await Task.sleep(for: .seconds(1))
        if host.isNewlyRebuilt() { app.hostRebuilt() }
      }
    }
    Task {
      do {
        if let words = try await attach(reader)?.sentence {
          app.say(SafeText.line(words), isFailure: true)
        }
      } catch {
        app.hostChanged(.down(host.name, reason: sentence(for: error)), HostReport(host))
      }
    }
  }

  @discardableResult
  private func attach(_ reader: SessionReader) async throws -> LoadReport? {
    try await host?.load(session.position.file, as: reader)
  }

  /// Where the cursor stands first: as asked for, else where the session's author stood.
  private func start(in reader: SessionReader) throws -> Position? {
    guard let step = session.position.step else { return nil }
    guard reader.steps.contains(step) else {
      throw SessionError(.noStep(step, available: reader.steps), path: session.position.file)
    }
    return Position(step: step)
  }
}

extension HostReport {
  init(_ host: HostConnection) { self.init(lines: host.report, build: host.build) }
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
