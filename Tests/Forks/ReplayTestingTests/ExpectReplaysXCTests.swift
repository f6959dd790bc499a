import Platform
import ReplayTesting
import StoreCore
import StoreRecording
import StoreTesting
import TestSupport
import XCTest

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

private struct Tally: Reducer {
  var factor = 1

  func reduce(into state: inout Int, action: Int) -> Effect<Int> {
    state += action * factor
    return .none
  }
}

/// The same expectation in the older framework.
final class ExpectReplaysXCTests: XCTestCase {
  private static let told = Locked<[(line: Int, text: String)]>([])
  private static let isCaught = Locked(false)

  #if !canImport(ObjectiveC)
    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
      expected: Bool
    ) {
      guard Self.isCaught.withLock({ $0 }) else {
        return super.recordFailure(
          withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      }
      Self.told.withLock { $0.append((lineNumber, description)) }
    }

    private func caught(_ work: () async throws -> Void) async rethrows {
      Self.isCaught.withLock { $0 = true }
      defer { Self.isCaught.withLock { $0 = false } }
      try await work()
    }

    func testAFailureIsAtTheLineOfTheCall() async throws {
      let folder = try TemporaryFolder()
      let path = session(in: folder)
      let line = #line + 1
      try await caught { try await expectReplays(URL(filePath: path), Tally(factor: 3)) }
      let told = Self.told.withLock { $0 }
      XCTAssertEqual(told.map(\.line), [line])
      XCTAssertEqual(told.first?.text.contains("different state"), true)
    }
  #endif

  private func session(in folder: TemporaryFolder) -> String {
    let path = folder("tally.retcon")
    let recorder = StoreRecorder<Int, Int>(to: path)
    do {
      let store = Store(initialState: 0, hooks: recorder) { Tally() }
      store.send(2)
    }
    recorder.finish()
    return path
  }

  func testAReplayThatDiffersFailsATestOfXCTest() async throws {
    let folder = try TemporaryFolder()
    let path = session(in: folder)
    try await expectReplays(URL(filePath: path), Tally())
    try await expectFailure(matching: "different state") {
      try await expectReplays(URL(filePath: path), Tally(factor: 3))
    }
  }
}
