import Platform

/// A program in tmux, which is a real terminal whose screen can be read.
///
/// ```swift
/// let session = try TmuxSession(program, ["demo"], columns: 80, rows: 24)
/// try session.wait(for: "q quit")
/// try session.press("j", "Down", "C-z")
/// ```
package final class TmuxSession {
  private let socket: String
  private let environment: [String: String]

  package init(
    _ program: String, _ arguments: [String] = [], columns: Int, rows: Int,
    environment: [String: String] = TestEnvironment.variables(terminal: "screen-256color")
  ) throws {
    self.environment = environment
    var random = SystemRandomNumberGenerator()
    let folder = temporaryFolder
    socket = "\(folder)/retcon-\(getpid())-\(String(random.next(), radix: 36)).tmux"
    // The pane sets TERM itself, so the wanted one is given to the program by `env`.
    let variables = environment.map { "\($0.key)=\($0.value)" }.sorted()
    try tmux(
      ["-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)"]
        + ["sleep 1000"]
        + [";", "set-option", "-g", "status", "off", ";", "set-option", "-g", "escape-time", "0"]
        + [";", "set-option", "-g", "exit-empty", "off"]
        + [";", "respawn-pane", "-k", "env", "-i"] + variables
        + ["/bin/sh", "-c", Self.wrapper, "sh", program] + arguments)
  }

  /// tmux sometimes does not hear how a program ended, so a shell around it says so on the screen.
  private static let endWords = "the program ended with "
  private static let wrapper = """
    "$@"; printf '\\n%s%s.\\n' '\(endWords)' $?; exec sleep 1000
    """

  deinit {
    _ = try? tmux(["kill-server"])
    unlink(socket)
  }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    let (text, status) = try Spawn.output(
      of: "tmux", ["-S", socket] + arguments, environment: environment)
    guard status == .exited(0) else {
      throw DriverError("tmux \(arguments.joined(separator: " ")): \(text) (\(status))")
    }
    return text
  }

  /// Presses keys by the names tmux has for them (`Down`, `C-z`, `PageUp`, `q`).
  package func press(_ keys: String...) throws {
    try tmux(["send-keys"] + keys)
  }

  /// Types text as it stands.
  package func type(_ text: String) throws {
    try tmux(["send-keys", "-l", text])
  }

  /// Pastes text, in brackets if the program asked for them.
  package func paste(_ text: String) throws {
    try tmux(["set-buffer", text, ";", "paste-buffer", "-p"])
  }

  /// Lets the program put text on the clipboard.
  package func acceptClipboard() throws {
    try tmux(["set-option", "-s", "set-clipboard", "on"])
  }

  /// Waits until the program has put a text on the clipboard; answers it.
  package func clipboard() throws -> String {
    var text = ""
    try wait(until: "something is on the clipboard") { _ in
      text = (try? tmux(["show-buffer"])) ?? ""
      return !text.isEmpty
    }
    return text
  }

  package func resize(columns: Int, rows: Int) throws {
    try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// The screen as text, one line a row.
  package func screen() throws -> String {
    try tmux(["capture-pane", "-p"])
  }

  /// The screen with its styles as escape sequences.
  package func styledScreen() throws -> String {
    try tmux(["capture-pane", "-p", "-e"])
  }

  /// Something tmux knows about the program's terminal (`alternate_on`, `cursor_flag`,
  /// `mouse_any_flag`).
  package func fact(_ name: String) throws -> String {
    var text = try tmux(["display-message", "-p", "#{\(name)}"])
    if text.last == "\n" { text.removeLast() }
    return text
  }

  /// Waits until the screen holds a text; answers the screen.
  @discardableResult
  package func wait(for text: String, seconds: Double = Deadline.patience) throws -> String {
    try wait(until: "“\(text)” is shown", seconds: seconds) { screen in
      screen.contains(text) || unwrapped(screen).contains(text)
    }
  }

  /// The screen as one line: where a message wraps depends on the length of folder names.
  private func unwrapped(_ screen: String) -> String {
    screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Waits until a text is gone from the screen.
  @discardableResult
  package func wait(forNo text: String, seconds: Double = Deadline.patience) throws -> String {
    try wait(until: "“\(text)” is gone", seconds: seconds) { !$0.contains(text) }
  }

  /// Waits until the screen is as wanted; answers it, or fails with the whole screen as it was last.
  @discardableResult
  package func wait(
    until what: String, seconds: Double = Deadline.patience, _ isWanted: (String) throws -> Bool
  ) throws -> String {
    let deadline = Deadline(seconds: seconds)
    while true {
      let text = try screen()
      if try isWanted(text) { return text }
      if deadline.hasPassed {
        throw DriverError("waited in vain until \(what); the screen is:\n\(text)")
      }
      poll(nil, 0, 15)
    }
  }

  /// Waits until the program has ended; answers how.
  package func waitForExit(seconds: Double = Deadline.patience) throws -> ProcessEnd {
    var end: ProcessEnd?
    try wait(until: "the program ends", seconds: seconds) { screen in
      guard let words = screen.split(separator: Self.endWords).dropFirst().last,
        let status = Int32(words.prefix(while: \.isNumber))
      else { return false }
      end = status > 128 ? .signalled(status - 128) : .exited(status)
      return true
    }
    return end ?? .exited(-1)
  }
}
