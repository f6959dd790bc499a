import Debugger
import HostProtocol
import Live
import Platform
import SessionWords
import Sockets
import TextCanvas
import TimeTravel

struct AttachCommand: Command {
  static let declaration = CommandDeclaration(
    name: "attach", usage: "[URL | PORT | PID | -- node APP…] [OPTIONS]",
    summary: "record a running web or node app, and open it",
    discussion: """
      Records each store that supports Redux DevTools, without a change in the app. Without arguments it
      lists the pages and programs at ports 9222 (Chromium), 9229 (node) and 8081 (React Native).
      Reload a page to record it: Retcon cannot record a store that exists already.

      Each store becomes a session in this folder. At a terminal the debugger opens with the first one and
      follows it; forks run in the page. Otherwise it records until the app ends, or Ctrl-C.
      """,
    options: [
      Option(
        "launch", value: "URL", help: "open this address in a new browser with a fresh profile"),
      Option("browser", value: "COMMAND", help: "the browser to launch, with its options"),
      Option("output", letter: "o", value: "FILE", help: "the file of the first store"),
      Option("reload", help: "load the page again, so that its stores are recorded"),
      Option("trace", help: "record where in the source each action was sent"),
    ] + RedactionWords.declarations + HostOptions.declarations)

  static func run(_ given: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
    let launch = given.value("launch")
    guard launch == nil || given.positionals.isEmpty else {
      throw UsageError(what: "--launch opens a page of its own", next: "Leave out the other words")
    }
    guard launch != nil || !given.positionals.isEmpty else { return list(in: context) }
    let host = try HostOptions(given)
    var run = LiveRecording(context: context, host: host, output: given.value("output"))
    run.configuration = Configuration(in: context.environment)
    let (live, redaction) = (run, try run.redaction(given))
    let name = SafeText.line((launch ?? given.positionals.joined(separator: " ")).clipped(to: 200))
    let watch = SilenceWatch(context.output, doing: "waiting for \(name) to answer")
    watch.start()
    let app = try await LiveRecording.blocking {
      defer { watch.end() }
      return try AttachedApp(given, launch, live.recorder(redaction), live)
    }
    return try await app.record(live)
  }

  private static func list(in context: CommandContext) -> ExitCode {
    let all = AttachTarget.listed()
    for (port, target) in all {
      let words = [target.title.clipped(to: 200), target.address.clipped(to: 500)]
      context.show("\(port)  \(target.kind)  \(words.joined(separator: "  "))")
    }
    if all.isEmpty {
      context.tell(
        "There is nothing to attach to. Write retcon attach --launch URL, or -- node APP; or start "
          + "Chromium with --remote-debugging-port=9222 --user-data-dir=FOLDER, node with --inspect."
      )
    }
    return all.isEmpty ? .no : .yes
  }
}

/// An app with the recorder in it.
final class AttachedApp: Sendable {
  let page: PageRecording
  let recorder: LiveRecorder
  private let launched: LaunchedApp?
  private let profile: ScratchFolder?

  init(
    _ given: ParsedArguments, _ launch: String?, _ recorder: LiveRecorder, _ run: LiveRecording
  ) throws {
    self.recorder = recorder
    var (place, name) = (HTTPConnection.Place?.none, "app")
    if let launch {
      let folder = try FileSystem.temporaryFolder(in: run.context.environment)
      let command = try LaunchedApp.browser(
        given.value("browser"), profile: folder.path, run.context.environment)
      let browser = try LaunchedApp(command, output: .nothing) { _ in }
      (launched, profile) = (browser, folder)
      let port = try browser.debugger()
      let pages = try DevToolsTarget.all(at: port.host, port: port.port)
      place = try AttachTarget.only(pages).socket
      name = launch
    } else {
      profile = nil
      switch try AttachTarget(given.positionals) {
      case .page(let target):
        launched = nil
        place = target.socket
        name = target.title.isEmpty ? target.address : target.title
      case .command(let words):
        let node = try LaunchedApp(
          LaunchedApp.node(words), output: try run.outputOfApp(), print: run.printOfApp)
        launched = node
        place = try node.debugger()
        name = words.dropFirst().first { !$0.hasPrefix("-") }.map(Self.fileName) ?? "node"
      }
    }
    guard let place else { throw UsageError(what: "there is nothing to attach to") }
    page = try PageRecording(
      place, shim: JoinedScript.shim, trace: given.has("trace"), name: name, recorder)
    try page.begin(isStart: launched != nil && place.isOfNode, reloads: given.has("reload"))
    if let launch { try page.navigate(to: launch) }
    if launched == nil, !given.has("reload") {
      run.context.tell(
        "A store that exists already cannot be recorded: load the page again.")
    }
  }

  private static func fileName(_ path: String) -> String {
    let name = path.split(separator: "/").last ?? "node"
    return String(name.prefix { $0 != "." })
  }

  /// Runs until the app ends or, at a terminal, the debugger.
  func record(_ run: LiveRecording) async throws -> ExitCode {
    let program = run.context.ownProgram
    let place = page.place
    return try await run.run(
      recorder,
      host: { store in
        guard store.reduces else { return nil }
        let url = "ws://\(place.host):\(place.port)\(place.path)"
        var command = HostCommand(program, [PageHostCommand.declaration.name, url, store.id])
        command.isThin = true
        return command
      },
      app: { [recorder] id in
        let store = DrivenStore(place, store: id)
        return RunningApp { order in
          try await LiveRecording.blocking { try store.carryOut(order, recorder) }
        } savePlayed: {
          recorder.savePlayed(in: id)
        } leave: {
          store.release()
        }
      },
      wait: { [page] in page.wait() }, stop: { [page] in page.stop() },
      end: { [self] in
        page.end()
        guard let launched else { return }
        guard place.isOfNode, page.hasEnded else { return launched.kill() }
        let exit = launched.wait()
        if exit != .status(0) { run.context.tell("The app ended with \(exit.text).") }
      })
  }
}
