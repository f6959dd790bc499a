import SessionWords
import TextCanvas

@testable import Debugger
@testable import TimeTravel

/// Presses each key and each command of each map once where the map holds. The keys come from the
/// table, so every key is pressed.
struct KeyWalk {
  /// The state before the key and after it.
  struct Press {
    var map: String
    /// The names of one binding, of which this is one.
    var binding: Int
    var name: String
    var before: DebuggerState
    var after: TestDebugger
  }

  private(set) var presses: [Press] = []

  /// `debugger` is where all of them begin.
  init(from debugger: TestDebugger) throws {
    let steps = debugger
    func changed(_ prepare: (inout TestDebugger) -> Void) -> TestDebugger {
      var debugger = debugger
      prepare(&debugger)
      debugger.work = []
      return debugger
    }
    press(KeyTable.always, steps)
    press(KeyTable.time, steps)
    press(KeyTable.look, steps)
    press(KeyTable.change, steps)
    press(KeyTable.program, steps)
    press(KeyTable.timeline, changed { $0.type("t") })
    press(KeyTable.range, changed { $0.type("V3k") })
    press(KeyTable.pane, changed { $0.type("2q⏎jj") })
    press(KeyTable.arranging, changed { $0.press(.control("w")) })
    press(KeyTable.copying, changed { $0.type("y") })
    press(KeyTable.playing, changed { $0.type("p") })
    press(KeyTable.lists, changed { $0.type("B") })
    press(
      KeyTable.menu,
      changed { $0.send(.input(.mouse(Mouse(.rightPress, column: 5, row: 16)))) })
    press(KeyTable.prompt, changed { $0.type("/wish") })
    press(KeyTable.typing, changed { $0.type("/two words←") })
  }

  private mutating func press<Subject>(_ map: KeyMap<Subject>, _ debugger: TestDebugger) {
    for (index, binding) in map.bindings.enumerated() {
      for name in binding.names {
        var after = debugger
        let key = Key.named(name).prefix(2).last
        if let key { after.press(key) } else { after.type("\(name)⏎") }
        presses.append(
          Press(map: map.title, binding: index, name: name, before: debugger.state, after: after))
      }
    }
  }
}

extension TestDebugger {
  /// At a coupon, with a mark, a hit, a fork and a reducer.
  static func full() async throws -> TestDebugger {
    var debugger = TestDebugger(at: 8, host: .ready("WishesHost"))
    debugger.state.branches.append(
      Branch("try", script: Script(parent: "main", leavesAt: 8, edits: []), steps: 0...33))
    debugger.state.keeping.marks[Position(step: 20)] = "here"
    debugger.state.timeline.effects = try Wishes.session.longestEffects(24)
    debugger.state.timeline.density = try Wishes.session.density(parts: 32)
    debugger.search("note")
    let batch = SearchBatch(hits: [10, 12, 14], searched: 34, total: 34)
    debugger.send(.searches(.found(.asked, batch)))
    debugger.send(.searches(.ended(.asked, failure: nil)))
    debugger.state.go(to: Position(step: 7))
    debugger.state.go(to: Position(step: 8))
    debugger.send(.playing(.stepIsOver))
    try await debugger.bringMoment()
    debugger.work = []
    return debugger
  }
}
