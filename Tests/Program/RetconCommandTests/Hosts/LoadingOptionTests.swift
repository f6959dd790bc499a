import Platform
import TestSupport
import Testing

@testable import RetconCommand

@Suite("What a project needs to load is said in options", .needs(.node, .esbuild))
struct LoadingOptionTests {
  private let runner: CommandRunner

  init() throws {
    runner = try CommandRunner()
    try runner.writeCounter(#"{"type":"add"}"#, #"{"type":"other"}"#, #"{"type":"add"}"#)
  }

  private func state(_ words: String...) async -> CommandRunner.Answer {
    await runner.run(["state", "$/export.json@3", "--reducer"] + words)
  }

  private static let environment = [
    (".env", "VITE_START=70\nVITE_HOST=here\nVITE_URL=\"http://$VITE_HOST/\" # ours\nTOKEN=s3cret"),
    (".env.local", "VITE_START=5\nexport VITE_TOKENS='a#b'"), (".env.production", "VITE_START=100"),
    (
      "src/env.ts",
      """
      const { MODE, PROD, VITE_URL, VITE_TOKENS } = import.meta.env;
      const n = Number(import.meta.env.VITE_START);
      const state = { n, MODE, PROD, VITE_URL, VITE_TOKENS, all: { ...import.meta.env } };
      export const reducer = (before = state, action: { type: string }) =>
        (action.type === 'add' ? { ...before, n: before.n + 1 } : before);
      """
    ),
  ]

  @Test("variables come from .env files, by the mode, and only with a public prefix")
  func environment() async throws {
    let files = Self.environment + [("vite.config.ts", "export default {};")]
    try await runner.inProject(files) { project in
      let answer = await state("\(project)/src/env.ts")
      for part in [
        #""n": 7"#, #""MODE": "development""#, #""PROD": false"#, #""VITE_URL": "http://here/""#,
        #""VITE_TOKENS": "a#b""#,
      ] {
        #expect(answer.data.contains(part), "\(answer)")
      }
      #expect(!answer.data.contains("s3cret"))
      let product = await state("\(project)/src/env.ts", "--mode", "production")
      #expect(product.data.contains(#""n": 102"#) && product.data.contains(#""PROD": true"#))
    }
  }

  @Test("without vite, .env.local counts more than the mode's file, as in Next")
  func environmentOfNext() async throws {
    try await runner.inProject(Self.environment) { project in
      let answer = await state("\(project)/src/env.ts", "--mode", "production")
      #expect(answer.data.contains(#""n": 7"#), "\(answer)")
    }
  }

  private static let setup = [
    ("setup.js", "window.Shop = { start: 5 };"),
    (
      "src/store.ts",
      """
      const { start } = window.Shop;
      export const reducer = (state = { n: start }, action: { type: string }) =>
        (action.type === 'add' ? { n: state.n + 1 } : state);
      """
    ),
  ]

  @Test("--setup defines what a page defines; without it, the error says so")
  func setup() async throws {
    try await runner.inProject(Self.setup) { project in
      let without = await state("\(project)/src/store.ts")
      #expect(without.messages.contains("define it in a file, and add --setup FILE"), "\(without)")
      let with = await state("\(project)/src/store.ts", "--setup", "\(project)/setup.js")
      #expect(with.data.contains(#""n": 7"#), "\(with)")
    }
    let asking = [
      ("setup.js", "globalThis.fetch = async () => Response.json({ start: 4 });"),
      (
        "src/store.ts",
        """
        let start = 0;
        fetch('/start').then((answer) => answer.json()).then((body) => { start = body.start; });
        export const reducer = (state = { n: 5 }, action: { type: string }) =>
          (action.type === 'add' ? { n: state.n + start } : state);
        """
      ),
    ]
    try await runner.inProject(asking) { project in
      let answer = await state("\(project)/src/store.ts", "--setup", "\(project)/setup.js")
      #expect(answer.data.contains(#""n": 13"#), "\(answer)")
    }
  }

  @Test("a test for node loads the store as the command line did")
  func generated() async throws {
    try await runner.inProject(Self.setup) { project in
      let test = "\(project)/test/shop.test.mjs"
      mkdir("\(project)/test", 0o700)
      let answer = await runner.run(
        "test", "$/export.json", "--reducer", "\(project)/src/store.ts", "--setup",
        "\(project)/setup.js", "-o", test)
      #expect(answer.status == .yes, "\(answer)")
      let text = try FileSystem.text(of: test, limit: 1 << 20)
      #expect(text.contains(#"{ setup: "../setup.js" }"#))
      let run = try Subprocess.run("/bin/sh", ["-c", "exec node --test \(test) > /dev/null"])
      #expect(run == 0)
    }
  }

  private static let maker = [
    (
      "src/store.tsx",
      """
      import { configureStore } from '@reduxjs/toolkit';
      import counter from './counter';
      export function setupStore({ by }: { by: number }) { return configureStore({ reducer: counter }); }
      """
    ),
    (
      "src/Provider.tsx",
      """
      import { configureStore } from '@reduxjs/toolkit';
      import counter from './counter';
      export function Provider() {
        const store = configureStore({ reducer: counter });
        return <p>{store.getState().n}</p>;
      }
      """
    ),
    (
      "src/first.js",
      """
      import { createStore } from 'redux';
      import counter from './counter';
      const start = (first) => createStore(counter, first);
      export const rows = [];
      """
    ),
  ]

  @Test("a store that a function makes is found with --make; without it, the error says how")
  func make() async throws {
    try await runner.inProject(Self.maker) { project in
      let store = "\(project)/src/store.tsx"
      let without = await state(store)
      #expect(without.messages.contains("Give it some, as --make 'setupStore({})'"), "\(without)")
      let with = await state(store, "--make", "setupStore({ by: 1 })")
      #expect(with.data.contains(#""n": 7"#), "\(with)")
      let provider = "\(project)/src/Provider.tsx"
      let inside = await state(provider)
      #expect(inside.messages.contains("--make 'configureStore({ … })'"), "\(inside)")
      let named = await state(provider, "--make", "configureStore({ reducer: counter })")
      #expect(named.data.contains(#""n": 7"#), "\(named)")
      let first = await state("\(project)/src/first.js", "--make", "start({ n: 40 })")
      #expect(first.data.contains(#""n": 42"#), "\(first)")
    }
  }

  @Test("--with vite loads what plugins make, and only if it is typed")
  func vite() async throws {
    let vite = """
      import fs from 'node:fs';
      export async function createServer({ root, mode, plugins, server }) {
        fs.writeFileSync(root + '/configured', mode ?? '');
        const own = plugins.find(({ name }) => name === 'retcon');
        const { code } = own.transform('import.meta.env.SSR || import.meta.env?.SSR || 5', 'a.ts');
        return {
          ws: { close: () => fs.writeFileSync(root + '/closed', `${server.ws}`) },
          ssrLoadModule: async (file) => ({
            reducer: (state = { n: eval(code) }, action) =>
              (action.type === 'add' ? { n: state.n + 1 } : state),
          }),
        };
      }
      """
    let files = [
      ("node_modules/vite/package.json", #"{ "type": "module" }"#),
      ("node_modules/vite/dist/node/index.js", vite),
      ("src/store.ts", "import all from 'virtual:all'; export const reducer = all.of.them;"),
    ]
    try await runner.inProject(files) { project in
      let without = await state("\(project)/src/store.ts")
      #expect(without.data.isEmpty, "\(without)")
      #expect(!FileSystem.exists("\(project)/configured"))
      let with = await state("\(project)/src/store.ts", "--with", "vite")
      #expect(with.data.contains(#""n": 7"#), "\(with)")
      // A vite that listens would keep a test from its end.
      #expect((try? FileSystem.text(of: "\(project)/closed")) == "false")
      #expect(FileSystem.exists("\(project)/configured"))
      let other = await state("\(project)/src/store.ts", "--with", "webpack")
      #expect(other.messages.contains("--with takes vite, and not webpack"))
    }
  }

  @Test("the id with which RTK Query registers is the recording's")
  func middlewareRegistered() async throws {
    let query = """
      exports.createApi = ({ reducerPath }) => {
        const id = String(Math.random());
        const type = reducerPath + '/config/middlewareRegistered';
        const first = { config: { middlewareRegistered: false } };
        const reducer = (state = first, action) => {
          if (action.type !== type) return state;
          const isSame = action.payload === id && state.config.middlewareRegistered !== 'conflict';
          return { config: { middlewareRegistered: isSame || 'conflict' } };
        };
        const middleware = (store) => (next) => (action) => {
          store.dispatch({ type, payload: id });
          return next(action);
        };
        return { reducerPath, reducer, middleware };
      };
      """
    let files = [
      ("node_modules/@reduxjs/toolkit/query/index.js", query),
      (
        "src/api.ts",
        """
        import { createApi } from '@reduxjs/toolkit/query';
        const posts = createApi({ reducerPath: 'posts' });
        export const rootReducer = { posts: posts.reducer };
        """
      ),
    ]
    let registered = { (id: String, value: String) in
      """
      {"label":"r","action":{"type":"posts/config/middlewareRegistered","payload":"\(id)"},\
      "state":{"posts":{"config":{"middlewareRegistered":\(value)}}}}

      """
    }
    let start = #"{"state":{"posts":{"config":{"middlewareRegistered":false}}}}"# + "\n"
    _ = try runner.write(
      start + registered("a", "true") + registered("a", "true") + registered("b", #""conflict""#),
      as: "query.jsonl")
    try await runner.inProject(files) { project in
      let answer = await runner.run(
        "verify", "$/query.jsonl", "--reducer", "\(project)/src/api.ts")
      #expect(answer.status == .yes, "\(answer)")
    }
  }

  @Test("a reducer finds the endpoints that only a screen injects", arguments: [true, false])
  func injected(works: Bool) async throws {
    let files = [
      (
        "src/api.ts",
        """
        const endpoints = {};
        export const injectEndpoints = (more) => Object.assign(endpoints, more);
        export const reducer = (state = { n: 0 }, { meta }) => (
          { n: state.n + (endpoints[meta.arg.endpointName]?.by ?? 100) });
        """
      ),
      (
        "src/screens/posts.ts",
        """
        import { injectEndpoints } from '../api';
        \(works ? "" : "throw new Error('no page');")
        injectEndpoints({ posts: { by: 2 } });
        """
      ),
    ]
    let action = #"{"type":"api/pending","meta":{"arg":{"endpointName":"posts"}}}"#
    let last = works ? 2 : 100
    _ = try runner.write(
      #"{"state":{"n":0}}"# + "\n" + #"{"label":"p","action":\#(action),"state":{"n":\#(last)}}"#
        + "\n", as: "posts.jsonl")
    try await runner.inProject(files) { project in
      let answer = await runner.run(
        "verify", "$/posts.jsonl", "--reducer", "\(project)/src/api.ts#reducer")
      #expect(answer.status == .yes, "\(answer)")
    }
  }

  @Test(
    "what cannot be loaded is named first, with its file and line",
    arguments: [
      (
        "import { names } from 'options-kit';\nconst [one] = names.options;\nexport default one.length;",
        "the package options-kit is not installed: run npm install options-kit in $/project"
          + " ($/project/src/a.ts:1 imports options-kit). Without it:"
      ),
      (
        "import { two } from './b';\nexport const one = two;",
        "import each other in a circle: $/project/src/a.ts → $/project/src/b.ts → $/project/src/a.ts."
          + " $/project/src/b.ts needs $/project/src/a.ts before that has run"
      ),
      (
        "import { two } from './b';\nexport const one = two;",
        "The app's own entry, $/project/src/main.ts, loads $/project/src/a.ts first"
      ),
      (
        "import { made } from './c';\nexport default made().length;",
        "Cannot read properties of undefined (reading 'length') in $/project/src/a.ts."
          + " Perhaps it needs what is missing: the package a-kit is not installed"
      ),
      (
        "import { client } from 'made/client';\nexport default client.start.start;",
        "$/project/src/a.ts:1 imports made/client, which means $/project/made/client, and there"
          + " is no such file: is it generated?"
      ),
      (
        "import { createStore } from 'redux';\n"
          + "export default function setup(reducer) { return createStore(reducer); }",
        "as --make 'setup({})', or name the file that calls it: $/project/src/main.ts"
      ),
      (
        "import reducer from 'a-kit';\nexport default reducer;",
        "the package a-kit is not installed: run npm install a-kit in $/project"
      ),
    ])
  func named(text: String, words: String) async throws {
    let files = [
      ("src/a.ts", text), ("src/main.ts", "import './a';"),
      ("src/b.ts", "import { one } from './a';\nexport const two = one;"),
      ("src/c.ts", "import kit from 'a-kit';\nexport const made = () => kit.none && undefined;"),
      ("tsconfig.json", #"{ "compilerOptions": { "paths": { "made/*": ["./made/*"] } } }"#),
    ]
    try await runner.inProject(files, packages: text.contains("redux")) { project in
      let answer = await state("\(project)/src/a.ts")
      #expect(answer.messages.contains(words), "\(answer)")
      #expect(!answer.messages.contains("initialState"), "\(answer)")
    }
  }
}
