import SessionFile
import SessionWords
import StoreCore
import StoreRecording
import Testing
import ValueTree

@testable import Replay

/// Services that end early, in one way or another, when whoever asked is cancelled.
@Suite struct CancelledAnswerTests {
  @Test(
    "effects/on-tape: what a service says to somebody who was cancelled is no answer",
    arguments: [false, true])
  func saidToCancelled(isError: Bool) async throws {
    let (session, _, file) = try await record(
      Shop(), from: Shop.State(),
      [
        .send(.fetch(1)), .wait(.seconds(1)), .send(.cancelFetch), .wait(.seconds(1)),
        .send(.noted("end")),
      ]
    ) { dependencies, tape in
      let clock = dependencies.continuousClock
      dependencies.shop.answer = { _ in
        try? await clock.sleep(for: .seconds(900))
        if isError { throw ShopError(description: "the connection was closed") }
        return "late"
      }
      RecordedShop.tapes(&dependencies, tape)
    }
    #expect(
      try session.outsideReads(in: session.steps).filter { $0.read.key == "answer" }.map(
        \.read.isCancelled) == [true])
    var setup = RecordedShop.setup
    setup.runsEffectsOnTape = true
    let replay = try SessionReplay(session, setup)
    #expect(try replay.verify(.all).isEqual)
    var lines: [String] = []
    let report = try replay.run([Script(leavesAt: 1, edits: [.skip(step: 2)])]) {
      lines.append($0.line)
    }
    #expect(lines == ["2 noted ←3 open/equal"])
    #expect(report.pending.map(\.question) == [Question("answer", [1])])
    withExtendedLifetime(file) {}
  }
}
