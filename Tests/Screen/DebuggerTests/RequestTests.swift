import RecordingSupport
import SessionWords
import TestSupport
import Testing
import TextCanvas
import TimeTravel
import ValueTree

@testable import Debugger

/// Requests as thunks of Redux make them: pending, then fulfilled or rejected, with an id of their own.
@Suite("What if a request of a Redux app had ended otherwise")
struct RequestTests {
  fileprivate static let recording: MemoryRecording = {
    var steps = [Step(number: 0, label: "init", action: .null)]
    var events: [EffectEvent] = []
    func action(_ label: String, _ request: String) -> Value {
      ["type": .string(label), "meta": ["requestId": .string(request)]]
    }
    func add(_ status: String, _ number: EffectID) {
      let label = "fetch/\(status)"
      let isStart = status == "pending"
      let step = steps.count
      let origin = EffectOrigin(step: step, name: "fetch", file: "Redux", line: 0, ordinal: 1)
      steps.append(
        Step(
          number: step, label: label, action: action(label, "r\(number)"),
          cause: isStart ? .user : .effect(number)))
      events.append(
        EffectEvent(
          effect: number, step: step, time: nil, kind: isStart ? .started(origin) : .finished))
    }
    for (status, number) in [
      ("pending", 1), ("fulfilled", 1), ("pending", 2), ("rejected", 2), ("pending", 3),
      ("fulfilled", 3), ("pending", 4),
    ] as [(String, EffectID)] {
      add(status, number)
    }
    for _ in 0..<2 {
      steps.append(Step(number: steps.count, label: "typed", action: ["type": "typed"]))
    }
    var recording = MemoryRecording(
      name: "shop.json", steps: steps, states: steps.map { ["at": .number(Number($0.number))] },
      events: events)
    recording.summary.isForeign = true
    recording.summary.knowsCauses = false
    recording.summary.isOfJavaScript = true
    return recording
  }()

  private func app(at step: Int, _ keys: String) async -> DebuggerApp {
    await .hosted(Self.recording, at: step, keys)
  }

  private func edits(at step: Int, _ keys: String) async -> [Edit] {
    await app(at: step, keys).state.branch.script?.edits ?? []
  }

  private func answer(_ status: String, _ request: String) -> Value {
    ["type": .string("fetch/\(status)"), "meta": ["requestId": .string(request)]]
  }

  @Test("f s at a rejected answer takes a success with the id of its own request")
  func succeeds() async {
    #expect(
      await edits(at: 4, "fs") == [.replace(step: 4, action: answer("fulfilled", "r2"))])
  }

  @Test("f e and f s at the start of a request replace its answer, or give one that never came")
  func atTheStart() async {
    #expect(await edits(at: 5, "fe") == [.replace(step: 6, action: answer("rejected", "r3"))])
    #expect(await edits(at: 3, "fs") == [.replace(step: 4, action: answer("fulfilled", "r2"))])
    #expect(await edits(at: 8, "fs") == [.insert(after: 8, action: answer("fulfilled", "r4"))])
    #expect(!(await app(at: 3, "f").frame.text.contains("fails instead")), "it fails already")
  }

  @Test("an answer given instead ends its request; later requests keep their bars")
  func ends() async throws {
    let session = OpenSession(Self.recording, host: FakeHost(recording: Self.recording))
    let edits: [Edit] = [.replace(step: 4, action: answer("fulfilled", "r2")), .skip(step: 5)]
    for await _ in try session.fork("a", Script(leavesAt: 3, edits: edits)) {}
    let spans = try session.effects(in: 0...9, of: "a")
    #expect(spans.map(\.number) == [1, 2, 4])
    #expect(spans.map(\.end?.step) == [2, 4, nil])
  }

  @Test("a counts a pending request as in flight, and f r puts in its own id")
  func byHand() async {
    let answered = await app(at: 3, "a")
    #expect(answered.frame.text.contains("fork at step 4"), "\(answered.frame.text)")
    #expect(!answered.frame.text.contains("no effect is in flight"))
    let line = await app(at: 4, "fr").state.shownForkLine
    let answers = (line?.templates ?? []).filter { $0.isAnswer && $0.label != "typed" }
    #expect(!answers.isEmpty)
    #expect(answers.allSatisfy { $0.action?["meta"] == ["requestId": "r2"] })
  }

  @Test("a line whose effect the host does not know does not wait for it unseen")
  func unknownEffect() {
    var line = ForkLine(at: Position(step: 3))
    line.type("fork answer fetch ")
    line.wanted = ForkLine.Wanted(isFailure: true, like: "fetch")
    #expect(line.mustWait)
    (line.isSearching, line.isAsking) = (false, false)
    #expect(!line.mustWait && line.coming == nil)
  }
}

extension RequestTests {
  @Test(
    "a session is tested with the reducer in JavaScript that it was opened with, whoever recorded it",
    arguments: [true, false])
  func nodeTest(isForeign: Bool) async throws {
    let folder = try TemporaryFolder()
    let script = ReducerScript(file: folder("reducer.mjs"), export: "shop", loader: nil)
    var recording = Self.recording
    (recording.summary.isForeign, recording.summary.isOfJavaScript) = (isForeign, isForeign)
    let session = OpenSession(recording, host: FakeHost(recording: recording), script: script)
    let helpers = try await session.writeTest(
      of: 1...2, on: "main", to: folder("shop.test.mjs"), showing: nil)
    #expect(helpers == [folder("retcon-steps.mjs")])
    let text = folder.text("shop.test.mjs")
    #expect(text.contains("./reducer.mjs") && text.contains("shop.json, steps 1 to 2"), "\(text)")
  }

  @Test("all of many short effects are drawn, not only the first ones")
  func manyEffects() async throws {
    let origins = (1...90).map {
      EffectOrigin(step: $0, name: "a", file: "Redux", line: 0, ordinal: 1)
    }
    let steps = (0...91).map { Step(number: $0, label: "tick", action: [:]) }
    let events = origins.flatMap { origin in
      [
        EffectEvent(
          effect: EffectID(origin.step), step: origin.step, time: nil, kind: .started(origin)),
        EffectEvent(
          effect: EffectID(origin.step), step: origin.step + 1, time: nil, kind: .finished),
      ]
    }
    let recording = MemoryRecording(
      name: "many.json", steps: steps, states: steps.map { _ in [:] }, events: events)
    let app = DebuggerApp(
      session: OpenSession(recording), size: Size(width: 200, height: 60),
      position: Position(step: 90), output: { _ in }, onChange: {})
    await app.start().finish()
    #expect(app.state.timeline.effects.contains { $0.number == 90 })
  }
}
