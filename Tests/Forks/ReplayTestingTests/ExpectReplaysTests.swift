import Platform
import ReplayTesting
import SessionWords
import StoreCore
import StoreRecording
import StoreTesting
import TestSupport
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
  /// The value that it writes where it does not stamp.
  var receipt = ""
  /// It asks for an id that it does not need.
  var isCurious = false
  var traps = false
  @Dependency(\.uuid) var uuid

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if isCurious { _ = uuid() }
    switch action {
    case .add(let number): state.total += number
    case .coupon(let number):
      precondition(!traps, "no coupons")
      state.total -= number
      if isFixed { state.total = max(0, state.total) }
    case .stamp: state.receipt = stamps ? uuid().uuidString : receipt
    }
    return .none
  }
}

@Suite struct ExpectReplaysTests {
  /// The first id of a store in a test.
  private let stamped = "00000000-0000-0000-0000-000000000000"

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

  #if os(Linux) || os(macOS)
    @Test("the step in which the app stopped is run, and ends the process as long as it does")
    func unfinished() async throws {
      let url = try session("unfinished", [.add(3)])
      var lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(
        String.init)
      lines[lines.count - 1] =
        #"{"begin":2,"time":9,"label":"coupon","action":{"coupon":{"_0":1}},"cause":"user"}"#
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: url)
      await #expect(processExitsWith: .failure) { [path = url.path as String] in
        try await expectReplays(URL(filePath: path), Till(traps: true))
      }
      try await expectReplays(url, Till())
    }
  #endif

  @Test("a session that replays as it was recorded is no failure")
  func equal() async throws {
    let url = try session("equal", [.add(3), .coupon(5), .stamp])
    try await expectReplays(url, Till())
  }

  @Test("a folder stands for its sessions, and one without any is a failure")
  func folder() async throws {
    let url = try session("first", [.add(3), .coupon(5)])
    let folder = url.deletingLastPathComponent()
    _ = try session("second", [.add(3)])
    try await expectReplays(folder, Till())
    let failures = try await collectFailures {
      try await expectReplays(folder, Till(isFixed: true))
    }
    #expect(failures.map { $0.message.hasPrefix(url.lastPathComponent) } == [true])
    let empty = folder.appending(path: "empty", directoryHint: .isDirectory)
    let missing = try await collectFailures { try await expectReplays(empty, Till()) }
    #expect(missing.map(\.message) == ["There are no sessions (*.retcon) in \(empty.path)."])
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

  @Test("the failure is at the line of the call, with the whole report")
  func place() async throws {
    let url = try session("place", [.add(3), .coupon(5)])
    let failures = LockedFailures()
    let line = #line + 2
    try await withKnownIssue {
      try await expectReplays(url, Till(isFixed: true))
    } matching: { issue in
      failures.add(issue)
      return true
    }
    #expect(failures.all.map(\.line) == [line])
    #expect(failures.all.first?.file == #fileID)
    #expect(
      failures.all.first?.text.contains(
        """
        step 2  coupon, sent by the user: different state
                  recorded  re-run
          /total  -2        0
        """) == true)
  }

  @Test("recorded values that nobody reads are a failure unless they are allowed")
  func unused() async throws {
    let url = try session("unused", [.stamp])
    try await expectFailure(matching: "unused read") {
      try await expectReplays(url, Till(stamps: false))
    }
    try await expectFailure(matching: "unused read") {
      try await expectReplays(url, Till(stamps: false), allowing: .missingReads)
    }
    // The receipt is empty then, and that is a difference of its own.
    try await expectFailure(matching: "/receipt") {
      try await expectReplays(url, Till(stamps: false), allowing: .unusedReads)
    }
    try await expectReplays(url, Till(stamps: false, receipt: stamped), allowing: .unusedReads)
  }

  @Test("reads without a recorded value are a failure unless they are allowed")
  func missing() async throws {
    let url = try session("missing", [.add(3)])
    try await expectFailure(matching: "missing read") {
      try await expectReplays(url, Till(isCurious: true))
    }
    try await expectFailure(matching: "missing read") {
      try await expectReplays(url, Till(isCurious: true), allowing: .unusedReads)
    }
    try await expectReplays(url, Till(isCurious: true), allowing: .missingReads)
  }

  @Test("a session that cannot be read is an error, and no failure")
  func unreadable() async throws {
    let nowhere = URL(filePath: folder("nowhere.retcon"))
    await #expect(throws: SessionError.self) { try await expectReplays(nowhere, Till()) }
  }
}

/// The failures that Swift Testing got.
private final class LockedFailures: Sendable {
  struct Told: Sendable {
    var file: String?
    var line: Int?
    var text: String
  }

  private let told = Locked<[Told]>([])

  var all: [Told] { told.withLock { $0 } }

  func add(_ issue: Issue) {
    let place = issue.sourceLocation
    told.withLock {
      $0.append(Told(file: place?.fileID, line: place?.line, text: "\(issue.comments)"))
    }
  }
}
