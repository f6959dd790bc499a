import Recorder
import SessionFile
import SessionWords
import StoreCore
import Testing
import ValueTree

@testable import Replay

/// An app that logs at most once a second; what it logs is in no state before.
private struct Throttled: Reducer {
  struct State: Codable, Hashable, Sendable {
    var log: [String] = []
    var count = 0
  }
  enum Action: Codable, Hashable, Sendable {
    case note(String)
    /// Does something long beside, so that a test has a task to cancel.
    case noteAndWork(String)
    case noted(String)
    /// An effect that a throttle holds back.
    case ask(Int)
    /// Two of them in one step.
    case askTwice(Int)
    /// A pause that a throttle holds back, and that cancels the one before.
    case later(String)
    case count
    case stop
  }
  enum ID: Hashable, Sendable { case note }

  @Dependency(\.continuousClock) var clock
  var latest = true

  private func note(_ text: String) -> Effect<Action> {
    .send(.noted(text)).throttle(id: ID.note, for: .seconds(1), latest: latest)
  }

  private func ask(_ number: Int) -> Effect<Action> {
    .run(name: "ask") { send in await send(.noted("asked \(number)")) }
      .throttle(id: ID.note, for: .seconds(1), latest: latest)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .note(let text): return note(text)
    case .noteAndWork(let text):
      return .merge(
        note(text), .run(name: "work") { [clock] _ in try await clock.sleep(for: .seconds(60)) })
    case .noted(let text): state.log.append(text)
    case .ask(let number):
      return ask(number)
    case .askTwice(let number): return .merge(ask(number), ask(number + 100))
    case .later(let text):
      return .send(.noted(text)).debounce(id: "later", for: .milliseconds(1_200))
        .throttle(id: ID.note, for: .seconds(1), latest: true)
    case .count: state.count += 1
    case .stop: return .cancel(id: ID.note)
    }
    return .none
  }
}

@Suite struct ThrottleTests {
  private struct Recorded {
    let session: SessionReader
    let replay: SessionReplay
    private let file: TemporaryFile

    init(_ doing: [Doing<Throttled.Action>]) async throws {
      (session, _, file) = try await record(Throttled(), from: Throttled.State(), doing)
      replay = try SessionReplay(session, ReplaySetup(Throttled()))
    }

    func run(
      leavesAt: Int, _ edits: Edit...
    ) throws -> (lines: [String], log: [String], report: BranchReport) {
      let script = Script(leavesAt: leavesAt, edits: edits)
      var lines: [String] = []
      let report = try replay.run([script]) { lines.append($0.line) }
      let last = try replay.state(of: [script], after: report.lastStep)
      return (
        lines, try ValueDecoder().decode(Throttled.State.self, from: last).log, report
      )
    }
  }

  private static func value(_ action: Throttled.Action) throws -> Value { try .encoding(action) }

  @Test("endings/pause: what a throttle holds back comes when its window is over, and verifies")
  func window() async throws {
    let app = try await Recorded([
      .send(.note("a")), .send(.note("b")), .wait(.milliseconds(500)), .send(.note("c")),
      .wait(.seconds(2)), .send(.note("d")), .wait(.seconds(2)),
    ])
    #expect(try app.replay.verify(.all) == VerifyReport(steps: app.session.stepCount))
    #expect(try app.run(leavesAt: 0).log == ["a", "c", "d"])
    #expect(try app.run(leavesAt: 2, .skip(step: 4)).log == ["a", "b", "d"])
  }

