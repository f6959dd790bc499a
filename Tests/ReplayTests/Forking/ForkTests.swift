import SessionLog
import StoreCore
import Testing
import ValueTree

@testable import Replay

@Suite struct ForkTests {
  @Test("a skipped step is left out, and what comes later is run again")
  func skip() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.add(2)), .send(.add(3))])
    let run = try shop.run(leavesAt: 1, .skip(step: 2))
    #expect(run.lines == ["2 add ←3 recorded/different"])
    #expect(run.states.map(\.total) == [4])
    #expect(
      run.report.leftOut == [LeftOutStep(recordedStep: 2, label: "add", reason: .skipped)])
    #expect(run.report.ending == .complete)
  }
}
