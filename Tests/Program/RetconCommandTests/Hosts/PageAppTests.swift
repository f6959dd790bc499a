import Platform
import SessionFile
import TestSupport
import Testing

@testable import RetconCommand

/// Shapes of public apps: a page, a package that asks for it, and code that no store's file imports.
@Suite("Apps of a page that run whole", .needs(.node))
struct PageAppTests {
  private let recorded: RecordedApp
  private var runner: CommandRunner { recorded.runner }

  init() throws { recorded = try RecordedApp() }

  private func install(_ name: String, _ text: String) throws {
    makeFolders(above: "\(runner.folder)/node_modules/\(name)/index.js")
    _ = try runner.write(text, as: "node_modules/\(name)/index.js")
  }

  private func verify() async -> String {
    let answer = await runner.run("verify", "$/shop.retcon", "--reducer", "$/app.mjs")
    return answer.data + answer.messages
  }

  @Test("a request without a host asks the page that was recorded")
  func address() async throws {
    let app = RecordedApp.app.replacing("fetch(`/price", with: "fetch(new Request(`../price")
      .replacing("${item}`)", with: "${item}`))")
    _ = try recorded.record("price('tea')", app: app, inPage: true)
    let text = try runner.text(of: "$/shop.retcon")
    #expect(text.contains(#""page":"http://shop.test/cart/1""#) && !text.contains("SECRET"))
    #expect(text.contains(#"["GET","http://shop.test/price?item=tea"]"#))
    #expect(await verify().contains("3 steps were run again, all as recorded"))
    let (steps, _) = try await recorded.fork(at: 3, "--send", #"{"type":"added","by":1}"#)
    #expect(steps == ["price()", "GET http://shop.test/price 200", "priced", "added"])
  }

  @Test("two actions in one click are two of the user")
  func twoInOneTask() async throws {
    _ = try recorded.record(
      "play(() => { store.dispatch({ type: 'added', by: 1 }); store.dispatch(price('tea')); })",
      inPage: true)
    let session = try SessionReader(path: "\(runner.folder)/shop.retcon")
    let causes = try session.steps.dropFirst().map { try session.step($0).cause }
    #expect(causes == [.user, .user, .effect(1), .output(of: 3)])
    #expect(await verify().contains("4 steps were run again, all as recorded"))
  }

  @Test("what a component sends when a call has ended is recorded, and assumed behind an edit")
  func component() async throws {
    let labels = try recorded.record(
      "{ type: 'typed', text: 'a' }",
      "play(async () => { await store.dispatch(price('tea')); "
        + "store.dispatch({ type: 'added', by: 1 }); })",
      inPage: true)
    #expect(
      labels == [
        "typed", "price()", "GET /price 200", "priced", "added", "timer 300 ms", "settled",
      ])
    #expect(await verify().contains("sent 1 action while the app was at work"))
    let (steps, state) = try await recorded.fork(at: 1, "--skip")
    #expect(steps == ["price()", "GET /price 200?", "priced?", "added?"])
    #expect(state?["total"] == 1)
  }

  @Test("a component that waits for a call may send something in a fork, in node as well")
  func awaited() async throws {
    _ = try recorded.record(
      "{ type: 'added', by: 1 }",
      "play(async () => { await store.dispatch(price('tea')); "
        + "if (!store.getState().total) store.dispatch({ type: 'failed', words: 'empty' }); })",
      "price('jam')")
    let (steps, _) = try await recorded.fork(at: 1, "--skip")
    #expect(
      steps == ["price()", "GET /price 200?", "priced?", "price()?", "GET /price 200?", "priced?"])
    let (others, _) = try await recorded.fork(at: 4, "--send", #"{"type":"added","by":1}"#)
    #expect(others.suffix(3) == ["price()", "GET /price 200", "priced"])
  }

