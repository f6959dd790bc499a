import SessionWords
import StoreCore
import Testing
import ValueTree

@testable import Replay

/// Every kind of edit in a fork of a fork: it does what it does in one fork with both edits.
@Suite struct NestedTests {
  private static func action(_ action: Shop.Action) throws -> Value { try .encoding(action) }

  /// Step 1 is the one that the first fork edits; the effects start at 4 and 6.
  private static let doing: [Doing<Shop.Action>] = [
    .send(.noted("first")), .send(.add(3)), .send(.rate), .send(.fetch(2)), .send(.announce),
    .wait(.seconds(1)), .send(.roll), .send(.poll), .wait(.milliseconds(1500)),
    .send(.stopPolling), .send(.noted("last")),
  ]

  enum Kind: String, CaseIterable, Sendable {
    case skip, replace, insert, move, read, set, emission, answerEmit, answerFail, answerCancel
    case output, poll

    func edit(_ number: (Int) -> Int) throws -> Edit {
      switch self {
      case .skip: .skip(step: number(2))
      case .replace: .replace(step: number(2), action: try NestedTests.action(.add(20)))
      case .insert: .insert(after: number(3), action: try NestedTests.action(.add(7)))
      case .move: .move(step: number(2), after: number(8))
      case .read: .read(step: number(3), key: "rate", index: 0, outcome: .value(9))
      case .set: .set(step: number(3), pointer: ["total"], value: 50)
      case .emission: .replace(step: number(8), action: try NestedTests.action(.fetched("else")))
      case .answerEmit:
        .answer(
          EffectAnswer(
            effect: 1, after: number(5),
            outcome: .emit(action: try NestedTests.action(.fetched("mine")))))
      case .answerFail:
        .answer(EffectAnswer(effect: 1, after: number(5), outcome: .fail(message: "x")))
      case .answerCancel: .answer(EffectAnswer(effect: 1, after: number(5), outcome: .cancel))
      case .output: .skip(step: number(7))
      case .poll: .skip(step: number(10))
      }
    }
  }

  enum First: String, CaseIterable, Sendable {
    case insert, skip, replace, set

    func edit() throws -> Edit {
      switch self {
      case .insert: .insert(after: 0, action: try NestedTests.action(.noted("zero")))
      case .skip: .skip(step: 1)
      case .replace: .replace(step: 1, action: try NestedTests.action(.noted("FIRST")))
      case .set: .set(step: 0, pointer: ["query"], value: "q")
      }
    }

    /// How the first edit moves the numbers of later steps.
    var shift: Int {
      switch self {
      case .insert, .set: 1
      case .skip: -1
      case .replace: 0
      }
    }
  }

