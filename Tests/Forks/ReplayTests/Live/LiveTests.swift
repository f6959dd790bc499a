import Platform
import Recorder
import SessionFile
import SessionWords
import StoreCore
import Testing
import ValueTree

@testable import Replay

/// Effects that run live because the user asked for them.
@Suite struct LiveTests {
  private static func value(_ action: Shop.Action) throws -> Value { try .encoding(action) }

  /// A setup whose live services note their calls; sleeping takes no time, but the clock counts it.
  private static func setup(
    _ calls: ReplayTestLock<[Int]>
  ) -> ReplaySetup<Shop.State, Shop.Action> {
    ReplaySetup(Shop()) {
      $0.continuousClock = ImmediateClock()
      $0.shop.answer = { number in
        calls.withLock { $0.append(number) }
        if number.isMultiple(of: 7) { throw ShopError(description: "no \(number)") }
        return "live \(number)"
      }
      $0.shop.rate = { 3 }
      RecordedShop.tapes(&$0, Tape())
    }
  }

  private struct Live {
    let shop: RecordedShop
    let calls = ReplayTestLock<[Int]>([])

    init(_ doing: [Doing<Shop.Action>]) async throws {
      shop = try await RecordedShop(doing, setup: LiveTests.setup(calls))
    }

    func run(
      _ effect: EffectID, _ scripts: [Script], emissions: Int = 100
    ) async throws -> LiveRun {
      // However slow the machine is: what these bodies wait for is theirs.
      let limits = LiveLimits(time: .seconds(86_400), emissions: emissions)
      return try await shop.replay.liveBody(of: effect, in: scripts).run(limits) { false }
    }
  }

  @Test("effects/unanswered, runs/reducers-only: one effect runs live, once")
  func once() async throws {
    let live = try await Live([.send(.add(1)), .send(.poll), .send(.add(1))])
    var script = Script(
      leavesAt: 2, edits: [.insert(after: 2, action: try Self.value(.fetch(4)))])
    let waiting = try live.shop.run([script])
    #expect(live.calls.withLock { $0 } == [])
    let effect = try #require(waiting.report.pending.first { $0.isUnanswered }?.effect)

    let run = try await live.run(effect, [script])
    #expect(live.calls.withLock { $0 } == [5])
    #expect(
      run
        == LiveRun(
          effect: effect,
          emissions: [
            .init(
              delay: .milliseconds(300), action: try Self.value(.fetched("live 5")), readCount: 1)
          ], end: .finished, duration: .milliseconds(300),
          reads: [Read(key: "answer", arguments: [5], value: "live 5")]))

