import HostProtocol
import Live
import Platform
import SessionFile
import SessionImports
import SessionWords
import TerminalDriver
import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

@Suite("attach: apps of node", .needs(.node))
struct AttachTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  static let createStore = """
    \(SmallStore.inJavaScript)
    const extension = window.__REDUX_DEVTOOLS_EXTENSION__;

    """

  /// Records an app to its end, as without a terminal.
  private func attach(_ app: String, _ options: String...) async throws -> CommandRunner.Answer {
    _ = try runner.write(Self.createStore + app, as: "app.mjs")
    return await runner.run(
      ["attach", "-o", "$/app.retcon"] + options + ["--", "node", "$/app.mjs"])
  }

  private func session(_ name: String = "app") throws -> SessionReader {
    try SessionReader(path: "\(runner.folder)/\(name).retcon")
  }

  @Test func everyActionIsRecordedInOrder() async throws {
    let answer = try await attach(
      """
      const store = createStore(
        (state = { list: [0, 0, 0], last: -1 }, { at }) =>
          at === undefined ? state : { list: state.list.map((n, i) => (i === at % 3 ? n + 1 : n)), last: at },
        extension({ name: 'counts' }));
      for (let at = 0; at < 20000; at++) store.dispatch({ type: 'add', at });
      """)
    #expect(answer.status == .yes)
    #expect(answer.messages.contains("recorded 20,000 actions of 1 store."), "\(answer)")
    let reader = try session()
    #expect(reader.stepCount == 20_000 && reader.isFinished)
    #expect(reader.header.app?.name == "counts")
    for number in stride(from: 1, through: 20_000, by: 997) {
      #expect(try reader.step(number).action["at"] == .number(Number(number - 1)))
    }
    #expect(try reader.state(after: 20_000) == ["list": [6667, 6667, 6666], "last": 19_999])
  }

  @Test func aListThatMovesIsRecordedAsWhatLeftAndCame() async throws {
    _ = try await attach(
      """
      const store = createStore(
        (state = Array.from({ length: 400 }, (_, at) => at), { at }) =>
          at === undefined ? state : [...state.slice(1), at], extension());
      for (let at = 400; at < 500; at++) store.dispatch({ type: 'moved', at });
      """)
    let moved = (100..<500).map { Value.number(Number($0)) }
    #expect(try session().state(after: 100) == .array(ValueArray(moved)))
    #expect(try runner.text(of: "$/app.retcon").utf8.count < 60_000)
  }

  @Test func subscribersThatDispatchStayInOrder() async throws {
    _ = try await attach(
      """
      const store = createStore((state = [], { type }) => [...state, type], extension());
      store.subscribe(() => { if (store.getState().length === 2) store.dispatch({ type: 'inner' }); });
      store.dispatch({ type: 'outer' });
      store.dispatch({ type: 'last' });
      """)
    let reader = try session()
    #expect(try (1...3).map { try reader.step($0).label } == ["outer", "inner", "last"])
    #expect(try reader.state(after: 3) == ["@@INIT", "outer", "inner", "last"])
  }

  @Test func valuesWithoutJSONErrorsAndThunksAreKept() async throws {
    _ = try await attach(
      """
      const start = { when: new Date(0), map: new Map([['a', 1]]), set: new Set([2]), nan: NaN, big: 5n, gone: undefined,
        call() {}, get bad() { throw new Error('x'); }, '__proto__x': 1, list: [undefined] };
      start.self = start;
      const store = createStore((state = start, { type, value }) => {
        if (type === 'boom') throw new Error('no');
        return type === 'set' ? { ...Object.fromEntries(Object.entries({ when: 1 })), value } : state;
      }, extension());
      try { store.dispatch({ type: 'boom' }); } catch {}
      const meta = (requestStatus) => ({ requestId: 'r1', requestStatus });
      store.dispatch({ type: 'load/pending', meta: meta('pending') });
      store.dispatch({ type: 'load/fulfilled', meta: meta('fulfilled') });
      store.dispatch({ type: 'set', value: Infinity });
      """, "--trace")
    let reader = try session()
    let state = try reader.state(after: 0)
    #expect(
      state == [
        "when": "1970-01-01T00:00:00.000Z", "map": ["a": 1], "set": [2], "nan": "NaN", "big": "5n",
        "call": "[Function call]", "bad": "[Threw Error: x]", "__proto__x": 1, "list": [.null],
        "self": "[Circular]",
      ])
    #expect(try reader.step(1).error?.hasPrefix("Error: no at ") == true)
    #expect(try reader.step(1).stack?.contains("app.mjs") == true)
    #expect(try reader.step(3).cause == .effect(1))
    #expect(try reader.state(after: 4) == ["when": 1, "value": "Infinity"])
  }

  @Test func changesInPlaceAreFoundAndSaid() async throws {
    _ = try await attach(
      """
      const store = createStore((state = { list: [1], other: {} }, { type }) => {
        if (type === 'push') { state.list.push(state.list.length); return { ...state }; }
        return { ...state, other: { type } };
      }, extension());
      for (const type of ['good', 'push', 'good', 'push']) store.dispatch({ type });
      """)
    let reader = try session()
    #expect(try reader.state(after: 2)["list"] == [1, 1])
    #expect(try reader.state(after: 4)["list"] == [1, 1, 2])
    #expect(
      try reader.signposts(in: 0...4).map { "\($0.step) \($0.text)" } == [
        "2 changed in place: /list/1", "4 changed in place: /list/2",
      ])
  }

  /// The state after a step is as the reducer returned it.
  @Test func changesBetweenActionsAreSaidByTheNextStep() async throws {
    _ = try await attach(
      """
      const store = createStore((state = { list: [1] }) => state, extension());
      store.dispatch({ type: 'first' });
      setTimeout(() => { store.getState().list.push(2); store.dispatch({ type: 'second' }); }, 0);
      """)
    let reader = try session()
    #expect(try (1...2).map { try reader.state(after: $0)["list"] } == [[1], [1, 2]])
    #expect(
      try reader.signposts(in: 0...2).map { "\($0.step) \($0.text)" }
        == ["2 changed in place: /list/1"])
  }

  @Test func storesWithConnectAreSessionsOfTheirOwn() async throws {
    let answer = try await attach(
      """
      createStore((state = 0) => state + 1, extension({ name: 'one' })).dispatch({ type: 'up' });
      const bear = extension.connect({ name: 'bear/../../x' });
      bear.init({ bears: 0 });
      bear.send('more', { bears: 1 });
      bear.send({ type: 'less' }, { bears: 0 });
      """)
    #expect(answer.messages.contains("recorded 3 actions of 2 stores."), "\(answer)")
    #expect(
      answer.data == "$/app.retcon: 1 action of one\n$/app-2.retcon: 2 actions of bear/../../x\n")
    let bear = try session("app-2")
    #expect(try bear.state(after: 1) == ["bears": 1])
    #expect(bear.header.origin?.isOfJavaScript == true)
    _ = try runner.write(
      "export default ({ bears }, { type }) => ({ bears: type === 'more' ? bears + 1 : bears - 1 });",
      as: "bear.js")
    let verified = await runner.run("verify", "$/app-2.retcon", "--reducer", "$/bear.js")
    #expect(verified.status == .yes, "\(verified)")
  }

  @Test func aStoreWithConnectAtFullSpeedLosesNothing() async throws {
    let answer = try await attach(
      """
      const bear = extension.connect({ name: 'bear' });
      let state = { bears: 0, forest: Array.from({ length: 500 }, (_, at) => ({ at })) };
      bear.init(state);
      for (let at = 1; at <= 20000; at++) bear.send({ type: 'more', at }, (state = { ...state, bears: at }));
      """)
    #expect(answer.messages.contains("recorded 20,000 actions of 1 store."), "\(answer)")
    let reader = try session()
    for number in stride(from: 1, through: 20_000, by: 997) {
      #expect(try reader.step(number).action["at"] == .number(Number(number)))
    }
    let last = try reader.state(after: 20_000)
    #expect(last["bears"] == 20_000 && last["forest"]?[499] == ["at": 499])
  }

  @Test func secretsAreNotWritten() async throws {
    _ = try await attach(
      """
      const store = createStore((state = { token: 'hush', n: 0 }, { token }) => ({ token, n: state.n + 1 }), extension());
      store.dispatch({ type: 'login', token: 'quiet' });
      """, "--redact-key", "token")
    let text = try runner.text(of: "$/app.retcon")
    #expect(!text.contains("hush") && !text.contains("quiet") && text.contains("<redacted>"))
    #expect(try session().state(after: 1) == ["token": "<redacted>", "n": 2])
  }

  /// The app sends hostile values. The recording must end, and the file must be readable.
  @Test func aHostileAppBreaksNothing() async throws {
    let answer = try await attach(
      """
      const send = Object.getOwnPropertyNames(globalThis).filter((name) => /^retcon[0-9a-z]+$/.test(name));
      let deep = {}; for (let at = 0; at < 20000; at++) deep = { deep };
      const trap = new Proxy({}, { ownKeys() { throw 1; }, getPrototypeOf() { throw 2; }, get() { throw 3; } });
      const store = createStore((state = { n: 0 }, { value }) => ({ n: state.n + 1, value }), extension({ name: '\\u001b[31m../x\\n' }));
      for (const value of [deep, trap, '\\u001b]52;c;x\\u0007', '\\ud800', { toJSON() { throw 4; } }, { get a() { throw 5; } }])
        store.dispatch({ type: 'x', value });
      JSON.stringify = () => 'broken'; Object.keys = () => [];
      store.dispatch({ type: 'after', value: 1 });
      for (const name of send) for (const words of ['', '+', '.x', '.[{"start":1}]', '.[{"of":"x"}]', '.[[[', '+'.repeat(99),
        '.[{"start":"a","name":"/etc/passwd","state":1,"time":1e400}]', '.[{"of":"a","patch":7,"action":null,"time":-1e300}]'])
        globalThis[name](words);
      """)
    #expect(answer.status == .yes, "\(answer)")
    #expect(!answer.messages.contains("\u{1B}") && !answer.data.contains("\u{1B}"))
    let reader = try session()
    #expect(reader.stepCount == 7 && reader.isFinished, "\(reader.stepCount)")
    let bytes = try runner.text(of: "$/app.retcon")
    #expect(!bytes.contains("\u{1B}"))
    #expect(!FileSystem.exists("/etc/passwd.retcon"))
  }

  @Test func aKilledAppLeavesItsSession() async throws {
    async let attached = attach(
      """
      import { writeFileSync } from 'node:fs';
      writeFileSync(new URL('pid', import.meta.url), String(process.pid));
      const store = createStore((n = 0) => n + 1, extension());
      for (let at = 0; at < 500; at++) store.dispatch({ type: 'up' });
      setInterval(() => {}, 1000);
      """)
    let deadline = ContinuousClock.now + .seconds(60)
    let path = "\(runner.folder)/app.retcon"
    while (try? FileSystem.text(of: path).contains(#""step":500,"#)) != true, .now < deadline {
      poll(nil, 0, 5)
      await Task.yield()
    }
    kill(try #require(pid_t(try runner.text(of: "$/pid"))), SIGKILL)
    let answer = try await attached
    #expect(
      answer.messages.contains(
        "The other program was killed, or the connection broke.\n"
          + "The app ended with signal 9 (SIGKILL).\nrecorded 500 actions of 1 store."),
      "\(answer)")
    let reader = try session()
    #expect(reader.stepCount == 500 && reader.isFinished)
    #expect(try reader.state(after: 500) == 501)
  }

  @Test func anAppWithoutStoresIsANo() async throws {
    let answer = try await attach("console.log(1);")
    #expect(answer.status == .no && answer.messages.contains("recorded 0 actions of 0 stores."))
  }

  @Test func moreStoresThanAPageMayHaveAreSaid() async throws {
    let answer = try await attach(
      """
      const stores = Array.from({ length: 70 }, () => createStore((n = 0) => n + 1, extension()));
      for (const store of stores) store.dispatch({ type: 'up' });
      """)
    #expect(answer.messages.contains("recorded 64 actions of 64 stores."), "\(answer)")
    #expect(
      answer.messages.contains("refused a store: a page has at most 64 (6 times)"), "\(answer)")
  }

  @Test func wordsThatNameNothingAreRefused() async throws {
    #expect(await runner.run("attach", "--", "ruby", "x").messages.contains("programs of node"))
    #expect(await runner.run("attach", "1").messages.contains("neither a debugging port nor"))
    let own = await runner.run("attach", "\(getpid())")
    #expect(own.messages.contains("and not node"), "\(own)")
    #expect(await runner.run("attach", "--launch", "x", "y").status == .trouble)
  }

  @Test func whoAttachesLaterRecordsFromThereOn() throws {
    let app = """
      const store = createStore((n = 0) => n + 1, extension({ name: 'ticks' }));
      setInterval(() => store.dispatch({ type: 'tick' }), 2);
      """
    _ = try runner.write(Self.createStore + app, as: "app.mjs")
    let node = try LaunchedApp(
      LaunchedApp.node(["node", "\(runner.folder)/app.mjs"]), output: .nothing
    ) { _ in }
    defer { node.kill() }
    let place = try node.debugger()
    let folder = runner.folder
    var isStart = true
    for name in ["first", "second"] {
      let recorder = LiveRecorder(
        redaction: Redaction(), path: { _, _ in "\(folder)/\(name).retcon" })
      let page = try PageRecording(
        place, shim: JoinedScript.shim, trace: false, name: "app", recorder)
      try page.begin(isStart: isStart)
      isStart = false
      _ = try #require(recorder.first())
      while recorder.summaries[0].steps < 20 { poll(nil, 0, 5) }
      page.end()
      recorder.finish()
    }
    let (first, second) = (try session("first"), try session("second"))
    guard case .number(let start) = try second.state(after: 0) else {
      throw UsageError(what: "no state")
    }
    #expect(try first.state(after: 20) == 21)
    #expect(start.doubleValue > 20)
    #expect(try second.state(after: 20) == .number(Number(start.doubleValue + 20)))
  }

  @Test func aSecondAttachEndsTheSessionsOfTheFirst() throws {
    let app = """
      const all = Array.from({ length: 8 }, () => createStore((n = 0) => n + 1, extension({ name: 'same' })));
      setInterval(() => { for (const store of all) store.dispatch({ type: 'tick' }); }, 2);
      """
    _ = try runner.write(Self.createStore + app, as: "app.mjs")
    let node = try LaunchedApp(
      LaunchedApp.node(["node", "\(runner.folder)/app.mjs"]), output: .nothing
    ) { _ in }
    defer { node.kill() }
    let place = try node.debugger()
    let folder = runner.folder
    let pages = try ["first", "second"].map { name in
      let recorder = LiveRecorder(
        redaction: Redaction(), path: { _, _ in "\(folder)/\(name).retcon" })
      let page = try PageRecording(
        place, shim: JoinedScript.shim, trace: false, name: "app", recorder)
      try page.begin(isStart: name == "first")
      while recorder.all.count < 8 || recorder.all.contains(where: { $0.steps < 5 }) {
        poll(nil, 0, 5)
      }
      return (page, recorder)
    }
    while pages[0].1.all.contains(where: { $0.end == nil }) { poll(nil, 0, 5) }
    let words = "another retcon attach records the app now"
    #expect(Set(pages[0].1.all.map(\.end)) == [words])
    #expect(Set(pages[0].1.all.map(\.path)).count == 8)
    #expect(Set(pages[1].1.all.map(\.end)) == [nil])
    for (page, recorder) in pages {
      page.end()
      recorder.finish()
    }
    #expect(try session("first").isFinished)
  }

  /// The session records how the debugger drives the app, and dates stay dates.
  @Test func theAppIsDriven() async throws {
    let app = """
      const store = createStore((state = { at: new Date(0), n: 0 }, { type, by }) =>
        (type === 'add' ? { n: state.n + by, at: new Date(state.at.getTime() + by) } : state), extension({ name: 'driven' }));
      for (const by of [1, 2, 3]) store.dispatch({ type: 'add', by });
      const bear = extension.connect({ name: 'bear' });
      let state = { bears: 1, more() {} };
      bear.init(state);
      bear.subscribe((message) => { if (message.type === 'DISPATCH') state = { ...state, ...JSON.parse(message.state) }; });
      bear.send('more', (state = { ...state, bears: 2 }));
      globalThis.look = () => JSON.stringify([store.getState().n, store.getState().at instanceof Date, state.bears, typeof state.more]);
      setInterval(() => {}, 1000);
      """
    _ = try runner.write(Self.createStore + app, as: "app.mjs")
    let node = try LaunchedApp(
      LaunchedApp.node(["node", "\(runner.folder)/app.mjs"]), output: .nothing
    ) { _ in }
    defer { node.kill() }
    let place = try node.debugger()
    let folder = runner.folder
    let recorder = LiveRecorder(
      redaction: Redaction(), path: { name, _ in "\(folder)/\(name).retcon" })
    let page = try PageRecording(
      place, shim: JoinedScript.shim, trace: false, name: "app", recorder)
    defer { page.end() }
    try page.begin(isStart: true)
    let id = try #require(recorder.first()).id
    let store = try PageStore(place, store: id)
    let control = try DevToolsConnection(to: place) { _, _, _, _ in }
    func look() throws -> String? {
      try control.ask("Runtime.evaluate", ["expression": "look()"])["result"]?["value"]?.string
    }
    #expect(try look() == "[6,true,2,\"function\"]")
    try store.carryOut(.jump(["n": 1, "at": "1970-01-01T00:00:00.001Z"], step: 1))
    #expect(try look() == "[1,true,2,\"function\"]")
    try store.carryOut(.send([["type": "add", "by": 10]]))
    #expect(try look() == "[11,true,2,\"function\"]")
    try store.carryOut(.pause)
    try store.carryOut(.send([["type": "add", "by": 100], ["type": "add", "by": 1]]))
    try store.carryOut(.resume)
    try store.carryOut(.back)
    #expect(try look() == "[6,true,2,\"function\"]")
    #expect(throws: UsageError.self) { try store.carryOut(.back) }
    let bear = try PageStore(place, store: String(id.split(separator: ".")[0]) + ".2")
    try bear.carryOut(.jump(["bears": 7, "more": "[Function more]"], step: 0))
    #expect(try look() == "[6,true,7,\"function\"]")
    for each in [store, bear] { each.end() }
    control.end()
    page.end()
    recorder.finish()
    let reader = try session("driven")
    #expect(
      try (4...reader.stepCount).map { try reader.step($0).label } == [
        "@@retcon/jump", "add", "@@retcon/resumed", "@@retcon/jump",
      ])
    #expect(try (4...7).map { try reader.state(after: $0)["n"] } == [1, 11, 112, 6])
    #expect(try session("bear").state(after: 2)["bears"] == 7)
  }
}
