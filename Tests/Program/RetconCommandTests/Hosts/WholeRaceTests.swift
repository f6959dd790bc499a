import Platform
import TestSupport
import Testing

@testable import RetconCommand

/// Tests and searches for an app with createAsyncThunk, whose answers may overtake each other.
@Suite("Races of apps that run whole", .needs(.node))
struct WholeRaceTests {
  private let recorded: RecordedApp
  private var runner: CommandRunner { recorded.runner }

  init() throws {
    recorded = try RecordedApp()
    makeFolders(above: "\(recorded.runner.folder)/node_modules/@reduxjs/toolkit/index.mjs")
    _ = try recorded.runner.write(Self.toolkit, as: "node_modules/@reduxjs/toolkit/index.mjs")
    _ = try recorded.runner.write(
      #"{"type":"module","exports":"./index.mjs"}"#,
      as: "node_modules/@reduxjs/toolkit/package.json")
  }

  /// As much of Redux Toolkit as a request takes.
  private static let toolkit = """
    export function createAsyncThunk(prefix, work, { idGenerator = () => `${Math.random()}` } = {}) {
      return Object.assign((arg) => (dispatch, getState) => {
        const requestId = idGenerator(arg);
        const send = (end, payload) => dispatch({
          type: `${prefix}/${end}`, payload, meta: { arg, requestId, requestStatus: end },
        });
        send('pending');
        return work(arg, { dispatch, getState }).then(
          (value) => send('fulfilled', value), (error) => send('rejected', error.message));
      }, { typePrefix: prefix });
    }

    """

  private static let app = """
    import { applyMiddleware, createStore } from 'redux';
    import { createAsyncThunk } from '@reduxjs/toolkit';
    import { record } from './retcon-recorder.mjs';
    export const recorder = record({ name: 'shop', file: 'shop.retcon', world: true });
    const thunk = (api) => (next) => (action) => (
      typeof action === 'function' ? action(api.dispatch, api.getState) : next(action));
    export const price = createAsyncThunk('prices/load', async (item) => {
      const answer = await fetch(`/price?item=${item}`);
      return { item, ...await answer.json() };
    });
    export const checkout = createAsyncThunk('cart/pay', async () => {
      const answer = await fetch('/checkout', { method: 'POST', body: '{"total":1}' });
      return answer.text();
    });
    const initial = { wanted: '', shown: '', paid: 0, words: '' };
    const reducer = (state = initial, { type, payload, meta, text }) => {
      switch (type) {
        case 'typed': return { ...state, words: text };
        case 'prices/load/pending': return { ...state, wanted: meta.arg };
        case 'prices/load/fulfilled': return { ...state, shown: payload.item };
        case 'cart/pay/fulfilled': return { ...state, paid: state.paid + 1 };
        default: return state;
      }
    };
    export const store = createStore(reducer, undefined, (create) => (
      recorder.enhancer(applyMiddleware(thunk, ...MIDDLEWARE)(create))));

    """
  private static let mended = "if (payload.item !== state.wanted) return state; return"

  private static let rule = #"label != "prices/load/fulfilled" || state.shown == state.wanted"#

  private func mend() throws {
    let text = try runner.text(of: "$/app.mjs")
      .replacing(
        "fulfilled': return { ...state, shown", with: "fulfilled': \(Self.mended) { ...state, shown"
      )
    FileSystem.remove("\(runner.folder)/app.mjs")
    _ = try runner.write(text, as: "app.mjs")
  }

  private func status(of file: String) throws -> Int32 {
    try Subprocess.run("node", ["\(runner.folder)/\(file)"], input: "")
  }