  @Test(
    "endings/pause: a cancelled task of a send lets go on what the throttle held back for another")
  func cancelledTask() async throws {
    let app = try await Recorded([
      .send(.noteAndWork("a")), .send(.note("b")), .wait(.milliseconds(300)), .cancel(0),
      .wait(.milliseconds(100)), .send(.note("c")), .wait(.seconds(3)), .send(.count),
    ])
    let report = try app.replay.verify(.all)
    #expect(report == VerifyReport(steps: app.session.stepCount), "\(report.text(title: "log"))")
    let whole = try app.run(leavesAt: 0)
    #expect(whole.log == ["a", "b", "c"])
    #expect(whole.report.leftOut == [])
    #expect(whole.report.pending == [])
    let forked = try app.run(leavesAt: 3, .insert(after: 3, action: try Self.value(.count)))
    #expect(forked.log == ["a", "b", "c"])
    #expect(forked.report.leftOut == [])
    let other = try app.run(
      leavesAt: 0, .replace(step: 3, action: try Self.value(.note("x"))))
    #expect(other.log == ["a", "x", "c"])
    #expect(other.report.leftOut == [])
  }

  @Test("effects/stale-answer: a throttled run asks what its own step asks")
  func heldBackEffect() async throws {
    let app = try await Recorded([
      .send(.ask(1)), .wait(.milliseconds(300)), .send(.ask(2)), .wait(.seconds(3)),
    ])
    #expect(try app.replay.verify(.all) == VerifyReport(steps: app.session.stepCount))
    let other = try app.run(leavesAt: 2, .replace(step: 3, action: try Self.value(.ask(3))))
    #expect(other.lines == ["3 ask ←3 edited/equal", "4 noted ⚡4 ←4 assumed/equal"])
    #expect(other.report.assumptions.map(\.kind) == [.open, .stale])
    let same = try app.run(leavesAt: 2, .insert(after: 2, action: try Self.value(.count)))
    #expect(same.lines.last == "5 noted ⚡4 ←4 recorded/different")
    #expect(same.report.assumptions == [])
  }

  @Test("runs/verified: a throttle that lets go another run than the recorded one is found")
  func otherRun() async throws {
    func kinds(_ held: [Doing<Throttled.Action>]) async throws -> [Divergence.Kind] {
      let (session, _, file) = try await record(
        Throttled(), from: Throttled.State(),
        [.send(.ask(1)), .wait(.milliseconds(200))] + held + [.wait(.seconds(3)), .send(.count)])
      #expect(try SessionReplay(session, ReplaySetup(Throttled())).verify(.all).isEqual)
      let report = try SessionReplay(session, ReplaySetup(Throttled(latest: false))).verify(.all)
      if let found = report.divergences.first {
        #expect(found.step == 4)
        #expect(found.recorded?[1]?.text().contains(" for step 4") == true)
        #expect(found.rerun?[1]?.text().contains(" for step 3") == true)
      }
      withExtendedLifetime(file) {}
      return report.divergences.map(\.kind)
    }
    #expect(try await kinds([.send(.ask(2)), .send(.ask(3))]) == [.effect])
    // One that is held back alone is the first and the latest.
    #expect(try await kinds([.send(.ask(2))]) == [])
  }

  @Test(
    "runs/verified: a throttle's other run is found exactly where the app would do something else",
    arguments: 1...60 as ClosedRange<UInt64>)
  func otherRuns(seed: UInt64) async throws {
    var random = SeededRandomNumberGenerator(seed: seed)
    var doing: [Doing<Throttled.Action>] = []
    for number in 1...Int.random(in: 2...8, using: &random) {
      let actions: [Throttled.Action] = [
        .ask(number), .note("\(number)"), .askTwice(number), .count,
      ]
      doing.append(.send(actions.randomElement(using: &random) ?? .count))
      doing.append(.wait(.milliseconds(Int.random(in: 50...700, using: &random))))
    }
    doing += [.wait(.seconds(3)), .send(.count)]
    func run(latest: Bool) async throws -> (SessionReader, log: Value?, TemporaryFile) {
      let (session, _, file) = try await record(
        Throttled(latest: latest), from: Throttled.State(), doing)
      return (session, try session.state(after: session.steps.upperBound)["log"], file)
    }
    let (recorded, other) = (try await run(latest: true), try await run(latest: false))
    let setup = ReplaySetup(Throttled(latest: false))
    let report = try SessionReplay(recorded.0, setup).verify(.all)
    #expect(report.isEqual == (recorded.log == other.log), "\(report.text(title: "other"))")
    withExtendedLifetime((recorded, other)) {}
  }

