import SessionWords
import StoreCore
import Testing
import ValueTree

@testable import Replay

@Suite struct VerifyTests {
  static let everything: [Doing<Shop.Action>] = [
    .send(.add(3)), .send(.roll), .send(.rate), .send(.announce), .send(.fetch(1)),
    .wait(.milliseconds(100)), .send(.fetch(2)), .wait(.milliseconds(400)), .send(.fan),
    .wait(.milliseconds(150)), .send(.poll), .wait(.milliseconds(1100)), .send(.type("a")),
    .wait(.milliseconds(300)), .send(.type("ab")), .wait(.seconds(1)), .send(.stopPolling),
    .send(.chain), .wait(.milliseconds(600)), .send(.fetch(5)), .cancel(10), .send(.add(1)),
    .send(.poll), .wait(.seconds(1)), .send(.clear),
  ]

  @Test("runs/reducers-only: a session replays with equal states, and no effect runs")
  func equal() async throws {
    let shop = try await RecordedShop(Self.everything)
    let report = try shop.replay.verify(.all)
    #expect(report.divergences == [])
    #expect(report.steps == shop.session.stepCount)
    #expect(report.isEqual && !report.isPartial)
    var number = 0
    _ = try shop.replay.run([]) { step in
      number += 1
      #expect(step.step.number == number)
      #expect(step.standing == Standing(.recorded, .equal), "\(step.line)")
    }
    #expect(number == shop.session.stepCount)
  }
}
