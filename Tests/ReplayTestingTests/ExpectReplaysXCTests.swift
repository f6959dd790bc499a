import ReplayTesting
import SessionLog
import StoreCore
import StoreRecording
import StoreTesting
import TestFolder
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
  func testAReplayThatDiffersFailsATestOfXCTest() async throws {
    let folder = try TemporaryFolder()
    let path = folder("tally.retcon")
    let recorder = StoreRecorder<Int, Int>(to: path)
    do {
      let store = Store(initialState: 0, hooks: recorder) { Tally() }
      store.send(2)
    }
    recorder.finish()
    try await expectReplays(URL(filePath: path), Tally())
    try await expectFailure(matching: "different state") {
      try await expectReplays(URL(filePath: path), Tally(factor: 3))
    }
  }
}
