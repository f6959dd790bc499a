import CTerminal
import Essentials
import Platform
import TextCanvas

/// The terminal of this process.
///
/// ```swift
/// let terminal = try Terminal(.fromEnvironment)
/// defer { terminal.end() }
/// terminal.present(view.draw(state, size: terminal.size))
/// for await event in terminal.events {
///   state.receive(event)
///   if state.isDone { break }
///   terminal.present(view.draw(state, size: terminal.size))
/// }
/// ```
///
/// Its own thread reads keys and draws; nothing else waits for the terminal. Every exit restores
/// it: `end`, `exit`, and every fatal signal except SIGKILL, with that signal's exit status. Only
/// one can exist at a time.
package final class Terminal: TerminalScreen {
  private let mailbox: Mailbox
  package let events: AsyncStream<InputEvent>

  package init(_ options: TerminalOptions = .fromEnvironment) throws(TerminalError) {
    let (events, continuation) = AsyncStream<InputEvent>.makeStream()
    self.events = events
    mailbox = try Mailbox()
    terminal_restore_protect_thread()
    try TerminalThread.start(mailbox: mailbox, options: options, events: continuation)
  }

  package var size: Size { mailbox.size }

  package func present(_ canvas: Canvas) { mailbox.put(canvas) }

  package func redraw() { mailbox.put { $0.redraw() } }

  package func useMouse(_ isUsed: Bool) { mailbox.put { $0.useMouse(isUsed) } }

  /// By an escape sequence (OSC 52), which also works through ssh.
  package func copy(_ text: String) {
    mailbox.put { $0.write(Clipboard.sequence(for: SafeText.lines(text))) }
  }

  package func suspend() async {
    await withCheckedContinuation { done in
      mailbox.put { screen in
        screen.stop()
        done.resume()
      }
    }
  }

  package func lend<Result: Sendable>(
    while body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { done in
      mailbox.put { screen in
        screen.deactivate()
        terminal_restore_ignore_keys(1)
        let result = Swift.Result { try body() }
        terminal_restore_ignore_keys(0)
        screen.reactivate()
        done.resume(with: result)
      }
    }
  }

  package func end() { mailbox.end() }
}

extension CursesScreen {
  func stop() {
    deactivate()
    terminal_restore_stop()
    reactivate()
  }
}

package struct TerminalOptions: Sendable, Hashable {
  package var usesMouse: Bool
  package var usesColors: Bool
  package var isAsciiOnly: Bool

  package init(usesMouse: Bool = true, usesColors: Bool = true, isAsciiOnly: Bool = false) {
    (self.usesMouse, self.usesColors, self.isAsciiOnly) = (usesMouse, usesColors, isAsciiOnly)
  }

  /// The environment's wishes: a nonempty `NO_COLOR` means no colours.
  package static var fromEnvironment: TerminalOptions {
    TerminalOptions(usesColors: (getenv("NO_COLOR").map { $0.pointee == 0 }) ?? true)
  }
}

package enum TerminalError: Error, Sendable, Hashable {
  /// Standard output is a file or a pipe.
  case outputIsNoTerminal
  case inputIsNoTerminal
  /// `TERM` is missing, unknown, or cannot place its cursor.
  case unknownTerminal(name: String)
  /// The library refuses a screen of this size.
  case noScreen
  case system(what: String, error: Int32)
}

extension TerminalError: CustomStringConvertible {
  /// One sentence: what happened and what to do.
  package var description: String {
    switch self {
    case .outputIsNoTerminal:
      "standard output is not a terminal; --print WIDTHxHEIGHT prints the screen as text"
    case .inputIsNoTerminal:
      "there is no terminal to read keys from; --print WIDTHxHEIGHT prints the screen as text"
    case .unknownTerminal(let name) where name.isEmpty: "TERM is not set; try TERM=xterm-256color"
    case .unknownTerminal(let name):
      "TERM=\(name) cannot show a full screen, or is not known here; try TERM=xterm-256color"
    case .noScreen:
      "no screen fits this window; `stty size` shows its rows and columns: make it smaller"
    case .system(let what, let error): "\(what) failed (error \(error))"
    }
  }
}

/// The control sequence for the terminal's clipboard (OSC 52).
enum Clipboard {
  static func sequence(for text: String) -> String {
    "\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}"
  }
}
