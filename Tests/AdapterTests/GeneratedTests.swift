import ComposableArchitecture
import ComposableRecording
import HostProtocol
import Replay
import SessionLog
import SessionWords
import TestSupport
import Testing
import TimeTravel
import ValueTree

@testable import ReducerHost

@Suite("Tests that are written for an app of the Composable Architecture", .serialized)
struct GeneratedTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What the command asks of the plan and of the host.
  @MainActor private func made() async throws -> (plan: TestPlan, source: StepSource) {
    let recorder = SessionRecorder<Causes.State, Causes.Action>(
      to: folder("causes.retcon"), knowsCauses: true)
    let store = Store(initialState: Causes.State()) { Causes().recorded(by: recorder) }
    for action in [Causes.Action.load, .end] { await store.send(action).finish() }
    recorder.finish()
    let session = try SessionReader(path: folder("causes.retcon"))
    let first = try #require(session.header.state)
    var writer = try SourceWriter(ReplaySetup(Hosted(Causes())), before: first)
    var before = first
    for number in session.steps.dropFirst() {
      let after = try session.state(after: number)
      var step = BranchStep(step: try session.step(number), standing: Standing(.recorded, .equal))
      step.patch = Patch(from: before, to: after).value
      try writer.add(step)
      before = after
    }
    let open = OpenSession(SessionRecording(session))
    return (try open.testPlan(of: 1...session.steps.upperBound, on: "main"), writer.source)
  }

  @Test("On its test store, with its dependencies on tape")
  func testStore() async throws {
    let (plan, source) = try await made()
    var writer = SwiftTestWriter()
    writer.typeName = "CausesSessionTests"
    writer.dependencies = [#"$0.fact = tape.closure("fact", $0.fact)"#]
    let text = try writer.text(plan, source)
      .replacing("@testable import AdapterTests\n\n", with: "")
    let here = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    let path = "/\(here)/Generated/CausesSessionTests.swift"
    #expect(text == String(decoding: TemporaryFolder.bytes(of: path), as: UTF8.self))
  }

  @Test("A session beside it is run again with its dependencies")
  func replay() async throws {
    let (_, source) = try await made()
    var writer = SwiftTestWriter()
    writer.dependencies = [#"$0.fact = tape.closure("fact", $0.fact)"#]
    let text = writer.replayText(of: "causes.retcon", "causes", source)
    #expect(text.contains("import ComposableRecording\n"))
    #expect(
      text.contains(
        """
            try await expectReplays(folder.appending(path: "causes.retcon"), Hosted(Causes()) {
              $0.fact = tape.closure("fact", $0.fact)
            })

        """))
  }
}
