import Platform
import TextCanvas

/// What the thread is started with, and its answer.
final class ThreadStart: Sendable {
  let mailbox: Mailbox
  let options: TerminalOptions
  let events: AsyncStream<InputEvent>.Continuation
  private let outcome = Locked<TerminalError?>(nil)
  private let answered = Latch()

  init(
    mailbox: Mailbox, options: TerminalOptions, events: AsyncStream<InputEvent>.Continuation
  ) {
    self.mailbox = mailbox
    self.options = options
    self.events = events
  }

  func answer(_ problem: TerminalError?) {
    outcome.withLock { $0 = problem }
    answered.open()
  }

  func waitForAnswer() -> TerminalError? {
    answered.wait()
    return outcome.withLock { $0 }
  }
}