    script.edits += run.edits(after: 2)
    let answered = try live.shop.run([script])
    #expect(
      answered.lines == [
        "3 fetch new edited/new", "4 add ←3 recorded/equal",
        "5 fetched ⚡\(effect) new edited/new",
      ])
    #expect(answered.states.last?.log == ["live 5"])
    #expect(answered.report.pending == [])
    // Running the branch again, and leaving it, runs no body.
    #expect(try live.shop.run([script]).lines == answered.lines)
    let second = Script(
      parent: "first", leavesAt: 5, edits: [.insert(after: 5, action: try Self.value(.add(1)))])
    #expect(try live.shop.run([script, second]).lines == ["6 add new edited/new"])
    #expect(live.calls.withLock { $0 } == [5])
  }

  @Test("answers/reply: only what an effect on the tape waits for is asked live")
  func question() async throws {
    let calls = ReplayTestLock<[Int]>([])
    var setup = Self.setup(calls)
    setup.runsEffectsOnTape = true
    let shop = try await RecordedShop(
      [.send(.add(1)), .wait(.seconds(1)), .send(.noted("end"))], setup: setup)
    let edit = Edit.insert(after: 1, action: try Self.value(.fetch(4)))
    let script = Script(leavesAt: 1, edits: [edit])
    let waiting = try shop.run([script]).report
    let question = try #require(waiting.assumptions.first?.question)
    let effect = try #require(waiting.pending.first?.effect)
    #expect(question == Question("answer", [5]) && calls.withLock { $0 } == [])

    let run = try shop.replay.askLive(question, of: effect, in: [script])
    #expect(calls.withLock { $0 } == [5])
    #expect(run.reads == [Read(key: "answer", arguments: [5], value: "live 5")])
    #expect(run.end == .finished && run.emissions == [])
    let reply = Reply(to: question, run.reads[0].outcome, took: .milliseconds(200))
    let answered = try shop.run([Script(leavesAt: 1, edits: [edit, .reply(reply)])])
    #expect(
      answered.lines == [
        "2 fetch new edited/new", "3 fetched ⚡\(effect) new recorded/new",
        "4 noted ←2 recorded/different",
      ])
    #expect(answered.report.assumptions == [] && calls.withLock { $0 } == [5])

    #expect(throws: ReplayError.self) {
      try shop.replay.askLive(Question("answer", [99]), of: effect, in: [script])
    }
    setup.runsEffectsOnTape = false
    let other = try SessionReplay(shop.session, setup)
    let refused = #expect(throws: ReplayError.self) {
      try other.askLive(question, of: effect, in: [script])
    }
    #expect(refused?.sentence.contains("does not run effects on the tape") == true)
    #expect(calls.withLock { $0 } == [5])
  }

  @Test("effects/unanswered: what an effect gave live settles what was open, and says so")
  func standing() async throws {
    let live = try await Live([.send(.fetch(1)), .wait(.seconds(1)), .send(.add(1))])
    let run = try await live.run(1, [])
    let script = Script(leavesAt: 1, edits: run.edits(after: 1))
    var steps: [BranchStep] = []
    let report = try live.shop.replay.run([script]) { steps.append($0) }
    #expect(
      steps.map(\.line) == ["2 fetched ⚡1 new edited/new", "3 add ←3 recorded/different"])
    #expect(steps.first?.remarks == ["the answer of effect 1 was seen in a live run"])
    #expect(report.leftOut.map(\.reason) == [.finished])
    #expect(report.pending == [])
  }

  @Test("effects/unanswered, answers/live-run: a live answer follows the branch's clock")
  func clock() async throws {
    let live = try await Live([
      .send(.add(1)), .wait(.milliseconds(100)), .send(.add(2)), .wait(.milliseconds(100)),
      .send(.add(3)), .wait(.milliseconds(150)), .send(.add(4)), .wait(.seconds(1)),
      .send(.add(5)),
    ])
    var script = Script(
      leavesAt: 1, edits: [.insert(after: 1, action: try Self.value(.fetch(1)))])
    let effect = try #require(try live.shop.run([script]).report.pending.first?.effect)
    script.edits += try await live.run(effect, [script]).edits(after: 1)
    let run = try live.shop.run([script])
    #expect(
      run.lines == [
        "2 fetch new edited/new", "3 add ←2 recorded/equal", "4 add ←3 recorded/equal",
        "5 fetched ⚡\(effect) new edited/new", "6 add ←4 recorded/different",
        "7 add ←5 recorded/different",
      ])
    // Never before its place.
    script.edits = [script.edits[0]] + (try await live.run(effect, [script]).edits(after: 4))
    #expect(try live.shop.run([script]).lines[4] == "6 fetched ⚡\(effect) new edited/new")
  }

  @Test("effects/unanswered: errors of a live run are its answers, handled or not")
  func failures() async throws {
    let live = try await Live([.send(.fetch(7)), .send(.chain), .send(.add(1))])
    let handled = try await live.run(1, [])
    #expect(
      handled.emissions.map(\.action) == [try Self.value(.failed("no 7"))])
    #expect(handled.end == .finished)
    #expect(
      handled.reads == [
        Read(
          key: "answer", arguments: [7],
          outcome: .failure(["type": "ReplayTests.ShopError", "description": "no 7"]))
      ])
    let unhandled = LiveRun(
      effect: 1, emissions: [], end: .failed(message: "offline"), duration: .seconds(1))
    let script = Script(leavesAt: 1, edits: unhandled.edits(after: 1))
    var ends: [EffectEvent.Kind] = []
    _ = try live.shop.replay.run([script]) { step in
      ends += step.effects.filter { $0.effect == 1 }.map(\.kind)
    }
    #expect(ends == [.failed("offline")])
  }

  @Test("effects/unanswered: too many emissions stop a live run; it stays in flight")
  func emissionLimit() async throws {
    let live = try await Live([.send(.poll), .send(.add(1))])
    let run = try await live.run(1, [], emissions: 2)
    #expect(run.emissions.map(\.delay) == [.seconds(1), .seconds(2)])
    #expect(run.end == .stopped(.emissions))
    let branch = try live.shop.run([Script(leavesAt: 1, edits: run.edits(after: 1))])
    #expect(
      branch.lines == [
        "2 add ←2 recorded/equal", "3 polled ⚡1 new edited/new", "4 polled ⚡1 new edited/new",
      ])
    #expect(branch.report.assumptions.map(\.step) == [5])
    #expect(branch.report.pending.map(\.effect) == [1])
  }

  @Test("effects/unanswered: an effect that says nothing is stopped after its time")
  func timeLimit() async throws {
    struct Endless: Reducer {
      func reduce(into state: inout Int, action: Int) -> Effect<Int> {
        guard action == 1 else { return .none }
        return .run(name: "endless") { _ in
          // It does not even mind being cancelled.
          await withCheckedContinuation { Self.forever.append($0) }
        }
      }
      private static let forever = Continuations()
    }
    let (session, _, file) = try await record(Endless(), from: 0, [.send(1)])
    let run = try await ReplaySetup(Endless()).runLive(
      effect: 1, of: [], in: session, limits: LiveLimits(time: .milliseconds(30)))
    #expect(run.emissions == [])
    #expect(run.end == .stopped(.time))
    #expect(run.edits(after: 1) == [])
    withExtendedLifetime(file) {}
  }

  @Test("effects/unanswered: a live run that nobody waits for any more is cancelled")
  func cancelled() async throws {
    let live = try await Live([.send(.fetch(1))])
    let body = try live.shop.replay.liveBody(of: 1, in: [])
    await #expect(throws: ReplayError.cancelled) {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await body.run(LiveLimits()) { false }
      }
      return try await task.value
    }
    var control = RunControl()
    control.isCancelled = { true }
    #expect(throws: ReplayError.cancelled) {
      try live.shop.replay.runLive(effect: 1, of: [], limits: LiveLimits(), control: control)
    }
  }

  @Test("effects/unanswered: a live run starts from the reducer's recorded reads")
  func recordedReads() async throws {
    struct Dice: Reducer {
      enum Action: Codable, Equatable, Sendable { case roll, rolled(Int) }
      @Dependency(\.shop) var shop
      func reduce(into state: inout Int, action: Action) -> Effect<Action> {
        guard action == .roll else { return .none }
        let rate = shop.rate()
        return .run(name: "roll") { [shop] send in await send(.rolled(rate * 100 + shop.rate())) }
      }
    }
    let (session, _, file) = try await record(Dice(), from: 0, [.send(.roll)]) { values, tape in
      values.shop.rate = tape.closure("rate", { 4 })
    }
    let setup = ReplaySetup(Dice()) { $0.shop.rate = Tape().closure("rate", { 9 }) }
    let run = try await setup.runLive(effect: 1, of: [], in: session)
    #expect(run.emissions.map(\.action) == [try .encoding(Dice.Action.rolled(409))])
    #expect(run.reads == [Read(key: "rate", value: 9)])
    withExtendedLifetime(file) {}
  }

  @Test(
    "effects/unanswered: an effect that is chained to others, and one of a child, run live, too")
  func places() async throws {
    let live = try await Live([.send(.chain), .wait(.milliseconds(300)), .send(.type("x"))])
    let origins = try live.shop.session.effectEvents(in: live.shop.session.steps)
    let two = try #require(origins.first { $0.origin?.name == "two" }?.effect)
    let run = try await live.run(two, [])
    #expect(run.emissions.map(\.action) == [try Self.value(.chained("two"))])
    let app = try await RecordedNavigation([
      .send(.open("a")), .send(.open("b")), .send(Navigation.load(1)),
    ])
    let setup = ReplaySetup(Navigation()) { $0.continuousClock = ImmediateClock() }
    let child = try await setup.runLive(effect: 1, of: [], in: app.session)
    #expect(
      child.emissions.map(\.action) == [
        try .encoding(
          Navigation.Action.path(.element(id: 1, action: .loaded("b!"))))
      ])
  }

  @Test(
    "effects/unanswered: what a live run gave after its effect was cancelled in the branch is not used"
  )
  func cancelledInBranch() async throws {
    let live = try await Live([.send(.poll), .wait(.milliseconds(500)), .send(.add(1))])
    let run = try await live.run(1, [])
    #expect(run.emissions.count == 3)
    let branch = try live.shop.run(
      [
        Script(
          leavesAt: 1,
          edits: run.edits(after: 1) + [
            .insert(after: 2, action: try Self.value(.stopPolling))
          ])
      ])
    #expect(branch.lines == ["2 add ←2 recorded/equal", "3 stopPolling new edited/new"])
    #expect(
      branch.report.remarks == [
        "effect 1 “poll” of step 1 was cancelled at step 3: what it did later in its live run is not used"
      ])
  }

  @Test("effects/unanswered: unused answers are reported")
  func notStarted() async throws {
    let live = try await Live([.send(.add(1)), .send(.poll), .send(.add(1))])
    let run = try await live.run(1, [])
    let branch = try live.shop.run(
      [Script(leavesAt: 1, edits: [.skip(step: 2)] + run.edits(after: 1))])
    #expect(branch.lines == ["2 add ←3 recorded/different"])
    #expect(
      branch.report.remarks == [
        "what effect 1 did in a live run was not used: the branch does not start it"
      ])
  }

  @Test(
    "answers/live-run: in free stepping the answers of a live run come where they were asked for")
  func freeStepping() async throws {
    let live = try await Live([.send(.poll), .send(.add(1))])
    let run = try await live.run(1, [], emissions: 1)
    let branch = try live.shop.run([
      Script(
        leavesAt: 1, rest: .nothing,
        edits: [.insert(after: 1, action: try Self.value(.add(5)))] + run.edits(after: 1) + [
          .insert(after: 1, action: try Self.value(.add(6)))
        ])
    ])
    #expect(
      branch.lines == [
        "2 add new edited/new", "3 polled ⚡1 new edited/new", "4 add new open/new",
      ])
  }

  @Test("an effect that nobody knows, or that began before the session, cannot be run live")
  func refused() async throws {
    let live = try await Live([.send(.poll), .send(.add(1)), .send(.add(2))])
    await #expect(
      throws: ReplayError.effectDoesNotRun(9, reason: "the branch does not start it")
    ) { try await live.run(9, []) }
    let file = TemporaryFile()
    try SessionTrimmer(live.shop.session).trim(3...3, to: file.path)
    let session = try SessionReader(path: file.path)
    await #expect(
      throws: ReplayError.effectDoesNotRun(
        1, reason: "it was started before the session begins, at step 1")
    ) { try await RecordedShop.setup.runLive(effect: 1, of: [], in: session) }
  }

  @Test("the answers of a live run go into a script's file and come back, evidence and all")
  func coding() throws {
    let run = LiveRun(
      effect: 3,
      emissions: [
        .init(delay: .milliseconds(5), action: 1, readCount: 1),
        .init(delay: .milliseconds(7), action: 2, readCount: 3),
      ], end: .failed(message: "gone"), duration: .seconds(1),
      reads: [
        Read(key: "a", value: 1), Read(key: "b", outcome: .failure("x")), Read(key: "a", value: 2),
        Read(key: "c", value: .null),
      ])
    let script = Script(leavesAt: 2, edits: run.edits(after: 2))
    #expect(try Script(script.value, at: "script") == script)
    #expect(try LiveRun(run.value, at: "run") == run)
    guard case .answer(let second) = script.edits[1] else { return }
    #expect(second.live?.reads.map(\.key) == ["b", "a"])
    #expect(script.edits.count == 3)
  }
}

private final class Continuations: @unchecked Sendable {
  private let lock = Lock()
  private var all: [CheckedContinuation<Void, Never>] = []
  func append(_ continuation: CheckedContinuation<Void, Never>) {
    lock.withLock { all.append(continuation) }
  }
}
