@_spi(Internals) import ComposableArchitecture
import ComposableRecording
import FoundationEssentials
import Platform
import Replay
import SessionLog
import TestSupport
import Testing
import ValueTree

@Suite("An app of the Composable Architecture", .serialized) struct ComposableRecordingTests {
  let folder: TemporaryFolder
  let tick = Locked(0)

  init() throws { folder = try TemporaryFolder() }

  /// Everything once: effects that answer, in groups, from detached tasks, and after a cancellation;
  /// what reducers send at once, stacks, and what views set.
  @MainActor private func record() async throws -> SessionReader {
    var options = RecordingOptions()
    options.clock = { [tick] in .milliseconds(tick.withLock { tick in (tick, tick += 1).0 }) }
    let recorder = SessionRecorder<Feature.State, Feature.Action>(
      to: folder("app.retcon"), knowsCauses: true, options: options)
    let store = Store(initialState: Feature.State()) {
      Feature().recorded(by: recorder)
    } withDependencies: {
      $0.fact = recorder.tape.closure("fact", $0.fact)
    }
    store.send(.add(2))
    await store.send(.factTapped).finish()
    await store.send(.factsTapped).finish()
    let waiting = store.send(.waitTapped)
    await Self.settle()
    store.send(.stopTapped)
    await waiting.finish()
    await store.send(.resetTapped).finish()
    store.send(.pushTapped)
    let id = try #require(store.withState { $0.rows.ids.last })
    await store.send(.rows(.element(id: id, action: .tapped))).finish()
    store.send(.binding(.set(\.name, "Blob")))
    store.send(.sheet(.presented(.tapped)))
    store.send(.sheet(.dismiss))
    let statistics = recorder.finish()
    #expect(statistics.isComplete)
    #expect(statistics.troubles.isEmpty)
    return try SessionReader(path: folder("app.retcon"))
  }

  /// Lets the effects go as far as they come: ids are known from when their tasks run.
  @MainActor private static func settle() async {
    while !CancelIDs.contains(Feature.CancelID.waiting) { await Task.yield() }
  }

  private let setup = ReplaySetup(
    Hosted(Feature()) {
      $0.fact = Tape().closure("fact") { _ in fatalError("an effect ran") }
    })

  private func told(_ step: Step, _ session: SessionReader) throws -> String {
    let names = try session.effectEvents(in: session.steps).reduce(into: [EffectID: String]()) {
      if case .started(let origin) = $1.kind { $0[$1.effect] = origin.name }
    }
    let cause =
      switch step.cause {
      case .user, .outside, .unknown: "user"
      case .effect(let number): names[number] ?? "?"
      case .output(let sender): "output of \(sender)"
      }
    return "\(step.number) \(step.label) ← \(cause)"
  }