  @Test(
    "forks/of-fork: an edit in a fork of a fork does what it does beside the first fork's edit",
    arguments: First.allCases, Kind.allCases)
  func nested(_ first: First, _ kind: Kind) async throws {
    let shop = try await RecordedShop(Self.doing)
    #expect(try shop.session.step(8).label == "fetched")
    #expect(try shop.session.step(10).label == "poll")
    let together = Script(leavesAt: 0, edits: [try first.edit(), try kind.edit { $0 }])
    let parent = Script(leavesAt: 0, edits: [try first.edit()])
    let child = Script(
      parent: "first", leavesAt: 0, edits: [try kind.edit { $0 + first.shift }])
    let one = try shop.run([together])
    let two = try shop.run([parent, child])
    #expect(two.states == one.states)
    func labels(_ lines: [String]) -> [String] {
      lines.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
    }
    #expect(labels(two.lines) == labels(one.lines))
    #expect(two.report.pending.map(\.origin.name) == one.report.pending.map(\.origin.name))
    #expect(
      two.report.pending.map(\.isUnanswered) == one.report.pending.map(\.isUnanswered))
    // A grandchild that leaves late goes on as its parent.
    let leaves = one.lines.count - 2
    let late = try shop.run([
      parent, child,
      Script(
        parent: "second", leavesAt: leaves,
        edits: [.insert(after: leaves, action: try Self.action(.add(1000)))]),
    ])
    #expect(late.states.last?.total == (one.states.last?.total ?? 0) + 1000)
  }

  @Test(
    "forks/of-fork: a state that was set by hand can be skipped and moved in a fork of the fork")
  func setByHand() async throws {
    let shop = try await RecordedShop((0..<3).map { _ in .send(.add(1)) })
    let first = Script(leavesAt: 1, edits: [.set(step: 1, pointer: ["total"], value: 10)])
    func totals(_ edit: Edit) throws -> [Int] {
      try shop.run([first, Script(parent: "first", leavesAt: 1, edits: [edit])]).states.map(\.total)
    }
    #expect(try shop.run([first]).states.map(\.total) == [10, 11, 12])
    #expect(try totals(.skip(step: 2)) == [2, 3])
    #expect(try totals(.move(step: 2, after: 3)) == [2, 10, 11])
    let action: Value = try .encoding(Shop.Action.add(5))
    #expect(try totals(.replace(step: 2, action: action)) == [6, 7, 8])
  }

  @Test(
    "forks/of-fork: what a reducer sent and the user skipped, changed or moved stays so in a fork of it"
  )
  func outputs() async throws {
    let shop = try await RecordedShop([.send(.announce), .send(.add(1)), .send(.add(1))])
    let action: Value = try .encoding(Shop.Action.noted("mine"))
    for edit in [
      Edit.skip(step: 2), .replace(step: 2, action: action), .move(step: 2, after: 4),
      .move(step: 3, after: 5),
    ] {
      let first = Script(leavesAt: 1, edits: [edit])
      let one = try shop.run([first])
      let same = try shop.run([first, Script(parent: "first", leavesAt: 1)])
      // It meets its parent at once, or runs to its end.
      let shared = same.report.rejoining.map { one.states.dropFirst($0.parentStep - 1) } ?? []
      #expect(same.states + shared == one.states, "\(edit)")
    }
  }

  @Test(
    "answers/by-hand: what the user cancels goes alone, and its chain goes on, also in a fork of it"
  )
  func cancelledByHand() async throws {
    let shop = try await RecordedShop([
      .send(.chain), .wait(.seconds(1)), .send(.noted("end")),
    ])
    let first = Script(
      leavesAt: 1, edits: [.answer(EffectAnswer(effect: 1, after: 1, outcome: .cancel))])
    let one = try shop.run([first])
    #expect(
      one.states.map(\.log) == [["between"], ["between", "two"], ["between", "two", "end"]])
    let same = try shop.run([first, Script(parent: "first", leavesAt: 1)])
    let shared = same.report.rejoining.map { one.states.dropFirst($0.parentStep - 1) } ?? []
    #expect(same.states + shared == one.states)
  }

  @Test(
    "forks/of-fork: another action for what a reducer sends comes where the fork of the fork sends it"
  )
  func replacedOutput() async throws {
    let shop = try await RecordedShop([
      .send(.noted("a")), .wait(.seconds(1)), .send(.noted("b")), .wait(.seconds(1)),
      .send(.settle("x")), .wait(.seconds(1)), .send(.noted("end")),
    ])
    let first = Script(
      leavesAt: 3, edits: [.replace(step: 4, action: try Self.action(.noted("y")))])
    let second = Script(parent: "first", leavesAt: 1, edits: [.move(step: 3, after: 1)])
    let run = try shop.run([first, second])
    #expect(run.states.last?.log == ["a", "y", "b", "end"])
    #expect(run.report.leftOut == [])
  }
}

/// It sends at once, and again later: after a pause, and when the user stops a wait.
private struct Later: Reducer {
  struct State: Codable, Hashable, Sendable { var log: [String] = [] }

  enum Action: Codable, Hashable, Sendable {
    case go, stop
    case note(String)
  }

