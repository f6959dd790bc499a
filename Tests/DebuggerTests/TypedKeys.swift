import TextCanvas
import TimeTravel

@testable import Debugger

extension DebuggerApp {
  /// The wishes at a step, after these keys: `⏎` is Enter and `⎋` Escape.
  static func wishes(
    at step: Int, _ keys: String, columns: Int, rows: Int
  ) async -> DebuggerApp {
    let app = DebuggerApp(
      session: OpenSession(Wishes.recording), size: Size(width: columns, height: rows),
      position: Position(step: step), output: { _ in }, onChange: {})
    await app.start().finish()
    for key in keys {
      let event: InputEvent =
        switch key {
        case "⏎": .key(.enter)
        case "⎋": .key(.escape)
        default: .key(.character(key))
        }
      await app.handle(event).finish()
    }
    return app
  }
}
