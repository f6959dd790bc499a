import Platform
import TestSupport

@testable import RetconCommand

/// The shim alone, in a node whose timers the test rings.
struct ShimAlone {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  private static let start = """
    import fs from 'node:fs';
    const [timers, lines] = [[], []];
    globalThis.setTimeout = (work, wait) => { timers.push([work, wait]); };
    const ring = (wait) => { for (const [work, after] of timers.splice(0)) if (after === wait) work(); };
    globalThis.send = (text) => lines.push(...JSON.parse(text.slice(1)));
    const shim = fs.readFileSync(new URL('shim.js', import.meta.url), 'utf8');
    (0, eval)(`(${shim.replace(/^\\/\\/.*\\n/gm, '')})('send', {})`);
    const sign = globalThis[Symbol.for('retcon')], extension = globalThis.__REDUX_DEVTOOLS_EXTENSION__;
    const compose = globalThis.__REDUX_DEVTOOLS_EXTENSION_COMPOSE__;
    const recorded = () => { sign.flush(); return lines; };
    const drive = (order) => sign.drive(recorded()[0].start, order);
    const createStore = (reducer, enhancer) => {
      if (enhancer) return enhancer(createStore)(reducer);
      let state, listeners = [];
      const store = {
        getState: () => state,
        subscribe(each) { listeners.push(each); return () => { listeners = listeners.filter((one) => one !== each); }; },
        dispatch(action) { state = reducer(state, action); for (const each of listeners) each(); return action; },
        replaceReducer(next) { reducer = next; },
      };
      store.dispatch({ type: '@@INIT' });
      return store;
    };
    const thunk = (make) => (...parts) => {
      const inner = make(...parts);
      const dispatch = (action) => (typeof action === 'function' ? action(dispatch, inner.getState) : inner.dispatch(action));
      return { ...inner, dispatch };
    };
    const counter = (state = { n: 0 }, { type, by }) => (type === 'add' ? { ...state, n: state.n + by } : state);
    const rest = () => new Promise((done) => setImmediate(done));
    const print = (value) => console.log(JSON.stringify(value));

    """

  /// The output of a script, line by line.
  func lines(_ script: String) throws -> [Substring] {
    _ = try runner.write(JoinedScript.shim, as: "shim.js")
    _ = try runner.write(Self.start + script, as: "app.mjs")
    let output = try Subprocess.output(
      of: ["node", "app.mjs"], in: runner.folder, showsErrors: true)
    return output.text.split(separator: "\n")
  }
}
