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
    globalThis.fetch = async (address, init) => {
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
  func record(
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
