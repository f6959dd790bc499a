import Debugger
import HostProtocol
import Platform
import Recorder
import ReducerHost
import Replay
import SessionFile
import SessionWords
import StoreCore
import TextCanvas
import TimeTravel

/// The debugger's state in a recording of itself: its start, all input since, and the visible
/// result, which follows from the other two.
struct RecordedDebugger: Codable, Sendable, Hashable {
  struct Start: Codable, Sendable, Hashable {
    var session: String
    var branch: String
    var step: Int?
    var size: [Int]
    /// Whether a reducer was attached. The recording omits which one: never run what a log names.
    var hasHost: Bool
    var keys: String
    var problems: [String]
    var arrangement: String?
    var sidecar: String?

    init(_ run: DebuggerRun, _ size: Size, arrangement: String?) {
      session = run.session.position.file
      branch = run.session.position.branch
      step = run.session.position.step
      self.size = [size.width, size.height]
      keys = run.configuration.keyLines
      problems = run.configuration.problems
      self.arrangement = arrangement
      hasHost = run.host != nil
      sidecar = try? FileSystem.text(of: session + ".sidecar")
    }
  }

  static let app = "Retcon"

  var start: Start
  var typed: [TypedInput] = []
  var seen: DebuggerSnapshot
}

extension TypedInput: LabelledAction {}

/// Records a debugger in use. Each input waits until the one before is fully handled, so a re-run
/// gives the same result.
final class SelfRecording: Sendable {
  private let recorder: SessionRecorder<RecordedDebugger, TypedInput>
  private let state = Locked<RecordedDebugger?>(nil)
  private let troubles: Locked<[String]>

  init(to path: String) {
    let troubles = Locked<[String]>([])
    self.troubles = troubles
    var options = RecordingOptions(app: .init(RecordedDebugger.app, version: version))
    options.report = { trouble in troubles.withLock { $0.append(trouble.sentence) } }
    recorder = SessionRecorder(to: path, knowsCauses: true, options: options)
  }

  func start(_ start: RecordedDebugger.Start, _ app: DebuggerApp) {
    let first = RecordedDebugger(start: start, seen: DebuggerSnapshot(app.state))
    state.withLock { $0 = first }
    recorder.start(with: first)
  }

  func record(_ input: TypedInput, _ app: DebuggerApp) async {
    await app.handle(input).finish()
    let seen = DebuggerSnapshot(app.state)
    state.withLock { state in
      guard var next = state else { return impossible("the recording has not started") }
      next.typed.append(input)
      next.seen = seen
      state = next
      recorder.step(input, cause: .user) { next }
    }
  }

  func finish() -> String {
    let statistics = recorder.finish()
    let words =
      statistics.path.map {
        "the debugger itself is in \($0), \(counted(statistics.steps, "step"))"
      }
      ?? "nothing of the debugger itself was recorded"
    return ([words + "."] + troubles.withLock { $0 }).joined(separator: " ")
  }
}

/// The debugger's own reducer. It runs a debugger on the recorded session, confined to a private
/// folder.
struct DebuggerReducer: Reducer {
  typealias State = RecordedDebugger
  typealias Action = TypedInput

  let runs: DebuggerRuns

  func reduce(into state: inout RecordedDebugger, action: TypedInput) -> Effect<TypedInput> {
    state.typed.append(action)
    state.seen = runs.seen(after: state.typed, from: state.start)
    return .none
  }
}

/// Debuggers being re-run. The last one is kept, because the next question is usually one key
/// further.
final class DebuggerRuns: Sendable {
  private struct Run: Sendable {
    var start: RecordedDebugger.Start
    var typed: [TypedInput] = []
    var app: DebuggerApp
    var folder: ScratchFolder
    var host: HostConnection?

    func end() { host?.end() }
  }

  private let last = Locked<Run?>(nil)
  private let context: CommandContext
  private let threads = WorkThreads()

  init(_ context: CommandContext) { self.context = context }

  deinit { last.withLock { $0 }?.end() }

  func seen(
    after typed: [TypedInput], from start: RecordedDebugger.Start
  ) -> DebuggerSnapshot {
    last.withLock { last in
      do {
        var run: Run
        if let known = last, known.start == start, typed.starts(with: known.typed) {
          run = known
        } else {
          last?.end()
          last = nil
          run = try waiting { [self] in try await begin(start) }
        }
        let rest = typed[run.typed.count...]
        let app = run.app
        try waiting { for input in rest { await app.handle(input).finish() } }
        run.typed = typed
        last = run
        return DebuggerSnapshot(app.state)
      } catch {
        return DebuggerSnapshot(trouble: sentence(for: error))
      }
    }
  }

  private func begin(_ start: RecordedDebugger.Start) async throws -> Run {
    let folder = try FileSystem.temporaryFolder(in: context.environment)
    guard start.size.count == 2, let name = start.session.split(separator: "/").last else {
      throw UsageError(what: "the recording does not name the session that was open")
    }
    // A private copy of the old sidecar, so the user's is not changed.
    let beside = "\(folder.path)/\(name)"
    symlink(start.session, beside)
    if let sidecar = start.sidecar { try FileSystem.write(sidecar, to: beside + ".sidecar") }
    let workFolder = WorkFolder(context.environment)
    var argument = SessionArgument(file: start.session)
    argument.position.branch = start.branch
    argument.position.step = start.step
    let run = DebuggerRun(
      session: argument,
      host: start.hasHost
        ? try HostOptions().connection(in: context, workFolder, for: start.session) : nil,
      workFolder: workFolder,
      configuration: Configuration(keys: start.keys, problems: start.problems),
      sidecarPath: beside)
    let app = try await run.rehearse(
      Size(width: start.size[0], height: start.size[1]), arrangement: start.arrangement,
      ScriptedRun(folder: folder.path), on: threads, output: { _ in }, onChange: {})
    return Run(start: start, app: app, folder: folder, host: run.host)
  }

  /// Blocks until the work is done on its own threads, because a reducer must answer at once.
  private func waiting<Result: Sendable>(
    _ work: @escaping @Sendable () async throws -> Result
  ) throws -> Result {
    let result = Locked<Swift.Result<Result, any Error>?>(nil)
    let done = Latch()
    Task.detached(executorPreference: threads) {
      let found: Swift.Result<Result, any Error>
      do { found = .success(try await work()) } catch { found = .failure(error) }
      result.withLock { $0 = found }
      done.open()
    }
    done.wait()
    guard let found = result.withLock({ $0 }) else { throw CancellationError() }
    return try found.get()
  }
}

struct ServeItselfCommand: Command {
  static let declaration = CommandDeclaration(
    name: "serve-itself", usage: "", summary: "serve the debugger's own reducer", isHidden: true)

  /// It is this program: it runs a debugger that writes nowhere and starts only hosts that the user
  /// named. A foreign file that poses as such a recording is harmless.
  static func host(ofSessionAt path: String) -> HostCommand? {
    guard SessionHeader.read(at: path, upTo: 1 << 22)?.app?.name == RecordedDebugger.app else {
      return nil
    }
    return HostCommand(FileSystem.ownProgram, [declaration.name])
  }

  static func run(_ given: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
    // The recording must not see this user's stored marks and forks.
    setenv("XDG_STATE_HOME", "/dev/null", 1)
    ReducerHost.serve(
      ReplaySetup(DebuggerReducer(runs: DebuggerRuns(context))), name: RecordedDebugger.app)
    return .yes
  }
}
