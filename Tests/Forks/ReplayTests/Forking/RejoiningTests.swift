import SessionWords
import StoreCore
import Testing
import ValueTree

@testable import Replay

/// `forks/rejoin`, part by part: in each scenario exactly one thing is not equal to the parent's.
@Suite struct RejoiningTests {
  private static func action(_ action: Shop.Action) throws -> Value { try .encoding(action) }

  /// Long enough for keyframes, and clear at step 150 makes the states equal again.
  private static func clearing(_ before: [Doing<Shop.Action>] = []) -> [Doing<Shop.Action>] {
    before + (0..<140).map { _ in .send(.add(1)) } + [.send(.clear)]
      + (0..<120).map { _ in .send(.add(1)) }
  }

  @Test("forks/rejoin: when all is equal again the rest is shared, and it is the parent's")
  func equal() async throws {
    let shop = try await RecordedShop(Self.clearing())
    let script = Script(leavesAt: 9, edits: [.skip(step: 10)])
    let rejoining = try #require(try shop.run([script]).report.rejoining)
    #expect(rejoining.parentStep > 141)
    // A run without sharing gives the same steps.
    let whole = Script(leavesAt: 9, edits: [.skip(step: 10), .skip(step: 261)])
    let run = try shop.run([whole])
    #expect(run.report.rejoining == nil)
    #expect(run.states.dropLast(0).last == shop.states[260])
  }

  @Test("forks/rejoin: with another state nothing is shared")
  func state() async throws {
    let shop = try await RecordedShop((0..<250).map { _ in .send(.add(1)) })
    let run = try shop.run(leavesAt: 9, .skip(step: 10))
    #expect(run.report.rejoining == nil)
    #expect(run.states.last?.total == 249)
  }

  @Test("forks/rejoin: with an effect in flight that the parent does not have nothing is shared")
  func moreEffects() async throws {
    let shop = try await RecordedShop(Self.clearing())
    let run = try shop.run(leavesAt: 9, .insert(after: 9, action: try Self.action(.fetch(1))))
    #expect(run.report.rejoining == nil)
    #expect(run.states.last == shop.states.last)
  }

  @Test("forks/rejoin: without an effect that the parent has in flight nothing is shared")
  func fewerEffects() async throws {
    let shop = try await RecordedShop(Self.clearing([.send(.add(1)), .send(.fetch(1))]))
    let run = try shop.run(leavesAt: 1, .skip(step: 2))
    #expect(run.report.rejoining == nil)
    #expect(run.states.last == shop.states.last)
  }

  @Test("forks/rejoin: an effect in flight that was asked another question is another effect")
  func otherQuestion() async throws {
    let shop = try await RecordedShop(Self.clearing([.send(.add(1)), .send(.fetch(1))]))
    let run = try shop.run(leavesAt: 0, .skip(step: 1))
    #expect(run.report.rejoining == nil)
    #expect(run.states.last == shop.states.last)
  }

  @Test("forks/rejoin: with another clock nothing is shared, until it is the same again")
  func clock() async throws {
    // The answer comes long after the last step before a keyframe, and the state forgets it.
    var doing: [Doing<Shop.Action>] = [.send(.fetch(1))]
    doing += (0..<300).map { _ in .send(.clear) }
    let shop = try await RecordedShop(doing)
    let keyframes = (2...300).filter { shop.session.isKeyframe($0) }
    let keyframe = try #require(keyframes.first)
    var rerun = try shop.replay.beginning(of: shop.replay.main)
    try rerun.track()
    while rerun.replayCursor.position < keyframe { try rerun.replayNext() }
    #expect(try rerun.hasRejoined())
    rerun.clock = rerun.clock.map { $0 + .milliseconds(1) }
    #expect(try !rerun.hasRejoined())
    rerun.clock = rerun.replayCursor.clock
    #expect(try rerun.hasRejoined())
  }

  @Test("forks/rejoin: an end that the branch does not repeat leaves its clock behind")
  func clockBehind() async throws {
    let shop = try await RecordedShop([
      .send(.fetch(1)), .wait(.milliseconds(200)), .send(.clear), .wait(.milliseconds(300)),
      .send(.clear), .send(.add(1)),
    ])
    // Answered by hand before; the recorded end is not used, and its time is not either.
    let plan = try ScriptPlan(
      Script(
        leavesAt: 1,
        edits: [.answer(EffectAnswer(effect: 1, after: 1, outcome: .finish))]),
      of: shop.session.steps)
    var rerun = try shop.replay.beginning(of: shop.replay.main)
    try rerun.replayNext()
    try rerun.apply(plan)
    try rerun.track()
    try rerun.applyEdits(after: 1)
    var isSame: [Bool] = []
    while !rerun.replayCursor.isAtEnd {
      try rerun.replayNext()
      isSame.append(rerun.clock == rerun.replayCursor.clock)
    }
    #expect(isSame == [true, true, true, true])
    #expect(rerun.clock == .milliseconds(500))
  }

  @Test("forks/rejoin: with another position of the generator nothing is shared")
  func generator() async throws {
    let shop = try await RecordedShop(Self.clearing())
    let run = try shop.run(
      leavesAt: 9, .replace(step: 10, action: try Self.action(.roll)))
    #expect(run.report.rejoining == nil)
    #expect(run.states.last == shop.states.last)
  }

  @Test("forks/rejoin, answers/stack-ids: with another count of ids nothing is shared")
  func counts() async throws {
    let push = try Value.encoding(Navigation.Action.open("x"))
    let pop = try Value.encoding(Navigation.Action.path(.popFrom(id: 1_000_000_000)))
    let app = try await RecordedNavigation((0..<200).map { _ in .send(.count) })
    let run = try app.run(
      leavesAt: 5, .insert(after: 5, action: push), .insert(after: 5, action: pop))
    #expect(run.report.rejoining == nil)
    #expect(run.state.path.isEmpty && run.state.count == 200)
    let without = try app.run(
      leavesAt: 5, .insert(after: 5, action: try .encoding(Navigation.Action.present(1))),
      .insert(after: 5, action: try .encoding(Navigation.Action.note(.dismiss))))
    #expect(without.report.rejoining != nil)
  }

  @Test("forks/rejoin: before a later edit nothing is shared")
  func laterEdit() async throws {
    let shop = try await RecordedShop(Self.clearing())
    let edits: [Edit] = [
      .skip(step: 260), .replace(step: 260, action: try Self.action(.clear)),
      .insert(after: 260, action: try Self.action(.clear)), .move(step: 10, after: 260),
      .read(step: 260, key: "rate", index: 0, outcome: .value(1)),
      .set(step: 260, pointer: ["total"], value: 1),
      .answer(EffectAnswer(effect: 7, after: 260, outcome: .finish)),
    ]
    for edit in edits {
      let run = try shop.run(leavesAt: 9, .skip(step: 11), edit)
      #expect((run.report.rejoining?.parentStep ?? 260) >= 260, "\(edit)")
    }
  }

  @Test("forks/rejoin: an effect that waits for answers of a live run is not the parent's")
  func scheduled() async throws {
    let shop = try await RecordedShop(Self.clearing([.send(.fetch(1))]))
    let live = LiveRun(
      effect: 1,
      emissions: [.init(delay: .seconds(3600), action: try Self.action(.fetched("late")))],
      end: .finished, duration: .seconds(3600))
    let run = try shop.run([Script(leavesAt: 1, edits: live.edits(after: 1))])
    #expect(run.report.rejoining == nil)
    #expect(run.states.last?.log == ["late"])
  }
}
