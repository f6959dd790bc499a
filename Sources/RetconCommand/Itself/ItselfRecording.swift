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

/// The debugger as it stands in a recording of itself: what it was started with, all that was typed since, and
/// what could be seen then. The last comes of the other two.
struct RecordedDebugger: Codable, Sendable, Hashable {
  struct Start: Codable, Sendable, Hashable {
    /// The whole path of the session that was looked at.
    var session: String
    var branch: String
    var step: Int?
    var size: [Int]
    /// Whether a reducer was attached. Which one is not told: nobody runs what a log says.
    var hasHost: Bool
    /// The lines of the configuration that are about keys, and what is wrong with it.
    var keys: String
    var problems: [String]
    var arrangement: String?
    /// What lay beside the session.
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

/// Records a debugger while somebody uses it. What is typed waits until what was typed before has had all its
/// consequences: so it comes out the same when it is run again.
final class ItselfRecording: Sendable {
  private let recorder: SessionRecorder<RecordedDebugger, TypedInput>
  private let state = Locked<RecordedDebugger?>(nil)
  /// What the recorder has to say; nothing may be written across the screen.
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

  /// Hands what was typed to the debugger, and writes what came of it.
  func record(_ input: TypedInput, _ app: DebuggerApp) async {
    await app.handle(input).finish()
    let seen = DebuggerSnapshot(app.state)
    state.withLock { state in
      guard var next = state else { return }
      next.typed.append(input)
      next.seen = seen
      state = next
      recorder.step(input, cause: .user) { next }
    }
  }

  /// Ends it, and says where it is and what is wrong with it.
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

/// The debugger's own reducer. It runs a debugger on the session that was looked at, in which nothing is
/// done outside of a private folder.
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

/// Debuggers that are run again. The last one is kept: mostly the next question is about one key more.
final class DebuggerRuns: Sendable {
  private struct Run: Sendable {
    var start: RecordedDebugger.Start
    var typed: [TypedInput] = []
    var app: DebuggerApp
    var folder: String
    var host: HostConnection?

    func end() {
      host?.end()
      FileSystem.removeFolder(folder)
    }
  }

  private let last = Locked<Run?>(nil)
  private let context: CommandContext
  private let threads = WorkThreads()

  init(_ context: CommandContext) { self.context = context }

  deinit { last.withLock { $0 }?.end() }

  /// What can be seen after all that was typed.
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
    do {
      guard start.size.count == 2, let name = start.session.split(separator: "/").last else {
        throw UsageError(what: "the recording does not say what was looked at")
      }
      // What lay beside the session then, where nobody else's is changed.
      let beside = "\(folder)/\(name)"
      symlink(start.session, beside)
      if let sidecar = start.sidecar { try FileSystem.write(sidecar, to: beside + ".sidecar") }
      let workshop = Workshop(context.environment)
      var argument = SessionArgument(file: start.session)
      argument.position.branch = start.branch
      argument.position.step = start.step
      var run = DebuggerRun(
        session: argument,
        host: start.hasHost
          ? try HostOptions().connection(in: context, workshop, for: start.session) : nil,
        frame: try FrameOptions(ParsedArguments([], for: [])), workshop: workshop)
      run.sidecarPath = beside
      run.configuration = Configuration(keys: start.keys, problems: start.problems)
      let app = try await run.rehearse(
        Size(width: start.size[0], height: start.size[1]), arrangement: start.arrangement,
        Rehearsal(folder: folder), on: threads, output: { _ in }, onChange: {})
      return Run(start: start, app: app, folder: folder, host: run.host)
    } catch {
      FileSystem.removeFolder(folder)
      throw error
    }
  }

  /// A reducer answers when it has an answer; the work is done on threads of its own meanwhile.
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

/// The host of a debugger that has recorded itself.
struct ServeItselfCommand: Command {
  static let declaration = CommandDeclaration(
    name: "serve-itself", usage: "", summary: "serve the debugger's own reducer", isHidden: true)

  /// It is this program: it runs a debugger that writes nowhere and starts only hosts that the user has named,
  /// so a stranger's file that claims to be such a recording can do no harm with it.
  static func host(ofSessionAt path: String) -> HostCommand? {
    guard SessionHeader.read(at: path, upTo: 1 << 22)?.app?.name == RecordedDebugger.app else {
      return nil
    }
    return HostCommand(FileSystem.ownProgram, [declaration.name])
  }

  static func run(_ given: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
    // What this user keeps for sessions without a folder of their own is nothing of the recording's.
    setenv("XDG_STATE_HOME", "/dev/null", 1)
    ReducerHost.serve(
      ReplaySetup(DebuggerReducer(runs: DebuggerRuns(context))), name: RecordedDebugger.app)
    return .yes
  }
}
