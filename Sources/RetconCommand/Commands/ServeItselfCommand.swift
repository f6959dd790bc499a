import HostProtocol
import Platform
import ReducerHost
import Replay
import SessionFile
import SessionWords

/// The host of a debugger that has recorded itself.
struct ServeItselfCommand: Command {
  static let declaration = CommandDeclaration(
    name: "serve-itself", usage: "", summary: "serve the debugger's own reducer", isHidden: true)

  init(_ arguments: ParsedArguments) throws {}

  /// It is this program: it runs a debugger that writes nowhere and starts only hosts that the user has named,
  /// so a stranger's file that claims to be such a recording can do no harm with it.
  static func host(ofSessionAt path: String) -> HostCommand? {
    guard SessionHeader.read(at: path, upTo: 1 << 22)?.app?.name == RecordedDebugger.app else {
      return nil
    }
    return HostCommand(FileSystem.ownProgram, [declaration.name])
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    // What this user keeps for sessions without a folder of their own is nothing of the recording's.
    setenv("XDG_STATE_HOME", "/dev/null", 1)
    ReducerHost.serve(
      ReplaySetup(DebuggerReducer(runs: DebuggerRuns(context))), name: RecordedDebugger.app)
    return .yes
  }
}
