import HostProtocol
import Recorder
import ReducerHost
import Replay
import Samples
import SessionFile
import SessionWords

struct DemoCommand: Command {
  static let declaration = CommandDeclaration(
    name: "demo", usage: "[NAME] [OPTIONS]",
    summary: "record a sample app and open the debugger on it",
    discussion: "The samples: \(Samples.all.map { $0.name }.joined(separator: ", ")).",
    options: [
      Option(
        "output", letter: "o", value: "FILE",
        help:
          "keep the session in FILE, and rename one that is there; - writes it to standard output"
      )
    ] + FrameOptions.declarations)

  static func run(_ given: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
    let sample = try Samples.known(given.positionals.first ?? CounterSample.name)
    let output = given.value("output").map { OutputFile(name: $0) }
    let frame = try FrameOptions(given)
    if let output, output.isStandardOutput {
      try await output.write(in: context) { _ = try await record(sample, to: $0) }
      return .yes
    }
    let folder = try FileSystem.temporaryFolder(in: context.environment)
    let path = output?.name ?? "\(folder.path)/\(sample.name).retcon"
    defer { withExtendedLifetime(folder) {} }
    let recorded = try await record(sample, to: path)
    var session = SessionArgument(file: recorded)
    var welcome: (words: String, fork: BranchID)?
    // Only a temporary demo shows something; a kept file is the recording alone.
    if output == nil, frame.print == nil, let show = sample.show {
      try Sidecar(session: recorded).update { $0.branches = [show.fork] }
      session.position.step = show.step
      welcome = (show.words, BranchID(show.fork.name))
    }
    let status = try await DebuggerRun(
      session: session,
      host: HostConnection(
        HostCommand(FileSystem.ownProgram, [ServeSampleCommand.declaration.name, sample.name])),
      frame: frame, workFolder: WorkFolder(context.environment), welcome: welcome,
      configuration: Configuration(in: context.environment)
    ).run(in: context)
    let made = Sidecar(session: recorded).contents
    if output == nil, !made.marks.isEmpty || made.branches.count > (welcome == nil ? 0 : 1) {
      context.tell("The demo is gone, with your forks and marks; `retcon demo -o FILE` keeps it.")
    }
    return status
  }

  private static func record(
    _ sample: any Sample.Type, to path: String
  ) async throws -> String {
    guard let recorded = await sample.recordDemo(to: path).path else {
      throw UsageError(what: "the demo cannot be recorded in \(path)", next: "Name another file")
    }
    return recorded
  }
}

struct ServeSampleCommand: Command {
  static let declaration = CommandDeclaration(
    name: "serve-sample", usage: "NAME", summary: "serve the reducer of a sample", isHidden: true)

  /// The host of a `retcon demo` session. It is this program with nothing but the sample, so a
  /// foreign file that poses as a demo is harmless.
  static func host(ofDemoAt path: String) -> HostCommand? {
    guard let header = SessionHeader.read(at: path), let app = header.app,
      let sample = Samples.all.first(where: { $0.recorded(app, started: header.started) })
    else { return nil }
    return HostCommand(FileSystem.ownProgram, [declaration.name, sample.name])
  }

  static func run(_ given: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
    await serve(try Samples.known(given.positionals.first ?? ""))
    return .yes
  }

  private static func serve<Served: Sample>(_ sample: Served.Type) async {
    var setup = ReplaySetup(Served.app()) { Served.putDependenciesOnTape(&$0, Tape()) }
    setup.runsEffectsOnTape = true
    ReducerHost.serve(setup, name: Served.title)
  }
}
