import Debugger
import HostProtocol
import SessionLog
import TerminalKit
import TextCanvas
import TimeTravel

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One run of the debugger: in the terminal, or as one printed frame.
struct DebuggerRun: Sendable {
  var session: SessionArgument
  var host: HostConnection?
  var frame: FrameOptions

  func run(in context: CommandContext) async throws -> ExitStatus {
    let isAtTerminal = isatty(0) == 1 && context.output.dataIsTerminal
    let size = frame.print ?? (isAtTerminal ? nil : Size(width: 80, height: 24))
    if let size { return try await printFrame(size, context) }
    return try await openTerminal(context)
  }

  private func printFrame(_ size: Size, _ context: CommandContext) async throws -> ExitStatus {
    let reader = try session.open()
    let position = try start(in: reader)
    do {
      try await attach()
    } catch {
      // A frame of the recording needs no host; the person learns why there is none.
      context.output.talk("\(context.program): \(sentence(for: error))\n")
    }
    let open = OpenSession(SessionRecording(reader), host: host)
    context.output.line(await DebuggerApp.print(open, size: size, position: position).text)
    return .yes
  }

  private func openTerminal(_ context: CommandContext) async throws -> ExitStatus {
    let reader = try session.open()
    let position = try start(in: reader)
    let open = OpenSession(SessionRecording(reader), host: host)
    let terminal = try Terminal(frame.terminal)
    defer { terminal.end() }
    let loop = DebuggerLoop(
      screen: terminal, errands: Errands(environment: context.environment))
    let app = DebuggerApp(
      session: open, size: terminal.size, position: position,
      output: { loop.perform($0) }, onChange: { loop.changed() })
    app.start()
    let attaching = Task {
      do {
        try await attach()
        if let host { app.hostChanged(.ready(host.name)) }
      } catch {
        let words = sentence(for: error)
        app.hostChanged(.down(host?.command.text ?? "", reason: words))
        app.say(words, isFailure: true)
      }
    }
    defer { attaching.cancel() }
    await loop.run(app)
    return .yes
  }

  private func attach() async throws {
    guard let host else { return }
    try await host.load(session.position.file)
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
