import CTerminalRestore
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
/// A thread of its own reads keys and draws; nobody else waits for the terminal. Every way out of
/// the process restores it: `end`, `exit`, and every signal that ends a process except SIGKILL,
/// with the exit status that the signal would have had. There can be one at a time.
public final class Terminal: TerminalScreen {
  private let mailbox: Mailbox
  public let events: AsyncStream<InputEvent>

  public init(_ options: TerminalOptions = .fromEnvironment) throws(TerminalError) {
    let (events, continuation) = AsyncStream<InputEvent>.makeStream()
    self.events = events
    mailbox = try Mailbox()
    terminal_restore_protect_thread()
    if let error = TerminalThread.start(mailbox: mailbox, options: options, events: continuation) {
      throw error
    }
  }

  public var size: Size { mailbox.size }

  public func present(_ canvas: Canvas) {
    mailbox.put(canvas)
  }

  public func useMouse(_ isUsed: Bool) {
    mailbox.put { $0.useMouse(isUsed) }
  }

  /// By an escape sequence (OSC 52), which also reaches the clipboard through ssh.
  public func copy(_ text: String) {
    mailbox.put { $0.write(Clipboard.sequence(for: SafeText.lines(text))) }
  }

  public func suspend() async {
    await withCheckedContinuation { done in
      mailbox.put { screen in
        screen.stop()
        done.resume()
      }
    }
  }

  public func leave<Result: Sendable>(
    while body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { done in
      mailbox.put { screen in
        screen.leave()
        terminal_restore_ignore_keys(1)
        let result = Swift.Result { try body() }
        terminal_restore_ignore_keys(0)
        screen.takeBack()
        done.resume(with: result)
      }
    }
  }

  public func end() {
    mailbox.end()
  }
}

extension CursesScreen {
  /// Stops as Ctrl-Z does.
  func stop() {
    leave()
    terminal_restore_stop()
    takeBack()
  }
}
