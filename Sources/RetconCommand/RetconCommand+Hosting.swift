import HostProtocol
import Platform
import ReducerHost
import Replay
import StoreCore

extension RetconCommand {
  /// Makes an executable the debugger of its own app: the whole command line, with the app's reducer
  /// as the host.
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
  /// The reducer runs in a second process, which is started from the same file: when it traps or
  /// hangs, the debugger lives on. Put dependencies on tape that are on tape in the app; the built-in
  /// ones are by themselves.
  public static func main<State: Codable & Sendable, Action: Codable & Sendable>(
    hosting reducer: some Reducer<State, Action>, name: String? = nil,
    upgrade: SessionUpgrade? = nil,
    withDependencies change: @escaping @Sendable (inout DependencyValues) -> Void = { _ in }
  ) async {
    await main(
      hosting: ReplaySetup(reducer, upgrade: upgrade, withDependencies: change), name: name,
      runsLive: !(reducer is any ForeignReducer))
  }

  /// The same with a setup; see ``ReducerHost`` for what can be said of its effects.
  public static func main<State: Codable & Sendable, Action: Codable & Sendable>(
    hosting setup: ReplaySetup<State, Action>, name: String? = nil, seesEffects: Bool = true,
    runsLive: Bool = true
  ) async {
    if CommandLine.arguments.dropFirst().first == serveWord {
      ReducerHost.serve(setup, name: name, seesEffects: seesEffects, runsLive: runsLive)
      exit(0)
    }
    await main(ownHost: HostCommand(FileSystem.ownProgram, [serveWord]))
  }

  /// The argument that makes the second process the host.
  private static let serveWord = "serve-app"
}