  @Dependency(\.continuousClock) var clock

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .go:
      return .merge(
        .send(.note("now")), .send(.note("later")).debounce(id: "pause", for: .seconds(1)),
        .concatenate(
          .run { [clock] _ in try await clock.sleep(for: .seconds(9)) }.cancellable(id: "wait"),
          .send(.note("at last"))))
    case .stop: return .cancel(id: "wait")
    case .note(let text): state.log.append(text)
    }
    return .none
  }
}

extension NestedTests {
  @Test(
    "forks/of-fork: what the user makes of what a reducer sent at once is not about what it sends later"
  )
  func later() async throws {
    let (session, _, file) = try await record(
      Later(), from: Later.State(), [.send(.go), .wait(.seconds(2)), .send(.stop)])
    let replay = try SessionReplay(session, ReplaySetup(Later()))
    /// The log of a fork without edits, up to the last step.
    func log(_ first: Script, fork leavesAt: Int, _ last: Int) throws -> Value? {
      let end = Edit.insert(after: last, action: try .encoding(Later.Action.note("end")))
      let scripts = [first, Script(parent: "first", leavesAt: leavesAt, edits: [end])]
      return try replay.state(of: scripts, after: try replay.run(scripts).lastStep)["log"]
    }
    let skip = Script(leavesAt: 1, edits: [.skip(step: 2)])
    #expect(try log(skip, fork: 1, 4) == ["later", "at last", "end"])
    let replace = Script(
      leavesAt: 1, edits: [.replace(step: 2, action: try .encoding(Later.Action.note("then")))])
    #expect(try log(replace, fork: 1, 5) == ["then", "later", "at last", "end"])
    let other = Script(
      leavesAt: 2, edits: [.replace(step: 5, action: try .encoding(Later.Action.note("done")))])
    #expect(try log(other, fork: 0, 5) == ["now", "later", "done", "end"])
    withExtendedLifetime(file) {}
  }
}

/// An effect that is chained to a pause, and another pause that ends later.
private struct Chained: Reducer {
  struct State: Codable, Hashable, Sendable {
    var count = 0
    var log: [String] = []
  }

  enum Action: Codable, Hashable, Sendable {
    case add, ask, wait
    case note(String)
  }

  @Dependency(\.continuousClock) var clock

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .add: state.count += 1
    case .ask:
      return .run(name: "ask") { [clock, count = state.count] send in
        try await clock.sleep(for: .seconds(3))
        await send(.note("\(count)"))
      }
      .debounce(id: "ask", for: .seconds(1))
    case .wait: return .send(.note("waited")).debounce(id: "wait", for: .seconds(2))
    case .note(let text): state.log.append(text)
    }
    return .none
  }
}

extension NestedTests {
  @Test("forks/of-fork: an effect between two steps is open in nested forks, too")
  func openBetweenSteps() async throws {
    let (session, _, file) = try await record(
      Chained(), from: Chained.State(),
      [.send(.add), .send(.ask), .send(.wait), .wait(.seconds(5))])
    let replay = try SessionReplay(session, ReplaySetup(Chained()))
    func lines(_ scripts: Script...) throws -> [String] {
      var lines: [String] = []
      _ = try replay.run(scripts) { lines.append($0.line) }
      return lines
    }
    let first = Script(leavesAt: 0, edits: [.skip(step: 1)])
    let one = try lines(first)
    #expect(
      one == [
        "1 ask ←2 recorded/different", "2 wait ←3 recorded/different",
        "3 note of 2 ←4 open/different", "4 note ⚡3 ←5 assumed/different",
      ])
    let same = try lines(first, Script(parent: "first", leavesAt: 1))
    #expect(
      same == [
        "2 wait ←2 recorded/equal", "3 note of 2 ←3 open/equal", "4 note ⚡3 ←4 assumed/equal",
      ])
    withExtendedLifetime(file) {}
  }
}
