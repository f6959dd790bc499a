import Platform
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

/// An app records itself with what the outside answers. Its forks run its middleware again.
@Suite("Apps that run whole", .needs(.node))
struct WholeAppTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  /// As much of Redux as a thunk and a debounce take.
  private static let redux = """
    exports.createStore = (reducer, state, enhance) => {
      if (enhance) return enhance(exports.createStore)(reducer, state);
      const store = {
        getState: () => state, subscribe: () => () => {},
        dispatch: (action) => { state = reducer(state, action); return action; },
        replaceReducer: (next) => { reducer = next; },
      };
      store.dispatch({ type: '@@redux/INIT' });
      return store;
    };
    exports.applyMiddleware = (...all) => (create) => (...given) => {
      const store = create(...given);
      let dispatch;
      const api = { getState: store.getState, dispatch: (action) => dispatch(action) };
      dispatch = all.map((each) => each(api)).reduceRight((next, each) => each(next), store.dispatch);
      return { ...store, dispatch: (action) => dispatch(action) };
    };

    """

  private static let app = """
    import { createStore, applyMiddleware } from 'redux';
    import { record } from './retcon-recorder.mjs';
    export const recorder = record({ name: 'shop', file: 'shop.retcon', world: true });
    const thunk = (api) => (next) => (action) => (
      typeof action === 'function' ? action(api.dispatch, api.getState) : next(action));
    let timer;
    const debounce = (api) => (next) => (action) => {
      const result = next(action);
      if (action.type === 'typed') {
        clearTimeout(timer);
        timer = setTimeout(() => api.dispatch({ type: 'settled', text: api.getState().text }), 300);
      }
      return result;
    };
    const initial = { total: 0, text: '', saved: null, prices: {} };
    const reducer = (state = initial, action) => {
      switch (action.type) {
        case 'added': return { ...state, total: state.total + action.by };
        case 'typed': return { ...state, text: action.text };
        case 'settled': return { ...state, saved: action.text };
        case 'priced': return { ...state, prices: { ...state.prices, [action.item]: action.price } };
        case 'failed': return { ...state, saved: action.words };
        default: return state;
      }
    };
    export const { price, checkout } = recorder.calls({
      price: (item) => async (dispatch) => {
        try {
          const answer = await fetch(`/price?item=${item}`);
          dispatch({ type: 'priced', item, ...await answer.json() });
        } catch (error) { dispatch({ type: 'failed', words: error.message }); }
      },
      checkout: () => async (dispatch, getState) => {
        if (getState().total < 5) return dispatch({ type: 'failed', words: 'too little' });
        const body = JSON.stringify({ total: getState().total });
        const answer = await fetch('/checkout', { method: 'POST', body });
        // It knows more than its question.
        if (getState().text !== 'stop') dispatch({ type: 'settled', text: await answer.text() });
      },
    });
    export const store = createStore(reducer, undefined, (create) => (
      recorder.enhancer(applyMiddleware(thunk, debounce, ...MIDDLEWARE)(create))));

    """

  private static let zustand = """
    import { record } from './retcon-recorder.mjs';
    \(SmallStore.zustandInJavaScript)
    const recorder = record({ name: 'shop', file: 'shop.retcon', world: true });
    export const store = create(recorder.zustand((set, get) => ({
      count: 0, found: null, seen: null,
      add: (by) => set((state) => ({ count: state.count + by })),
      find: async (item) => {
        const answer = await fetch(`/price?item=${item}`);
        set({ found: (await answer.json()).price });
        get().look();
      },
      look: () => set((state) => ({ seen: state.count })),
    })));

    """

  /// A clock that a list of gestures moves, and a service.
  private static let session = """
    let now = 0, due = [];
    globalThis.setTimeout = (work, wait = 0) => {
      const timer = { at: now + wait, work };
      due.push(timer);
      return timer;
    };
    globalThis.clearTimeout = (timer) => { due = due.filter((each) => each !== timer); };
    Object.defineProperty(performance, 'now', { value: () => now });
    const idle = async () => { for (let n = 0; n < 4; n++) await new Promise((end) => setImmediate(end)); };
    globalThis.fetch = async (address, init) => {
      await new Promise((end) => setTimeout(end, 50));
      if (address.startsWith('/price')) return Response.json({ price: address.length });
      return new Response(`paid ${JSON.parse(init.body).total}`);
    };
    const until = async (time) => {
      for (await idle(); due.length; await idle()) {
        due.sort((one, other) => one.at - other.at);
        if (due[0].at > time) break;
        const timer = due.shift();
        now = timer.at;
        timer.work();
      }
      now = time;
    };
    const { store, price, checkout, later } = await import('./app.mjs');
    let at = 0;
    const play = async (work) => {
      await until(at += 100);
      globalThis.event = { isTrusted: true, type: 'click' };
      work();
      globalThis.event = undefined;
    };
    const user = (action) => play(() => store.dispatch(action));
    GESTURES
    await until(at + 2000);
    process.exit(0);
    """

  /// Records the app with these gestures.
  private func record(
    _ gestures: String..., middleware: String = "[]", app: String = Self.app
  ) throws -> [String] {
    makeFolders(above: "\(runner.folder)/node_modules/redux/index.js")
    _ = try runner.write(Self.redux, as: "node_modules/redux/index.js")
    _ = try runner.write(ShippedHost.recorder.text, as: "retcon-recorder.mjs")
    _ = try runner.write(app.replacing("MIDDLEWARE", with: middleware), as: "app.mjs")
    let list = gestures.map { $0.hasPrefix("play") ? "await \($0);" : "await user(\($0));" }
      .joined(separator: "\n")
    _ = try runner.write(Self.session.replacing("GESTURES", with: list), as: "session.mjs")
    let status = try Subprocess.run(
      "/bin/sh", ["-c", "cd \(runner.folder) && exec node session.mjs"])
    #expect(status == 0)
    let session = try SessionReader(path: "\(runner.folder)/shop.retcon")
    return try session.steps.dropFirst().map { try session.step($0).label }
  }

  /// The steps of a fork, each with its standing, and the state at its end.
  private func fork(at step: Int, _ edit: String...) async throws -> (
    steps: [String], state: Value?
  ) {
    FileSystem.remove("\(runner.folder)/fork.retcon")
    let answer = await runner.run(
      ["fork", "$/shop.retcon@\(step)"] + edit
        + ["--reducer", "$/app.mjs", "-o", "$/fork.retcon"])
    guard FileSystem.exists("\(runner.folder)/fork.retcon") else {
      Issue.record("\(answer)")
      return ([], nil)
    }
    let fork = try SessionReader(path: "\(runner.folder)/fork.retcon")
    let steps = try fork.steps.dropFirst().map { number in
      let step = try fork.step(number)
      let isKnown = [.recorded, .edited].contains(step.standing?.values ?? .recorded)
      return step.label + (isKnown ? "" : "?")
    }
    return (steps, try fork.state(after: fork.steps.upperBound))
  }

  @Test("the recorder keeps calls, requests and timers, and verify runs them again")
  func verified() async throws {
    let labels = try record("{ type: 'added', by: 7 }", "price('tea')", "checkout()")
    #expect(
      labels == [
        "added", "price()", "GET /price 200", "priced", "checkout()", "POST /checkout 200",
        "settled",
      ])
    let session = try SessionReader(path: "\(runner.folder)/shop.retcon")
    #expect(
      try session.steps.dropFirst().map { try session.step($0).cause } == [
        .user, .user, .effect(1), .output(of: 3), .user, .effect(2), .output(of: 6),
      ])
    let answer = await runner.run("verify", "$/shop.retcon", "--reducer", "$/app.mjs")
    #expect(answer.data.contains("7 steps were run again, all as recorded"), "\(answer)")
    #expect(
      (answer.data + answer.messages).contains("2 requests and 0 timers came again"), "\(answer)")
  }

  @Test("secret fields of an address do not reach the file")
  func redacted() throws {
    let app = Self.app.replacing("world: true", with: "world: true, redact: ['item']")
    _ = try record("price('SECRET')", app: app)
    let text = try runner.text(of: "$/shop.retcon")
    #expect(text.contains("/price?item=<redacted>") && !text.contains("?item=SECRET"))
  }

  @Test("a fork without an action runs its thunks otherwise, and knows it")
  func skipped() async throws {
    _ = try record(
      "{ type: 'added', by: 3 }", "{ type: 'added', by: 4 }", "checkout()", "price('tea')")
    let (steps, state) = try await fork(at: 2, "--skip")
    #expect(steps == ["added", "checkout()", "failed", "price()", "GET /price 200", "priced"])
    #expect(state?["saved"] == "too little" && state?["prices"]?["tea"] == 15)
  }

  @Test("what asks a new question is open, and nothing else before it")
  func newQuestion() async throws {
    _ = try record(
      "{ type: 'added', by: 3 }", "{ type: 'added', by: 7 }", "price('tea')", "checkout()")
    let (steps, _) = try await fork(at: 1, "--skip")
    #expect(steps == ["added", "price()", "GET /price 200", "priced", "checkout()"])
    let answer = await runner.run(
      "fork", "$/shop.retcon@1", "--skip", "--reducer", "$/app.mjs")
    #expect(
      answer.data.contains(#"waits for fetch("POST", "/checkout", "{\"total\":7}")"#), "\(answer)")
  }

  @Test("an effect that asks the same, and knows more, is run and not believed")
  func knowsMore() async throws {
    _ = try record("{ type: 'added', by: 7 }", "checkout()", "{ type: 'typed', text: 'go' }")
    let (steps, state) = try await fork(at: 2, "--send", #"{"type":"typed","text":"stop"}"#)
    #expect(
      steps == [
        "added", "checkout()", "typed", "POST /checkout 200", "typed", "timer 300 ms", "settled",
      ])
    #expect(state?["saved"] == "go")
  }

  @Test("an answer that the user changes is what the app gets")
  func otherAnswer() async throws {
    _ = try record("price('tea')", "{ type: 'added', by: 1 }")
    let answer =
      #"{"type":"GET /price 503","retcon":{"answer":"s1.1","status":503,"body":"{\"price\":99}"}}"#
    #expect(try await fork(at: 2, "--replace", answer).state?["prices"]?["tea"] == 99)
    let failure =
      #"{"type":"GET /price failed","retcon":{"answer":"s1.1","error":"TypeError: offline"}}"#
    let (steps, state) = try await fork(at: 2, "--replace", failure)
    #expect(steps == ["price()", "GET /price failed", "failed", "added"])
    #expect(state?["saved"] == "offline")
  }

  @Test("a timer that nothing stops any more ends in a fork, in its time")
  func timers() async throws {
    let labels = try record(
      "{ type: 'typed', text: 'a' }", "{ type: 'typed', text: 'ab' }", "{ type: 'added', by: 1 }")
    #expect(labels == ["typed", "typed", "added", "timer 300 ms", "settled"])
    let (steps, state) = try await fork(at: 2, "--skip")
    #expect(steps == ["typed", "added", "timer 300 ms", "settled"])
    #expect(state?["saved"] == "a")
  }

  @Test("two timers that end at once are no known order, unless they are as long")
  func tied() async throws {
    let later =
      "later: (type, wait) => (dispatch) => { setTimeout(() => dispatch({ type }), wait); }"
    let app = Self.app.replacing("price: (item)", with: "\(later),\n price: (item)")
      .replacing("{ price, checkout }", with: "{ later, price, checkout }")
    _ = try record("{ type: 'added', by: 1 }", "later('short', 200)", app: app)
    func call(_ wait: Int) -> String {
      #"{"type":"later()","retcon":{"call":"later","arguments":["long",\#(wait)]}}"#
    }
    let (tied, _) = try await fork(at: 1, "--send", call(300))
    #expect(
      tied == ["added", "later()", "later()", "timer 300 ms?", "long?", "timer 200 ms?", "short?"])
    let (other, _) = try await fork(at: 1, "--send", call(299))
    #expect(
      other == ["added", "later()", "later()", "timer 299 ms", "long", "timer 200 ms", "short"])
    let (equal, _) = try await fork(at: 2, "--send", call(200))
    #expect(
      equal == ["added", "later()", "later()", "timer 200 ms", "short", "timer 200 ms", "long"])
  }

  @Test("a call that the user adds runs, with the answers of the recording")
  func inserted() async throws {
    _ = try record("price('tea')", "{ type: 'added', by: 1 }", "{ type: 'added', by: 2 }")
    let call = #"{"type":"price()","retcon":{"call":"price","arguments":["tea"]}}"#
    let (steps, _) = try await fork(at: 4, "--send", call)
    #expect(
      steps == [
        "price()", "GET /price 200", "priced", "added", "price()", "GET /price 200", "priced",
        "added",
      ]
    )
  }

  @Test("an app that does something else than recorded keeps its doubt, and says why")
  func notAgain() async throws {
    let middleware =
      "[(api) => (next) => (action) => { const result = next(action); "
      + "if (action.type === 'added' && process.title.length && !globalThis[Symbol.for('retcon.host')]) "
      + "api.dispatch({ type: 'typed', text: 'x' }); return result; }]"
    _ = try record("{ type: 'added', by: 1 }", "{ type: 'added', by: 2 }", middleware: middleware)
    let (steps, _) = try await fork(at: 1, "--skip")
    #expect(!steps.isEmpty && steps.allSatisfy { $0.hasSuffix("?") }, "\(steps)")
    let answer = await runner.run("verify", "$/shop.retcon", "--reducer", "$/app.mjs")
    #expect((answer.data + answer.messages).contains("does not run again in forks"), "\(answer)")
  }

  @Test("functions of zustand run again, with what they set later")
  func zustand() async throws {
    let labels = try record(
      "play(() => store.getState().add(2))", "play(() => store.getState().find('tea'))",
      "play(() => store.setState({ count: 9 }))", app: Self.zustand)
    #expect(labels == ["add", "find", "GET /price 200", "setState", "look", "setState"])
    let (steps, state) = try await fork(at: 1, "--skip")
    #expect(steps == ["find", "GET /price 200", "setState", "look", "setState"])
    #expect(state?["seen"] == 0 && state?["count"] == 9 && state?["found"] == 15)
  }

  @Test("an action of the app that the user leaves out makes the rest a doubt")
  func sentSkipped() async throws {
    _ = try record("{ type: 'added', by: 7 }", "price('tea')", "{ type: 'added', by: 1 }")
    let (steps, state) = try await fork(at: 4, "--skip")
    #expect(steps == ["added", "price()", "GET /price 200", "added?"])
    #expect(state?["prices"] == [:] && state?["total"] == 8)
  }
}
