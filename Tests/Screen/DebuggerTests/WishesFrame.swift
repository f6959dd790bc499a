import Debugger
import TextCanvas
import TimeTravel

/// The screen of the wishes session at a step, after some keys.
func frame(_ width: Int, _ height: Int, at step: Int, _ keys: Key...) async -> String {
  await DebuggerApp.print(
    Wishes.session, size: Size(width: width, height: height), position: Position(step: step),
    events: keys.map { .key($0) }
  ).text
}
