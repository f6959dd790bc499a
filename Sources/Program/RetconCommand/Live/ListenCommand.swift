import Live
import Platform
import Recorder
import SessionWords
import TextCanvas

struct ListenCommand: Command {
  static let declaration = CommandDeclaration(
    name: "listen", usage: "[OPTIONS]",
    summary: "record apps that connect by themselves, and open the first one",
    discussion: """
      Hears @redux-devtools/remote and its kin for Swift and Dart (port 8000), XState's inspector (8080),
      Reactotron (9090), and Retcon's recorders in Swift and JavaScript (7382). A port takes any of them.

      Each store becomes a session in this folder. At a terminal the debugger opens with the first one and
      follows it. Otherwise it records until Ctrl-C. A connection that is lost and comes back goes on with
      its session.
      """,
    options: [
      Option("port", value: "PORTS", help: "other ports, as 8000,9090"),
      Option("address", value: "HOST", help: "the address to listen on (127.0.0.1)"),
      Option("allow", value: "HOSTS", help: "other machines that need no pairing code"),
      Option("origin", value: "URLS", help: "pages of other machines that may connect"),
      Option("output", letter: "o", value: "FILE", help: "the file of the first store"),
    ] + RedactionWords.declarations + HostOptions.declarations)

  static let usualPorts: [(port: UInt16, speaks: String)] = [
    (8000, "Redux DevTools remote"), (8080, "XState"), (9090, "Reactotron"),
    (StreamPlace.usualPort, "Retcon’s recorders"),
  ]

  static func run(_ given: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
    guard given.positionals.isEmpty else {
      throw UsageError(
        what: "listen takes no words, and there is \(given.positionals[0])",
        next: "retcon attach names an app to connect to")
    }
    let run = LiveRecording(
      context: context, host: try HostOptions(given), output: given.value("output"),
      configuration: Configuration(in: context.environment))
    let recorder = run.recorder(try run.redaction(given))
    var admission = LiveListener.Admission()
    admission.origins = Set(words(given.value("origin")))
    admission.peers = Set(words(given.value("allow")))
    let address = given.value("address") ?? "127.0.0.1"
    let listener = LiveListener(recorder, admission)
    try open(listener, try ports(given), at: address, context)
    if !LiveListener.Admission.isLoopback(address) {
      context.tell(
        "Other machines need the pairing code \(admission.code). The connection is not encrypted.")
    }
    let over = Latch()
    return try await run.run(
      recorder, host: { _ in nil },
      wait: {
        over.wait()
        return ""
      }, stop: { over.open() },
      end: {
        over.open()
        listener.end()
      })
  }

  private static func words(_ list: String?) -> [String] {
    (list ?? "").split(separator: ",").map(String.init)
  }

  private static func ports(_ given: ParsedArguments) throws -> [(port: UInt16, speaks: String)] {
    guard let list = given.value("port") else { return usualPorts }
    return try words(list).map { word in
      guard let port = UInt16(word) else {
        throw UsageError(what: "\(word) is no port", next: "Write --port 8000,9090")
      }
      return (port, "")
    }
  }

  /// Another program may have one of the ports; one is enough.
  private static func open(
    _ listener: LiveListener, _ ports: [(port: UInt16, speaks: String)], at address: String,
    _ context: CommandContext
  ) throws {
    var (heard, failures) = ([String](), [String]())
    for (port, speaks) in ports {
      do {
        let chosen = try listener.open(host: address, port: port)
        heard.append(speaks.isEmpty ? "\(chosen)" : "\(chosen) (\(speaks))")
      } catch {
        failures.append("\(error)")
      }
    }
    guard !heard.isEmpty else {
      throw UsageError(what: failures.first ?? "there is no port", next: "Write --port PORT")
    }
    context.warn(failures)
    context.tell("Listening on \(address): \(heard.joined(separator: ", ")).")
  }
}
