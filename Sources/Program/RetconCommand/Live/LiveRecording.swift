import Debugger
import HostProtocol
import Live
import Platform
import SessionFile
import SessionWords
import TextCanvas
import TimeTravel

/// A recording of a running app: its files, the debugger on them, and the end.
struct LiveRecording: Sendable {
  var context: CommandContext
  var host: HostOptions
  var output: String?
  var configuration = Configuration("", name: "")
  private let refusals = Refusals()

  var isAtTerminal: Bool { isatty(0) == 1 && context.output.dataIsTerminal }

  /// The rules of the command line and of the configuration.
  func redaction(_ given: ParsedArguments) throws -> Redaction {
    var redaction = try RedactionWords(given).redaction
    redaction.keys += configuration.redactedKeys
    redaction.mustMatch = false
    return redaction
  }

  /// Runs work that waits, outside Swift's few threads.
  static func blocking<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await Task(executorPreference: WorkThreads()) { try work() }.value
  }

  func recorder(_ redaction: Redaction) -> LiveRecorder {
    let (context, output, isAtTerminal, refusals) = (context, output, isAtTerminal, refusals)
    let folder = Self.folder(context.environment)
    return LiveRecorder(
      redaction: redaction,
      path: { name, number in
        guard let output else { return "\(folder)\(LiveName.file(name)).retcon" }
        guard number > 1 else { return output }
        let stem = output.hasSuffix(".retcon") ? String(output.dropLast(7)) : output
        return "\(stem)-\(number).retcon"
      },
      refuse: { words in
        // The debugger has the screen; its user reads them afterwards.
        if refusals.add(words), !isAtTerminal { context.tell(words) }
      },
      onStart: { began in
        if !isAtTerminal { context.tell("recording \(began.name) in \(began.path)") }
      })
  }

  /// The current folder, or the user's own where that cannot be written.
  private static func folder(_ environment: [String: String]) -> String {
    if access(".", W_OK) == 0 { return "" }
    guard let folder = stateFolder({ environment[$0] }) else { return "" }
    makeFolders(above: folder + "/live/x")
    return folder + "/live/"
  }

  /// At a terminal nothing that a started app prints may reach the debugger's screen.
  func outputOfApp() throws -> ChildStart.File? { isAtTerminal ? .nothing : nil }

  var printOfApp: @Sendable (String) -> Void {
    let (context, isAtTerminal) = (context, isAtTerminal)
    return { if !isAtTerminal { context.output.messages(SafeText.lines($0)) } }
  }

  /// Records until `wait` returns. At a terminal it opens the debugger with the first session, and ends with it.
  func run(
    _ recorder: LiveRecorder,
    host makeHost: @escaping @Sendable (LiveRecorder.Began) -> HostCommand?,
    app makeApp: @escaping @Sendable (_ id: String) -> RunningApp? = { _ in nil },
    wait: @escaping @Sendable () -> String, stop: @escaping @Sendable () -> Void,
    end: @escaping @Sendable () -> Void
  ) async throws -> ExitCode {
    context.tell("Waiting for a store. Ctrl-C ends it.")
    if isAtTerminal {
      _ = try SystemThread.start {
        let reason = wait()
        // The debugger shows that nothing more will come.
        if !reason.isEmpty { recorder.finish(because: reason) }
        recorder.stopWaiting()
      }
    }
    defer {
      end()
      recorder.finish()
      showSummary(recorder)
    }
    let waiting = isAtTerminal
    let (reason, first) = try await Interrupt.heeding([SIGINT, SIGTERM]) {
      try await withTaskCancellationHandler {
        try await Self.blocking {
          waiting ? ("", recorder.first()) : (wait(), nil)
        }
      } onCancel: {
        stop()
        recorder.stopWaiting()
      }
    }
    if !reason.isEmpty { context.tell("\(reason.prefix(1).uppercased())\(reason.dropFirst()).") }
    if let first { try await debug(first, recorder, makeHost, makeApp) }
    return recorder.summaries.isEmpty ? .no : .yes
  }

  private func debug(
    _ first: LiveRecorder.Began, _ recorder: LiveRecorder,
    _ makeHost: @escaping @Sendable (LiveRecorder.Began) -> HostCommand?,
    _ makeApp: @escaping @Sendable (_ id: String) -> RunningApp?
  ) async throws {
    let workFolder = WorkFolder(context.environment)
    let others = Locked<[String: OpenSession]>([:])
    let make: @Sendable (LiveRecorder.Began) throws -> DebuggerRun = { began in
      var connection = try host.connection(in: context, workFolder, for: began.path, configuration)
      if connection == nil, let command = makeHost(began) {
        connection = HostConnection(command, limits: host.limits, engine: ThinHost.engine)
      }
      var run = DebuggerRun(
        session: SessionArgument(file: began.path), host: connection, app: makeApp(began.id),
        script: host.reducer?.script, workFolder: workFolder, configuration: configuration)
      run.sessions = AppSessions(
        open: began.id,
        all: {
          recorder.all.map { AppSession(id: $0.id, name: $0.name, steps: $0.steps, end: $0.end) }
        },
        read: { id in
          if let known = others.withLock({ $0[id] }) { return known }
          guard let began = recorder.all.first(where: { $0.id == id }) else { return nil }
          let session = OpenSession(SessionRecording(try SessionReader(path: began.path)))
          others.withLock { $0[id] = session }
          return session
        })
      run.start = .end
      return run
    }
    var run = try make(first)
    run.other = { id in try recorder.all.first { $0.id == id }.map(make) }
    _ = try await run.run(in: context)
  }

  private func showSummary(_ recorder: LiveRecorder) {
    let all = recorder.summaries
    for summary in all {
      context.show("\(summary.path): \(counted(summary.steps, "action")) of \(summary.name)")
    }
    let actions = all.reduce(0) { $0 + $1.steps }
    context.tell("recorded \(counted(actions, "action")) of \(counted(all.count, "store")).")
    for words in refusals.summary(all: isAtTerminal) { context.tell(words) }
    if let words = recorder.trouble { context.warn([words]) }
  }
}

extension DebuggerRun {
  enum Start {
    /// Of a file that has changed; it may have fewer steps now.
    case step(Int)
    case end
    /// Milliseconds since 1970.
    case clock(Int64)
  }

  /// Becomes the run of another session. Returns the host of this one: as long as it lives, the
  /// debugger that was left follows its session, and goes where that goes on.
  mutating func turn(to id: String, at clock: Int64?) throws -> HostConnection? {
    guard var new = try other?(id) else { return nil }
    app?.leave()
    let left = host
    new.start = clock.map { .clock($0) } ?? .end
    (new.other, new.sidecarPath) = (other, new.session.position.file)
    self = new
    return left
  }
}

/// The refusals: each sentence once, and how often it came.
final class Refusals: Sendable {
  private let counts = Locked<[String: Int]>([:])
  private static let most = 20
  private static let others = "refused more, of other kinds"

  /// Whether the sentence is new.
  func add(_ words: String) -> Bool {
    counts.withLock { counts in
      let key = counts[words] != nil || counts.count < Self.most ? words : Self.others
      counts[key, default: 0] += 1
      return counts[key] == 1
    }
  }

  /// All sentences, or those that came more than once.
  func summary(all isAll: Bool) -> [String] {
    counts.withLock { counts in
      counts.sorted { $0.key < $1.key }.compactMap { words, count in
        count > 1 ? "\(words) (\(count) times)" : isAll ? words : nil
      }
    }
  }
}
