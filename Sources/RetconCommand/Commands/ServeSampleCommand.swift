import ReducerHost
import Samples
import SessionLog

/// The host of a sample: what `retcon demo` starts as its second process.
struct ServeSampleCommand: Command {
  static let declaration = CommandDeclaration(
    name: "serve-sample", usage: "NAME", summary: "serve the reducer of a sample", isHidden: true)

  let sample: any Sample.Type

  init(_ arguments: ParsedArguments) throws {
    let name = arguments.positionals.first ?? ""
    guard let sample = Samples.named(name) else {
      throw UsageError(what: "there is no sample named \(name)")
    }
    self.sample = sample
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    await serve(sample)
    return .yes
  }

  private func serve<Served: Sample>(_ sample: Served.Type) async {
    ReducerHost.serve(Served.app(), name: Served.title) {
      Served.putDependenciesOnTape(&$0, Tape())
    }
  }
}
