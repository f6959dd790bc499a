import HostProtocol
import Platform
import TerminalDriver
import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

@Suite("Any project's reducer loads", .needs(.node))
struct LoadingTests {
  private let runner: CommandRunner
  private let workFolder = WorkFolder([:])

  init() throws {
    runner = try CommandRunner()
    try runner.writeCounter(#"{"type":"add"}"#, #"{"type":"other"}"#, #"{"type":"add"}"#)
  }

  private func steps(_ reducer: String, _ project: String) async -> CommandRunner.Answer {
    await runner.run(
      "find", "$/export.json", "state.n >= 6", "--reducer", "\(project)/\(reducer)")
  }

  @Test(
    "an entry file of every usual shape loads",
    .needs(.node, .esbuild), arguments: Entry.all)
  func entry(entry: Entry) async throws {
    #expect(Entry.all.count == 13 + 16)
    try await runner.inProject(entry.files) { project in
      let answer = await steps(entry.reducer, project)
      #expect(answer.status == .yes, "\(answer)")
      #expect(answer.data.hasPrefix("1"), "\(answer)")
      #expect(answer.data.contains("\n3"), "\(answer)")
    }
  }

  @Test("the loader is written as one file, which imports only from node")
  func joined() throws {
    let text = JoinedScript.loader
    #expect(text.hasPrefix("// Loads a reducer as the bundler of its project would"))
    let imports = text.split(separator: "\n").filter { $0.hasPrefix("import ") }
    #expect(imports.count > 5 && imports.allSatisfy { $0.contains(" from 'node:") })
    let modules = [
      "// b\nimport a from 'node:a';\n\nexport const b = a;\n",
      "import a from 'node:a';\nimport {\n  b,\n} from './b.mjs';\nexport const c = b;\n",
    ]
    #expect(
      JoinedScript.joined(modules.map { Array($0.utf8) })
        == "import a from 'node:a';\n\nexport const b = a;\nexport const c = b;\n")
  }

  @Test("modules that become one script have no name in common")
  func names() {
    for script in [JoinedScript.loader, JoinedScript.shim] {
      let found = script.matches(
        of: /(?m)^(?:export )?(?:async )?(?:function|const|let|class) (\w+)/)
      let names = found.map { String($0.1) }
      #expect(names.count > 50 && Set(names).count == names.count)
    }
  }

  @Test(
    "functions of a store of zustand are no state",
    .needs(.node, .esbuild))
  func functions() async throws {
    try await runner.inProject(Entry.all[11].files) { project in
      let answer = await runner.run(
        "state", "$/export.json", "--reducer", "\(project)/src/useStore.js")
      #expect(answer.data.contains("\"n\": 7") && !answer.data.contains("add"), "\(answer)")
    }
  }

