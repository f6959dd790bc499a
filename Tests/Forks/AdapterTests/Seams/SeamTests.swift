import SessionLog
import TestSupport
import Testing
import ValueTree

@Suite("Seams of other stores, as the page shows them") struct SeamTests {
  struct Add: Action, Codable { var by = 0 }
  struct Reset: Action {}
  struct Counter: Codable, Sendable { var count = 0 }

  private func told(_ path: String) throws -> [String] {
    let session = try SessionReader(path: path)
    #expect(!session.header.knowsCauses)
    return try session.steps.dropFirst().map {
      let step = try session.step($0)
      return "\(step.label) \(step.action.text()) \(try session.state(after: $0).text())"
    }
  }

  @Test("ReSwift: a middleware")
  func reSwift() throws {
    let folder = try TemporaryFolder()
    let recorder = SessionRecorder<Counter, RecordedAction>(to: folder("a.retcon"))
    var state = Counter()
    let dispatch = recording(by: recorder)({ _ in }, { state })({ action in
      state.count = (action as? Add).map { state.count + $0.by } ?? 0
    })
    dispatch(Add(by: 3))
    dispatch(Reset())
    #expect(recorder.finish().isComplete)
    #expect(
      try told(folder("a.retcon")) == [#"Add {"by":3} {"count":3}"#, #"Reset {} {"count":0}"#])
  }

  @Test("SwiftRex: a reducer around the reducer")
  func swiftRex() throws {
    let folder = try TemporaryFolder()
    let recorder = SessionRecorder<Counter, Int>(to: folder("a.retcon"))
    let reducer = Reducer<Int, Counter>.reduce { $1.count += $0 }.recorded(by: recorder)
    var state = Counter()
    reducer.reduce(3, &state)
    reducer.reduce(4, &state)
    #expect(recorder.finish().isComplete)
    #expect(try told(folder("a.retcon")) == [#"Int 3 {"count":3}"#, #"Int 4 {"count":7}"#])
  }

  @Test("A store by hand: causes, effects, and what they read")
  @MainActor func handWritten() async throws {
    let folder = try TemporaryFolder()
    let recorder = SessionRecorder<Counter, String>(to: folder("a.retcon"), knowsCauses: true)
    let store = OwnStore(Counter(), recorder: recorder) { state, action in
      guard action == "roll" else {
        state.count += Int(action) ?? 0
        return nil
      }
      return { recorder.tape.value("dice") { "5" } }
    }
    await store.send("2")
    await store.send("roll")
    #expect(recorder.finish().isComplete)
    let session = try SessionReader(path: folder("a.retcon"))
    #expect(session.header.knowsCauses)
    #expect(try (1...3).map { try session.step($0).cause } == [.user, .user, .effect(1)])
    #expect(try session.state(after: 3) == ["count": 7])
    let events = try session.effectEvents(in: session.steps)
    #expect(events.map(\.step) == [2, 3] && events.last?.kind == .finished)
    #expect(try session.outsideReads(in: session.steps).map(\.effect) == [1])
  }

  @Test(
    "The page shows what these tests compile", arguments: ["ReSwift", "SwiftRex"])
  func page(store: String) {
    let here = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    let code = String(
      decoding: TemporaryFolder.bytes(of: "/\(here)/\(store)Seam.swift"), as: UTF8.self)
    let page = String(
      decoding: TemporaryFolder.bytes(of: "\(Checkout.root)/docs/other-stores.md"), as: UTF8.self)
    #expect(page.contains(code.replacing("import SessionLog\n\n", with: "")))
    #expect(code.split(separator: "\n").count <= 40)
  }
}