  @Test("Steps, causes, states and effects are in the file")
  func recording() async throws {
    let session = try await record()
    #expect(session.header.knowsCauses)
    #expect(session.header.capability == .replay)
    #expect(session.header.snapshots == .copied)
    #expect(
      session.header.state?.text()
        == #"{"count":0,"name":"","sheet":null,"rows":[],"facts":[]}"#)
    #expect(
      try session.steps.dropFirst().map { try told(session.step($0), session) } == [
        "1 add ← user",
        "2 factTapped ← user",
        "3 factCame ← fact",
        "4 factsTapped ← user",
        "5 factCame ← facts",
        "6 factCame ← facts",
        "7 factCame ← facts",
        "8 waitTapped ← user",
        "9 stopTapped ← user",
        "10 resetTapped ← user",
        "11 reset ← output of 10",
        "12 pushTapped ← user",
        "13 rows.element.tapped ← user",
        "14 rows.element.counted ← row",
        "15 binding.name ← user",
        "16 sheet.presented.tapped ← user",
        "17 sheet.dismiss ← user",
      ])
    #expect(try session.step(15).action == ["binding": ["_0": ["name": "Blob"]]])
    let last = try session.state(after: 15)
    #expect(last["name"] == "Blob")
    #expect(last["rows"] == [["taps": 101]])
    let sheets = try (15...17).map { try session.state(after: $0)["sheet"]?.text() }
    #expect(sheets == [#"{"taps":0}"#, #"{"taps":1}"#, "null"])
    #expect(last["facts"]?.text().contains("2 is a number") == true)
    let events = try session.effectEvents(in: session.steps)
    #expect(
      events.filter { $0.kind == .cancelled }.map { "\($0.effect) after \($0.step)" }
        == ["3 after 9"])
    #expect(events.filter { $0.kind == .finished }.count == 4)
    #expect(Set(session.tape).isSuperset(of: ["fact", "uuid", "stackID"]))
  }

  @Test("Actions of stacks are written as Swift writes an enum, and read back")
  func stackActions() throws {
    typealias Action = StackAction<Feature.Row, Feature.RowAction>
    let id = StackElementID(generation: 3)
    let written: [(Action, String)] = [
      (.element(id: id, action: .tapped), #"{"element":{"id":3,"action":{"tapped":{}}}}"#),
      (.popFrom(id: id), #"{"popFrom":{"id":3}}"#),
      (.push(id: id, state: .init(taps: 2)), #"{"push":{"id":3,"state":{"taps":2}}}"#),
    ]
    for (action, text) in written {
      let value = try ValueEncoder().encode(action)
      #expect(value.text() == text)
      let read = try ValueDecoder().decode(Action.self, from: value)
      #expect(try ValueEncoder().encode(read) == value)
    }
    #expect(throws: DecodingError.self) {
      try ValueDecoder().decode(BindingAction<Feature.State>.self, from: ["age": 3])
    }
  }

  @Test("Reflected, a stack is its elements: nothing of dependencies")
  func reflected() {
    let rows = StackState([Feature.Row(taps: 2)])
    #expect(Value(reflecting: rows).text() == #"[{"taps":2}]"#)
  }

  @Test("Run again, all is as recorded, and nothing of an effect runs")
  func verifying() async throws {
    let session = try await record()
    let report = try await setup.verify(session)
    #expect(report.text(title: "app") == "app: 17 steps were run again, all as recorded.")
  }

  private func fork(_ edit: Edit, at step: Int) async throws -> [String] {
    let session = try await record()
    let told = Locked<[String]>([])
    _ = try await setup.run([Script(leavesAt: step, edits: [edit])], of: session) { step in
      let line = "\(step.step.label) \(step.standing.values.rawValue)"
      told.withLock { $0.append(line) }
    }
    return told.withLock { $0 }
  }

  @Test(
    "A fork: what an effect sends after an edit is assumed, because the edit may have cancelled it")
  func forking() async throws {
    let steps = try await fork(.replace(step: 9, action: ["add": ["_0": 1]]), at: 8)
    #expect(steps.first == "add edited")
    #expect(steps.contains("reset assumed") || steps.contains("reset open"))
    #expect(steps.last == "sheet.dismiss assumed" || steps.last == "sheet.dismiss open")
  }

  @Test("A fork without a step that started an effect leaves out what that sent")
  func skipping() async throws {
    let steps = try await fork(.skip(step: 4), at: 3)
    #expect(!steps.contains { $0.hasPrefix("factCame") })
    #expect(steps.first == "waitTapped recorded")
  }

  @Test("A playback shows each step")
  func playing() async throws {
    let session = try await record()
    let shown = Locked<[String]>([])
    let playback = try Playback(of: session, with: setup) { frame in
      shown.withLock { $0.append("\(frame.step.number) \(frame.state.facts.count)") }
    }
    try await playback.playAtOnce()
    #expect(shown.withLock { $0 }.count == 18)
    #expect(shown.withLock { $0 }.last == "17 4")
  }
}
