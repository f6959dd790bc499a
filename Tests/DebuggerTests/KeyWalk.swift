import SessionWords
import TextCanvas

@testable import Debugger
@testable import TimeTravel

/// Each key and each command of each map, pressed once where the map holds. The keys are those of the table, so there
/// is none that nobody presses.
struct KeyWalk {
  /// What was there before, and then.
  struct Press {
    var map: String
    /// The names of one binding, of which this is one.
    var binding: Int
    var name: String
    var before: DebuggerState
    var after: Desk
  }

  private(set) var presses: [Press] = []

  /// `desk` is where all of them begin.
  init(from desk: Desk) throws {
    let steps = desk
    func changed(_ prepare: (inout Desk) -> Void) -> Desk {
      var desk = desk
      prepare(&desk)
      desk.work = []
      return desk
    }
    press(KeyTable.always, steps)
    press(KeyTable.time, steps)
    press(KeyTable.look, steps)
    press(KeyTable.change, steps)
    press(KeyTable.program, steps)
    press(KeyTable.timeline, changed { $0.type("t") })
    press(KeyTable.range, changed { $0.type("V3k") })
    press(KeyTable.pane, changed { $0.type("2⇥⏎jj") })
    press(KeyTable.arranging, changed { $0.press(.control("w")) })
    press(KeyTable.copying, changed { $0.type("y") })
    press(KeyTable.playing, changed { $0.type("p") })
    press(KeyTable.lists, changed { $0.type("B") })
    press(
      KeyTable.menu,
      changed { $0.send(.input(.mouse(Mouse(.rightPress, column: 5, row: 16)))) })
    press(KeyTable.form, changed { $0.type("fi") })
    press(KeyTable.choice, changed { $0.type("fi⇤") })
    press(KeyTable.prompt, changed { $0.type("/wish") })
    press(KeyTable.typing, changed { $0.type("/two words←") })
  }

  private mutating func press<Subject>(_ map: KeyMap<Subject>, _ desk: Desk) {
    for (index, binding) in map.bindings.enumerated() {
      for name in binding.names {
        var after = desk
        let key = Key.named(name).prefix(2).last
        if let key { after.press(key) } else { after.type("\(name)⏎") }
        presses.append(
          Press(map: map.title, binding: index, name: name, before: desk.state, after: after))
      }
    }
  }
}

extension Desk {
  /// At a coupon, with a mark, a hit, a fork and a reducer.
  static func full() async throws -> Desk {
    var desk = Desk(at: 8, host: .ready("WishesHost"))
    desk.state.branches.append(
      Branch(name: "try", script: Script(parent: "main", leavesAt: 8, edits: []), steps: 0...33))
    desk.state.keeping.marks[Position(step: 20)] = "here"
    desk.state.timeline.effects = try Wishes.session.longestEffects(24)
    desk.state.timeline.density = try Wishes.session.density(parts: 32)
    desk.search("note")
    if let number = desk.state.searches.asked?.number {
      let batch = SearchBatch(hits: [10, 12, 14], searched: 34, total: 34)
      desk.send(.searches(.found(number, batch)))
      desk.send(.searches(.ended(number, failure: nil)))
    }
    desk.state.go(to: Position(step: 7))
    desk.state.go(to: Position(step: 8))
    desk.send(.playing(.stepIsOver))
    try await desk.bringMoment()
    desk.work = []
    return desk
  }
}
