import Platform
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

/// An app in JavaScript that records itself in a folder, with a clock that a list of gestures moves.
struct RecordedApp {
  let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  /// As much of Redux as a thunk and a debounce take.
  static let redux = """
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

  static let app = """
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

  /// A clock that a list of gestures moves, and a service.
  static let session = """
    let now = 0, due = [];
    globalThis.setTimeout = (work, wait = 0) => {
      const timer = { at: now + wait, work };
      due.push(timer);
      return timer;
    };
    globalThis.clearTimeout = (timer) => { due = due.filter((each) => each !== timer); };
    Object.defineProperty(performance, 'now', { value: () => now });
    const idle = async () => { for (let n = 0; n < 4; n++) await new Promise((end) => setImmediate(end)); };
    globalThis.fetch = async (resource, init) => {
      const { pathname, search } = new URL(resource.url ?? resource, 'http://shop.test');
      const address = decodeURIComponent(pathname + search);
      await new Promise((end) => setTimeout(end, /slow/.test(address) ? 250 : 50));
      if (address.startsWith('/price')) {
        const headers = { 'x-price': `${address.length}` };
        return Response.json({ price: address.length }, { headers });
      }
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
    BEFORE
    const { store, price, checkout, later, recorder } = await import('./app.mjs');
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
    AFTER
    process.exit(0);
    """

  /// Removes what node has and a page lacks. A page keeps its steps in memory.
  static let page = """
    const fs = process.getBuiltinModule('node:fs'), { Request, fetch: ask } = globalThis;
    process.getBuiltinModule = undefined;
    globalThis.document = { visibilityState: 'visible', addEventListener() {} };
    globalThis.location = new URL('http://shop.test/cart/1?token=SECRET');
    globalThis.Request = class extends Request {
      constructor(resource, init) {
        super(resource instanceof Request ? resource : new URL(resource, location), init);
      }
    };
    globalThis.XMLHttpRequest = class extends EventTarget {
      open(...question) { this.question = question; }
      setRequestHeader() {}
      getResponseHeader() { return 'application/json'; }
      getAllResponseHeaders() { return 'content-type: application/json\\r\\nx-price: 3'; }
      send() {
        ask(this.question[1]).then(async (answer) => {
          Object.assign(this, { status: answer.status, responseText: await answer.text() });
          this.dispatchEvent(new Event('loadend'));
        });
      }
    };
    """

  /// Records the app with these gestures, in node or in a page. `before` runs before the app loads.
  func record(
    _ gestures: String..., middleware: String = "[]", app: String = Self.app,
    inPage isPage: Bool = false, before: String = ""
  ) throws -> [String] {
    makeFolders(above: "\(runner.folder)/node_modules/redux/index.js")
    _ = try runner.write(Self.redux, as: "node_modules/redux/index.js")
    _ = try runner.write(ShippedHost.recorder.text, as: "retcon-recorder.mjs")
    let place = isPage ? app.replacing("file: 'shop.retcon', ", with: "") : app
    _ = try runner.write(place.replacing("MIDDLEWARE", with: middleware), as: "app.mjs")
    let list = gestures.map { $0.hasPrefix("play") ? "await \($0);" : "await user(\($0));" }
      .joined(separator: "\n")
    let session = Self.session.replacing("GESTURES", with: list)
      .replacing("BEFORE", with: (isPage ? Self.page : "") + before)
      .replacing("AFTER", with: isPage ? "fs.writeFileSync('shop.retcon', recorder.text());" : "")
    _ = try runner.write(session, as: "session.mjs")
    let status = try Subprocess.run(
      "/bin/sh", ["-c", "cd \(runner.folder) && exec node session.mjs"])
    #expect(status == 0)
    let written = try SessionReader(path: "\(runner.folder)/shop.retcon")
    return try written.steps.dropFirst().map { try written.step($0).label }
  }

  /// The steps of a fork, each with its standing, and the state at its end.
  func fork(at step: Int, _ edit: String...) async throws -> (
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
}
