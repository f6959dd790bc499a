import TextCanvas
import TimeTravel

@testable import Debugger

/// Each character is a key; `⏎` is Enter, `⎋` Escape, `⇥` Tab and `↓` Down.
func typed(_ keys: String) -> [InputEvent] {
  keys.map { key in
    switch key {
    case "⏎": .key(.enter)
    case "⎋": .key(.escape)
    case "⇥": .key(.tab)
    case "↓": .key(.down)
    default: .key(.character(key))
    }
  }
}

extension DebuggerApp {
  /// The wishes at a step, after these keys.
  static func wishes(
    at step: Int, _ keys: String, columns: Int, rows: Int
  ) async -> DebuggerApp {
    let app = DebuggerApp(
      session: OpenSession(Wishes.recording), size: Size(width: columns, height: rows),
      position: Position(step: step), output: { _ in }, onChange: {})
    await app.start().finish()
    for event in typed(keys) { await app.handle(event).finish() }
    return app
  }
}
