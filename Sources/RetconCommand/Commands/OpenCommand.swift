import Debugger
import SessionWords
import TerminalKit
import TextCanvas
import TimeTravel

/// `retcon FILE`: opens a session in the debugger.
struct OpenCommand: Command {
  static let declaration = CommandDeclaration(
    name: "open", usage: "FILE[@[BRANCH/]STEP] [OPTIONS]",
    summary: "open a session in the debugger",
    discussion: """
      FILE is a session that an app recorded, an export of Redux DevTools, or JSON Lines of actions
      and states; it may be packed with gzip, xz or zstd, and - is standard input.
      Press ? in the debugger for what can be done.

      A host re-runs the app's reducer for forks, and computes the states of a file that holds only
      actions. It is only ever started because you named it: by --reducer for a Redux app, by --host,
      or for the app of the session in ~/.config/retcon/config, where keys and colours can stand, too.
      """,
    options: HostOptions.declarations + [
      OptionDeclaration("watch", help: "start a rebuilt host again by itself, as R does"),
      OptionDeclaration("again", help: "run STEP again, and show that beside what was recorded"),
      OptionDeclaration(
        "record-self", value: "FILE", help: "record the debugger itself, as a session of its own"),
    ] + FrameOptions.declarations)

  let session: SessionArgument
  let host: HostOptions
  let frame: FrameOptions
  let watches: Bool
  let runsAgain: Bool
  /// Where the debugger records itself.
  let ownRecording: String?

  init(_ arguments: ParsedArguments) throws {
    session = try SessionArgument(arguments, command: "open")
    host = try HostOptions(arguments)
    frame = try FrameOptions(arguments)
    watches = arguments.has("watch")
    runsAgain = arguments.has("again")
    guard !runsAgain || session.position.branch == Branch.main && session.position.step ?? 0 > 0
    else {
      throw UsageError(what: "--again does not know which step", next: "Write FILE@STEP")
    }
    ownRecording = arguments.value("record-self")
    if ownRecording != nil, frame.print != nil {
      throw UsageError(
        what: "--record-self records what is typed, and --print takes no keys",
        next: "Leave out one of them")
    }
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    let workshop = Workshop(context.environment)
    let configuration = Configuration(in: context.environment)
    var run = DebuggerRun(
      session: session,
      host: try host.connection(in: context, workshop, for: session.position.file, configuration),
      frame: frame, workshop: workshop, watches: watches)
    run.configuration = configuration
    run.ownRecording = ownRecording
    run.runsAgain = runsAgain
    guard run.host != nil || !runsAgain else {
      throw UsageError(what: "--again needs the app's reducer", next: "Add --host COMMAND")
    }
    return try await run.run(in: context)
  }
}
