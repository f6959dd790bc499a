import ComposableArchitecture
import ComposableRecording
import HostProtocol
import Replay
import ReplayTesting
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

  /// Runs what the command asks of the plan and of the host.
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

  @Test("Actions are Swift values, also of a stack")
  func actions() throws {
    var state = Feature.State()
    state.rows.append(Feature.Row())
    let id = try #require(state.rows.ids.first)
    let number = try #require(Mirror(reflecting: id).descendant("generation") as? Int)
    let actions: [Feature.Action] = [
      .add(3), .factCame("“a”\n"), .sheet(.presented(.tapped)), .sheet(.dismiss),
      .rows(.element(id: id, action: .tapped)),
    ]
    var writer = try SourceWriter(
      ReplaySetup(Hosted(Feature())), before: ValueEncoder().encode(Feature.State()))
    for (index, action) in actions.enumerated() {
      let step = Step(number: index + 1, label: "", action: try ValueEncoder().encode(action))
      try writer.add(BranchStep(step: step, standing: Standing(.recorded, .equal)))
    }
    let texts = writer.source.steps.map(\.action)
    #expect(
      texts == [
        ".add(3)", #".factCame("“a”\n")"#, ".sheet(.presented(.tapped))", ".sheet(.dismiss)",
        ".rows(.element(id: \(number), action: .tapped))",
      ])
  }

  @Test("By hand, a cancelled effect sends nothing") @MainActor
  func ifInFlight() async {
    let effects = EffectsByHand()
    let store = TestStore(initialState: Causes.State()) {
      Causes().byHand(Tape(), effects)
    } withDependencies: {
      $0.byHand()
    }
    store.exhaustivity = .off
    for action in [Causes.Action.wait, .stop] {
      await store.send(action)
      await store.send(.heard, ifInFlight: "wait", of: effects)
    }
    #expect(store.state.log == ["wait", "heard", "stop"])
  }

  @Test("A failure names what differs, not two states")
  func failure() throws {
    var recorded: RecordedState<Causes.State> = try RecordedState(#"{"log":["load"]}"#)
    try withKnownIssue {
      try recorded.expect(
        Causes.State(log: ["load", "end"]),
        after: #"[{"op":"add","path":"/log/1","value":"done"}]"#)
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("~ /log/1  “done” → “end”") }
    }
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
