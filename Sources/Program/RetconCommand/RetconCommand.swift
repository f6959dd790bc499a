import HostProtocol
import Platform
import ReducerHost
import Replay
import StoreCore

/// The whole command line of Retcon.
public enum RetconCommand {
  /// Runs the process's command line, and ends the process.
  public static func main() async { await main(ownHost: nil) }

  static func main(ownHost: HostCommand?) async {
    let context = CommandContext(
      program: programName, environment: currentEnvironment(), output: .standard(),
      ownHost: ownHost)
    var arguments = RawArguments(in: context.environment)
    let status = await run(arguments.words, in: context)
    arguments.removeLinks()
    exit(status.rawValue)
  }

  static func run(_ words: [String], in context: CommandContext) async -> ExitCode {
    var status = ExitCode.trouble
    do {
      status = try await CommandTable.standard.run(words, in: context)
    } catch {
      context.output.messages("\(context.program): \(sentence(for: error))\n")
    }
    guard let reason = context.output.dataFailure() else { return status }
    context.output.messages(
      "\(context.program): standard output cannot be written: \(reason). What was asked for is not "
        + "all there.\n")
    return .trouble
  }

  private static var programName: String {
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "retcon"
  }

  /// Makes an executable its app's own debugger: the whole command line, with the app's reducer as
  /// the host.
  ///
  /// ```swift
  /// import AppFeature
  /// import RetconCommand
  ///
  /// @main struct AppDebugger {
  ///   static func main() async { await RetconCommand.main(hosting: AppFeature()) }
  /// }
  /// ```
  ///
  /// The reducer runs in a second process of the same executable, so the debugger survives its
  /// traps and hangs. Another debugger can start the executable as its host, too (`retcon --host`).
  /// Put the dependencies on tape that the app puts on tape; the built-in ones are on tape already.
  /// `rules` are functions that conditions may call: `--rule app#orderIsAPermutation`.
  public static func main<State: Codable & Sendable, Action: Codable & Sendable>(
    hosting reducer: some Reducer<State, Action>, name: String? = nil,
    upgrade: SessionUpgrade? = nil, rules: [String: AppRule<State, Action>] = [:],
    withDependencies change: @escaping @Sendable (inout DependencyValues) -> Void = { _ in }
  ) async {
    await main(
      hosting: ReplaySetup(reducer, upgrade: upgrade, withDependencies: change), name: name,
      runsLive: !(reducer is any ForeignReducer), rules: rules)
  }

  /// Runs the command line for a setup; `ReducerHost` explains the options of effects.
  public static func main<State: Codable & Sendable, Action: Codable & Sendable>(
    hosting setup: ReplaySetup<State, Action>, name: String? = nil, seesEffects: Bool = true,
    runsLive: Bool = true, rules: [String: AppRule<State, Action>] = [:]
  ) async {
    let word = CommandLine.arguments.dropFirst().first
    if word == rulesWord {
      var server = RuleServer(rules)
      server.serve()
      exit(0)
    }
    if word == serveWord || environmentVariable(StepPage.variable) != nil {
      ReducerHost.serve(setup, name: name, seesEffects: seesEffects, runsLive: runsLive)
      exit(0)
    }
    await main(ownHost: HostCommand(FileSystem.ownProgram, [serveWord]))
  }

  private static let serveWord = "serve-app"
  static let rulesWord = "serve-rules"
  /// The word for the file of the app's own rules in conditions.
  static let ownRules = "app"
}