  @Test(
    "the debugger says what was left out",
    .needs(.node, .esbuild))
  func notices() async throws {
    try await runner.inProject(Entry.all[1].files) { project in
      let host = try host("\(project)/src/index.js")
      defer { host.end() }
      let session = try await HostedSession("\(runner.folder)/export.json", in: workFolder)
        .withStates(of: host)
      #expect(session.remarks.count == 2)
      #expect(
        session.remarks[0].contains("the package react is not installed: run npm install in "))
      #expect(session.remarks[1] == "index.css is no code: an empty stand-in is used")
      let answer = await runner.frame("--reducer", "\(project)/src/index.js")
      #expect(answer.data.contains("1 of 3, :notices shows all"), "\(answer)")
    }
  }

  private func host(_ reducer: String) throws -> HostConnection {
    let environment = ["PATH": environmentVariable("PATH") ?? ""]
    let arguments = try ParsedArguments(["--reducer", reducer], for: HostOptions.declarations)
    let command = try #require(
      try HostOptions(arguments).reducer?.command(in: workFolder, environment))
    return HostConnection(command, engine: ThinHost.engine)
  }

  @Test(
    "where something is missing, one sentence says what to do",
    .needs(.node, .esbuild),
    arguments: [
      (
        "src/main.ts",
        "import { configureStore } from '@reduxjs/toolkit';"
          + " export const store = configureStore({});",
        "the package @reduxjs/toolkit is not installed: run npm install @reduxjs/toolkit in $/project"
      ),
      (
        "src/two.js",
        "export const oneReducer = (s = 0) => s, otherReducer = (s = 1) => s, more = 1;",
        "two.js exports several: name one of $/project/src/two.js#oneReducer, "
          + "$/project/src/two.js#otherReducer"
      ),
      (
        "src/broken.ts", "import { x } from './parts/x'; export default (s = x) => s;",
        "broken.ts imports ./parts/x, and there is no such file"
      ),
      ("src/typo.ts", "export default (s = 0 => s;", "typo.ts:1:22"),
      (
        "src/none.ts", "export const a = 1;",
        "it exports a. Export the store or its reducer, or name the file that does"
      ),
      (
        "src/machine.ts", "export const machine = { config: {}, transition() {} };",
        "exports a machine of XState, and Retcon runs only reducers: open the session without --reducer"
      ),
      (
        "src/atoms.ts", "export const store = { get() {}, set() {}, sub() {} };",
        "exports a store of jotai, and Retcon runs only reducers: open the session without --reducer"
      ),
    ])
  func sentences(file: String, text: String, words: String) async throws {
    try await runner.inProject([(file, text)], packages: false) { project in
      let answer = await runner.run(
        "verify", "$/export.json", "--reducer", "\(project)/\(file)")
      #expect(answer.status == .trouble)
      #expect(answer.messages.contains(words), "\(answer)")
      #expect(answer.messages.utf8.count < 500)
    }
  }

  @Test(
    "a step that needs what is missing ends, and the others are run",
    .needs(.node, .esbuild))
  func missingInStep() async throws {
    let text = """
      import _ from 'lodash';
      export default (state = { n: 5 }, action) =>
        (action.type === 'other' ? _.cloneDeep(state) : { n: state.n + 1 });
      """
    try await runner.inProject([("src/a.js", text)], packages: false) { project in
      let answer = await runner.run(
        "verify", "$/export.json", "--reducer", "\(project)/src/a.js")
      #expect(
        answer.data.contains("the package lodash is not installed: run npm install lodash in"),
        "\(answer)")
    }
  }

  @Test(
    "what is loaded reaches no network, starts nothing, and writes no file",
    arguments: Need.esbuild.isMet ? [true, false] : [false])
  func closed(isBundled: Bool) async throws {
    let text = """
      import fs from 'node:fs';
      import http from 'node:http';
      import child from 'node:child_process';
      import cluster from 'node:cluster';
      import dns from 'node:dns';
      import inspector from 'node:inspector';
      import trace from 'node:trace_events';
      import v8 from 'node:v8';
      import Module from 'node:module';
      import { lookup } from 'node:dns/promises';
      import { writeFile } from 'node:fs/promises';
      import { WASI } from 'node:wasi';
      import { Worker } from 'node:worker_threads';
      const file = 'OUT';
      const tries = [
        () => fs.writeFileSync(file, 'x'), () => fs.openSync(file, 'w'), () => fs.createWriteStream(file),
        () => fs.mkdirSync(file), () => child.execSync('touch ' + file), () => child.spawn('touch', [file]),
        () => http.get('http://127.0.0.1:9/'), () => new XMLHttpRequest(), () => new WebSocket('ws://127.0.0.1'),
        () => localStorage.setItem('a', 'b'),
        () => dns.lookup('localhost', () => {}), () => new dns.Resolver().resolve4('localhost', () => {}),
        () => new child.ChildProcess().spawn({ file: 'touch', args: ['touch', file] }),
        () => cluster.fork(), () => new Worker(new URL('data:text/javascript,')), () => inspector.open(0),
        () => process.report.writeReport(file), () => process.binding('spawn_sync'),
        () => process._linkedBinding('fs'), () => process.dlopen({}, file), () => process.kill(process.ppid, 0),
        () => v8.writeHeapSnapshot(file), () => trace.createTracing({ categories: ['v8'] }).enable(),
        () => fs.lutimesSync('/', 0, 0), () => fs.futimesSync(0, 0, 0), () => new WASI({ version: 'preview1' }),
        () => Module.register('data:text/javascript,'),
      ];
      let n = 0;
      for (const attempt of tries) try { attempt(); } catch (error) { n += / is refused/.test(error.message); }
      const late = [];
      for (const attempt of [
        () => fetch('http://127.0.0.1:9/'), () => writeFile(file, 'x'), () => lookup('localhost'),
        () => new dns.promises.Resolver().resolve4('localhost'), () => dns.promises.reverse('127.0.0.1'),
        () => fs.promises.open(process.execPath).then((opened) => opened.utimes(0, 0)),
      ]) {
        Promise.resolve().then(attempt).catch((error) => late.push(error.message));
      }
      export default (state = { n: 0 }, action) =>
        (action.type === 'add' ? { n: n + late.filter((words) => / is refused/.test(words)).length } : state);
      """
    let name = isBundled ? "closed.js" : "closed.mjs"
    let out = "\(runner.folder)/out"
    _ = try runner.write(text.replacing("OUT", with: out), as: name)
    let answer = await runner.run(
      "find", "$/export.json", "state.n == 32", "--reducer", "$/\(name)")
    #expect(answer.status == .yes, "\(answer)")
    #expect(!FileSystem.exists(out))
  }

  @Test("without a compiler, node loads what it can, and JSX is told what to install")
  func nodeAlone() async throws {
    let node = try #require(try ReducerFiles.withNodeAlone(in: runner))
    let files = [
      (
        "src/store.mjs",
        """
        import './index.css';
        import { createStore } from 'redux';
        import data from './data.json';
        import counter from '@/counter.mjs';
        export const store = createStore(counter, data);
        """
      ), ("src/index.css", "a {}"), ("src/data.json", #"{ "n": 5 }"#),
      ("src/counter.mjs", Entry.counter), ("src/view.jsx", "export default () => <p/>;"),
    ]
    try await runner.inProject(files) { project in
      let host = "\(node) \(runner.folder)/retcon-host.mjs \(project)/src"
      let answer = await runner.run(
        "find", "$/export.json", "state.n >= 6", "--host", "\(host)/store.mjs")
      #expect(answer.status == .yes, "\(answer)")
      let view = await runner.run("verify", "$/export.json", "--host", "\(host)/view.jsx")
      #expect(
        view.messages.contains("view.jsx holds JSX: install esbuild or typescript in the project"),
        "\(view)")
    }
  }

  @Test(
    "action creators are examples of actions, with what they carry",
    .needs(.node, .esbuild))
  func creators() async throws {
    let text = """
      export const add = (by) => ({ type: 'add', by });
      export const drop = ({ id }) => ({ type: 'drop', id });
      export const later = () => (dispatch) => dispatch({ type: 'later' });
      export const typed = Object.assign((payload) => ({ type: 'typed', payload }), { type: 'typed' });
      export const reducer = (state = { n: 5 }, action) => state;
      """
    try await runner.inProject([("src/store.js", text)]) { project in
      let host = try host("\(project)/src/store.js")
      defer { host.end() }
      _ = try await HostedSession("\(runner.folder)/export.json", in: workFolder)
        .withStates(of: host)
      #expect(
        try await host.exampleActions() == [
          ["type": "add", "by": .null], ["type": "drop"], ["type": "typed", "payload": .null],
        ])
    }
  }

  @Test(
    "a saved file that was imported is a rebuilt host",
    .needs(.node, .esbuild))
  func watched() async throws {
    try await runner.inProject([("src/root.js", "import r from './counter'; export default r;")]) {
      project in
      let host = try host("\(project)/src/root.js")
      defer { host.end() }
      let session = try await HostedSession("\(runner.folder)/export.json", in: workFolder)
        .withStates(of: host)
      #expect(try session.reader.state(after: 3) == ["n": 7])
      #expect(!host.isNewlyRebuilt())
      FileSystem.remove("\(project)/src/counter.js")
      try FileSystem.write(
        Entry.counter.replacing("+ 1", with: "+ 100"), to: "\(project)/src/counter.js")
      // The first look only notes the change, which may be half written.
      #expect(!host.isNewlyRebuilt())
      #expect(host.isNewlyRebuilt())
    }
  }
}
