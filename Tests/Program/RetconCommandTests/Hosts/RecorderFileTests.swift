import Platform
import SessionFile
import SessionWords
import TerminalDriver
import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

@Suite("The recorder for JavaScript", .needs(.node))
struct RecorderFileTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  /// A store of Redux with thunks, in a module that records itself.
  private static let app = """
    import { record } from './retcon-recorder.mjs';
    \(SmallStore.inJavaScript)
    const thunks = (make) => (reducer) => {
      const store = make(reducer);
      const dispatch = (action) => (typeof action === 'function' ? action(dispatch, store.getState) : answering(action));
      const answering = (action) => {
        if (action.type === 'late') store.dispatch({ type: 'early' });
        const result = store.dispatch(action);
        if (action.type === 'asked') store.dispatch({ type: 'answered' });
        return result;
      };
      return { ...store, dispatch };
    };
    const initial = { list: [{ n: 0 }, { n: 1 }], count: 0, token: 'secret-0', when: new Date(0), gone: undefined };
    export default function reducer(state = initial, action) {
      switch (action.type) {
        case 'add': return { ...state, count: state.count + action.by, token: `secret-${action.by}` };
        case 'insert': return { ...state, list: [state.list[0], { n: 7 }, state.list[1]] };
        case 'boom': throw new Error('no');
        default: return state;
      }
    }
    const recorder = record({ name: 'shop', redact: ['token'], ...OPTIONS });
    globalThis.event = { isTrusted: true, type: 'click' };
    const store = createStore(reducer, (make) => recorder.enhancer(thunks(make)));
    let isFirst = true;
    store.subscribe(() => { if (isFirst) { isFirst = false; store.dispatch({ type: 'add', by: 10 }); } });
    store.dispatch({ type: 'add', by: 1 });
    await store.dispatch(async function save(dispatch) {
      dispatch({ type: 'save/pending' });
      await null;
      dispatch({ type: 'add', by: 100 });
    });
    store.dispatch({ type: 'asked' });
    store.dispatch({ type: 'insert' });
    try { store.dispatch({ type: 'boom' }); } catch {}
    store.dispatch({ type: 'add', by: 5 });
    LAST
    """

  private func run(_ options: String, _ last: String = "") throws -> SessionReader {
    try runnerFile("retcon-recorder.mjs", ShippedHost.recorder.text)
    try runnerFile(
      "app.mjs",
      Self.app.replacing("OPTIONS", with: options).replacing("LAST", with: last))
    let status = try Subprocess.run(
      "/bin/sh", ["-c", "cd \(runner.folder) && exec node app.mjs"])
    #expect(status == 0)
    return try SessionReader(path: "\(runner.folder)/shop.retcon")
  }

  private func runnerFile(_ name: String, _ text: String) throws {
    FileSystem.remove("\(runner.folder)/\(name)")
    _ = try runner.write(text, as: name)
  }

  @Test("one line records order, causes, errors and states, without what is secret")
  func redux() throws {
    let session = try run(#"{ file: 'shop.retcon' }"#)
    let steps = try (1...9).map { try session.step($0) }
    #expect(
      steps.map(\.label) == [
        "add", "add", "save/pending", "add", "asked", "answered", "insert", "boom", "add",
      ])
    // A subscriber dispatched the second before the first call returned.
    #expect(steps[0].action["by"] == 1 && steps[1].action["by"] == 10)
    #expect(
      steps.map(\.cause) == [
        .user, .effect(1), .effect(2), .effect(2), .user, .effect(3), .user, .user, .user,
      ])
    #expect(steps[7].error == "Error: no")
    #expect(
      try (0...9).map { try session.state(after: $0)["count"] }
        == [0, 1, 11, 11, 111, 111, 111, 111, 111, 116])
    #expect(
      try session.state(after: 9) == [
        "list": [["n": 0], ["n": 7], ["n": 1]], "count": 116, "token": "<redacted>",
        "when": "1970-01-01T00:00:00.000Z",
      ])
    #expect(session.header.knowsCauses && session.isFinished)
    let names = try session.effectEvents(in: 0...9).compactMap { event -> String? in
      if case .started(let origin) = event.kind { origin.name } else { nil }
    }
    #expect(names == ["nested dispatch", "save", "nested dispatch"])
    let text = try runner.text(of: "$/shop.retcon")
    #expect(!text.contains("secret"))
    #expect(text.split(separator: "\n").count == 17)
    #expect(session.notices.isEmpty)
  }

  @Test("a list that loses its first and gains a last element writes these two")
  func shift() throws {
    try runnerFile("retcon-recorder.mjs", ShippedHost.recorder.text)
    try runnerFile(
      "app.mjs",
      """
      import { record } from './retcon-recorder.mjs';
      const recorder = record({ file: 'shop.retcon' });
      let list = Array.from({ length: 400 }, (_, at) => ({ at }));
      recorder.start({ list });
      for (let at = 400; at < 500; at++) {
        list = [...list.slice(1), { at }];
        recorder.step({ type: 'moved' }, { list });
      }
      """)
    let status = try Subprocess.run("/bin/sh", ["-c", "cd \(runner.folder) && exec node app.mjs"])
    #expect(status == 0)
    let list = try SessionReader(path: "\(runner.folder)/shop.retcon").state(after: 100)["list"]
    #expect(list == .array(ValueArray((100..<500).map { ["at": .number(Number($0))] })))
    // With each element written again at each step, these would be two megabytes.
    #expect(try runner.text(of: "$/shop.retcon").utf8.count < 60_000)
  }

  @Test("texts that are JSON hide the same keys, in states, actions, labels and members' names")
  func jsonTexts() throws {
    try runnerFile("retcon-recorder.mjs", ShippedHost.recorder.text)
    try runnerFile(
      "app.mjs",
      #"""
      import { record } from './retcon-recorder.mjs';
      const recorder = record({ redact: ['token'], file: 'shop.retcon' });
      const text = '{"token":"SECRET"}', inner = JSON.stringify({ text });
      const state = { text, inner, open: '{"a" : 1}', no: '[SEC', twice: '{"a":{"token":"SECRET"},"a":1}', [text]: { n: 1 } };
      recorder.start(state);
      recorder.step({ type: text, list: [' [{"\u0074oken":"SECRET"}]'] }, { ...state, more: text, [text]: { n: 2 } });
      recorder.step({ type: 'deep', text: '['.repeat(1e5) + text + ']'.repeat(1e5) }, state);
      """#)
    #expect(
      try Subprocess.run("/bin/sh", ["-c", "cd \(runner.folder) && exec node app.mjs"]) == 0)
    #expect(try !runner.text(of: "$/shop.retcon").contains("SECRET"))
    let session = try SessionReader(path: "\(runner.folder)/shop.retcon")
    let text: Value = #"{"token":"<redacted>"}"#
    #expect(
      try session.state(after: 1) == [
        "text": text, "inner": #"{"text":"{\"token\":\"<redacted>\"}"}"#, "open": #"{"a" : 1}"#,
        "no": "[SEC", "twice": #"{"a":1}"#, "<redacted>": ["n": 2], "more": text,
      ])
    #expect(try session.step(1).label == text.string)
    #expect(try session.step(1).action["list"] == [#"[{"token":"<redacted>"}]"#])
    #expect(try session.step(2).action["text"] == "<redacted>")
  }

  @Test("a text with such a key in quotes that is not JSON as a whole is hidden as a whole")
  func nearlyJSON() throws {
    try runnerFile("retcon-recorder.mjs", ShippedHost.recorder.text)
    try runnerFile(
      "app.mjs",
      #"""
      import { record } from './retcon-recorder.mjs';
      const recorder = record({ redact: ['token', 'a"b.c'], file: 'shop.retcon' });
      const text = '{"token":"SECRET"}';
      const near = ['\uFEFF' + text, '{"token" : "SECRET",}', `data: ${text}\n`, text + text, "{'token': 'SECRET'}",
        'x ' + JSON.stringify({ a: JSON.stringify({ text }) }), '{"t\\u006fken":"SECRET', '{"a\\"b.c":"SECRET",}'];
      const open = ['token: open', 'a "token" is open', '{"tokens":1,}', 'C:\\a\\', '\\'.repeat(3)];
      recorder.start({ near, open });
      recorder.step({ type: near[2], [near[1]]: near }, { near, open });
      """#)
    #expect(
      try Subprocess.run("/bin/sh", ["-c", "cd \(runner.folder) && exec node app.mjs"]) == 0)
    #expect(try !runner.text(of: "$/shop.retcon").contains("SECRET"))
    let session = try SessionReader(path: "\(runner.folder)/shop.retcon")
    let hidden: Value = .array(ValueArray(repeatElement("<redacted>", count: 8)))
    #expect(
      try session.state(after: 1) == [
        "near": hidden,
        "open": ["token: open", #"a "token" is open"#, #"{"tokens":1,}"#, #"C:\a\"#, #"\\\"#],
      ])
    #expect(try session.step(1).label == "<redacted>")
    #expect(try session.step(1).action == ["type": "<redacted>", "<redacted>": hidden])
  }

  @Test("what a middleware sends before the user's action has no proven sender")
  func early() throws {
    let session = try run("{ file: 'shop.retcon' }", "store.dispatch({ type: 'late' });")
    let steps = try (10...11).map { try session.step($0) }
    #expect(steps.map(\.label) == ["early", "late"])
    #expect(steps.map(\.cause) == [.unknown, .user])
  }

  @Test("a ring keeps the last steps, and gives them when it is asked")
  func ring() throws {
    let session = try run(
      "{ limit: 3 }",
      """
      for (let by = 0; by < 20; by++) store.dispatch({ type: 'add', by });
      (await import('node:fs')).writeFileSync('shop.retcon', recorder.text());
      """)
    #expect(session.steps.upperBound == 29)
    #expect(session.stepCount <= 4)
    #expect(try session.state(after: 29)["count"] == 306)
    #expect(try !runner.text(of: "$/shop.retcon").contains("secret"))
    #expect(session.notices.isEmpty)
  }

  @Test(
    "what it lacks in this process it says once, and the app goes on",
    arguments: [
      ("to: 'ws://localhost:7382'", "delete globalThis.WebSocket"),
      ("to: 'nonsense'", "globalThis.WebSocket = class {}"),
      ("file: 'none.retcon'", "process.getBuiltinModule = undefined"),
    ])
  func lacking(option: String, world: String) throws {
    try runnerFile("retcon-recorder.mjs", ShippedHost.recorder.text)
    try runnerFile(
      "app.mjs",
      """
      import { writeFileSync } from 'node:fs';
      import { record } from './retcon-recorder.mjs';
      const said = [];
      console.warn = (text) => said.push(text);
      \(world);
      const recorder = record({ \(option) });
      recorder.start({ n: 0 });
      for (let n = 1; n < 4; n++) recorder.step({ type: 'add' }, { n });
      await new Promise((done) => setTimeout(done));
      if (said.length !== 1 || !/^retcon: `(to|file)` needs /.test(said[0])) throw new Error(said);
      writeFileSync('shop.retcon', recorder.text());
      """)
    let run = ["-c", "cd \(runner.folder) && exec node app.mjs"]
    #expect(try Subprocess.run("/bin/sh", run) == 0)
    let session = try SessionReader(path: "\(runner.folder)/shop.retcon")
    #expect(try session.state(after: 3) == ["n": 3])
  }

  @Test("a reducer's error reaches the app as it is, and onError gets the session")
  func errors() throws {
    let session = try run(
      "{ onError: (text) => process.getBuiltinModule('node:fs').writeFileSync('shop.retcon', text) }",
      """
      try { store.dispatch({ type: 'boom' }); } catch (error) { if (error.message === 'no') store.isTold = true; }
      if (!store.isTold) process.exit(1);
      """)
    #expect(session.steps.upperBound == 10)
    #expect(try session.step(10).error == "Error: no")
  }

  @Test("what was recorded runs again with the same file's reducer, also behind an error")
  func verified() async throws {
    _ = try run(#"{ file: 'shop.retcon', redact: [] }"#)
    let answer = await runner.run("verify", "$/shop.retcon", "--reducer", "$/app.mjs")
    #expect(answer.data.contains("9 steps were run again"), "\(answer)")
    #expect(!answer.data.contains("differ"), "\(answer)")
  }

  @Test("zustand's set with a function is recorded as the part that it set, by an unknown sender")
  func zustand() throws {
    try runnerFile("retcon-recorder.mjs", ShippedHost.recorder.text)
    try runnerFile(
      "app.mjs",
      """
      import { record } from './retcon-recorder.mjs';
      \(SmallStore.zustandInJavaScript)
      const recorder = record({ file: 'shop.retcon', middleware: false });
      const store = create(recorder.zustand((set) => ({
        count: 0, list: [],
        add: (by) => set((state) => ({ count: state.count + by })),
        load: async () => { await null; set((state) => ({ list: [...state.list, 1] })); },
      })));
      store.getState().add(2);
      store.setState({ count: 4 });
      await store.getState().load();
      store.setState((state) => ({ count: state.count * 2 }), false);
      store.setState((state) => ({ count: 1, list: [] }), true);
      """)
    #expect(
      try Subprocess.run("/bin/sh", ["-c", "cd \(runner.folder) && exec node app.mjs"]) == 0)
    let session = try SessionReader(path: "\(runner.folder)/shop.retcon")
    let steps = try session.steps.dropFirst().map { try session.step($0) }
    #expect(steps.map(\.label) == ["add", "setState", "load", "setState", "setState", "setState"])
    #expect(
      steps.map { $0.action["arguments"]?.text() } == [
        "[2]", #"[{"count":4}]"#, "[]", #"[{"list":[1]}]"#, #"[{"count":8}]"#,
        #"[{"count":1,"list":[]},true]"#,
      ])
    #expect(
      steps.map(\.cause) == [
        .outside(nil), .outside(nil), .outside(nil), .unknown, .unknown, .unknown,
      ])
    #expect(!session.header.mayHaveMiddleware)
  }

  @Test("what zustand's set gets after an await runs again with its dates, sets and maps")
  func zustandTypes() async throws {
    try runnerFile("retcon-recorder.mjs", ShippedHost.recorder.text)
    try runnerFile(
      "store.mjs",
      """
      \(SmallStore.zustandInJavaScript)
      export const make = (outer = (make) => make) => create(outer((set) => ({
        n: 0, when: null, names: new Map(), ids: new Set(),
        load: async () => {
          await null;
          set({ when: new Date(5), names: new Map([['a', [new Date(1)]]]), ids: new Set([2]) });
          set(({ names }) => ({ names: new Map([...names, ['token', 'SECRET']]) }));
        },
        use: () => set(({ n, when, names, ids }) => (
          { n: n + when.getTime() + names.size + names.get('a')[0].getTime() + ids.size })),
      })));
      """)
    try runnerFile("host.mjs", "import { make } from './store.mjs';\nexport const store = make();")
    try runnerFile(
      "app.mjs",
      """
      import { record } from './retcon-recorder.mjs';
      import { make } from './store.mjs';
      const store = make(record({ file: 'shop.retcon', redact: ['token'] }).zustand);
      await store.getState().load();
      store.getState().use();
      """)
    #expect(
      try Subprocess.run("/bin/sh", ["-c", "cd \(runner.folder) && exec node app.mjs"]) == 0)
    let session = try SessionReader(path: "\(runner.folder)/shop.retcon")
    #expect(try session.state(after: 4)["n"] == 9)
    #expect(try !runner.text(of: "$/shop.retcon").contains("SECRET"))
    let answer = await runner.run("verify", "$/shop.retcon", "--reducer", "$/host.mjs")
    #expect(answer.data.contains("4 steps were run again") && !answer.data.contains("differ"))
  }

  @Test("it is one file of at most 1,540 lines, written by its command")
  func written() async throws {
    let answer = await runner.run("recorder", "--write", "-o", "$/recorder.mjs")
    #expect(answer == .init(status: .yes, messages: "$/recorder.mjs is written.\n"))
    let lines = try runner.text(of: "$/recorder.mjs").split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 1541)
    #expect(lines.allSatisfy { !$0.contains("import ") })
  }
}
