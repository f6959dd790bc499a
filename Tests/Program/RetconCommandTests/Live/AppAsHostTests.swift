import Live
import Platform
import SessionFile
import SessionWords
import TerminalDriver
import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

@Suite("attach: the app as the host", .needs(.node))
struct AppAsHostTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  /// The page's own reducer runs for verify and for forks, with the values that JSON cannot carry.
  @Test func theAppIsTheHost() async throws {
    let app = """
      const store = createStore((state = { at: new Date(0), list: [1], n: 0 }, { type, by }) => {
        if (type === 'push') { state.list.push(by.getTime()); return { ...state }; }
        return type === 'add' ? { ...state, n: state.n + by, at: new Date(state.at.getTime() + by) } : state;
      }, extension({ name: 'hosted' }));
      for (const by of [1, 2, 3]) store.dispatch({ type: 'add', by });
      store.dispatch({ type: 'push', by: new Date(7) });
      """
    try await hosting(app) { path, host, store in
      let count = try SessionReader(path: path).stepCount
      #expect(count == 4)
      let verified = await runner.run("verify", path, "--host", host)
      #expect(verified.status == .yes, "\(verified)")
      let fork = await runner.run(
        "fork", "\(path)@2", "--host", host, "--skip", "--name", "without")
      #expect(fork.status != .trouble, "\(fork)")
      let state = await runner.run("state", "\(path)@without/3", "--host", host, "--json")
      #expect(state.data.contains("\"n\":4") && state.data.contains("00.004Z"), "\(state)")
      store.end()
      let gone = await runner.run("verify", path, "--host", "\(host)x")
      #expect(gone.status == .trouble && gone.messages.contains("no such store"), "\(gone)")
    }
  }

  /// The second run of a step has another date. Only a reducer that reads the clock may notice.
  @Test func theAppRunsOnAnotherDay() async throws {
    let app = """
      const store = createStore((state = { at: new Date(0), n: 0 }, { type, by }) => {
        if (type === 'now') return { ...state, n: Date.now() };
        const areDates = [state.at, new Date(5)].every((date) => date instanceof Date && date.constructor === Date);
        return areDates && typeof Date() === 'string' && by ? { ...state, n: state.n + by } : state;
      }, extension({ name: 'hosted' }));
      for (const by of [1, 2, 3]) store.dispatch({ type: 'add', by });
      store.dispatch({ type: 'now' });
      """
    try await hosting(app) { path, host, store in
      let recorded = try SessionReader(path: path).state(after: 3)
      #expect(recorded["n"] == 6)
      let verified = await runner.run("verify", path, "--host", host)
      #expect(
        verified.data.contains(
          "step 4  now, sent by an unknown sender: the reducer is nondeterministic"), "\(verified)")
      store.end()
    }
  }

  /// Records an app, and works on the session with the app as its host.
  private func hosting(
    _ app: String, _ work: (_ path: String, _ host: String, PageStore) async throws -> Void
  ) async throws {
    _ = try runner.write(
      AttachTests.createStore + app + "\nsetInterval(() => {}, 1000);\n", as: "app.mjs")
    let node = try LaunchedApp(
      LaunchedApp.node(["node", "\(runner.folder)/app.mjs"]), output: .nothing
    ) { _ in }
    defer { node.kill() }
    let place = try node.debugger()
    let path = "\(runner.folder)/hosted.retcon"
    let recorder = LiveRecorder(redaction: Redaction(), path: { _, _ in path })
    let page = try PageRecording(
      place, shim: JoinedScript.shim, trace: false, name: "app", recorder)
    defer { page.end() }
    try page.begin(isStart: true)
    let store = try #require(recorder.first())
    #expect(store.reduces)
    let url = "ws://127.0.0.1:\(place.port)\(place.path)"
    let host = "\(BuiltProgram.path("retcon")) page-host \(url) \(store.id)"
    let pageStore = try PageStore(place, store: store.id)
    page.end()
    recorder.finish()
    try await work(path, host, pageStore)
  }
}
