import Debugger
import TerminalKit
import TextCanvas

/// Joins the debugger and a terminal: events go in, frames come out, and what the debugger wants of
/// the world is done.
final class DebuggerLoop: Sendable {
  private enum Event: Sendable {
    case input(InputEvent)
    case changed
    case output(DebuggerOutput)
  }

  private let screen: any TerminalScreen
  private let errands: Errands
  private let events: AsyncStream<Event>
  private let queue: AsyncStream<Event>.Continuation
  private let redraw = Flag()

  init(screen: any TerminalScreen, errands: Errands) {
    self.screen = screen
    self.errands = errands
    (events, queue) = AsyncStream<Event>.makeStream()
  }

  /// For the debugger: something on the screen changed.
  func changed() {
    if redraw.raise() { queue.yield(.changed) }
  }

  /// For the debugger: something is to be done outside.
  func perform(_ output: DebuggerOutput) { queue.yield(.output(output)) }

  /// Runs until the person quits or the terminal is gone.
  func run(_ app: DebuggerApp) async {
    let input = Task { [screen, queue] in
      for await event in screen.events { queue.yield(.input(event)) }
      queue.yield(.output(.quit))
    }
    defer { input.cancel() }
    screen.present(app.frame)
    for await event in events {
      switch event {
      case .input(let input): app.handle(input)
      case .changed: break
      case .output(.quit): return
      case .output(let output): await perform(output, for: app)
      }
      if redraw.lower() { screen.present(app.frame) }
    }
  }

  private func perform(_ output: DebuggerOutput, for app: DebuggerApp) async {
    switch output {
    case .quit: break
    case .suspend: await screen.suspend()
    case .copy(let text): await errands.copy(text, screen)
    case .edit(let text, let name):
      do {
        try await errands.show(text, name: name, screen)
      } catch {
        app.say(sentence(for: error), isFailure: true)
      }
    }
  }
}
