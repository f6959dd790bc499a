import Replay
import SessionLog
import TestSupport
import Testing
import ValueTree

@Suite("Stores of other kinds, recorded and forked, as the pages show them")
struct ForkedSeamTests {
  /// Whether the session comes out the same again, and the steps of a fork without one step.
  private func fork<State: Codable & Sendable, Action: Codable & Sendable>(
    _ session: SessionReader, _ setup: ReplaySetup<State, Action>, without step: Int
  ) async throws -> [String] {
    let report = try await setup.verify(session)
    if !report.isEqual { Issue.record("\(report.text(title: "session"))") }
    let steps = Told()
    let script = Script(leavesAt: step - 1, edits: [.skip(step: step)])
    _ = try await setup.run([script], of: session) {
      let doubt = $0.standing.assumptions.isEmpty ? "certain" : "in doubt"
      steps.add("\($0.step.label): \(doubt)")
    }
    return steps.all
  }

  @MainActor private func recordBasket(_ path: String) async throws {
    let recorder = SessionRecorder<Basket, BasketAction>(to: path, knowsCauses: true)
    let recording = StoreRecording(recorder)
    var state = Basket()
    let dispatch = recording.middleware({ _ in }, { state })({ state = basketReducer($0, state) })
    dispatch(BasketAction.added("tea"))
    dispatch(BasketAction.priceTapped)
    nonisolated(unsafe) let send = dispatch
    await recording.effect("price") {
      await Task.yield()
      send(BasketAction.priceLoaded(7))
    }
    dispatch(BasketAction.added("milk"))
    #expect(recorder.finish().isComplete)
  }

  @Test("ReSwift with one enum: causes, verify and a fork without the action that asked")
  func reSwift() async throws {
    let folder = try TemporaryFolder()
    try await recordBasket(folder("a.retcon"))
    let session = try SessionReader(path: folder("a.retcon"))
    #expect(session.header.knowsCauses && session.header.capability == .replay)
    #expect(try (1...4).map { try session.step($0).cause } == [.user, .user, .effect(1), .user])
    let told = try await fork(session, ReplaySetup(hostedBasket), without: 2)
    #expect(told == ["added: certain"])
  }

  @Test("A server: an actor behind a route")
  func server() async throws {
    let folder = try TemporaryFolder()
    let recorder = SessionRecorder<OrderBook, OrderAction>(
      to: folder("a.retcon"), knowsCauses: true)
    let app = Application()
    addRoutes(to: app, Orders(recorder: recorder))
    let route = try #require(app.routes["POST /orders"])
    for action in [
      OrderAction.placed(item: "tea", count: 70), .placed(item: "tea", count: 40),
      .shipped(item: "tea"),
    ] {
      let body = try ValueEncoder().encode(action)
      _ = try await route(Request(content: ContentContainer(body: body)))
    }
    #expect(recorder.finish().isComplete)
    let session = try SessionReader(path: folder("a.retcon"))
    #expect(try session.step(1).cause == .outside("POST /orders"))
    #expect(try session.state(after: 3) == ["open": [:], "shipped": 100])
    let told = try await fork(session, ReplaySetup(hostedOrders), without: 1)
    #expect(told == ["placed: certain", "shipped: certain"])
  }

  @Test(
    "The pages show what these tests compile",
    arguments: [
      ("other-stores", "ReSwiftEnumSeam"), ("other-stores", "ReSwiftEnumHost"),
      ("server", "ServerSeam"), ("server", "ServerRoutes"),
    ])
  func page(page: String, file: String) {
    let here = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    let code = String(
      decoding: TemporaryFolder.bytes(of: "/\(here)/\(file).swift"), as: UTF8.self)
    let text = String(
      decoding: TemporaryFolder.bytes(of: "\(Checkout.root)/docs/\(page).md"), as: UTF8.self)
    #expect(text.contains(code.split(separator: "\n\n", maxSplits: 1).last ?? ""))
  }
}
