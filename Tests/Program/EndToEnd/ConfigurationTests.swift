import Platform
import TerminalDriver
import TestSupport
import Testing

@Suite("The user's own configuration", .needs(.tmux))
struct ConfigurationTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.write(CartSession.text, to: "cart.retcon")
  }

  private func open(_ configuration: String, _ file: String) throws -> TmuxSession {
    makeFolders(above: folder("retcon/config"))
    try folder.write(configuration, to: "retcon/config")
    var environment = TestEnvironment.variables(terminal: "screen-256color")
    environment["XDG_CONFIG_HOME"] = folder.path
    return try Retcon.inTmux([file], columns: 100, environment: environment)
  }

  @Test("keys and colours are the user's, and a mistake is said with its line and stops nothing")
  func keysAndColors() throws {
    let session = try open("colors light\nkey F2 G\nkey Ctrl-b ?\nkye x\n", file)
    try session.wait(for: "retcon/config, line 4: there is no setting “kye”; did you mean key?")
    try session.press("g")
    try session.wait(for: "main   0/5")
    try session.press("F2")
    try session.wait(for: "main   5/5")
    try session.wait(for: "Ctrl-b help")
    #expect(try session.styledScreen().contains("\u{1B}[38;5;240m"))
    try session.press("C-b")
    try session.wait(for: "┌ help ")
    try session.wait(for: "  g F2 %")
    try session.press("q", "q")
    #expect(try session.waitForExit() == .exited(0))
  }

  @Test("the host of an app is run for its sessions, which is said, and for no others")
  func host() throws {
    let script = try folder.write(
      "#!/bin/sh\ntouch \"$0.ran\"\nwhile read line; do :; done\n", to: "cart-host")
    chmod(script, 0o755)
    let named = try open("host Cart '\(script)'\n", file)
    try named.wait(for: "cart-host runs: line 1 of")
    try named.wait(until: "the host was run") { _ in folder.names.contains("cart-host.ran") }
    try named.type(":host\n")
    try named.wait(for: "┌ host ")
    try named.wait(until: "what runs is told, and why") { screen in
      screen.contains("Started by: ") && screen.contains("runs: line 1 of")
    }
    try named.press("q", "q")
    _ = try named.waitForExit()
    unlink(folder("cart-host.ran"))
    let text = CartSession.text.replacing(#""name":"Cart""#, with: #""name":"Cart; touch x""#)
    let other = try open("host Cart '\(script)'\n", try folder.write(text, to: "other.retcon"))
    try other.wait(for: "? help")
    try other.press("q")
    #expect(try other.waitForExit() == .exited(0))
    #expect(!folder.names.contains("cart-host.ran"))
  }
}
