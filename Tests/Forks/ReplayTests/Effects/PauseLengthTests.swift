import SessionFile
import SessionWords
import StoreCore
import Testing
import ValueTree

@testable import Replay

/// Pauses whose length depends on the state.
private struct Lengths: Reducer {
  struct State: Codable, Hashable, Sendable {
    var n = 0
    var log: [String] = []
  }
  enum Action: Codable, Hashable, Sendable {
    case bump(Int)
    case note(String)
    case type(String)
    case scroll(String)
    /// One pause, and then another.
    case chain(String)
    /// A pause of the same id as that of `type`, and of another length.
    case typeSlowly(String)
    /// A pause, and then work.
    case ask(String)
    /// Work, and then an action.
    case work(String)
  }

  @Dependency(\.continuousClock) var clock

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    let pause = Duration.milliseconds(100 * (1 + state.n))
    switch action {
    case .bump(let number): state.n += number
    case .note(let text): state.log.append(text)
    case .type(let text): return typing(text, pause)
    case .typeSlowly(let text): return typing(text, pause * 4)
    case .scroll(let text):
      return .send(.note(text)).throttle(id: "scroll", for: pause, latest: true)
    case .chain(let text):
      return .concatenate(
        .send(.note("\(text) 1")).debounce(id: "one", for: pause),
        .send(.note("\(text) 2")).debounce(id: "two", for: .milliseconds(100)))
    case .ask(let text):
      return .run(name: "ask") { [clock] send in
        try await clock.sleep(for: .milliseconds(100))
        await send(.note(text))
      }.debounce(id: "ask", for: pause)
    case .work(let text):
      return .concatenate(
        .run(name: "work") { [clock] _ in try await clock.sleep(for: .milliseconds(100)) },
        .send(.note(text)))
    }
    return .none
  }

  private func typing(_ text: String, _ pause: Duration) -> Effect<Action> {
    .send(.note(text)).debounce(id: "type", for: pause)
  }
}

/// A fork against a live run of the edited script: the same actions at the same times.
@Suite struct PauseLengthTests {
  private typealias Does = Doing<Lengths.Action>

  private static func lines(_ steps: some Sequence<Step>) -> [String] {
    steps.map { "\($0.action.text()) at \($0.time?.inSeconds ?? -1)" }
  }

  private func expectFork(
    of recorded: [Does], _ edits: [Edit], toBe live: [Does], onTape: Bool,
    at location: SourceLocation = #_sourceLocation
  ) async throws {
    let (session, _, file) = try await record(Lengths(), from: Lengths.State(), recorded)
    let (other, states, otherFile) = try await record(Lengths(), from: Lengths.State(), live)
    var setup = ReplaySetup(Lengths())
    setup.runsEffectsOnTape = onTape
    let replay = try SessionReplay(session, setup)
    #expect(try replay.verify(.all).isEqual, sourceLocation: location)
    let script = Script(leavesAt: 0, edits: edits)
    var steps: [BranchStep] = []
    let report = try replay.run([script]) { steps.append($0) }
    #expect(
      Self.lines(steps.map(\.step)) == Self.lines(try other.steps.dropFirst().map(other.step)),
      sourceLocation: location)
    #expect(steps.allSatisfy { $0.standing.values.areKnown }, sourceLocation: location)
    #expect(report.assumptions == [] && report.pending == [], sourceLocation: location)
    #expect(
      try replay.state(of: [script], after: report.lastStep)
        .isExactlyEqual(to: try .encoding(states[states.count - 1])), sourceLocation: location)
    withExtendedLifetime((file, otherFile)) {}
  }

  private static func session(_ first: [Does], _ action: Lengths.Action) -> [Does] {
    first + [
      .wait(.seconds(1)), .send(action), .wait(.milliseconds(250)), .send(.note("between")),
      .wait(.seconds(3)), .send(.note("end")),
    ]
  }

  @Test(
    "endings/pause: a pause is as long as the reducer of the fork makes it",
    arguments: ["type", "scroll", "chain", "typeSlowly", "ask"], [true, false])
  func length(_ name: String, onTape: Bool) async throws {
    let action = try ValueDecoder().decode(Lengths.Action.self, from: [name: ["_0": "a"]])
    for (n, more) in [(0, 3), (3, -3), (5, -4), (1, 1)] {
      try await expectFork(
        of: Self.session([.send(.bump(n))], action),
        [.insert(after: 1, action: try .encoding(Lengths.Action.bump(more)))],
        toBe: Self.session([.send(.bump(n)), .send(.bump(more))], action), onTape: onTape)
    }
  }

  @Test(
    "endings/pause: a window that lasts longer, or less long, holds back what comes in it",
    arguments: [true, false])
  func window(onTape: Bool) async throws {
    func session(_ n: Int) -> [Does] {
      [
        .send(.bump(n)), .send(.scroll("a")), .wait(.milliseconds(50)), .send(.scroll("b")),
        .wait(.milliseconds(310)), .send(.scroll("c")), .wait(.milliseconds(150)),
        .send(.scroll("d")), .wait(.seconds(3)), .send(.note("end")),
      ]
    }
    for (n, other) in [(0, 3), (3, 0), (1, 6)] {
      try await expectFork(
        of: session(n), [.replace(step: 1, action: try .encoding(Lengths.Action.bump(other)))],
        toBe: session(other), onTape: onTape)
    }
  }

  @Test(
    "endings/pause: a debounce in the place of another of the same id lasts its own time",
    arguments: [true, false])
  func otherDebounce(onTape: Bool) async throws {
    let (quick, slow) = (Lengths.Action.type("a"), Lengths.Action.typeSlowly("a"))
    for (recorded, typed) in [(quick, slow), (slow, quick)] {
      try await expectFork(
        of: Self.session([.send(.bump(0))], recorded),
        [.replace(step: 2, action: try .encoding(typed))],
        toBe: Self.session([.send(.bump(0))], typed), onTape: onTape)
    }
  }

  @Test(
    "endings/pause: a debounce that lasts longer is cancelled by the next one",
    arguments: [true, false])
  func cancelled(onTape: Bool) async throws {
    func session(_ n: Int) -> [Does] {
      [
        .send(.bump(n)), .send(.type("a")), .wait(.milliseconds(250)), .send(.type("b")),
        .wait(.seconds(3)), .send(.note("end")),
      ]
    }
    for (n, other) in [(0, 3), (3, 0)] {
      try await expectFork(
        of: session(n), [.replace(step: 1, action: try .encoding(Lengths.Action.bump(other)))],
        toBe: session(other), onTape: onTape)
    }
  }

  @Test(
    "edits/moved-step: what is chained to a moved step's effect comes at its own time",
    arguments: [Lengths.Action.work("a"), .chain("a"), .ask("a")], [true, false])
  private func moved(_ action: Lengths.Action, onTape: Bool) async throws {
    let later: [Does] = [
      .wait(.milliseconds(20)), .send(.note("other")), .wait(.seconds(3)), .send(.note("end")),
    ]
    try await expectFork(
      of: [.send(action), .wait(.milliseconds(50)), .send(.note("between"))] + later,
      [.move(step: 1, after: 2)],
      toBe: [.wait(.milliseconds(50)), .send(.note("between")), .send(action)] + later,
      onTape: onTape)
  }
}
