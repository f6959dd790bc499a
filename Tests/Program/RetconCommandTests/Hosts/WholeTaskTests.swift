import Platform
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

/// Several inputs in one task of node or of a page, and calls behind an `await` of a component.
@Suite("Inputs of one task", .needs(.node))
struct WholeTaskTests {
  private let recorded: RecordedApp
  private var runner: CommandRunner { recorded.runner }

  init() throws { recorded = try RecordedApp() }

  /// Its calls do something and then ask, as those of RTK Query ask behind an `await`.
  private static func app(_ before: String) -> String {
    RecordedApp.app.replacing(
      "const answer = await fetch(`/price", with: "\(before) const answer = await fetch(`/price")
  }

  private func verified() async -> String {
    let answer = await runner.run("verify", "$/shop.retcon", "--reducer", "$/app.mjs")
    return answer.data + answer.messages
  }

  /// The step at which each request was started, by its key.
  private func starts() throws -> [Substring: Substring] {
    let text = try runner.text(of: "$/shop.retcon")
    let told = text.matches(of: #/"started".*"from":(\d+).*"cancel":"([^"]*)"/#)
    return Dictionary(told.map { ($0.2, $0.1) }) { $1 }
  }

  private static let both =
    "play(() => { store.dispatch(price('tea')); store.dispatch(price('slow cake')); })"

  @Test("each of two calls in one task has its own request", arguments: [false, true])
  func both(inPage isPage: Bool) async throws {
    let app = Self.app("if (item === 'tea') await null; await null;")
    _ = try recorded.record(Self.both, app: app, inPage: isPage)
    #expect(try starts() == ["s1.1": "1", "s2.1": "2"])
    #expect(await verified().contains("2 requests and 0 timers came again"))
    let (steps, state) = try await recorded.fork(at: 1, "--skip")
    #expect(steps == ["price()", "GET /price 200", "priced"])
    #expect(state?["prices"] == ["slow cake": 21])
    #expect(try await recorded.fork(at: 2, "--skip").state?["prices"] == ["tea": 15])
  }

  @Test("a request too far behind two calls has no sender", arguments: [false, true])
  func unproven(inPage isPage: Bool) async throws {
    let app = Self.app("for (let at = 0; at < 200; at++) await null;")
    _ = try recorded.record(Self.both, app: app, inPage: isPage)
    #expect(try starts() == [:])
    let session = try SessionReader(path: "\(runner.folder)/shop.retcon")
    #expect(
      try session.steps.dropFirst().map { try session.step($0).cause }
        == [.user, .user, .unknown, .unknown])
    #expect(await verified().contains("does not run again in forks"))
  }

  private static let typing =
    "play(() => { store.dispatch(price('tea')); store.dispatch({ type: 'typed', text: 'go' }); })"

  @Test("a fork doubts what a call does behind an action of its task")
  func depends() async throws {
    let app = Self.app("await null; if (getState().text === 'stop') return;")
      .replacing("=> async (dispatch) =>", with: "=> async (dispatch, getState) =>")
    _ = try recorded.record(Self.typing, "{ type: 'added', by: 1 }", app: app)
    #expect(await verified().contains("all as recorded"))
    let (steps, _) = try await recorded.fork(
      at: 2, "--replace", #"{"type":"typed","text":"stop"}"#)
    #expect(steps.first == "price()")
    #expect(steps.dropFirst().allSatisfy { $0.hasSuffix("?") } && steps.count > 1, "\(steps)")
    let (same, state) = try await recorded.fork(
      at: 2, "--replace", #"{"type":"typed","text":"now"}"#)
    #expect(!same.contains { $0.hasSuffix("?") } && state?["prices"]?["tea"] == 15, "\(same)")
  }

  @Test("a fork doubts an action that comes before the next input of its task")
  func late() async throws {
    let sending = "if (getState().text === 'go') dispatch({ type: 'added', by: 1 });"
    let app = Self.app("await null; \(sending)")
      .replacing("=> async (dispatch) =>", with: "=> async (dispatch, getState) =>")
    let typing = Self.typing.replacing("'go'", with: "'stop'")
    _ = try recorded.record("{ type: 'typed', text: 'ready' }", typing, app: app)
    #expect(await verified().contains("all as recorded"))
    // The real app sends nothing: behind both inputs, the text is “stop”.
    let (steps, _) = try await recorded.fork(at: 1, "--replace", #"{"type":"typed","text":"go"}"#)
    let sent = try #require(steps.first { $0.hasPrefix("added") }, "\(steps)")
    #expect(sent.hasSuffix("?"))
    let (same, _) = try await recorded.fork(at: 1, "--replace", #"{"type":"typed","text":"no"}"#)
    #expect(!same.contains { $0.hasSuffix("?") }, "\(same)")
  }

  @Test("a call behind an await of a component is its own input", arguments: [false, true])
  func component(inPage isPage: Bool) async throws {
    let labels = try recorded.record(
      "play(async () => { await store.dispatch(price('tea')); store.dispatch(price('jam')); })",
      "{ type: 'added', by: 1 }", inPage: isPage)
    #expect(
      labels == [
        "price()", "GET /price 200", "priced", "price()", "GET /price 200", "priced", "added",
      ])
    let session = try SessionReader(path: "\(runner.folder)/shop.retcon")
    #expect(try session.step(4).cause == .unknown)
    #expect(await verified().contains("2 requests and 0 timers came again"))
    // Without the first call, only the component knows whether it makes the second one.
    let (steps, _) = try await recorded.fork(at: 1, "--skip")
    #expect(!steps.isEmpty && steps[0].hasSuffix("?"), "\(steps)")
  }
}
