import SessionWords
import StoreCore
import Testing
import ValueTree

@testable import Replay

/// Effects that name cancel ids themselves: one has a part with an id, one cancels another.
private struct Naming: Reducer {
  struct State: Codable, Hashable, Sendable { var log: [String] = [] }

  enum Action: Codable, Hashable, Sendable {
    case tick
    case stopTicks
    case work
    case endWork
    /// Two effects of one action, one of them with what is chained to it.
    case both
    /// Work that cancels something else when it is over.
    case lastWork
    case rest
    /// Waits with the id of the work.
    case pause
    case note(String)
  }

  @Dependency(\.continuousClock) var clock

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .tick:
      return .run(name: "tick") { [clock] send in
        try? await withTaskCancellation(id: "ticks") {
          while true {
            try await clock.sleep(for: .seconds(1))
            await send(.note("tick"))
          }
        }
        await send(.note("over"))
      }
    case .stopTicks: return .cancel(id: "ticks")
    case .work:
      return .run(name: "work") { [clock] send in
        try await clock.sleep(for: .seconds(3))
        await send(.note("worked"))
      }
      .cancellable(id: "work")
    case .endWork:
      return .run(name: "end") { [clock] _ in
        try await clock.sleep(for: .seconds(1))
        Task.cancel(id: "work")
      }
    case .both:
      return .merge(
        .concatenate(
          .run(name: "work") { [clock] _ in try await clock.sleep(for: .seconds(3)) }
            .cancellable(id: "work"),
          .send(.note("after work"))),
        .run(name: "other") { [clock] send in
          try await clock.sleep(for: .seconds(2))
          await send(.note("other"))
        })
    case .lastWork:
      return .concatenate(
        .run(name: "work") { [clock] _ in try await clock.sleep(for: .seconds(3)) }
          .cancellable(id: "work"),
        .cancel(id: "rest"), .send(.note("rested")))
    case .rest:
      return .run(name: "rest") { [clock] send in
        try await clock.sleep(for: .seconds(2))
        await send(.note("rest"))
      }
      .cancellable(id: "rest")
    case .pause:
      return .send(.note("paused")).debounce(id: "pause", for: .seconds(2)).cancellable(id: "work")
    case .note(let text): state.log.append(text)
    }
    return .none
  }
}

@Suite struct CancelIDTests {
  /// The steps of a fork, and the sentences about what is not known.
  private func run(
    _ doing: [Doing<Naming.Action>], leavesAt: Int, _ edits: Edit..., isForked: Bool = false,
    tellsCancellations: Bool = true
  ) async throws -> (lines: [String], doubts: [String]) {
    let (session, _, file) = try await record(Naming(), from: Naming.State(), doing)
    var setup = ReplaySetup(Naming())
    setup.takesCancellationsAsRecorded = !tellsCancellations
    let replay = try SessionReplay(session, setup)
    #expect(try replay.verify(.all) == VerifyReport(steps: session.stepCount))
    var lines: [String] = []
    var scripts = [Script(leavesAt: leavesAt, edits: edits)]
    if isForked { scripts.append(Script(parent: "first", leavesAt: leavesAt)) }
    let report = try replay.run(scripts) { lines.append($0.line) }
    withExtendedLifetime(file) {}
    return (lines, report.assumptions.map(\.sentence))
  }

  private static let ticks: [Doing<Naming.Action>] = [
    .send(.tick), .wait(.milliseconds(1_500)), .send(.note("a")), .wait(.milliseconds(100)),
    .send(.stopTicks), .wait(.seconds(1)), .send(.note("b")),
  ]
  private static let sentence =
    "effect 1 “tick” of step 1 names its cancel ids itself: whether it is cancelled here is unknown"

