import ReplayTesting
import SessionLog
import StoreCore
import StoreRecording
import StoreTesting
import TestFolder
import Testing
import ValueTree

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

private struct Till: Reducer {
  struct State: Codable, Hashable, Sendable {
    var total = 0
    var receipt = ""
  }

  enum Action: Codable, Hashable, Sendable {
    case add(Int), coupon(Int), stamp
  }

  var isFixed = false
  var stamps = true
  @Dependency(\.uuid) var uuid

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .add(let number): state.total += number
    case .coupon(let number):
      state.total -= number
      if isFixed { state.total = max(0, state.total) }
    case .stamp: state.receipt = stamps ? uuid().uuidString : ""
    }
    return .none
  }
}

@Suite struct ExpectReplaysTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func session(
    _ name: String, _ actions: [Till.Action]
  ) throws -> URL {
    let path = folder("\(name).retcon")
    let recorder = StoreRecorder<Till.State, Till.Action>(to: path)
    do {
      let store = Store(initialState: Till.State(), hooks: recorder) { Till() }
      for action in actions { store.send(action) }
    }
    recorder.finish()
    return URL(filePath: path)
  }

  @Test("a session that replays as it was recorded is no failure")
  func equal() async throws {
    let url = try session("equal", [.add(3), .coupon(5), .stamp])
    try await expectReplays(url, Till())
  }

  @Test("a difference fails at the caller's line, with both sides in columns")
  func difference() async throws {
    let url = try session("difference", [.add(3), .coupon(5), .stamp])
    try await expectFailure(
      matching: .exactly(
        """
        \(url.lastPathComponent): 2 steps were run again, and the re-run differs from step 2 on.

        step 2  coupon, sent by the user: different state
                  recorded  re-run
          /total  -2        0
        """)
    ) {
      try await expectReplays(url, Till(isFixed: true))
    }
  }

  @Test("recorded values that nobody reads are a failure unless they are allowed")
  func unused() async throws {
    let url = try session("unused", [.stamp])
    try await expectFailure(matching: "unused read") {
      try await expectReplays(url, Till(stamps: false))
    }
  }
}
