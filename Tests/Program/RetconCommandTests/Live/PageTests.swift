import HostProtocol
import Live
import Platform
import SessionFile
import SessionWords
import Sockets
import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

/// `make live-test` runs these: a browser takes seconds to start.
@Suite(
  "attach: pages in a browser", .serialized,
  .enabled(if: environmentVariable("RETCON_LIVE") != nil, "make live-test runs it"))
struct PageTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  private static let createStore = """
    const createStore = (reducer, enhancer) => {
      if (enhancer) return enhancer(createStore)(reducer);
      let state = reducer(undefined, { type: '@@INIT' });
      return { getState: () => state, replaceReducer() {}, dispatch: (action) => { state = reducer(state, action); return action; } };
    };
    const compose = window.__REDUX_DEVTOOLS_EXTENSION_COMPOSE__;

    """

  /// A browser with the recorder in it.
  private struct Page {
    var browser: LaunchedApp
    var page: PageRecording
    var control: DevToolsConnection
    var recorder: LiveRecorder
    var profile: ScratchFolder

    /// Waits until an expression is true in the page.
    func wait(for expression: String) throws {
      let code = """
        new Promise((done) => { const look = () => { let is = false; try { is = \(expression); } catch {} \
        if (is) done(1); else setTimeout(look, 20); }; look(); })
        """
      try control.ask(
        "Runtime.evaluate", ["expression": .string(code), "awaitPromise": true],
        within: .seconds(60))
    }

    func end() {
      page.settle(within: .seconds(120))
      control.end()
      page.end()
      browser.kill()
      recorder.finish()
    }
  }

  private func open(_ address: String) throws -> Page {
    let profile = try FileSystem.temporaryFolder(in: [:])
    let command = try LaunchedApp.browser(
      "chromium --headless=new --no-sandbox --disable-gpu", profile: profile.path, [:])
    let browser = try LaunchedApp(command, output: .nothing) { _ in }
    let port = try browser.debugger(within: .seconds(60))
    let target = try AttachTarget.only(try DevToolsTarget.all(at: port.host, port: port.port))
    let folder = runner.folder
    let recorder = LiveRecorder(
      redaction: Redaction(),
      path: { name, number in "\(folder)/\(number)-\(LiveName.file(name)).retcon" })
    let page = try PageRecording(
      target.socket, shim: JoinedScript.shim, trace: false, name: "page", recorder)
    try page.begin()
    try page.navigate(to: address)
    let control = try DevToolsConnection(to: target.socket) { _, _, _, _ in }
    return Page(
      browser: browser, page: page, control: control, recorder: recorder, profile: profile)
  }

  private func openScript(_ script: String, body: String = "") throws -> Page {
    let text =
      "<!doctype html><title>Shop</title>\(body)<script>\(Self.createStore + script)</script>"
    _ = try runner.write(text, as: "page.html")
    return try open("file://\(runner.folder)/page.html")
  }

  private func session(_ name: String) throws -> SessionReader {
    try SessionReader(path: "\(runner.folder)/\(name).retcon")
  }

  @Test func storesFramesAndReloadsAreSessions() throws {
    let frame = """
      <iframe srcdoc="<title>Inner</title><script>const c = window.__REDUX_DEVTOOLS_EXTENSION__.connect({ name: 'frame' });
      c.init({ a: 1 }); c.send({ type: 'x' }, { a: 2 }); parent.isIn = true;</script>"></iframe>
      """
    let page = try openScript(
      """
      const one = createStore((n = 0, { type }) => (type === 'up' ? n + 1 : n), compose());
      const two = createStore((n = 10, { type }) => (type === 'down' ? n - 1 : n), compose({ name: 'two' })());
      for (let at = 0; at < 1000; at++) { one.dispatch({ type: 'up' }); two.dispatch({ type: 'down' }); }
      window.done = Number(sessionStorage.loads = Number(sessionStorage.loads ?? 0) + 1);
      """, body: frame)
    defer { page.end() }
    try page.wait(
      for: "window.done === 1 && window.isIn && !frames[0][Symbol.for('retcon')].flush()")
    try page.page.reload()
    try page.wait(
      for: "window.done === 2 && window.isIn && !frames[0][Symbol.for('retcon')].flush()")
    // The two connections do not wait for each other.
    while page.recorder.all.filter({ $0.end != nil }).count < 3 { poll(nil, 0, 5) }
    let first = try #require(page.recorder.first())
    page.end()
    let all = page.recorder.all
    let ends = all.map { $0.end == "the page was left or loaded again" }
    #expect(ends == [true, true, true, false, false, false])
    #expect(first.id == all[3].id)
    for ended in all.prefix(3) {
      let reader = try SessionReader(path: ended.path)
      #expect(reader.isFinished)
      let notes = try reader.signposts(in: reader.stepCount...reader.stepCount).map(\.text)
      #expect(notes == ["the page was left or loaded again"])
    }
    let told = page.recorder.summaries.map { "\($0.name) \($0.steps)" }.sorted()
    #expect(
      told == ["Shop 1000", "Shop 1000", "frame 1", "frame 1", "two 1000", "two 1000"], "\(told)")
    for summary in page.recorder.summaries where summary.name == "Shop" {
      #expect(try SessionReader(path: summary.path).state(after: 1000) == 1000)
    }
  }

  @Test func aPageShowsAStepAndThenItsOwnStateAgain() throws {
    let page = try openScript(
      """
      \(SmallStore.inJavaScript.replacing("createStore", with: "makeStore"))
      const start = { n: 0, at: new Date(0), seen: new Map([['a', new Set([1])]]), ratio: NaN };
      const store = makeStore((state = start, { type }) => (type === 'add' ? { ...state, n: state.n + 1, at: new Date(state.n + 1) } : state), compose());
      const draw = () => {
        const { n, at, seen, ratio } = store.getState();
        document.querySelector('p').textContent = [n, at.getTime(), seen.get('a').has(1), Number.isNaN(ratio)];
      };
      store.subscribe(draw);
      for (let at = 0; at < 3; at++) store.dispatch({ type: 'add' });
      """, body: "<p>")
    defer { page.end() }
    try page.wait(for: "document.querySelector('p').textContent === '3,3,true,true'")
    let id = try #require(page.recorder.first()).id
    let store = DrivenStore(page.page.place, store: id)
    while page.recorder.summaries[0].steps < 3 { poll(nil, 0, 5) }
    let state = try session("1-Shop").state(after: 1)
    try store.carryOut(.show(state, words: "Retcon shows step 1", number: 2), page.recorder)
    try store.carryOut(.show(["n": 9], words: "too late", number: 1), page.recorder)
    try page.wait(
      for: "document.querySelector('p').textContent === '1,1,true,true' && "
        + "document.querySelector('retcon-banner').textContent === 'Retcon shows step 1'")
    // Nothing more comes.
    try page.wait(
      for: "document.querySelector('p').textContent === '3,3,true,true' && "
        + "!document.querySelector('retcon-banner')")
    try store.carryOut(.show(state, words: "Retcon shows step 1", number: 3), page.recorder)
    try page.wait(for: "document.querySelector('p').textContent === '1,1,true,true'")
    store.release()
    try page.wait(for: "document.querySelector('p').textContent === '3,3,true,true'")
    page.end()
    #expect(page.recorder.summaries.map(\.steps) == [3])
  }

  @Test(arguments: [
    ("crash", "the page crashed"), ("close", "the page was closed"),
    ("kill", "the other program was killed, or the connection broke"),
  ])
  func aLostPageLeavesItsSession(way: String, told: String) throws {
    let page = try openScript(
      """
      const store = createStore((n = 0) => n + 1, compose());
      for (let at = 0; at < 500; at++) store.dispatch({ type: 'up' });
      window.done = true;
      """)
    defer { page.end() }
    try page.wait(for: "window.done && !window[Symbol.for('retcon')].flush()")
    let deadline = ContinuousClock.now + .seconds(60)
    while page.recorder.summaries.first?.steps != 500, .now < deadline { poll(nil, 0, 5) }
    if way == "kill" { page.browser.kill() } else { page.control.send("Page.\(way)") }
    #expect(page.page.wait() == told)
    page.recorder.finish()
    let reader = try session("1-Shop")
    #expect(reader.stepCount == 500 && reader.isFinished)
    #expect(try reader.state(after: 500) == 501)
  }

  @Test func aStateOf50MBIsRecordedAndFloodsEnd() throws {
    let page = try openScript(
      """
      const large = Array.from({ length: 500 }, (_, at) => String(at % 10).repeat(100_000));
      const store = createStore((s = { large, n: 0 }, { by }) => ({ ...s, n: s.n + (by ?? 0) }), compose());
      for (let at = 0; at < 5000; at++) store.dispatch({ type: 'add', by: 1, note: '\\ud83d\\ude00'.repeat(10) });
      setTimeout(() => (window.done = true), 50);
      """)
    defer { page.end() }
    try page.wait(for: "window.done")
    page.end()
    let reader = try session("1-Shop")
    #expect(reader.stepCount == 5000)
    let state = try reader.state(after: 5000)
    #expect(state["n"] == 5000)
    #expect(state["large"]?[499]?.string?.utf8.count == 100_000)
  }

  /// A page that floods, nests, throws and forges messages ends no recording, and its other store is whole.
  @Test func aHostilePageHarmsOnlyItself() throws {
    let page = try openScript(
      """
      const good = createStore((n = 0) => n + 1, compose({ name: 'good' })());
      const bad = createStore((s = {}, { value }) => ({ value }), compose({ name: '\\u001b]0;x\\u0007../../bad' })());
      let deep = {}; for (let at = 0; at < 20000; at++) deep = { deep };
      const trap = new Proxy({}, { ownKeys() { throw 1; }, getPrototypeOf() { throw 2; }, get() { throw 3; } });
      for (const value of [deep, trap, '\\ud800', { get a() { throw 5; } }, document, window]) bad.dispatch({ type: 'x', value });
      const send = Object.getOwnPropertyNames(window).filter((name) => /^retcon[0-9a-z]+$/.test(name));
      for (const name of send) for (let at = 0; at < 2000; at++) window[name](['+' + 'x'.repeat(1000), '.[{"of":7}]', '.{', '.[{"start":"z","name":"/etc/x"}]'][at % 4]);
      for (let at = 0; at < 1000; at++) good.dispatch({ type: 'up' });
      setTimeout(() => (window.done = true), 50);
      """)
    defer { page.end() }
    try page.wait(for: "window.done")
    page.end()
    let good = try #require(page.recorder.summaries.first { $0.name == "good" })
    #expect(good.steps == 1000)
    #expect(try SessionReader(path: good.path).state(after: 1000) == 1001)
    for summary in page.recorder.summaries {
      #expect(summary.path.hasPrefix(runner.folder + "/"), "\(summary.path)")
      #expect(try !FileSystem.text(of: summary.path).contains("\u{1B}"))
    }
  }

  /// The cost of an action for a page with a state of 48 KB that shares its unchanged parts.
  @Test func anActionCostsLittle() throws {
    let page = try openScript(
      """
      const slice = () => ({ n: 0, list: Array.from({ length: 60 }, (_, at) => ({ id: at, title: 'title of item ' + at, done: false, tags: ['a', 'b'] })) });
      const start = { ui: { n: 0 }, ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => ['slice' + at, slice()])) };
      const reducer = (s = start, { type }) => (type === 'up' ? { ...s, ui: { n: s.ui.n + 1 } } : s);
      const run = (store) => { const start = performance.now(); for (let at = 0; at < 1000; at++) store.dispatch({ type: 'up' }); return performance.now() - start; };
      const time = (store) => Math.min(...Array.from({ length: 10 }, () => run(store)));
      window.cost = { size: JSON.stringify(start).length, plain: time(createStore(reducer)), recorded: time(createStore(reducer, compose())) };
      """)
    defer { page.end() }
    try page.wait(for: "window.cost")
    let result = try page.control.ask(
      "Runtime.evaluate", ["expression": "JSON.stringify(window.cost)"])
    print("an action in the page: \(result["result"]?["value"]?.string ?? "")")
    page.end()
    #expect(page.recorder.summaries.first?.steps == 10_000)
  }

  /// The idle state of Dash's own store, and its state right after one more action. Words replace
  /// values that JSON lacks.
  private static let stateOfDash = """
    new Promise((done) => {
      const store = window.dash_stores[0];
      const word = (key, value) => (typeof value === 'function' ? `[Function ${value.name}]` : value);
      let timer;
      const wait = () => { clearTimeout(timer); timer = setTimeout(look, 500); };
      const leave = store.subscribe(wait);
      const look = () => {
        leave();
        const text = JSON.stringify(store.getState(), word);
        store.dispatch({ type: 'look' });
        done(`[${text},${JSON.stringify(store.getState(), word)}]`);
      };
      wait();
    })
    """

  @Test(.needs(.python)) func dashIsRecordedUnmodified() throws {
    let app = """
      import sys
      from dash import Dash, html, Input, Output
      app = Dash(__name__)
      app.layout = html.Div([html.Button("add", id="add", n_clicks=0), html.Div(id="out")])
      @app.callback(Output("out", "children"), Input("add", "n_clicks"))
      def show(clicks):
          return f"clicked {clicks}"
      app.run(port=int(sys.argv[1]), debug=True, use_reloader=False)
      """
    let port = try ListeningSocket(host: "127.0.0.1", port: 0).port
    var start = ChildStart("python3", ["-c", app, "\(port)"])
    start.files = [1: .nothing, 2: .nothing]
    let server = try start.run()
    defer {
      kill(server, SIGKILL)
      _ = Subprocess.end(of: server)
    }
    let deadline = ContinuousClock.now + .seconds(60)
    while (try? Socket.connect(to: "127.0.0.1", port: port)) == nil, .now < deadline {
      poll(nil, 0, 50)
    }
    let page = try open("http://127.0.0.1:\(port)/")
    defer { page.end() }
    for clicks in 1...3 {
      try page.wait(for: "document.getElementById('out').textContent === 'clicked \(clicks - 1)'")
      try page.control.ask(
        "Runtime.evaluate", ["expression": "document.getElementById('add').click()"])
    }
    try page.wait(for: "document.getElementById('out').textContent === 'clicked 3'")
    let result = try page.control.ask(
      "Runtime.evaluate", ["expression": .string(Self.stateOfDash), "awaitPromise": true],
      within: .seconds(60))
    let own = try #require(result["result"]?["value"]?.string)
    page.end()
    let summary = try #require(page.recorder.summaries.first)
    let reader = try SessionReader(path: summary.path)
    print("Dash: \(summary.steps) actions")
    #expect(summary.steps > 40)
    #expect(own.contains(#""n_clicks":3"#) && own.contains("clicked 3"))
    let told = try Value(parsing: Array(own.utf8))
    func differences(_ step: Int, _ own: Value?) throws -> Patch {
      Patch(from: own ?? .null, to: try reader.state(after: step))
    }
    let look = try #require(
      try reader.steps.dropFirst().last { try reader.step($0).label == "look" })
    // Dash may answer an action by others at once.
    let isSame = try (look...summary.steps).contains {
      try differences($0, told[1]).operations.isEmpty
    }
    let atLook = try differences(look, told[1])
    #expect(isSame, "\(atLook.value.text())")
    // Dash changes its state in place, also after its reducer has returned. The next step says that.
    if try !differences(look - 1, told[0]).operations.isEmpty {
      let notes = try reader.signposts(in: look...look).map(\.text)
      #expect(notes.contains { $0.hasPrefix("changed in place: ") }, "\(notes)")
    }
  }
}