  /// As much of axios as an answer with its headers takes.
  private static let axios = """
    class AxiosHeaders {
      static from(text) {
        const made = new AxiosHeaders();
        for (const line of text.split('\\r\\n')) {
          const [name, value] = line.split(': ');
          made[name] = value;
        }
        return made;
      }
      normalize() { return this; }
      get(name) { return this[name]; }
    }
    exports.AxiosHeaders = AxiosHeaders;
    exports.get = (address) => new Promise((done) => {
      const request = new XMLHttpRequest();
      request.open('GET', address);
      request.onloadend = () => done({
        data: JSON.parse(request.responseText),
        headers: AxiosHeaders.from(request.getAllResponseHeaders()).normalize(),
      });
      request.send();
    });

    """

  private static let asking = RecordedApp.app
    .replacing("import { record", with: "import axios from 'axios';\nimport { record")
    .replacing(
      "const answer = await fetch(`/price?item=${item}`);\n",
      with: "const { data, headers } = await axios.get(`/price?item=${item}`);\n"
    )
    .replacing("...await answer.json()", with: "...data, ...READ")

  @Test("axios reads all headers, and that alone makes no doubt")
  func headers() async throws {
    try install("axios", Self.axios)
    let app = Self.asking.replacing("...READ", with: "")
    _ = try recorded.record("{ type: 'added', by: 1 }", "price('tea')", app: app, inPage: true)
    let (steps, _) = try await recorded.fork(at: 1, "--skip")
    #expect(steps == ["price()", "GET /price 200", "priced"])
  }

  @Test(
    "a header that the app reads of axios makes a doubt",
    arguments: [
      "(headers['x-left'] ? { price: 0 } : {})", "(headers.get('x-left') ? { price: 0 } : {})",
      "({ ...headers }['x-left'] ? { price: 0 } : {})",
    ])
  func header(read: String) async throws {
    try install("axios", Self.axios)
    let app = Self.asking.replacing("READ", with: read)
    _ = try recorded.record("{ type: 'added', by: 1 }", "price('tea')", app: app, inPage: true)
    let (steps, _) = try await recorded.fork(at: 1, "--skip")
    #expect(steps == ["price()", "GET /price 200?", "priced?"])
  }

