import SessionWords
import StoreCore
import Testing
import ValueTree

@testable import Replay

/// Where branches start: `forks/start-state`, and the beginning of a turn.
@Suite struct TurnStartTests {
  /// Sends other words than the recorded reducer did.
  private struct Changed: Reducer {
    func reduce(into state: inout Shop.State, action: Shop.Action) -> Effect<Shop.Action> {
      guard action == .announce else { return Shop().reduce(into: &state, action: action) }
      return .merge(.send(.noted("other")), .send(.noted("little")), .send(.noted("more")))
    }
  }

  @Test("forks/start-state, runs/sent-at-once: a turn that now differs says so")
  func changed() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.announce), .send(.add(1))])
    let replay = try SessionReplay(shop.session, ReplaySetup(Changed()))
    var lines: [String] = []
    let report = try replay.run([Script(leavesAt: 3)]) { lines.append($0.line) }
    #expect(
      report.remarks == [
        "running the turn of step 3 again gives another state: the fork starts from that one"
      ])
    #expect(
      lines == [
        "4 noted of 2 ←4 assumed/different", "5 noted of 2 new assumed/new",
        "6 add ←5 assumed/different",
      ])
    let untold = try replay.run([Script(leavesAt: 3)], from: nil)
    #expect(untold.remarks == report.remarks)
    #expect(try replay.run([Script(leavesAt: 2)]).remarks == [])
  }

  @Test("forks/start-state: a fork inside of a turn that comes to the recorded state says nothing")
  func same() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.announce), .send(.add(1))])
    for step in 0...5 {
      #expect(try shop.run(leavesAt: step).report.remarks == [], "step \(step)")
    }
  }

  /// A state that forgets its cache when it is decoded.
  private struct Forgetful: Codable, Sendable {
    var total = 0
    var cached = 0
    enum CodingKeys: CodingKey { case total, cached }
    init() {}
    init(from decoder: any Decoder) throws {
      total = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .total)
    }
  }

  @Test("forks/start-state: the nearest step that a state survives is looked for back to the start")
  func nearest() async throws {
    struct Recorded: Reducer {
      func reduce(into state: inout Forgetful, action: Int) -> Effect<Int> {
        state.total += action
        // Only the first two states survive being decoded.
        if action == 1 { state.cached += 1 }
        return .none
      }
    }
    struct Today: Reducer {
      func reduce(into state: inout Forgetful, action: Int) -> Effect<Int> {
        state.total += action + (action == 0 ? 100 : 0)
        if action == 1 { state.cached += 1 }
        return .none
      }
    }
    let (session, _, file) = try await record(
      Recorded(), from: Forgetful(), [.send(0), .send(0)] + (0..<200).map { _ in .send(1) })
    let replay = try SessionReplay(session, ReplaySetup(Today()))
    let script = Script(leavesAt: 201, edits: [.insert(after: 201, action: 5)])
    let report = try replay.run([script])
    // The recorded state after step 2, where today's reducer is 200 ahead, is the nearest.
    #expect(try replay.state(of: [script], after: 202) == ["total": 204, "cached": 199])
    #expect(report.remarks.count == 1)
    #expect(report.remarks.first?.hasPrefix("today's reducer takes a step before") == true)
    withExtendedLifetime(file) {}
  }
}
