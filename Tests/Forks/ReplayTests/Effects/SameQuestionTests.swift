import Recorder
import SessionWords
import StoreCore
import StoreRecording
import Testing
import ValueTree

@testable import Replay

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Effects that start in another state and ask what they asked: their code is the same, and so is what it
/// has captured.
@Suite struct SameQuestionTests {
  @Test(
    "effects/stale-answer: an effect that has captured what it had asks the same, whatever the state"
  )
  func sameCaptures() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.poll), .wait(.seconds(2))])
    let run = try shop.run(leavesAt: 0, .replace(step: 1, action: .encoding(Shop.Action.add(5))))
    #expect(
      run.lines == [
        "1 add ←1 edited/different", "2 poll ←2 recorded/different",
        "3 polled ⚡1 ←3 recorded/different", "4 polled ⚡1 ←4 recorded/different",
      ])
    #expect(run.report.assumptions.isEmpty)
  }

  @Test(
    "effects/stale-answer: a dependency on tape that a reducer replaces by the same is the same")
  func replacedDependency() async throws {
    let replaced = DateGenerator { Date(timeIntervalSince1970: 0) }
    let setup = ReplaySetup(Shop().dependency(\.date, replaced)) {
      RecordedShop.tapes(&$0, Tape())
      $0.putOnTape(\.date) { date in
        let seconds = Tape().closure("seconds") { [date] in date().timeIntervalSince1970 }
        date = DateGenerator { Date(timeIntervalSince1970: seconds()) }
      }
    }
    let shop = try await RecordedShop(
      [.send(.add(1)), .send(.poll), .wait(.seconds(2))], setup: setup)
    let run = try shop.run(leavesAt: 0, .replace(step: 1, action: .encoding(Shop.Action.add(5))))
    #expect(run.report.assumptions.isEmpty)
    #expect(run.lines.last == "4 polled ⚡1 ←4 recorded/different")
  }

  @Test(
    "effects/stale-answer: however large the states are, an effect that asks the same is not in doubt"
  )
  func largeStates() async throws {
    let shop = try await RecordedShop(
      [.send(.noted("a"))] + (1...20).flatMap { [.send(.fetch($0)), .wait(.seconds(1))] },
      from: Shop.State(log: [String(repeating: "a", count: 4 << 20)]))
    let report = try shop.replay.run([Script(leavesAt: 0, edits: [.skip(step: 1)])])
    #expect(report.lastStep == 40)
    #expect(report.assumptions.map(\.sentence) == [])
  }

  @Test(
    "effects/orphan: an effect that asks the same does not notice that the user skips what it sent")
  func skippedEmission() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.poll), .wait(.milliseconds(2_500))])
    let run = try shop.run(
      leavesAt: 0, .replace(step: 1, action: .encoding(Shop.Action.add(5))), .skip(step: 3))
    #expect(
      run.lines == [
        "1 add ←1 edited/different", "2 poll ←2 recorded/different",
        "3 polled ⚡1 ←4 recorded/different",
      ])
    #expect(run.report.assumptions.isEmpty)
  }

  @Test("effects/stale-answer: the chained search is compared apart from its pause")
  func chained() async throws {
    let shop = try await RecordedShop([.send(.type("a")), .wait(.seconds(1))])
    let other = try shop.run(
      leavesAt: 0, .replace(step: 1, action: .encoding(Shop.Action.type("b"))))
    #expect(
      other.lines == ["1 type ←1 edited/different", "2 found ⚡2 ←2 assumed/different"])
    #expect(
      other.report.assumptions.map(\.sentence) == [
        "effect 2 “search” of step 1 was started under different conditions: it may send an action at any moment",
        "an old answer: effect 2 “search” of step 1 was started under different conditions",
      ])
    let chain = try await RecordedShop([.send(.add(1)), .send(.chain), .wait(.seconds(1))])
    let same = try chain.run(leavesAt: 0, .skip(step: 1))
    #expect(
      same.lines == [
        "1 chain ←2 recorded/different", "2 chained ⚡1 ←3 recorded/different",
        "3 noted of 1 ←4 recorded/different", "4 chained ⚡2 ←5 recorded/different",
      ])
    #expect(same.report.assumptions.isEmpty)
  }

  @Test("effects/same-capture: at another time an effect does the same after as long")
  func otherTime() async throws {
    let shop = try await RecordedShop([
      .send(.add(1)), .wait(.milliseconds(1_100)), .send(.poll), .wait(.seconds(2)),
    ])
    let run = try shop.run(leavesAt: 0, .move(step: 2, after: 1))
    #expect(
      run.lines == [
        "1 add ←1 recorded/equal", "2 poll ←2 recorded/equal",
        "3 polled ⚡1 ←3 recorded/equal", "4 polled ⚡1 ←4 recorded/equal",
      ])
    #expect(
      run.report.assumptions.map(\.sentence) == [
        "effect 1 “poll” of step 2 asks the same as effect 1 “poll” of step 2; the recording has no later answers of it"
      ])
  }

  @Test("effects/same-capture: an inserted effect does what one did that was asked the same")
  func inserted() async throws {
    let shop = try await RecordedShop([
      .send(.fetch(1)), .wait(.seconds(1)), .send(.noted("a")), .wait(.seconds(1)),
      .send(.noted("b")),
    ])
    let same = try shop.run(
      leavesAt: 3, .insert(after: 3, action: .encoding(Shop.Action.fetch(1))))
    #expect(
      same.lines == [
        "4 fetch new edited/new", "5 fetched ⚡1000000001 new recorded/new",
        "6 noted ←4 recorded/different",
      ])
    #expect(same.states.last?.log == ["answer 1", "a", "answer 1", "b"])
    #expect(same.report.assumptions.isEmpty && same.report.pending.isEmpty)
    let other = try shop.run(
      leavesAt: 3, .insert(after: 3, action: .encoding(Shop.Action.fetch(2))))
    #expect(other.lines == ["4 fetch new edited/new", "5 noted ←4 open/equal"])
    #expect(other.report.assumptions.map(\.kind) == [.open])
  }

  @Test(
    "effects/same-capture: an effect that is not cancelled here goes on as one did that was not")
  func notCancelled() async throws {
    let shop = try await RecordedShop([
      .send(.fetch(1)), .wait(.seconds(1)), .send(.fetch(1)), .wait(.milliseconds(100)),
      .send(.cancelFetch), .wait(.seconds(1)), .send(.noted("b")),
    ])
    let run = try shop.run(leavesAt: 3, .skip(step: 4))
    #expect(run.lines == ["4 fetched ⚡2 new recorded/new", "5 noted ←5 recorded/different"])
    #expect(run.report.assumptions.isEmpty)
  }

  @Test("effects/same-capture: two answers to one question leave the next open")
  func severalAnswers() async throws {
    let count = ReplayTestLock(0)
    let (session, _, file) = try await record(
      Shop(), from: Shop.State(),
      [.send(.fetch(1)), .wait(.seconds(1)), .send(.fetch(1)), .wait(.seconds(1))]
    ) { dependencies, tape in
      dependencies.shop.answer = { _ in
        "answer \(count.withLock { count in count += 1; return count })"
      }
      RecordedShop.tapes(&dependencies, tape)
    }
    let script = Script(
      leavesAt: 4, edits: [.insert(after: 4, action: try .encoding(Shop.Action.fetch(1)))])
    let report = try SessionReplay(session, RecordedShop.setup).run([script])
    #expect(report.assumptions.map(\.kind) == [.open])
    withExtendedLifetime(file) {}
  }

  @Test("effects/same-capture: who looked at a date sees another one at another time")
  func dates() async throws {
    let (session, _, file) = try await record(
      Clerk(), from: Clerk.State(), [.send(.stamp), .wait(.seconds(1)), .send(.wait)])
    let replay = try SessionReplay(session, ReplaySetup(Clerk()))
    for (action, isKnown) in [(Clerk.Action.stamp, false), (.wait, true)] {
      let script = Script(leavesAt: 3, edits: [.insert(after: 3, action: try .encoding(action))])
      #expect(try replay.run([script]).assumptions.isEmpty == isKnown)
    }
    withExtendedLifetime(file) {}
  }

  /// Effects that ask for nothing but a date, or for nothing.
  private struct Clerk: Reducer {
    struct State: Codable, Sendable { var notes: [String] = [] }

    enum Action: Codable, Sendable {
      case stamp, wait
      case noted(String)
    }

    @Dependency(\.date) var date

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .stamp: return .run(name: "stamp") { [date] in await $0(.noted("\(date.now)")) }
      case .wait: return .run(name: "wait") { await $0(.noted("done")) }
      case .noted(let text): state.notes.append(text)
      }
      return .none
    }
  }
}
