import HostProtocol
import SessionWords
import TerminalKit
import TextCanvas
import TimeTravel

struct OpenCommand: Command {
  static let declaration = CommandDeclaration(
    name: "open", usage: "FILE[@[BRANCH/]STEP] [OPTIONS]",
    summary: "open a session in the debugger",
    discussion: """
      FILE is a session that an app recorded, a file of another tool such as Redux DevTools, or JSON
      Lines of actions and states. It may be packed with gzip, xz or zstd; - is standard input.
      Press ? in the debugger for all keys.

      A host runs the app's reducer for forks, and computes the states of a file that holds only
      actions. Retcon starts only a host that you named: with --reducer for a Redux app, with
      --host, or for the app of the session in ~/.config/retcon/config. That file also sets keys and
      colours.
      """,
    options: HostOptions.declarations + [
      Option("rule", value: "CONDITION", help: "must hold, as :rule says; may be repeated"),
      Option("watch", help: "start a rebuilt host again by itself, as R does"),
      Option("again", help: "run STEP again, and show that beside what was recorded"),
      Option(
        "record-self", value: "FILE", help: "record the debugger itself, as a session of its own"),
    ] + FrameOptions.declarations)

  static func run(_ given: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
    let session = try SessionArgument(given, command: "open")
    let host = try HostOptions(given)
    let frame = try FrameOptions(given)
    let runsAgain = given.has("again")
    guard !runsAgain || session.position.isOnMain && session.position.step ?? 0 > 0
    else {
      throw UsageError(what: "--again needs a step", next: "Write FILE@STEP")
    }
    let ownRecording = given.value("record-self")
    if ownRecording != nil, frame.print != nil {
      throw UsageError(
        what: "--record-self records what is typed, and --print takes no keys",
        next: "Leave out one of them")
    }
    let workFolder = WorkFolder(context.environment)
    let configuration = Configuration(in: context.environment)
    let code = host.code(in: context, workFolder)
    code.name(given.all("rule").flatMap { (try? StepQuestion($0))?.code ?? [] })
    defer { code.restart() }
    var run = DebuggerRun(
      session: session,
      host: try host.connection(in: context, workFolder, for: session.position.file, configuration),
      script: host.reducer?.script, code: code,
      rules: given.all("rule"), frame: frame, workFolder: workFolder,
      watches: given.has("watch"), runsAgain: runsAgain, configuration: configuration,
      ownRecording: ownRecording)
    run.hosting = { words in
      var other = host
      other.reducer = try ReducerFile(words, options: host.reducer?.options ?? [])
      other.command = nil
      return DebuggerRun.Hosting(
        host: try other.connection(in: context, workFolder), script: other.reducer?.script)
    }
    guard run.host != nil || !runsAgain else {
      throw UsageError(what: "--again needs the app's reducer", next: "Add --host COMMAND")
    }
    return try await run.run(in: context)
  }
}

extension DebuggerRun {
  struct Hosting: Sendable {
    var host: HostConnection?
    var script: ReducerScript?
  }
}
