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
      actions. It is only ever started because you named it: by --reducer for a Redux app, else by
      --host.
      """,
    options: HostOptions.declarations + [
      OptionDeclaration("watch", help: "start a rebuilt host again by itself, as R does"),
      OptionDeclaration("again", help: "run STEP again, and show that beside what was recorded"),
    ] + FrameOptions.declarations)

  let session: SessionArgument
  let host: HostOptions
  let frame: FrameOptions
  let watches: Bool
  let runsAgain: Bool

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
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    let workshop = Workshop(context.environment)
    var run = DebuggerRun(
      session: session,
      host: try host.connection(in: context, workshop, for: session.position.file),
      frame: frame, workshop: workshop, watches: watches)
    run.runsAgain = runsAgain
    guard run.host != nil || !runsAgain else {
      throw UsageError(what: "--again needs the app's reducer", next: "Add --host COMMAND")
    }
    return try await run.run(in: context)
  }
}
