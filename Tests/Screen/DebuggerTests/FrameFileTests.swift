import Testing
import TextCanvas
import TimeTravel

@testable import Debugger

/// Screens as text in `Frames/`: a few whole, and of the others what their keys change, so that a new
/// border or title moves few files.
@Suite("Every pane and every mode looks as its file says, at 80×24, 120×36, 200×60 and 60×15")
struct FrameFileTests {
  struct Scene: Sendable, CustomTestStringConvertible {
    var name: String
    var step: Int
    var keys: String
    var hasHost = false
    /// The work of the last key is unfinished: the screen is that of a waiting user.
    var isWaiting = false
    var isWhole = false

    var testDescription: String { name }
  }

  static let scenes = [
    Scene(name: "diff", step: 5, keys: "", isWhole: true),
    Scene(name: "state", step: 8, keys: "2q"),
    Scene(name: "action", step: 8, keys: "3q"),
    Scene(name: "effects", step: 33, keys: "4q"),
    Scene(name: "reads", step: 5, keys: "5q"),
    Scene(name: "watch", step: 8, keys: ":watch total⏎:watch button⏎6q"),
    Scene(name: "compare", step: 8, keys: "fi⏎j7q", hasHost: true),
    Scene(name: "in the pane", step: 5, keys: "⏎jj"),
    Scene(name: "search", step: 5, keys: "/coupon⏎"),
    Scene(name: "search in a pane", step: 8, keys: "2q⏎/Lamp⏎"),
    Scene(name: "condition", step: 5, keys: ";state.total < 0⏎"),
    Scene(name: "condition that is wrong", step: 5, keys: ";totl < 0⏎"),
    Scene(name: "filter", step: 8, keys: "Fonly state.total < 0⏎"),
    Scene(name: "runs in one row", step: 20, keys: "r"),
    Scene(name: "rule that is broken", step: 5, keys: ":rule state.total >= 0⏎"),
    Scene(name: "timeline", step: 0, keys: "tj"),
    Scene(name: "timeline by time", step: 12, keys: "ittt"),
    Scene(name: "range", step: 4, keys: "V4j"),
    Scene(name: "palette", step: 8, keys: ":tot"),
    Scene(name: "help", step: 8, keys: "?"),
    Scene(name: "marks", step: 5, keys: "mjjMwhy here?⏎'"),
    Scene(name: "branches", step: 8, keys: "fi⏎B", hasHost: true),
    Scene(name: "side by side", step: 8, keys: "fi⏎T", hasHost: true, isWhole: true),
    Scene(name: "what if", step: 8, keys: "f", hasHost: true),
    Scene(name: "what if, at an answer", step: 5, keys: "f", hasHost: true),
    Scene(name: "who set it", step: 12, keys: "2q⏎G"),
    Scene(name: "failure", step: 8, keys: "e"),
    Scene(name: "line of a fork", step: 8, keys: "fi", hasHost: true),
    Scene(name: "line with its words", step: 8, keys: ":fork ", hasHost: true),
    Scene(name: "line with a value", step: 8, keys: ":fork set total=5", hasHost: true),
    Scene(name: "line with an answer", step: 4, keys: "a", hasHost: true),
    Scene(name: "line that is wrong", step: 5, keys: "ficuponApplied⏎", hasHost: true),
    Scene(name: "fork without a reducer", step: 8, keys: "f"),
    Scene(name: "host", step: 8, keys: ":host⏎", hasHost: true),
    Scene(name: "playing", step: 5, keys: "p", isWaiting: true),
    Scene(name: "searching", step: 5, keys: ";state.total < 0⏎", isWaiting: true),
  ]

  @Test(arguments: scenes)
  func looks(_ scene: Scene) async {
    var frames: [String] = []
    for (columns, rows) in [(80, 24), (120, 36), (200, 60), (60, 15)] {
      func app(_ keys: String) async -> DebuggerApp {
        await .wishes(
          at: scene.step, keys, columns: columns, rows: rows, hasHost: scene.hasHost)
      }
      var state = await app(scene.isWaiting ? String(scene.keys.dropLast()) : scene.keys).state
      if scene.isWaiting, let last = scene.keys.last {
        _ = DebuggerFeature.turn(of: .input(.key(.typed(last))), on: &state)
      }
      let screen = DebuggerView.draw(state)
      let text =
        scene.isWhole
        ? screen.text : screen.changes(from: DebuggerView.draw(await app("").state))
      frames.append("\(columns)×\(rows)\n" + text)
    }
    expectFile("\(scene.name).txt", frames.joined(separator: "\n"))
  }
}

extension Canvas {
  /// The rows that differ from another screen of this size, in blocks, each from its first to its last
  /// changed column.
  fileprivate func changes(from other: Canvas) -> String {
    var lines: [String] = []
    var block = 0..<0
    for row in 0...size.height {
      if row < size.height, !changedColumns(row, from: other).isEmpty {
        block = block.isEmpty ? row..<row + 1 : block.lowerBound..<row + 1
      } else if !block.isEmpty {
        let changed = block.flatMap { changedColumns($0, from: other) }
        let (first, last) = (changed.min() ?? 0, changed.max() ?? 0)
        lines.append("row \(block.lowerBound), column \(first)")
        lines += block.map { self.row($0).dropFirst(first).prefix(last - first + 1).text }
        block = 0..<0
      }
    }
    return lines.joined(separator: "\n")
  }

  private func changedColumns(_ row: Int, from other: Canvas) -> [Int] {
    zip(self.row(row), other.row(row)).enumerated().filter { $1.0.text != $1.1.text }.map(\.offset)
  }
}

extension ArraySlice<Cell> {
  fileprivate var text: String {
    var text = map(\.text).joined()
    while text.last == " " { text.removeLast() }
    return text
  }
}
