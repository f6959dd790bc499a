import HostProtocol
import Platform
import SessionFile
import SessionImports
import SessionWords
import TerminalDriver
import TestSupport
import Testing
import TimeTravel
import ValueTree

@testable import RetconCommand

@Suite("A reducer in JavaScript", .needs(.node))
struct ReducerOptionTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  /// The export opened with the counter, or an export of its file.
  private func opened(
    _ reducer: String = "counter.mjs", onRun: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> HostedSession {
    let environment = ["PATH": environmentVariable("PATH") ?? ""]
    let workFolder = WorkFolder(environment)
    let arguments = try ParsedArguments(
      ["--reducer", "\(runner.folder)/\(reducer)"], for: HostOptions.declarations)
    let options = try HostOptions(arguments)
    let command = try #require(try options.reducer?.command(in: workFolder, environment))
    let host = HostConnection(command, engine: ThinHost.engine)
    defer { host.end() }
    return try await HostedSession("\(runner.folder)/export.json", in: workFolder)
      .withStates(of: host, onRun: onRun)
  }

  @Test("an export of bare actions gets its states, and says who computed them")
  func states() async throws {
    try runner.writeCounter(#"{"type":"add","by":2}"#, #"{"type":"add"}"#)
    let counts = Locked<[Int]>([])
    let session = try await opened { count in counts.withLock { $0.append(count) } }
    #expect(counts.withLock { $0 } == [0, 1, 2])
    #expect(try session.reader.state(after: 0) == ["count": 0, "list": []])
    #expect(try session.reader.state(after: 2) == ["count": 3, "list": []])
    #expect(session.reader.header.origin?.statesBy == "counter.mjs")
    #expect(session.reader.header.origin?.format == "Redux DevTools")
  }

  @Test(
    "a reducer is found in what a file exports",
    arguments: [
      ("named.mjs", "export function counterReducer(state = { count: 5 }) { return state; }"),
      ("slice.mjs", "export default { name: 's', reducer: (state = { count: 5 }) => state };"),
      ("chosen.mjs#second", "export const first = 1, second = (state = { count: 5 }) => state;"),
      ("plain.js", "export default (state = { count: 5 }) => state;"),
      ("common.cjs", "module.exports = (state = { count: 5 }) => state;"),
      ("initial.mjs", "export const initialState = { count: 5 }; export default (state) => state;"),
      (
        "store.cjs",
        "module.exports = require('redux').createStore((state = { count: 5 }) => state);"
      ),
      (
        "store.mjs#store",
        "import { createStore } from 'redux'; export const store = createStore((s = { count: 5 }) => s);"
      ),
      (
        "bundled.mjs", "import { start } from './part'; export default (s = { count: start }) => s;"
      ),
    ])
  func exports(file: String, text: String) async throws {
    try runner.writeCounter(#"{"type":"add"}"#)
    for folder in ["node_modules", "node_modules/redux"] {
      mkdir("\(runner.folder)/\(folder)", 0o700)
    }
    defer {
      unlink("\(runner.folder)/node_modules/redux/index.js")
      rmdir("\(runner.folder)/node_modules/redux")
      rmdir("\(runner.folder)/node_modules")
    }
    try FileSystem.write(
      ReducerFiles.redux, to: "\(runner.folder)/node_modules/redux/index.js")
    _ = try runner.write("export const start = 5;", as: "part.js")
    _ = try runner.write(#"{"type":"module"}"#, as: "package.json")
    _ = try runner.write(text, as: String(file.prefix { $0 != "#" }))
    #expect(try await opened(file).reader.state(after: 1)["count"] == 5)
  }

  @Test("a map of reducers is combined")
  func combined() async throws {
    try runner.writeCounter(#"{"type":"add"}"#)
    _ = try runner.write(
      """
      import counter from './counter.mjs';
      export default { one: counter, other: (state = 0, action) => state + 1 };
      """, as: "map.mjs")
    #expect(
      try await opened("map.mjs").reader.state(after: 1)
        == ["one": ["count": 1, "list": []], "other": 2])
  }

  @Test("--state is the first state of a session that has none")
  func firstState() async throws {
    try runner.writeCounter(#"{"type":"add"}"#)
    let state = try runner.write(#"{"count":40}"#, as: "state.json")
    let answer = await runner.frame("--reducer", "$/counter.mjs", "--state", state)
    #expect(answer.data.contains("40 → 41"), "\(answer)")
    #expect(answer.messages.isEmpty, "\(answer.messages)")
  }

  @Test("values that JSON has no words for are shown as an import shows them")
  func richValues() async throws {
    try runner.writeCounter(#"{"type":"rich"}"#)
    #expect(
      try await opened().reader.state(after: 1) == [
        "count": 0, "list": [], "date": "1970-01-01T00:00:00.000Z", "map": ["a": 1],
        "pairs": [[1, 2]], "set": [3], "holes": [.null], "symbol": "Symbol(x)",
        "notANumber": "NaN", "big": "12n", "pattern": "/a+/g", "error": "Error: no",
        "call": "[Function call]",
      ])
  }

  @Test("an error of the reducer ends its step in JavaScript's own words, with the place")
  func error() async throws {
    try runner.writeCounter(
      #"{"type":"add"}"#, #"{"type":"boom","payload":{}}"#, #"{"type":"add"}"#)
    let session = try await opened()
    let words = try #require(try session.reader.step(2).error)
    #expect(
      words.hasPrefix(
        "TypeError: Cannot read properties of undefined (reading 'deep') at counter (file:///"))
    #expect(words.hasSuffix("/counter.mjs:5:67)"), "\(words)")
    #expect(try session.reader.state(after: 1) == ["count": 1, "list": []])
    #expect(try session.reader.step(3).error == "not computed: step 2 failed")
    let steps = await runner.run("steps", "$/export.json", "--reducer", "$/counter.mjs")
    #expect(steps.data.count { $0 == "✗" } == 1, "\(steps)")
    let open = OpenSession(SessionRecording(session.reader))
    #expect(try await open.errors(in: 1...3, of: .main) == [2])
    #expect(try session.reader.state(after: 2)["count"] == 1)
    #expect((try? session.reader.state(after: 3)) == nil)
    let answer = await runner.run("verify", "$/export.json", "--reducer", "$/counter.mjs")
    #expect(answer.status == .no)
    #expect(answer.data.contains("step 2  boom: crash"), "\(answer)")
  }

  @Test(
    "what a reducer does beside its work harms nobody",
    arguments: [
      ("chatty", 2), ("exit", nil), ("nothing", nil),
    ] as [(String, Int?)])
  func manners(action: String, count: Int?) async throws {
    try runner.writeCounter(#"{"type":"add"}"#, #"{"type":"\#(action)"}"#, #"{"type":"add"}"#)
    let session = try await opened()
    #expect(try session.reader.state(after: 1)["count"] == 1)
    if let count {
      #expect(try session.reader.state(after: 3)["count"] == .number(Number(count)))
    } else {
      #expect(try session.reader.step(2).error != nil)
    }
  }

  @Test(
    "a reducer that changes its state in place is given copies, and a fork is true all the same")
  func mutation() async throws {
    try runner.writeCounter(
      #"{"type":"mutate","by":1}"#, #"{"type":"add"}"#, #"{"type":"mutate","by":2}"#)
    let session = try await opened()
    #expect(try session.reader.state(after: 0) == ["count": 0, "list": []])
    #expect(try session.reader.state(after: 1) == ["count": 0, "list": [1]])
    #expect(try session.reader.state(after: 3) == ["count": 1, "list": [1, 2]])
    let words = "the reducer changes the state that it is given in place"
    #expect(
      session.remarks == [
        "step 1: \(words), at /list: it was given a copy",
        "step 3: \(words), at /list: it was given a copy",
      ])
    let answer = await runner.run("verify", "$/export.json", "--reducer", "$/counter.mjs")
    #expect(answer.data.contains("\(words), first at step 1, at /list: it was given a copy"))
  }

  @Test(
    "a date or a random number that is read inside the reducer is found",
    arguments: ["random", "today"])
  func nondeterminism(action: String) async throws {
    try runner.writeCounter(#"{"type":"\#(action)"}"#, #"{"type":"add"}"#)
    let answer = await runner.run("verify", "$/export.json", "--reducer", "$/counter.mjs")
    #expect(answer.status == .no)
    #expect(answer.data.contains("step 1  \(action): the reducer is nondeterministic"), "\(answer)")
  }

  @Test("a reducer that asks for the class of a date does the same on the second date")
  func classOfDates() async throws {
    try runner.writeCounter(#"{"type":"add"}"#, #"{"type":"add"}"#)
    _ = try runner.write(
      """
      export default (n = 0, { type }) =>
        (type === 'add' && new Date(5) instanceof Date && typeof Date() === 'string' ? n + 1 : n);
      """, as: "dates.mjs")
    let answer = await runner.run("verify", "$/export.json", "--reducer", "$/dates.mjs")
    #expect(answer.data.hasSuffix("only two runs of each step were compared.\n"), "\(answer)")
    let state = await runner.run("state", "$/export.json", "--reducer", "$/dates.mjs")
    #expect(state.data == "2\n", "\(state)")
  }

  @Test("what is wrong with the file is said in a sentence")
  func sentences() async throws {
    try runner.writeCounter(#"{"type":"add"}"#)
    let missing = await runner.run("verify", "$/export.json", "--reducer", "$/none.mjs")
    #expect(
      missing.messages
        == "retcon: there is no file $/none.mjs. Write --reducer FILE.js, or FILE.js#NAME "
        + "for an export of that name.\n")
    let name = await runner.run("verify", "$/export.json", "--reducer", "$/counter.mjs#other")
    #expect(name.messages.contains("exports no “other”: it exports default"), "\(name)")
    _ = try runner.write("this is no program", as: "bad.mjs")
    let bad = await runner.run("verify", "$/export.json", "--reducer", "$/bad.mjs")
    #expect(bad.messages.contains("bad.mjs cannot be loaded: SyntaxError: "), "\(bad)")
    let both = await runner.run(
      "verify", "$/export.json", "--reducer", "$/counter.mjs", "--host", "x")
    #expect(both.messages.contains("a session has one reducer, and several are named"))
    let alone = await runner.run("verify", "$/export.json", "--state", "$/export.json")
    #expect(alone.messages.contains("--state needs --reducer"))
    let old = await runner.run("open", "$/export.json", "--reducer", "$/export.json")
    #expect(
      old.messages.contains("cannot be loaded") || old.messages.contains("has no reducer"), "\(old)"
    )
  }

  private func writeTypes() throws {
    try runner.writeCounter(#"{"type":"add","by":2}"#)
    _ = try runner.write(
      """
      import type { Action } from './action';
      import { start } from './start';
      type State = { count: number };
      export default function cart(state: State = { count: start }, action: Action): State {
        return { count: state.count + ((action.by as number | undefined) ?? 0) };
      }

      """, as: "cart.ts")
    _ = try runner.write("export const start: number = 5;\n", as: "start.ts")
    _ = try runner.write("export type Action = { type: string; by?: number };\n", as: "action.ts")
  }

  @Test(
    "a file in TypeScript is run, with what it imports",
    .enabled(
      if: ReducerFiles.hasNodeForTypes || Need.esbuild.isMet,
      "this node does not strip types (22.18 does), and there is no esbuild"))
  func typeScript() async throws {
    try writeTypes()
    let answer = await runner.frame("--reducer", "$/cart.ts")
    #expect(answer.data.contains("5 → 7"), "\(answer)")
    #expect(answer.messages.isEmpty)
  }

  @Test(
    "where node does not strip types, the sentence says what can be done",
    .enabled(
      if: !ReducerFiles.hasNodeForTypes, "this node strips types"))
  func noTypeScript() async throws {
    try writeTypes()
    let node = try #require(try ReducerFiles.withNodeAlone(in: runner))
    let answer = await runner.run(
      ["verify", "$/export.json", "--host", "\(node) $/retcon-host.mjs $/cart.ts"]
        .map { $0.replacing("$", with: runner.folder) })
    #expect(answer.messages.contains("cart.ts is TypeScript, and node "), "\(answer)")
    #expect(
      answer.messages.contains(
        " does not strip types: install esbuild or typescript in the project, or use node 22.18 "
          + "or newer"), "\(answer)")
  }

  @Test("without node the sentence says what to install")
  func noNode() throws {
    try runner.writeCounter(#"{"type":"add"}"#)
    let arguments = try ParsedArguments(
      ["--reducer", "\(runner.folder)/counter.mjs"], for: HostOptions.declarations)
    let reducer = try #require(try ReducerFile(arguments))
    let environment = ["PATH": "\(runner.folder)"]
    let error = #expect(throws: UsageError.self) {
      _ = try reducer.command(in: WorkFolder(environment), environment)
    }
    #expect(error?.what == "--reducer needs node 18 or newer, and there is no node in the PATH")
  }

  @Test("a file without states is not said to be as recorded")
  func nothingCompared() async throws {
    try runner.writeCounter(#"{"type":"add"}"#)
    let answer = await runner.run("verify", "$/export.json", "--reducer", "$/counter.mjs")
    #expect(answer.status == .trouble)
    #expect(
      answer.data.hasSuffix(
        "the file holds no states, so only two runs of each step were compared.\n"),
      "\(answer)")
  }

  @Test("without a reducer the pane says why there is no state, and what to type")
  func advice() async throws {
    try runner.writeCounter(#"{"type":"add"}"#)
    let answer = await runner.frame()
    #expect(answer.data.contains("The file has no state here"), "\(answer)")
    #expect(answer.data.contains("retcon $/export.json --reducer FILE.js"), "\(answer)")
  }
}

@Suite(
  "The samples of Redux DevTools",
  .needs(.node, .samples))
struct ReducerSampleTests {
  private let reducer = SampleFiles.path("redux-shop.reducer.mjs")

  @Test(
    "what the reducer computes is what Redux DevTools computed, for every entry",
    arguments: ["redux-shop.lifted.json", "redux-shop.lifted-refs.json"])
  func lifted(name: String) async throws {
    let runner = try CommandRunner()
    let answer = await runner.run(
      "verify", SampleFiles.path(name), "--reducer", reducer, "--all")
    #expect(answer.status == .yes)
    #expect(answer.data.hasSuffix(": 602 steps were run again, all as recorded.\n"), "\(answer)")
  }

  @Test("so it is for bare actions, once the two are left out that the other form has skipped")
  func bareActions() async throws {
    let environment = ["PATH": environmentVariable("PATH") ?? ""]
    let workFolder = WorkFolder(environment)
    let arguments = try ParsedArguments(["--reducer", reducer], for: HostOptions.declarations)
    let command = try #require(
      try ReducerFile(arguments)?.command(in: workFolder, environment))
    let host = HostConnection(command, engine: ThinHost.engine)
    defer { host.end() }
    let lifted = try SessionOpener.standard.open(SampleFiles.path("redux-shop.lifted.json"))
    let bare = try await HostedSession(
      SampleFiles.path("redux-shop.default.json"), in: workFolder
    ).withStates(of: host)
    try await host.load(bare.path, as: bare.reader)
    #expect(bare.reader.stepCount == 602)
    for step in 0...16 {
      #expect(try bare.reader.state(after: step) == lifted.state(after: step), "step \(step)")
    }
    try await takeBackIn(lifted, bare, host)
    try await host.load(bare.path, as: bare.reader)
    let script = Script(leavesAt: 16, edits: [.skip(step: 17), .skip(step: 120)])
    let branch = BranchPath("as it was", script)
    let told = Locked<[BranchStep]>([])
    _ = try await host.run(RunRequest(branch: branch, from: 17)) { step in
      told.withLock { $0.append(step) }
    }
    var state = try bare.reader.state(after: 16)
    let steps = told.withLock { $0 }
    #expect(steps.count == 584)
    for step in steps {
      state = try Patch(try #require(step.patch)).applied(to: state)
      let beside = try #require(step.descendsFrom)
      #expect(state == (try lifted.state(after: beside)), "step \(beside)")
      // The file does not name the sender of an action, so Retcon cannot know what would have been
      // sent.
      #expect(step.standing.values == .assumed)
    }
  }

  /// The step that the author skipped is run when it is replaced, be it by its own action.
  private func takeBackIn(
    _ lifted: SessionReader, _ bare: HostedSession, _ host: HostConnection
  ) async throws {
    let path = SampleFiles.path("redux-shop.lifted.json")
    let hosted = try HostedSession(path, in: WorkFolder([:]))
    try await host.load(hosted.path, as: hosted.reader)
    let step = try lifted.step(17)
    #expect(step.isSkipped)
    let script = Script(leavesAt: 16, edits: [.replace(step: 17, action: step.action)])
    let branch = BranchPath("taken back in", script)
    #expect(try await host.state(of: branch, after: 17) == bare.reader.state(after: 17))
    #expect(try await host.state(of: .main, after: 17) == lifted.state(after: 16))
  }
}