  @Test("a thunk that only a screen imports is found in the project")
  func screen() async throws {
    try install(
      "@reduxjs/toolkit",
      """
      exports.createAsyncThunk = (prefix, work, { idGenerator = () => 'id' } = {}) => (
        Object.assign((arg) => async (dispatch) => {
          const meta = { arg, requestId: idGenerator(arg) };
          dispatch({ type: `${prefix}/pending`, meta });
          dispatch({ type: `${prefix}/fulfilled`, meta, payload: await work(arg) });
        }, { typePrefix: prefix }));

      """)
    makeFolders(above: "\(runner.folder)/screens/price.mjs")
    _ = try runner.write(
      """
      import toolkit from '@reduxjs/toolkit';
      export const load = toolkit.createAsyncThunk('price/load', async (item) => (
        (await fetch(`/price?item=${item}`)).json()));

      """, as: "screens/price.mjs")
    // It is called here, and not made: createAsyncThunk is in the screen.
    let app =
      RecordedApp.app + """
        export const later = (item) => globalThis.load(item); // of createAsyncThunk

        """
    let labels = try recorded.record(
      "{ type: 'added', by: 1 }", "later('tea')", app: app, inPage: true,
      before: "globalThis.load = (await import('./screens/price.mjs')).load;")
    #expect(
      labels == [
        "added", "price/load()", "price/load/pending", "GET /price 200", "price/load/fulfilled",
      ])
    let (steps, _) = try await recorded.fork(at: 1, "--skip")
    #expect(
      steps == [
        "price/load()", "price/load/pending", "GET /price 200", "price/load/fulfilled",
      ])
  }

  @Test("a query that the cache answers keeps its name, whatever RTK Query asks meanwhile")
  func cached() async throws {
    let app =
      RecordedApp.app + """
        export const later = (item) => (dispatch) => {
          const queryCacheKey = `${item}(1)`;
          const arg = { type: 'query', endpointName: 'others', originalArgs: 2, subscribe: false };
          dispatch({ type: 'api/executeQuery/pending', meta: { requestId: 'others 1', arg } });
          return Object.assign(Promise.resolve(), { queryCacheKey, requestId: 'own 1', arg: 1 });
        };

        """
    let labels = try recorded.record("later('tea')", app: app)
    #expect(labels == ["/tea()", "api/executeQuery/pending"])
    let session = try SessionReader(path: "\(runner.folder)/shop.retcon")
    #expect(try session.step(1).action["retcon"]?["arguments"] == [1])
  }

  /// A socket that opens 50 ms after it was made, and tells the time each 400 ms.
  private static let socket = """
    globalThis.WebSocket = class extends EventTarget {
      constructor(url) {
        super();
        Object.assign(this, { url, readyState: 0, protocol: '' });
        soon(50, () => {
          this.readyState = 1;
          this.dispatchEvent(new Event('open'));
          const tell = () => soon(400 - now % 400, () => {
            this.dispatchEvent(Object.assign(new Event('message'), { data: `${now}` }));
            tell();
          });
          tell();
        });
      }
      close() {}
    };
    const { setTimeout: wait } = globalThis, soon = (time, work) => wait(work, time);

    """

  private static let connecting = RecordedApp.app.replacing(
    "  price: (item)",
    with: """
        later: () => (dispatch) => {
          const socket = new WebSocket('ws://shop.test/feed');
          socket.onopen = () => dispatch({ type: 'typed', text: 'open' });
          socket.onmessage = ({ data }) => dispatch({ type: 'added', by: Number(data) });
          socket.onclose = () => {
            dispatch({ type: 'failed', words: 'lost' });
            setTimeout(() => dispatch(later()), 350);
          };
        },
        price: (item)
      """
  ).replacing("{ price, checkout } = ", with: "{ later, price, checkout } = ")
    .replacing(", debounce", with: "")

  @Test("a socket that is lost for a while connects only after that, and hears what comes later")
  func lost() async throws {
    _ = try recorded.record(
      "later()", app: Self.connecting, inPage: true, before: Self.socket)
    let session = try SessionReader(path: "\(runner.folder)/shop.retcon")
    let heard = try session.steps.filter { try session.step($0).label.hasSuffix("message") }
    let rest = heard.dropFirst(2).map { #",{"edit":"skip","step":\#($0)}"# }.joined()
    let close =
      #"{"hear":"s1.1","event":"close","code":1006,"reason":"","wasClean":false,"lost":0.9}"#
    _ = try runner.write(
      """
      {"parent":"main","leavesAt":\(heard[1] - 1),"rest":"rerun","edits":[{"edit":"replace",
      "step":\(heard[1]),"action":{"type":"socket ws://shop.test/feed close","retcon":\(close)}}
      \(rest)]}
      """, as: "script.json")
    let answer = await runner.run(
      "fork", "$/shop.retcon", "--script", "$/script.json", "--reducer", "$/app.mjs", "-o",
      "$/fork.retcon")
    let fork = try SessionReader(path: "\(runner.folder)/fork.retcon")
    let steps = try fork.steps.dropFirst(heard[1]).map { number in
      let step = try fork.step(number)
      let isKnown = [.recorded, .edited].contains(step.standing?.values ?? .recorded)
      return step.label.replacing("socket ws://shop.test/feed ", with: "") + (isKnown ? "" : "?")
    }
    #expect(
      steps == [
        "close", "failed", "timer 350 ms", "error", "close", "failed", "timer 350 ms", "error",
        "close", "failed", "timer 350 ms", "open", "typed", "message?", "added?",
      ], "\(answer)")
  }

  @Test("a package that writes its style when it loads finds a place for it")
  func style() async throws {
    try install(
      "styles",
      """
      const tag = document.head.appendChild(document.createElement('style'));
      tag.innerHTML = ' ';
      tag.firstChild.data = 'p { color: red }';

      """)
    let app = "import 'styles';\n" + RecordedApp.app
    let document =
      "document.createElement = () => ({ firstChild: {} });\n"
      + "document.head = { appendChild: (child) => child };\n"
    _ = try recorded.record("{ type: 'added', by: 1 }", app: app, inPage: true, before: document)
    #expect(await verify().contains("1 step was run again"))
  }
}
