import HostProtocol
import Recorder
import ReducerHost
import Replay
import Samples
import SessionWords

/// The host of a sample: what `retcon demo` starts as its second process.
struct ServeSampleCommand: Command {
  static let declaration = CommandDeclaration(
    name: "serve-sample", usage: "NAME", summary: "serve the reducer of a sample", isHidden: true)

  let sample: any Sample.Type

  init(_ arguments: ParsedArguments) throws {
    sample = try Samples.known(arguments.positionals.first ?? "")
  }

  /// The host of a session that `retcon demo` recorded. It is this program and holds nothing but the
  /// sample, so a stranger's file that claims to be a demo can do no harm with it.
  static func host(ofDemoAt path: String) -> HostCommand? {
    guard let header = SessionHeader.read(at: path), let app = header.app,
      let sample = Samples.all.first(where: { $0.recorded(app, started: header.started) })
    else { return nil }
    return HostCommand(FileSystem.ownProgram, [declaration.name, sample.name])
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    await serve(sample)
    return .yes
  }

  private func serve<Served: Sample>(_ sample: Served.Type) async {
    var setup = ReplaySetup(Served.app()) { Served.putDependenciesOnTape(&$0, Tape()) }
    // All that the samples ask is on tape.
    setup.runsEffectsOnTape = true
    ReducerHost.serve(setup, name: Served.title)
  }
}
