// Written by retcon test.
// swift-format-ignore-file

import Foundation
import ReplayTesting
import StoreTesting
import Testing

@testable import Samples

@Suite(.checkedAtEnd) struct CounterReplayTests {
  @Test("CounterReplayTests.retcon runs again as recorded") func session() async throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    try await expectReplays(folder.appending(path: "CounterReplayTests.retcon"), Counter())
  }
}
