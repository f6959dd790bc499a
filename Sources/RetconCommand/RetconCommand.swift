import HostProtocol
import Platform

/// The whole command line of Retcon.
public enum RetconCommand {
  /// Runs the command that the process was started with, and ends the process.
  public static func main() async { await main(ownHost: nil) }

  /// `ownHost` is attached where the command line names no other.
  static func main(ownHost: HostCommand?) async {
    let context = CommandContext(
      program: programName, environment: currentEnvironment(), output: .standard(),
      ownHost: ownHost)
    let arguments = RawArguments(in: context.environment)
    let status = await run(arguments.words, in: context)
    arguments.removeLinks()
    exit(status.rawValue)
  }

  /// Runs one command line; every error has become words when it returns.
  static func run(_ words: [String], in context: CommandContext) async -> ExitCode {
    var status = ExitCode.trouble
    do {
      status = try await CommandTable.standard.run(words, in: context)
    } catch {
      context.output.talk("\(context.program): \(sentence(for: error))\n")
    }
    guard let reason = context.output.dataFailure() else { return status }
    context.output.talk(
      "\(context.program): standard output cannot be written: \(reason). What was asked for is not "
        + "all there.\n")
    return .trouble
  }

  private static var programName: String {
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "retcon"
  }
}
