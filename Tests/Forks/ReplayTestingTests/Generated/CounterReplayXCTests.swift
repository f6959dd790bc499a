// Written by retcon test.
// swift-format-ignore-file

import Foundation
import ReplayTesting
import StoreTesting
import XCTest

@testable import Samples

/// CounterReplayXCTests.retcon runs again as recorded
final class CounterReplayXCTests: CheckedTestCase {
  func testSession() async throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    try await expectReplays(folder.appending(path: "CounterReplayXCTests.retcon"), Counter())
  }
}
