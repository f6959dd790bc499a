import SessionWords
import StoreCore
import StoreRecording
import Testing
import ValueTree

@testable import Replay

/// Effects that begin at one instant and speak in the same.
@Suite struct SameInstantTests {
  private struct Twins: Reducer {
    struct State: Codable, Hashable, Sendable { var log: [String] = [] }

    enum Action: Codable, Hashable, Sendable {
      case start(Int)
      case said(String)
    }

    @Dependency(\.shop) var shop

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .said(let words):
        state.log.append(words)
        return .none
      case .start(let number):
        return .merge(
          .run(name: "asks") { [shop] send in await send(.said(try await shop.answer(number))) },
          .run(name: "knows") { send in await send(.said("known")) })
      }
    }
  }

  @Test(
    "effects/on-tape: of two that begin at one time and act then the one that started first is first"
  )
  func startedFirst() async throws {
    let (session, states, file) = try await record(
      Twins(), from: Twins.State(), [.send(.start(1)), .wait(.seconds(1))]
    ) { dependencies, tape in
      let clock = dependencies.continuousClock
      dependencies.shop.answer = { number in
        if number == 1 { try await clock.sleep(for: .milliseconds(100)) }
        return "answer \(number)"
      }
      RecordedShop.tapes(&dependencies, tape)
    }
    #expect(states.last?.log == ["known", "answer 1"])
    var setup = ReplaySetup(Twins()) { RecordedShop.tapes(&$0, Tape()) }
    setup.runsEffectsOnTape = true
    let reply = Reply(to: Question("answer", [2]), .value("answer 2"), took: .zero)
    var labels: [Value] = []
    let report = try SessionReplay(session, setup).run([
      Script(
        leavesAt: 0,
        edits: [.replace(step: 1, action: try .encoding(Twins.Action.start(2))), .reply(reply)])
    ]) { labels.append($0.step.action) }
    #expect(
      try labels.dropFirst() == [
        .encoding(Twins.Action.said("answer 2")), .encoding(Twins.Action.said("known")),
      ])
    #expect(report.assumptions == [])
    withExtendedLifetime(file) {}
  }
}