  @Test("endings/unseen-cancel: skipping the cancelling step leaves the effect open")
  func skipped() async throws {
    let same = try await run(Self.ticks, leavesAt: 1)
    #expect(
      same.lines == [
        "2 note ⚡1 ←2 recorded/equal", "3 note ←3 recorded/equal", "4 stopTicks ←4 recorded/equal",
        "5 note ⚡1 ←5 recorded/equal", "6 note ←6 recorded/equal",
      ])
    #expect(same.doubts == [])
    let skipped = try await run(Self.ticks, leavesAt: 3, .skip(step: 4))
    #expect(skipped.lines == ["4 note ⚡1 ←5 open/equal", "5 note ←6 open/equal"])
    #expect(skipped.doubts == [Self.sentence])
    let moved = try await run(Self.ticks, leavesAt: 3, .move(step: 4, after: 6))
    #expect(moved.lines.first == "4 note ⚡1 ←5 open/equal")
  }

  @Test(
    "endings/unseen-cancel: a step that is put in may cancel a part of an effect, so the effect is open"
  )
  func inserted() async throws {
    let stop = Edit.insert(after: 1, action: try .encoding(Naming.Action.stopTicks))
    let run = try await run(Self.ticks, leavesAt: 1, stop)
    #expect(run.lines.prefix(2) == ["2 stopTicks new edited/new", "3 note ⚡1 ←2 open/equal"])
    #expect(run.doubts == [Self.sentence])
  }

  @Test("endings/unseen-cancel: a store that tells no cancellations leaves each effect open")
  func untold() async throws {
    let stop = Edit.insert(after: 1, action: try .encoding(Naming.Action.note("c")))
    let run = try await run(Self.ticks, leavesAt: 1, stop, tellsCancellations: false)
    #expect(run.lines.prefix(2) == ["2 note new edited/new", "3 note ⚡1 ←2 open/different"])
    #expect(
      run.doubts == [
        "effect 1 “tick” of step 1 may be cancelled here: the store does not tell what an edited "
          + "step cancels"
      ])
  }

  @Test("endings/outside-cancel: an id cancelled by an effect ends alone; its chain continues")
  func cancelledInEffect() async throws {
    let run = try await run(
      [.send(.both), .send(.endWork), .wait(.seconds(4)), .send(.note("b"))], leavesAt: 2)
    #expect(
      run.lines == [
        "3 note of 1 ←3 recorded/equal", "4 note ⚡2 ←4 recorded/equal", "5 note ←5 recorded/equal",
      ])
    #expect(run.doubts == [])
  }

  @Test(
    "endings/outside-cancel: what an effect cancels by an id may cancel more when its chain goes on"
  )
  func cancelledByChain() async throws {
    let doing: [Doing<Naming.Action>] = [
      .send(.lastWork), .send(.rest), .send(.endWork), .wait(.seconds(4)), .send(.note("b")),
    ]
    let same = try await run(doing, leavesAt: 3)
    #expect(same.lines == ["4 note of 1 ←4 recorded/equal", "5 note ←5 recorded/equal"])
    #expect(same.doubts == [])
  }

  @Test("endings/unseen-cancel: what a perhaps cancelled effect cancels is open, nested too")
  func cancelledTogether() async throws {
    let pause = Edit.insert(after: 1, action: try .encoding(Naming.Action.pause))
    let doing: [Doing<Naming.Action>] = [
      .send(.work), .send(.endWork), .wait(.seconds(2)), .send(.note("a")), .wait(.seconds(2)),
    ]
    let one = try await run(doing, leavesAt: 1, pause, .skip(step: 2))
    #expect(one.doubts.count == 2)
    let fork = try await run(doing, leavesAt: 1, pause, .skip(step: 2), isForked: true)
    #expect(fork.doubts.sorted() == one.doubts.sorted())
  }

  @Test("endings/unseen-cancel: a set state cancels nothing, in nested forks too")
  func set() async throws {
    let set = Edit.set(step: 3, pointer: ["log"], value: [])
    let first = try await run(Self.ticks, leavesAt: 3, set)
    #expect(
      first.lines == [
        "4 state set by hand new edited/new", "5 stopTicks ←4 edited/different",
        "6 note ⚡1 ←5 open/different", "7 note ←6 open/different",
      ])
    let fork = try await run(Self.ticks, leavesAt: 3, set, isForked: true)
    #expect(
      fork.lines == [
        "4 state set by hand ←4 edited/new", "5 stopTicks ←5 edited/equal",
        "6 note ⚡1 ←6 open/equal", "7 note ←7 open/equal",
      ])
  }

  @Test("endings/unseen-cancel: what an effect cancelled is open where that effect does not run")
  func cancelledByEffect() async throws {
    let run = try await run(
      [
        .send(.work), .send(.endWork), .wait(.seconds(2)), .send(.note("a")), .wait(.seconds(2)),
        .send(.note("b")),
      ], leavesAt: 1, .skip(step: 2))
    #expect(run.lines == ["2 note ←3 open/equal", "3 note ←4 open/equal"])
    #expect(
      run.doubts == [
        "effect 1 “work” of step 1 may have been cancelled by another effect, "
          + "which differs here"
      ])
  }
}