  @Test("a test of the whole app is red with the race, and green without it")
  func node() async throws {
    _ = try recorded.record("price('slow cake')", "price('tea')", app: Self.app)
    let answer = await runner.run(
      "test", "$/shop.retcon", "--reducer", "$/app.mjs", "--whole", "--rule", Self.rule, "-o",
      "$/race.test.mjs")
    #expect(answer.status == .yes, "\(answer)")
    let text = try runner.text(of: "$/race.test.mjs")
    #expect(text.split(separator: "\n").count <= 25, "\(text)")
    for line in [
      "// Fails until the app keeps the rule: ",
      #"  const run = await whole(import.meta, "./app.mjs", { began: ""#,
      #"  run.answers("GET /price?item=slow cake", { after: 250, json: {"price":21} });"#,
      #"  run.answers("GET /price?item=tea", { after: 50, json: {"price":15} });"#,
      #"  await run.call(100, "prices/load", "slow cake");"#,
      #"  await run.call(200, "prices/load", "tea");"#, "  await run.until(350.001);",
    ] {
      #expect(text.contains(line), "\(text)")
    }
    #expect(try status(of: "race.test.mjs") != 0)
    try mend()
    #expect(try status(of: "race.test.mjs") == 0)
  }

  @Test("the ids of requests are chance, so a test of the whole app has their numbers")
  func requestIDs() async throws {
    let app = Self.app.replacing(
      "async (item) => {",
      with: """
        async (item, { dispatch }) => {
          const value = { [item]: { [`${Math.random()}`]: {} } };
          const payload = [{ op: 'replace', path: [], value }];
          dispatch({ type: 'api/internalSubscriptions/subscriptionsUpdated', payload });
        """
    ).replacing(
      "case 'prices/load/pending': return { ...state, wanted: meta.arg };",
      with: """
        case 'prices/load/pending': return { ...state, [meta.requestId]: { id: meta.requestId } };
            case 'api/internalSubscriptions/subscriptionsUpdated':
              return { ...state, ...payload[0].value };
        """)
    _ = try recorded.record("price('cake')", "price('tea')", app: app)
    let answer = await runner.run(
      "test", "$/shop.retcon", "--reducer", "$/app.mjs", "--whole", "-o", "$/ids.test.mjs")
    #expect(answer.status == .yes, "\(answer)")
    let text = try runner.text(of: "$/ids.test.mjs")
    for part in [#""request 1":{"id":"request 1"}"#, #""tea":{"request 4":{}}"#] {
      #expect(text.contains(part), "\(text)")
    }
    #expect(try status(of: "ids.test.mjs") == 0)
  }

  @Test("without a rule, a test of the whole app expects the state at the end")
  func state() async throws {
    _ = try recorded.record("price('slow cake')", "price('tea')", app: Self.app)
    let answer = await runner.run(
      "test", "$/shop.retcon", "--reducer", "$/app.mjs", "--whole", "-o", "$/race.test.mjs")
    #expect(answer.status == .yes, "\(answer)")
    #expect(try status(of: "race.test.mjs") == 0)
    try mend()
    #expect(try status(of: "race.test.mjs") != 0)
  }

  @Test("for jest and vitest, too", arguments: ["jest", "vitest"])
  func frameworks(kind: String) async throws {
    _ = try recorded.record("price('slow cake')", "price('tea')", app: Self.app)
    try await writeTest(for: kind, "--rule", Self.rule)
    #expect(try status(of: "run.mjs") == 1)
    try mend()
    #expect(try status(of: "run.mjs") == 0)
  }

