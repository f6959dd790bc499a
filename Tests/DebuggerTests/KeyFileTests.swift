import SessionWords
import StoreTesting
import Testing
import TextCanvas
import TimeTravel

@testable import Debugger

/// What each key and each command does, as the difference that it makes to the state, in `Frames/keys.txt`. The keys are
/// those of the table, so there is none that nobody presses.
@Suite("Every key does what its file says")
struct KeyFileTests {
  @Test("each key and each command of each map, where the map holds")
  func keys() async throws {
    var text: [String] = []
    let steps = try await desk()
    text += told(KeyTable.always, steps) + told(KeyTable.time, steps) + told(KeyTable.look, steps)
    text += told(KeyTable.change, steps) + told(KeyTable.program, steps)
    text += told(KeyTable.timeline, try await desk { $0.type("t") })
    text += told(KeyTable.range, try await desk { $0.type("V3k") })
    text += told(KeyTable.pane, try await desk { $0.type("2⇥⏎jj") })
    text += told(KeyTable.arranging, try await desk { $0.press(.control("w")) })
    text += told(KeyTable.copying, try await desk { $0.type("y") })
    text += told(KeyTable.playing, try await desk { $0.type("p") })
    text += told(KeyTable.lists, try await desk { $0.type("B") })
    let form = try await desk { $0.type("f") }
    text += told(KeyTable.form, form)
    var choice = form
    choice.press(.backTab)
    text += told(KeyTable.choice, choice)
    text += told(KeyTable.prompt, try await desk { $0.type("/wish") })
    let typing = try await desk { desk in
      desk.type("/two words")
      desk.press(.left)
    }
    text += told(KeyTable.typing, typing)
    expectFile("keys.txt", text.joined(separator: "\n"))
  }

  /// At a coupon, with a mark, a hit, a fork and a reducer.
  private func desk(_ prepare: (inout Desk) -> Void = { _ in }) async throws -> Desk {
    var desk = Desk(at: 8, host: .ready("WishesHost"))
    desk.state.branches.append(
      Branch(name: "try", script: Script(parent: "main", leavesAt: 8, edits: []), steps: 0...33))
    desk.state.marks[Position(step: 20)] = "here"
    desk.state.timeline.effects = try Wishes.session.longestEffects(24)
    desk.state.timeline.density = try Wishes.session.density(parts: 32)
    desk.search("note")
    if let number = desk.state.search?.number {
      desk.send(.searchFound(number, SearchBatch(hits: [10, 12, 14], searched: 34, total: 34)))
      desk.send(.searchEnded(number, failure: nil))
    }
    desk.state.go(to: Position(step: 7))
    desk.state.go(to: Position(step: 8))
    desk.send(.playOn)
    try await desk.bringMoment()
    prepare(&desk)
    desk.work = []
    return desk
  }

  private func told<Subject>(_ map: KeyMap<Subject>, _ desk: Desk) -> [String] {
    var lines = ["# \(map.title)"]
    for binding in map.bindings {
      let keys = binding.names.flatMap { name in Key.named(name).map { (name, Optional($0)) } }
      for (name, key) in keys + binding.commands.map({ (":\($0)", nil) }) {
        var pressed = desk
        if let key { pressed.press(key) } else { pressed.type("\(name)⏎") }
        lines.append(name)
        lines += difference(desk.state, pressed.state).map { "    \($0)" }
        lines += pressed.work.map { "    work: \(words(for: $0))" }
      }
    }
    return lines
  }

  private func difference(_ before: DebuggerState, _ after: DebuggerState) -> [Substring] {
    let lines =
      readableDifference(expected: before, actual: after)?.split(separator: "\n")
      .filter { $0.hasPrefix("−") || $0.hasPrefix("+") } ?? []
    return lines
  }

  /// What is asked of the background, without what is asked of it.
  private func words(for work: Work) -> Substring {
    "\(work)".prefix { $0 != "(" }
  }
}
