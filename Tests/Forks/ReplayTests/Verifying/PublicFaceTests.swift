import Replay
import SessionWords
import StoreCore
import Testing
import ValueTree

/// Only what a user of the library sees.
@Suite struct PublicFaceTests {
  @Test("a session is verified with progress, and a cancelled task ends the verification")
  func verify() async throws {
    let shop = try await RecordedShop((0..<600).map { .send(.add($0)) })
    let progress = ReplayTestLock<[Int]>([])
    let report = try await RecordedShop.setup.verify(shop.session) { done, total in
      progress.withLock { $0.append(done * 1000 + total / 100) }
    }
    #expect(report == VerifyReport(steps: 600))
    #expect(progress.withLock { $0 } == [6, 256_006, 512_006])
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await RecordedShop.setup.verify(shop.session)
    }
    await #expect(throws: ReplayError.cancelled) { try await task.value }
  }

  @Test("a branch runs in one call")
  func branch() async throws {
    let shop = try await RecordedShop([.send(.add(1)), .send(.add(2))])
    let lines = ReplayTestLock<[String]>([])
    let report = try await RecordedShop.setup.run(
      [Script(leavesAt: 0, edits: [.skip(step: 1)])], of: shop.session
    ) { step in lines.withLock { $0.append(step.line) } }
    #expect(lines.withLock { $0 } == ["1 add ←2 recorded/different"])
    #expect(report.lastStep == 1)
  }
}
