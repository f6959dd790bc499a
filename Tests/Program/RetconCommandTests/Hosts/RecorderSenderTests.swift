import SessionFile
import SessionWords
import TerminalDriver
import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

@Suite("Who sent an action, as the recorder for JavaScript tells it", .needs(.node))
struct RecorderSenderTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  private func write(_ name: String, _ text: String) throws {
    FileSystem.remove("\(runner.folder)/\(name)")
    _ = try runner.write(text, as: name)
  }

  /// Redux as far as senders matter: the middleware has the inner dispatch, and all else the store's.
  private static let middleware = """
    import { record } from './retcon-recorder.mjs';
    \(SmallStore.inJavaScript)
    \(SmallStore.middlewareInJavaScript)
    const turn = async (count = 20) => { while (count--) await null; };
    const gates = {};
    const wait = (name) => new Promise((resolve) => { gates[name] = resolve; });
    const reducer = (state = { log: [] }, action) => ({ log: [...state.log, action.type] });
    const recorder = record({
      name: 'shop', file: 'shop.retcon',
      from: (action) => { if (action.type === 'bad') throw new Error('no'); return action.source; },
    });
    const answers = ({ dispatch }) => (next) => (action) => {
      const result = next(action);
      if (action.type === 'save') wait('saved').then(() => dispatch({ type: 'saved' }));
      if (action.type === 'asked') dispatch({ type: 'answered' });
      return result;
    };
    const store = createStore(
      reducer, (make) => recorder.enhancer(applyMiddleware(thunkMiddleware, answers)(make)));
    const { dispatch } = store;
    const click = () => { globalThis.event = { isTrusted: true, type: 'click' }; };

    """

  private func causes(_ actions: String) throws -> [String] {
    try write("retcon-recorder.mjs", ShippedHost.recorder.text)
    try write("app.mjs", Self.middleware + actions)
    let status = try Subprocess.run(
      "/bin/sh", ["-c", "cd \(runner.folder) && exec node app.mjs"])
    #expect(status == 0)
    let session = try SessionReader(path: "\(runner.folder)/shop.retcon")
    #expect(session.notices.isEmpty)
    let steps = session.steps.dropFirst()
    let events = try session.effectEvents(in: session.steps).map { event in
      guard case .started(let origin) = event.kind else {
        return "\(event.effect) ended after \(event.step)"
      }
      let how = origin.isFromOutside ? "called after" : "started at"
      return "\(event.effect) \(origin.name ?? "") \(how) \(origin.step)"
    }
    return try steps.map { number in
      let step = try session.step(number)
      return "\(step.label) \(step.cause.value.text())"
    } + events
  }

  @Test("what a middleware sends later is not said to come from the step that was last")
  func later() throws {
    #expect(
      try causes(
        """
        click();
        dispatch({ type: 'save' });
        dispatch({ type: 'click' });
        gates.saved(); await turn();
        dispatch({ type: 'asked' });
        dispatch({ type: 'bad' });
        """) == [
          #"save "user""#, #"click "user""#, #"saved "unknown""#, #"asked "user""#,
          #"answered {"effect":1}"#, #"bad "user""#,
          "1 nested dispatch started at 4", "1 ended after 5",
        ])
  }

  @Test(
    "a thunk starts where it is called, owns all that it sends, and is recorded without sending")
  func thunks() throws {
    #expect(
      try causes(
        """
        click();
        dispatch({ type: 'first' });
        const loading = dispatch(async function load(dispatch) {
          await wait('asked'); dispatch({ type: 'load/pending' });
          await wait('answered'); dispatch({ type: 'loaded' });
        });
        dispatch({ type: 'click' });
        gates.asked(); await turn();
        dispatch({ type: 'click' });
        gates.answered(); await loading;
        dispatch(function nothing() {});
        dispatch((dispatch) => dispatch(async (dispatch) => { dispatch({ type: 'in/pending' }); }));
        await turn();
        dispatch(function late(dispatch) { wait('late').then(() => dispatch({ type: 'tick' })); });
        gates.late(); await turn();
        """) == [
          #"first "user""#, #"click "user""#, #"load/pending {"effect":1}"#, #"click "user""#,
          #"loaded {"effect":1}"#, #"in/pending {"effect":3}"#, #"tick {"effect":5}"#,
          "1 load called after 1", "1 ended after 5",
          "2 nothing called after 5", "2 ended after 5",
          "3 in called after 5", "3 ended after 6",
          "4 late called after 6", "4 ended after 6",
          "5 late called after 6", "5 ended after 7",
        ])
  }

  @Test("a request of RTK Query gets the dispatch by which it is found, and owns its answer")
  func requests() throws {
    #expect(
      try causes(
        """
        const dispatches = new Set();
        const initiate = (queryCacheKey) => (own) => {
          dispatches.add(own);
          const meta = { requestId: queryCacheKey };
          return own(async (send) => {
            send({ type: 'api/pending', meta });
            await wait('answered');
            send({ type: 'api/fulfilled', meta });
          });
        };
        click();
        dispatch(initiate('posts(1)'));
        dispatch({ type: 'click' });
        gates.answered(); await turn();
        dispatch(initiate('posts(2)'));
        gates.answered(); await turn();
        dispatch({ type: `${dispatches.size} dispatch` });
        """) == [
          #"api/pending {"effect":1}"#, #"click "user""#, #"api/fulfilled {"effect":1}"#,
          #"api/pending {"effect":2}"#, #"api/fulfilled {"effect":2}"#, #"1 dispatch "user""#,
          "1 api called after 0", "1 ended after 3", "2 api called after 3", "2 ended after 5",
        ])
  }

  @Test("the app names its sources, by a function of the action or around what it does")
  func sources() throws {
    #expect(
      try causes(
        """
        recorder.from('venue')(() => dispatch({ type: 'priced' }));
        recorder.from('outside')(() => dispatch({ type: 'tick' }));
        dispatch({ type: 'mail', source: 'inbox' });
        dispatch({ type: 'click', source: 'user' });
        recorder.step({ type: 'own' }, store.getState(), 'robot');
        recorder.step({ type: 'other' }, store.getState());
        """) == [
          #"priced {"outside":"venue"}"#, #"tick "outside""#, #"mail {"outside":"inbox"}"#,
          #"click "user""#, #"own {"outside":"robot"}"#, #"other "unknown""#,
        ])
  }

  @Test("only a browser's event of the user, or the app, proves the user")
  func users() throws {
    #expect(
      try causes(
        """
        dispatch({ type: 'top' });
        click(); dispatch({ type: 'click' });
        globalThis.event = { isTrusted: true, type: 'message' }; dispatch({ type: 'message' });
        globalThis.event = { isTrusted: false, type: 'click' }; dispatch({ type: 'fake' });
        delete globalThis.event;
        setTimeout(() => dispatch({ type: 'timer' })); await new Promise((go) => setTimeout(go));
        dispatch(async function load() { await null; store.dispatch({ type: 'outer' }); });
        await turn();
        recorder.from('user')(() => dispatch({ type: 'told' }));
        """
      ).filter { !$0.hasPrefix("1 ") } == [
        #"top "unknown""#, #"click "user""#, #"message "unknown""#, #"fake "unknown""#,
        #"timer "unknown""#, #"outer "unknown""#, #"told "user""#,
      ])
  }

  @Test("a source keeps its name behind an await, and what the app does then has its own cause")
  func lateSources() throws {
    #expect(
      try causes(
        """
        const venue = recorder.from('venue');
        await venue(async () => { await null; dispatch({ type: 'priced' }); });
        venue(() => dispatch({ type: 'asked' }));
        venue(() => dispatch({ type: 'save' }));
        gates.saved(); await turn();
        venue(() => dispatch(async function load(dispatch) {
          await null; dispatch({ type: 'loaded' }); store.dispatch({ type: 'outer' });
        }));
        await turn();
        dispatch({ type: 'after' });
        """
      ).filter { $0.last == "\"" || $0.last == "}" } == [
        #"priced {"outside":"venue"}"#, #"asked {"outside":"venue"}"#, #"answered {"effect":1}"#,
        #"save {"outside":"venue"}"#, #"saved "unknown""#, #"loaded {"effect":2}"#,
        #"outer "unknown""#, #"after "unknown""#,
      ])
  }
}