  @Test("in a state, jest and vitest know the ids of requests", arguments: ["jest", "vitest"])
  func stateIDs(kind: String) async throws {
    let app = Self.app.replacing(
      "case 'prices/load/pending': return { ...state, wanted: meta.arg };",
      with: """
        case 'prices/load/pending': {
              const { mutations = {}, subscriptions = {} } = state.api ?? {};
              const { requestId } = meta;
              return { ...state, currentRequestID: requestId, api: {
                queries: {}, mutations: { ...mutations, [requestId]: { status: 'pending' } },
                subscriptions: { ...subscriptions, [meta.arg]: { [requestId]: {} } },
              } };
            }
        """)
    _ = try recorded.record("price('cake')", "price('tea')", app: app)
    try await writeTest(for: kind)
    let text = try runner.text(of: "$/race.test.mjs")
    for part in [#""currentRequestID":"request 2""#, #""cake":{"request 1":{}}"#] {
      #expect(text.contains(part), "\(text)")
    }
    #expect(try status(of: "run.mjs") == 0)
    let changed = try runner.text(of: "$/app.mjs")
      .replacing("shown: payload.item", with: "shown: 'jam'")
    FileSystem.remove("\(runner.folder)/app.mjs")
    _ = try runner.write(changed, as: "app.mjs")
    #expect(try status(of: "run.mjs") == 1)
  }

  /// Writes a test for a framework that is not installed, and a program in place of that framework.
  private func writeTest(for kind: String, _ words: String...) async throws {
    let test = "race.test.mjs"
    let answer = await runner.run(
      ["test", "$/shop.retcon", "--reducer", "$/app.mjs", "--whole", "--as", kind] + words
        + ["-o", "$/\(test)"])
    #expect(answer.status == .yes, "\(answer)")
    let frame = """
      import { isDeepStrictEqual } from 'node:util';
      export const expect = (value) => ({
        toEqual: (other) => { if (!isDeepStrictEqual(value, other)) throw new Error('differs'); },
      });
      export const test = (name, body) => {
        body().then(() => process.exit(0), () => process.exit(1));
      };
      """
    _ = try runner.write(frame, as: "frame.mjs")
    let written = try runner.text(of: "$/\(test)")
    FileSystem.remove("\(runner.folder)/\(test)")
    _ = try runner.write(written.replacing("'vitest'", with: "'./frame.mjs'"), as: test)
    _ = try runner.write(
      // jest gives no crypto to its tests.
      "delete globalThis.crypto; Object.assign(globalThis, await import('./frame.mjs'));"
        + "await import('./\(test)');",
      as: "run.mjs")
  }

  @Test("a call of another app in the project is not the app's own")
  func otherApp() async throws {
    _ = try recorded.record("price('tea')", app: Self.app)
    _ = try runner.write(
      """
      import { createAsyncThunk } from '@reduxjs/toolkit';
      export const price = createAsyncThunk('prices/load', async () => ({ item: 'another' }));

      """, as: "other.mjs")
    let answer = await runner.run("verify", "$/shop.retcon", "--reducer", "$/app.mjs")
    #expect((answer.data + answer.messages).contains("1 request and 0 timers came again"))
  }

  @Test("explore finds the answer that overtakes another")
  func race() async throws {
    _ = try recorded.record(
      "price('slow cake')", "{ type: 'typed', text: 'a' }", "{ type: 'typed', text: 'b' }",
      "{ type: 'typed', text: 'c' }", "price('tea')", app: Self.app)
    let answer = await runner.run(
      "explore", "$/shop.retcon", "--rule", Self.rule, "--reducer", "$/app.mjs")
    #expect(answer.status == .no, "\(answer)")
    #expect(
      answer.data.hasPrefix(
        """
        ✗ answer 10 of GET /price comes before answer 5 of GET /price
          1 prices/load()
          8 prices/load()
          a guess: 
        """), "\(answer)")
  }

  @Test("explore finds the second click while the first one is on its way")
  func twice() async throws {
    _ = try recorded.record("{ type: 'typed', text: 'a' }", "checkout()", app: Self.app)
    let answer = await runner.run(
      "explore", "$/shop.retcon", "--rule", "state.paid < 2", "--reducer", "$/app.mjs")
    #expect(answer.status == .no, "\(answer)")
    #expect(
      answer.data.hasPrefix(
        """
        ✗ 2 cart/pay() twice, before POST /checkout ends
          2 cart/pay()
          certain: everything it uses was recorded or set by you
        """), "\(answer)")
  }
}
