import RecordingSupport
import TextCanvas
import TimeTravel

@testable import Debugger

extension DebuggerApp {
  /// The wishes at a step, after these keys: `⏎` is Enter, `⎋` Escape, `⇥` and `⇤` Tab and Shift-Tab.
  static func wishes(
    at step: Int, _ keys: String, columns: Int, rows: Int, hasHost: Bool = false
  ) async -> DebuggerApp {
    let host = hasHost ? FakeHost(recording: Wishes.recording) : nil
    let app = DebuggerApp(
      session: OpenSession(Wishes.recording, host: host), size: Size(width: columns, height: rows),
      position: Position(step: step), output: { _ in }, onChange: {})
    await app.start().finish()
    for key in keys {
      await app.handle(.key(.typed(key))).finish()
      while app.state.forks.running != nil { await Task.yield() }
    }
    return app
  }

  /// A recording with its host at a step, after these keys.
  static func hosted(
    _ recording: MemoryRecording, at step: Int, _ keys: String
  ) async -> DebuggerApp {
    let app = DebuggerApp(
      session: OpenSession(recording, host: FakeHost(recording: recording)),
      size: Size(width: 120, height: 36), position: Position(step: step), output: { _ in },
      onChange: {})
    await app.start().finish()
    for key in keys { await app.handle(.key(.typed(key))).finish() }
    return app
  }
}

extension Key {
  /// Enter, Escape, Tab, Shift-Tab and the arrows are `⏎ ⎋ ⇥ ⇤ ↑ ↓ ← →`.
  static func typed(_ character: Character) -> Key {
    switch character {
    case "⏎": .enter
    case "⎋": .escape
    case "⇥": .tab
    case "⇤": .backTab
    case "↑": .up
    case "↓": .down
    case "←": .left
    case "→": .right
    default: .character(character)
    }
  }
}
