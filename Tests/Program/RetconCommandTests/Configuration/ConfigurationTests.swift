import Debugger
import HostProtocol
import Platform
import TerminalDriver
import TestSupport
import Testing
import TextCanvas

@testable import RetconCommand

@Suite("The configuration", .timeLimit(.minutes(60)))
struct ConfigurationTests {
  @Test("lies in the user's folder for configurations, and nowhere for somebody without a home")
  func place() {
    #expect(Configuration.path(in: ["HOME": "/home/ann"]) == "/home/ann/.config/retcon/config")
    #expect(
      Configuration.path(in: ["HOME": "/home/ann", "XDG_CONFIG_HOME": "/c"]) == "/c/retcon/config")
    #expect(
      Configuration.path(in: ["HOME": "/h", "XDG_CONFIG_HOME": "relative"])
        == "/h/.config/retcon/config")
    #expect(Configuration.path(in: [:]) == nil)
    #expect(Configuration(in: [:]).problems.isEmpty)
    #expect(Configuration(in: ["HOME": "/nowhere"]).problems.isEmpty)
  }

  @Test("takes what can be understood, and says of each other line which it is and what was meant")
  func problems() {
    let text = """
      # mine
      colours dark
      colors lihgt

      colors light bright
        colors dark
      color rde 12
      color red 256
      color red 9 bold bald
      color cyan 30 underline
      key F2
      key F2 :hepl
      key F2 ?
      key F2 q
      key x j
      host Cart
      host Cart ~/CartHost
      host Cart CartHost | tee log
      host Cart "/opt/cart host" --quick
      host Cart other
      key "F3 j
      """
    let configuration = Configuration(text, name: "config")
    #expect(
      configuration.problems == [
        "config, line 2: there is no setting “colours”; did you mean colors?",
        "config, line 3: unknown colour scheme “lihgt”; did you mean light?",
        "config, line 5: expected one scheme name",
        "config, line 7: “rde” is not a colour name here; did you mean red?",
        "config, line 8: “256” is not a colour: write a number up to 255, or a name; there are standard, "
          + "black, red, green, yellow, blue, magenta, cyan, white, bright-black, bright-red, "
          + "bright-green, bright-yellow, bright-blue, bright-magenta, bright-cyan, bright-white",
        "config, line 9: unknown style “bald”; did you mean bold?",
        "config, line 11: key takes a key and what it does, as in key F2 f",
        "config, line 12: there is no command “:hepl”; did you mean :help?",
        "config, line 14: F2 has a meaning in line 13 already",
        "config, line 16: host takes the name of an app and a command, as in host Cart /opt/CartHost",
        "config, line 17: “~” needs a shell, and none is started",
        "config, line 18: “|” needs a shell, and none is started",
        "config, line 20: “Cart” has a host in line 19 already",
        "config, line 21: a quote is open, or the line ends with \\",
        "config, line 15: x was for “skip the step, or restore a skipped one; twice takes it "
          + "back”, which no key does now: add key KEY x",
      ])
    var colors = ColorScheme.dark
    colors[.cyan] = Style(foreground: .palette(30)).underline
    #expect(configuration.colors == colors)
  }

  @Test(
    "whatever stands in it, each sentence names a line, and nothing else happens",
    arguments: [1, 2, 3, 4] as [UInt64])
  func anything(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let words = [
      "key", "host", "color", "colors", "F2", "j", ":goto", "none", "'", "\"", "\\", "#", "red",
      "255",
      "light", "\u{1B}[2J", "\u{0}", "ü", "Ctrl-", "Alt-", "Shift-", "Alt-1…", "", "\r\n", "~",
    ]
    for _ in 0..<100 {
      let text = (0..<20).map { _ in
        (0..<Int.random(in: 0..<5, using: &random)).map { _ in words.randomElement(using: &random)!
        }
        .joined(separator: " ")
      }.joined(separator: "\n")
      let problems = Configuration(text, name: "config").problems
      #expect(problems.allSatisfy { $0.hasPrefix("config, line ") }, "\(text)")
    }
  }

  @Test("a pipe, and a file of megabytes, are no configuration and stop nothing")
  func hostile() throws {
    for isPipe in [true, false] {
      let folder = try TemporaryFolder()
      let path = "\(folder.path)/retcon/config"
      #expect(mkdir(folder("retcon"), 0o700) == 0)
      if isPipe {
        #expect(mkfifo(path, 0o600) == 0)
      } else {
        try folder.write(String(repeating: "colors = dark\n", count: 400_000), to: "retcon/config")
      }
      let reason = isPipe ? "it is no plain file" : "it is longer than 256 KB"
      #expect(
        Configuration(in: ["XDG_CONFIG_HOME": folder.path]).problems
          == ["cannot read \(path): \(reason)."])
    }
  }

  @Test("that cannot be read says so")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    makeFolders(above: folder("retcon/config/file"))
    let configuration = Configuration(in: ["XDG_CONFIG_HOME": folder.path])
    #expect(
      configuration.problems == ["cannot read \(folder.path)/retcon/config: Is a directory."])
  }

  @Test("names hosts by the name of an app: a session chooses among them and writes none")
  func hosts() throws {
    let folder = try TemporaryFolder()
    let configuration = Configuration("host Cart '/opt/cart host' --quick\n", name: "config")
    func host(ofApp name: String) throws -> HostCommand? {
      let header =
        #"{"retcon":"1.0","app":{"name":"\#(name)"},"can":"replay","host":"touch owned"}"#
      let path = try folder.write(header + "\n", to: "session.retcon")
      return configuration.host(ofSessionAt: path)?.command
    }
    #expect(try host(ofApp: "Cart") == HostCommand("/opt/cart host", ["--quick"]))
    #expect(try host(ofApp: "cart") == nil)
    #expect(try host(ofApp: "Cart --steal") == nil)
    #expect(try host(ofApp: "Cart\\u0000") == nil)
    // The state in a header may be long.
    let long = String(repeating: "x", count: 1 << 20)
    let header = #"{"retcon":"1.0","app":{"name":"Cart"},"can":"replay","state":"\#(long)"}"#
    let path = try folder.write(header + "\n", to: "session.retcon")
    #expect(
      configuration.host(ofSessionAt: path)?.because
        == "'/opt/cart host' --quick runs: line 1 of config names it for “Cart”")
  }

  @Test("gives way to a host that is named on the command line or in the environment")
  func order() async throws {
    let runner = try CommandRunner()
    let path = runner.folder + "/cart.retcon"
    try FileSystem.write(#"{"retcon":"1.0","app":{"name":"Cart"},"can":"replay"}"# + "\n", to: path)
    let configuration = Configuration("host Cart mine", name: "config")
    func host(_ options: HostOptions, _ environment: [String: String] = [:]) throws -> String? {
      var context = runner.context(data: { _ in }, messages: { _ in })
      context.environment = environment
      return try options.connection(in: context, WorkFolder(environment), for: path, configuration)?
        .command.program
    }
    #expect(try host(HostOptions()) == "mine")
    #expect(try host(HostOptions(command: HostCommand("named"))) == "named")
    #expect(try host(HostOptions(), ["RETCON_HOST": "other"]) == "other")
  }

  @Test("never stops the debugger: it starts, and says what is wrong and what it runs")
  func onScreen() async throws {
    let runner = try CommandRunner()
    _ = await runner.recordCounter()
    let screen = MemoryScreen(size: Size(width: 100, height: 24))
    var run = DebuggerRun(
      session: SessionArgument(file: runner.folder + "/counter.retcon"),
      frame: try FrameOptions(ParsedArguments([], for: [])))
    run.configuration = Configuration("kye F2 j\ncolors high-contrast\nkey F2 G", name: "config")
    let context = runner.context(data: { _ in }, messages: { _ in })
    let running = Task { [run] in try await run.show(on: screen, context) }
    await screen.shows("config, line 1: there is no setting “kye”; did you mean key?")
    #expect(screen.last?.row(0).first?.style.background == .palette(16))
    #expect(screen.canvases.first?.row(0).first?.style.background == .palette(16))
    screen.send(.key(.function(2)))
    await screen.shows("34/34")
    screen.send(.key(.character("q")))
    _ = try await running.value
  }
}