  @Test(
    "endings/missing-cancel: a pause goes on where what would have cancelled it is not held back here"
  )
  func notCancelledByHeldBack() async throws {
    let app = try await Recorded([
      .send(.later("a")), .wait(.milliseconds(300)), .send(.later("b")), .wait(.seconds(3)),
      .send(.count),
    ])
    #expect(try app.replay.verify(.all) == VerifyReport(steps: app.session.stepCount))
    #expect(try app.run(leavesAt: 1).log == ["b"])
    let skipped = try app.run(leavesAt: 1, .skip(step: 2))
    #expect(skipped.lines == ["2 noted of 1 new recorded/new", "3 count ←4 recorded/different"])
    #expect(skipped.log == ["a"])
  }

  @Test(
    "endings/pause: what a throttle holds back is over when the app is let go, whatever else runs")
  func letGo() async throws {
    let (session, _, file) = try await record(
      Desk(), from: Desk.State(),
      [
        .send(.scroll(1)), .wait(.milliseconds(100)), .send(.add(1)), .wait(.milliseconds(100)),
        .send(.add(1)), .wait(.milliseconds(100)),
      ]
    ) { $0.desk.putOnTape($1) }
    var setup = ReplaySetup(Desk()) { $0.desk.putOnTape(Tape()) }
    setup.runsEffectsOnTape = true
    // The service answers after the end of the recording.
    let script = Script(
      leavesAt: 3,
      edits: [
        .insert(after: 3, action: try .encoding(Desk.Action.order)),
        .insert(after: 3, action: try .encoding(Desk.Action.scroll(2))),
        .reply(Reply(to: Question("quote", [1]), .value(2.5), took: .seconds(5))),
      ])
    var lines: [String] = []
    let report = try SessionReplay(session, setup).run([script]) { lines.append($0.line) }
    #expect(
      lines == ["4 order new edited/new", "5 scroll new edited/new", "6 add ←4 recorded/equal"])
    #expect(report.pending.map(\.origin.name) == ["order"])
    let nested = Script(parent: "first", leavesAt: 5)
    lines = []
    _ = try SessionReplay(session, setup).run([script, nested]) { lines.append($0.line) }
    #expect(lines == ["6 add ←6 recorded/equal"])
    withExtendedLifetime(file) {}
  }

  @Test(
    "endings/pause: a cancelled task takes only its own: what others of the same throttle asked stays"
  )
  func cancelledHeld() async throws {
    let app = try await Recorded([
      .send(.note("a")), .send(.noteAndWork("b")), .wait(.milliseconds(300)), .cancel(1),
      .wait(.milliseconds(100)), .send(.note("c")), .wait(.seconds(3)), .send(.count),
    ])
    #expect(try app.replay.verify(.all) == VerifyReport(steps: app.session.stepCount))
    #expect(try app.run(leavesAt: 0).log == ["a", "c"])
    #expect(try app.run(leavesAt: 3, .skip(step: 4)).log == ["a"])
  }

  @Test("forks/rejoin, endings/throttle-window: a branch in a window is not its parent")
  func rejoining() async throws {
    // Many steps inside of one window, keyframes among them.
    let counts = (0..<200).map { _ in Doing<Throttled.Action>.send(.count) }
    let app = try await Recorded(
      [.send(.note("a")), .send(.note("b"))] + counts + [.wait(.seconds(2))])
    #expect((4...150).contains { app.session.isKeyframe($0) })
    let other = try app.run(
      leavesAt: 2, .replace(step: 3, action: try Self.value(.note("x"))))
    #expect(other.report.rejoining == nil)
    #expect(other.log == ["a", "x"])
    let skipped = try app.run(leavesAt: 2, .skip(step: 3))
    #expect(skipped.report.rejoining == nil)
    #expect(skipped.log == ["a"])
  }
}
