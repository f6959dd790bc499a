import SessionFile
import SessionWords
import StoreCore
import StoreRecording
import Testing
import ValueTree

@testable import Replay

/// Questions that had no answer in the recording.
@Suite struct UnansweredQuestionTests {
  private struct Asker: Reducer {
    struct State: Codable, Hashable, Sendable { var log: [String] = [] }

    enum Action: Codable, Hashable, Sendable {
      case ask(Int)
      /// Says something while it waits.
      case chat(Int)
      /// Gives up after half a second, and stays.
      case race(Int)
      case stop
      case note(String)
    }

    enum ID: Hashable, Sendable { case ask }

    /// What today's body asks otherwise.
    var extra = 0
    @Dependency(\.continuousClock) var clock
    @Dependency(\.shop) var shop

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .note(let text):
        state.log.append(text)
        return .none
      case .stop: return .cancel(id: ID.ask)
      case .ask(let number):
        return .run(name: "ask") { [shop, extra] send in
          await send(.note(try await shop.answer(number + extra)))
        }
        .cancellable(id: ID.ask, cancelInFlight: true)
      case .chat(let number):
        return .run(name: "ask") { [clock, shop] send in
          async let answer = shop.answer(number)
          try await clock.sleep(for: .milliseconds(250))
          await send(.note("waits"))
          await send(.note(try await answer))
        }
        .cancellable(id: ID.ask, cancelInFlight: true)
      case .race(let number):
        return .run(name: "ask") { [clock, shop] send in
          await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = try? await shop.answer(number) }
            group.addTask { try? await clock.sleep(for: .milliseconds(500)) }
            await group.next()
            group.cancelAll()
          }
          await send(.note("gave up"))
          try await clock.sleep(for: .seconds(60))
        }
        .cancellable(id: ID.ask, cancelInFlight: true)
      }
    }
  }

  private static func recorded(
    _ doing: [Doing<Asker.Action>], isLetGo: Bool = true, isOnTape: Bool = true
  ) async throws -> (session: SessionReader, file: TemporaryFile) {
    let (session, _, file) = try await record(
      Asker(), from: Asker.State(), doing, RecordingWays(isLetGo: isLetGo)
    ) { dependencies, tape in
      let clock = dependencies.continuousClock
      dependencies.shop.answer = { _ in
        try? await clock.sleep(for: .seconds(900))
        return "late"
      }
      if isOnTape { RecordedShop.tapes(&dependencies, tape) }
    }
    return (session, file)
  }

  /// Asks, and is cancelled after a second; then three notes, half a second and a second apart.
  private static func inVain(
    _ action: Asker.Action = .ask(1), isOnTape: Bool = true
  ) async throws -> (session: SessionReader, file: TemporaryFile) {
    try await recorded(
      [
        .send(action), .wait(.seconds(1)), .send(.stop), .wait(.seconds(1)), .send(.note("a")),
        .wait(.milliseconds(500)), .send(.note("b")), .wait(.seconds(1)), .send(.note("c")),
      ], isOnTape: isOnTape)
  }

  private static func run(
    _ session: SessionReader, leavesAt: Int = 3, extra: Int = 0, _ edits: Edit...
  ) throws -> (lines: [String], report: BranchReport) {
    var setup = ReplaySetup(Asker(extra: extra)) { RecordedShop.tapes(&$0, Tape()) }
    setup.runsEffectsOnTape = true
    let replay = try SessionReplay(session, setup)
    #expect(try replay.verify(.all).isEqual)
    var lines: [String] = []
    let report = try replay.run([Script(leavesAt: leavesAt, edits: edits)]) {
      lines.append($0.line)
    }
    return (lines, report)
  }

  private static func insert(_ action: Asker.Action, after step: Int = 3) throws -> Edit {
    .insert(after: step, action: try .encoding(action))
  }

  @Test("effects/on-tape: a question that was asked in vain has no answer as long as then")
  func asLong() async throws {
    let (session, file) = try await Self.inVain()
    let (lines, report) = try Self.run(session, try Self.insert(.ask(1)))
    #expect(
      lines == ["4 ask new edited/new", "5 note ←4 recorded/equal", "6 note ←5 open/equal"])
    #expect(
      report.assumptions.map(\.sentence) == [
        "the effect “ask” that step 4 starts here waits for answer(1), without an answer for 1 s"
      ])
    #expect(report.pending.map(\.question) == [Question("answer", [1])])
    let other = try Self.run(session, try Self.insert(.ask(2)))
    #expect(
      other.lines == ["4 ask new edited/new", "5 note ←4 open/equal", "6 note ←5 open/equal"])
    withExtendedLifetime(file) {}
  }

  @Test("answers/reply: you can answer a question that had no answer")
  func reply() async throws {
    let (session, file) = try await Self.inVain()
    let reply = Reply(to: Question("answer", [1]), .value("one"))
    let (lines, report) = try Self.run(session, try Self.insert(.ask(1)), .reply(reply))
    #expect(
      lines == [
        "4 ask new edited/new", "5 note ⚡1000000001 new recorded/new",
        "6 note ←4 recorded/different", "7 note ←5 recorded/different",
      ])
    #expect(report.assumptions == [])
    withExtendedLifetime(file) {}
  }

  @Test("effects/on-tape: an effect goes on beside a question without an answer")
  func beside() async throws {
    let (session, file) = try await Self.inVain()
    let (lines, _) = try Self.run(session, try Self.insert(.chat(1)))
    #expect(
      lines == [
        "4 chat new edited/new", "5 note ⚡1000000001 new recorded/new",
        "6 note ←4 recorded/different", "7 note ←5 open/different",
      ])
    withExtendedLifetime(file) {}
  }

  @Test(
    "effects/on-tape: a question without an answer up to the end is silent that long",
    arguments: [false, true])
  func upToTheEnd(isLetGo: Bool) async throws {
    let (session, file) = try await Self.recorded(
      [
        .send(.note("a")), .wait(.seconds(1)), .send(.ask(1)), .wait(.seconds(2)),
        .send(.note("b")), .wait(.seconds(1)),
      ], isLetGo: isLetGo)
    let (lines, report) = try Self.run(session, leavesAt: 1, try Self.insert(.ask(1), after: 1))
    #expect(lines.map { $0.contains("open") } == [false, false, false])
    #expect(report.assumptions == [])
    if !isLetGo { #expect(report.pending.map(\.effect) == [1]) }
    withExtendedLifetime(file) {}
  }

  @Test("effects/on-tape: an effect that gave up on its question says nothing about the answer")
  func gaveUp() async throws {
    let (session, file) = try await Self.inVain(.race(1))
    let (lines, _) = try Self.run(session, leavesAt: 4, try Self.insert(.ask(1), after: 4))
    #expect(
      lines == ["5 ask new edited/new", "6 note ←5 open/equal", "7 note ←6 open/equal"])
    withExtendedLifetime(file) {}
  }

  @Test("effects/on-tape: what today's body asks says nothing if the recorded one asked otherwise")
  func otherBody() async throws {
    let (session, file) = try await Self.inVain()
    let (lines, _) = try Self.run(session, extra: 1, try Self.insert(.ask(1)))
    #expect(
      lines == ["4 ask new edited/new", "5 note ←4 open/equal", "6 note ←5 open/equal"])
    withExtendedLifetime(file) {}
  }

  @Test("effects/on-tape: of a question that was not on tape no silence is known")
  func notOnTape() async throws {
    let (session, file) = try await Self.inVain(isOnTape: false)
    let (lines, _) = try Self.run(session, try Self.insert(.ask(1)))
    #expect(
      lines == ["4 ask new edited/new", "5 note ←4 open/equal", "6 note ←5 open/equal"])
    withExtendedLifetime(file) {}
  }
}
