import ComposableArchitecture
import ComposableRecording
import Platform
import Replay
import SessionLog
import TestSupport
import Testing
import ValueTree

@Suite("What an app of the Composable Architecture shares", .serialized)
struct SharingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A session in a store of its own: what lies in memory is new.
  @MainActor private func record(_ actions: [Sharing.Action]) async throws -> SessionReader {
    let recorder = SessionRecorder<Sharing.State, Sharing.Action>(
      to: folder("shared.retcon"), knowsCauses: true)
    await withDependencies {
      $0.defaultInMemoryStorage = InMemoryStorage()
    } operation: {
      let store = Store(initialState: Sharing.State()) { Sharing().recorded(by: recorder) }
      for action in actions { await store.send(action).finish() }
    }
    #expect(recorder.finish().isComplete)
    return try SessionReader(path: folder("shared.retcon"))
  }

  private func expectVerified(_ session: SessionReader) async throws {
    let report = try await ReplaySetup(Hosted(Sharing())).verify(session)
    #expect(report.isEqual, "\(report.text(title: "shared"))")
  }

  @Test("Values stand in the file with the names of their keys, as they were in each step")
  func recording() async throws {
    let session = try await record([.add, .add, .show, .tapped])
    #expect(session.header.snapshots == .copied)
    #expect(
      session.header.state?.text()
        == #"""
        {"count":{"value":0,"shared":".inMemory(\"count\")"},\#
        "settings":{"value":{"name":"","size":1},"shared":".inMemory(\"settings\")"},\#
        "first":{"total":{"value":0,"shared":"#1"}},"second":{"total":{"value":0,"shared":"#1"}},\#
        "sheet":null}
        """#)
    let counts = try (1...4).map { try session.state(after: $0)["count"]?["value"] }
    #expect(counts == [1, 2, 2, 12])
    let totals = try (1...4).map { try session.state(after: $0)["second"]?["total"]?["value"] }
    #expect(totals == [1, 3, 3, 3])
    #expect(
      try session.state(after: 4)["sheet"]?.text()
        == #"""
        {"count":{"value":12,"shared":".inMemory(\"count\")"},\#
        "size":{"value":2,"shared":".inMemory(\"settings\")","part":true},\#
        "own":{"value":[2,12],"shared":"#2"}}
        """#)
    #expect(try session.state(after: 4)["settings"]?["value"]?["size"] == 2)
    try await expectVerified(session)
  }

  @Test("What an effect changed is on tape")
  func outside() async throws {
    let session = try await record([.add, .work, .add, .show, .hide, .show, .tapped])
    #expect(try session.step(3).reads.map(\.key) == ["shared"])
    #expect(try session.state(after: 3)["count"]?["value"] == 100)
    try await expectVerified(session)
  }

  @Test("Forks leave nothing behind")
  func forks() async throws {
    let session = try await record([.add, .show, .tapped, .hide, .show, .add])
    let replay = try SessionReplay(session, ReplaySetup(Hosted(Sharing())))
    for _ in 1...2 {
      let told = Locked<[String]>([])
      _ = try replay.run([Script(leavesAt: 2, edits: [.skip(step: 3)])]) { step in
        told.withLock { $0.append("\(step.step.label)") }
      }
      #expect(told.withLock { $0 } == ["hide", "show", "add"])
      let last = try replay.state(of: [Script(leavesAt: 2, edits: [.skip(step: 3)])], after: 5)
      #expect(last["count"]?["value"] == 2)
      #expect(last["first"]?["total"]?["value"] == 3)
      #expect(last["sheet"]?["own"]?["value"] == [1])
    }
    try await expectVerified(session)
  }

  @Test("In a test of the library the dependencies are the live ones")
  func inTests() async throws {
    let session = try await record([.add, .show])
    DependencyValues.issues.withLock { $0 = [] }
    try await DependencyValues.$_current.withValue(.inTests) { try await expectVerified(session) }
    #expect(DependencyValues.issues.withLock { $0 } == [])
  }
}

extension DependencyValues {
  fileprivate static var inTests: DependencyValues {
    var values = DependencyValues()
    values.context = .test
    return values
  }
}
