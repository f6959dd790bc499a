import Platform
import Samples
import TerminalDriver
import TestSupport
import Testing

@testable import RetconCommand

@Suite("A session as a test")
struct TestCommandTests {
  private let generated =
    String(#filePath.split(separator: "Tests/Program/RetconCommandTests")[0])
    + "Tests/Forks/ReplayTestingTests/Generated/"

  /// They stand among the tests of `ReplayTesting`, are compiled there, and pass.
  /// Without the name that each session has of its own.
  private static func whole(_ text: String) -> String {
    text.replacing(/"session":"[a-z0-9]+"/, with: "")
  }

  #if os(Linux)
    @Test(
      "the test of every sample's demo is the one that is committed",
      arguments: [
        ("counter", ["--name", "CounterTests"]), ("primes", ["--name", "PrimesTests"]),
        ("wishes", ["--name", "WishesTests"]),
        ("wishes", ["--name", "WishesXCTests", "--as", "xctest"]),
        ("primes", ["--name", "PrimesStepsTests", "--as", "steps", "--range", "1..10"]),
        ("wishes", ["--name", "WishesStepsXCTests", "--as", "steps,xctest", "--range", "3..21"]),
        ("counter", ["--name", "CounterReplayTests", "--as", "replay"]),
        ("counter", ["--name", "CounterReplayXCTests", "--as", "xctest,replay"]),
      ])
    func committed(name: String, words: [String]) async throws {
      let runner = try CommandRunner()
      let sample = try #require(Samples.named(name))
      await sample.recordDemo(to: "\(runner.folder)/\(name).retcon")
      let answer = await runner.run(
        [
          "test", "$/\(name).retcon", "--host",
          "'\(BuiltProgram.path("retcon"))' serve-sample \(name)", "-o", "$/\(words[1]).swift",
        ] + words)
      #expect(answer.status == .yes, "\(answer.messages)")
      for file in namesInFolder(runner.folder) where file.hasPrefix(words[1]) {
        #expect(
          try Self.whole(runner.text(of: "$/\(file)"))
            == Self.whole(CommandRunner.text(ofFile: generated + file)))
      }
    }
  #endif

  private static let reducer = """
    const total = (items) => items.reduce((sum, price) => sum + price, 0);
    export default (state = { items: [], total: 0 }, action) => {
      switch (action.type) {
        case 'added': {
          const items = [...state.items, action.price];
          return { items, total: total(items) };
        }
        case 'coupon': return { ...state, total: state.total - action.amount };
        default: return state;
      }
    };
    """
  private static let session = """
    {"payload":"[{\\"type\\":\\"added\\",\\"price\\":12},{\\"type\\":\\"coupon\\",\\"amount\\":20}]"}
    """

  @Test("for JavaScript it is a test of node, which passes, or is red as long as a rule is broken")
  func node() async throws {
    let runner = try CommandRunner()
    _ = try runner.write(Self.reducer, as: "cart.mjs")
    _ = try runner.write(Self.session, as: "export.json")
    let whole = await runner.run(
      "test", "$/export.json", "--reducer", "$/cart.mjs", "-o", "$/whole.test.mjs")
    #expect(whole.messages.hasSuffix(" it\n$/whole.test.mjs: 2 steps\n"), "\(whole)")
    #expect(
      try runner.text(of: "$/whole.test.mjs") == #"""
        import test from 'node:test';
        import { replay } from './retcon-load.mjs';

        test("export.json, steps 1 to 2", async () => {
          const run = await replay(import.meta, "./cart.mjs", {"items":[],"total":0});
          run.step({"type":"added","price":12}, { "/items": [12], "/total": 12 });
          run.step({"type":"coupon","amount":20}, { "/total": -8 });
        });

        """#)
    let broken = await runner.run(
      "test", "$/export.json", "--reducer", "$/cart.mjs", "--rule", "state.total >= 0", "-o",
      "$/rule.test.mjs")
    #expect(broken.status == .yes)
    #expect(try status(of: "whole.test.mjs", runner) == 0)
    #expect(try status(of: "rule.test.mjs", runner) != 0)
    unlink("\(runner.folder)/cart.mjs")
    _ = try runner.write(
      Self.reducer.replacing("state.total - action.amount", with: "Math.max(0, state.total - 20)"),
      as: "cart.mjs")
    #expect(try status(of: "whole.test.mjs", runner) != 0)
    #expect(try status(of: "rule.test.mjs", runner) == 0)
  }

  @Test(
    "a test expects the error of a step, and leaves out those that did not run after it",
    .needs(.node))
  func errors() async throws {
    let runner = try CommandRunner()
    try runner.writeCounter(#"{"type":"add"}"#, #"{"type":"nothing"}"#, #"{"type":"add"}"#)
    let answer = await runner.run(
      "test", "$/export.json", "--reducer", "$/counter.mjs", "-o", "$/a.test.mjs")
    #expect(answer.status == .yes, "\(answer)")
    #expect(
      answer.messages.hasSuffix("\n$/a.test.mjs: 2 steps, without 1 step that did not run\n"),
      "\(answer)")
    let text = try runner.text(of: "$/a.test.mjs")
    #expect(text.contains("steps 1 to 2\""), "\(text.suffix(400))")
    #expect(text.hasSuffix("  run.fails({\"type\":\"nothing\"});\n});\n"), "\(text.suffix(400))")
    #expect(try status(of: "a.test.mjs", runner) == 0)
    let counter = ReducerFiles.counter.replacing("return undefined", with: "return state")
    FileSystem.remove("\(runner.folder)/counter.mjs")
    _ = try runner.write(counter, as: "counter.mjs")
    #expect(try status(of: "a.test.mjs", runner) != 0)
  }

  @Test("in a test, __proto__ is a key like any other", .needs(.node))
  func prototype() async throws {
    let runner = try CommandRunner()
    let reducer = try runner.write(
      "export default (s = {}, a) => a.type === 'set' ? { ...s, [a.k]: a.v } : s;", as: "set.mjs")
    let sets = [#""a","v":{"__proto__":{"x":1}}"#, #""__proto__","v":2"#, #""__proto__","v":3"#]
    let lines = sets.map { #"{"action":{"type":"set","k":\#($0)}}"# + "\n" }
    let file = try runner.write(lines.joined(), as: "a.jsonl")
    let answer = await runner.run("test", file, "--reducer", reducer, "-o", "$/a.test.mjs")
    #expect(answer.status == .yes, "\(answer)")
    #expect(try status(of: "a.test.mjs", runner) == 0)
  }

  @Test(
    "a test of a store in TypeScript runs in a folder of its own, and sees what was saved",
    .needs(.node, .esbuild))
  func loaded() async throws {
    let runner = try CommandRunner()
    try runner.writeCounter(#"{"type":"add"}"#, #"{"type":"add"}"#)
    for folder in ["src", "tests"] { mkdir("\(runner.folder)/\(folder)", 0o700) }
    defer {
      _ = try? Subprocess.run("/bin/rm", ["-r", "\(runner.folder)/src", "\(runner.folder)/tests"])
    }
    let store = """
      import { createStore } from 'redux';
      export const store = createStore((state: { n: number } = { n: 5 }, action: { type: string }) =>
        (action.type === 'add' ? { n: state.n + 1 } : state));
      """
    _ = try runner.write(store, as: "src/store.ts")
    let answer = await runner.run(
      "test", "$/export.json", "--reducer", "$/src/store.ts#store", "-o", "$/tests/a.test.mjs")
    #expect(answer.status == .yes, "\(answer)")
    let text = try runner.text(of: "$/tests/a.test.mjs")
    #expect(text.contains(#"replay(import.meta, "../src/store.ts#store", "#), "\(text)")
    #expect(try status(of: "tests/a.test.mjs", runner) == 0)
    FileSystem.remove("\(runner.folder)/src/store.ts")
    _ = try runner.write(store.replacing("n + 1", with: "n + 2"), as: "src/store.ts")
    #expect(try status(of: "tests/a.test.mjs", runner) != 0)
  }

  @Test(
    "for jest and vitest, a store is dispatched to",
    .needs(.node), arguments: ["jest", "vitest"])
  func frameworks(kind: String) async throws {
    let runner = try CommandRunner()
    try runner.writeCounter(#"{"type":"add"}"#, #"{"type":"add"}"#)
    let isJest = kind == "jest"
    let reducer = isJest ? "counter.cjs" : "counter.mjs"
    let common = ReducerFiles.counter.replacing("export default", with: "module.exports =")
    if isJest { _ = try runner.write(common, as: reducer) }
    let store = """
      let state = { count: 0, list: [] };
      const store = {
        getState: () => state, dispatch: (action) => { state = { ...state, count: state.count + 1 }; },
      };
      \(isJest ? "exports.store = store;" : "export { store };")
      """
    let file = isJest ? "store.cjs" : "store.mjs"
    _ = try runner.write(store, as: file)
    let test = isJest ? "store.test.cjs" : "store.test.mjs"
    let answer = await runner.run(
      "test", "$/export.json", "--reducer", "$/\(reducer)", "--as", kind, "-o", "$/\(test)")
    #expect(answer.status == .yes, "\(answer)")
    // Neither is here: what the test calls is its interface.
    let frame = """
      import { isDeepStrictEqual } from 'node:util';
      export const expect = (value) => ({
        toEqual: (other) => { if (!isDeepStrictEqual(value, other)) throw new Error('differs'); },
      });
      export const test = (name, body) => body();
      """
    _ = try runner.write(frame, as: "frame.mjs")
    let written = try runner.text(of: "$/\(test)").replacing(reducer, with: file)
    #expect(written.split(separator: "\n").count <= 10, "\(written)")
    #expect(answer.messages.hasPrefix("$/retcon-steps.\(isJest ? "cjs" : "mjs") is written: "))
    #expect(written.contains(isJest ? "require(" : "from 'vitest'"))
    FileSystem.remove("\(runner.folder)/\(test)")
    _ = try runner.write(written.replacing("'vitest'", with: "'./frame.mjs'"), as: test)
    _ = try runner.write(
      "Object.assign(globalThis, await import('./frame.mjs')); await import('./\(test)');",
      as: "run.mjs")
    let run = { try Subprocess.run("node", ["\(runner.folder)/run.mjs"], input: "") }
    #expect(try run() == 0)
    FileSystem.remove("\(runner.folder)/\(file)")
    _ = try runner.write(store.replacing("count + 1", with: "count + 2"), as: file)
    #expect(try run() != 0)
  }

  /// The only reducer of a module, in CommonJS or as an ES module.
  private func writeOneReducer(_ file: String, by: Int, _ runner: CommandRunner) throws {
    let export = file.hasSuffix(".cjs") ? "exports.counterReducer" : "export const counterReducer"
    FileSystem.remove("\(runner.folder)/\(file)")
    _ = try runner.write(
      """
      \(export) = (state = { count: 0 }, action) =>
        action.type === 'add' ? { count: state.count + \(by) } : state;
      """, as: file)
  }

  @Test("a module's only reducer is the whole state", .needs(.node))
  func onlyReducer() async throws {
    let runner = try CommandRunner()
    try runner.writeCounter(#"{"type":"add"}"#)
    for file in ["one.cjs", "one.mjs"] {
      try writeOneReducer(file, by: 1, runner)
      let answer = await runner.run(
        "test", "$/export.json", "--reducer", "$/\(file)", "-o", "$/\(file).test.mjs")
      #expect(answer.status == .yes, "\(answer)")
      #expect(try runner.text(of: "$/\(file).test.mjs").contains(#", {"count":0});"#))
      #expect(try status(of: "\(file).test.mjs", runner) == 0)
    }
  }

  @Test(
    "jest runs what is written for it", .needs(.node, .jest),
    arguments: [
      ("one.cjs", "one.test.js", "{}"), ("one.mjs", "one.test.mjs", "{}"),
      ("one.js", "one.test.js", #"{"type":"module"}"#),
    ])
  func jest(file: String, test: String, package: String) async throws {
    let runner = try CommandRunner()
    try runner.writeCounter(#"{"type":"add"}"#, #"{"type":"add"}"#)
    try writeOneReducer(file, by: 1, runner)
    _ = try runner.write(package, as: "package.json")
    let answer = await runner.run(
      "test", "$/export.json", "--reducer", "$/\(file)", "--as", "jest", "-o", "$/\(test)")
    #expect(answer.status == .yes, "\(answer)")
    let run = {
      try Subprocess.run(
        "/bin/sh",
        [
          "-c",
          "cd '\(runner.folder)' && NODE_OPTIONS=--experimental-vm-modules "
            + "exec jest --rootDir . --testMatch '**/\(test)' >/dev/null 2>&1",
        ])
    }
    #expect(try run() == 0)
    try writeOneReducer(file, by: 2, runner)
    #expect(try run() != 0)
  }

  @Test(
    "a test is a module where its runner takes it for one",
    .needs(.node, .esbuild),
    arguments: [
      ("jest", "{}", "a.test.js", "const app = { default: require(\"./one.ts\")"),
      ("jest", #"{"type":"module"}"#, "a.test.js", "// Jest runs ES modules with"),
      ("jest", #"{"type":"module"}"#, "a.test.cjs", "const app = { default: require("),
      ("jest", "{}", "a.test.ts", "// @ts-nocheck\nimport * as app from \"./one.ts\";"),
      ("vitest", "{}", "a.test.ts", "// @ts-nocheck\nimport { expect, test } from 'vitest';"),
    ])
  func forms(kind: String, package: String, test: String, start: String) async throws {
    let runner = try CommandRunner()
    try runner.writeCounter(#"{"type":"add"}"#)
    _ = try runner.write(package, as: "package.json")
    _ = try runner.write(
      "export const n = (state: number = 0, action: { type: string }) => state + 1;", as: "one.ts")
    let answer = await runner.run(
      "test", "$/export.json", "--reducer", "$/one.ts", "--as", kind, "-o", "$/\(test)")
    #expect(answer.status == .yes, "\(answer)")
    let text = try runner.text(of: "$/\(test)")
    #expect(text.hasPrefix(start), "\(text.prefix(200))")
    #expect(text.contains("require(") != text.contains("import * as"))
  }

  @Test("a test that nobody would read says how long it is, and what makes it shorter")
  func long() async throws {
    let runner = try CommandRunner()
    _ = try runner.write(Self.reducer, as: "cart.mjs")
    let session = String(repeating: #"{"type":"added","price":1}"# + "\n", count: 1200)
    _ = try runner.write(session, as: "cart.jsonl")
    let test = ["test", "$/cart.jsonl", "--reducer", "$/cart.mjs"]
    let answer = await runner.run(test)
    #expect(
      answer.messages.hasSuffix(
        "lines for 1,200 steps. --range takes some of the steps; retcon minimize finds the few that "
          + "show a bug\n"), "\(answer.messages)")
    #expect(await runner.run(test + ["--range", "1..9"]).messages == "")
  }

  #if os(Linux)
    @Test("a part of a fork is replayed as that part")
    func partOfFork() async throws {
      let runner = try CommandRunner()
      let file = await runner.recordCounter()
      let host = ["--host", "'\(BuiltProgram.path("retcon"))' serve-sample counter"]
      _ = await runner.run(["fork", "\(file)@2", "--skip", "--name", "one less"] + host)
      let answer = await runner.run(
        ["test", "\(file)@one less", "--as", "replay", "-r", "2..5", "-o", "$/Part.swift"] + host)
      #expect(
        answer
          == .init(status: .yes, messages: "$/Part.retcon: 4 steps\n$/Part.swift: 4 steps\n"))
      let part = await runner.run(["verify", "$/Part.retcon"] + host)
      #expect(part.data == "$/Part.retcon: 4 steps were run again, all as recorded.\n")
    }

    @Test("a test of two files that cannot be written leaves none of them behind")
    func halfWritten() async throws {
      let runner = try CommandRunner()
      let file = await runner.recordCounter()
      let test = try runner.write("mine", as: "CounterTests.swift")
      let answer = await runner.run(
        "test", file, "--host", "'\(BuiltProgram.path("retcon"))' serve-sample counter", "--as",
        "replay", "-o", test)
      #expect(answer.status == .trouble)
      #expect(
        answer.messages.hasSuffix(
          "retcon: $/CounterTests.swift: a file of this name exists. Choose another name or remove "
            + "it first.\n"), "\(answer)")
      #expect(try runner.text(of: test) == "mine")
      #expect(
        namesInFolder(runner.folder).sorted() == ["CounterTests.swift", "counter.retcon"])
      _ = try Subprocess.run(
        "sh",
        [
          "-c",
          "cd '\(runner.folder)' && ulimit -f 4 && '\(BuiltProgram.path("retcon"))' test "
            + "counter.retcon -o full.swift 2>talk",
        ], input: "")
      #expect(
        try runner.text(of: "$/talk").hasSuffix(
          "retcon: full.swift: File too large; nothing was written.\n"))
      #expect(!FileSystem.exists("\(runner.folder)/full.swift"))
    }
  #endif

  private func status(of file: String, _ runner: CommandRunner) throws -> Int32 {
    try Subprocess.run("node", ["--test", "\(runner.folder)/\(file)"], input: "")
  }

  @Test(
    "what cannot be written says what is missing",
    arguments: [
      (
        ["--as", "mocha"],
        "there is no kind of test named mocha. Write --as testing, xctest, steps, replay, node, "
          + "jest, vitest, pytest, or two: steps,xctest."
      ),
      (
        ["--as", "steps"],
        "step 8 is sent while “fact” runs, which a list of steps cannot say. "
          + "Write --as testing, or another --range."
      ),
      (
        ["--as", "steps", "--range", "9..9"],
        "“timer” still runs after step 9, which a list of steps cannot say. "
          + "Write --as testing, or another --range."
      ),
      (
        ["--as", "replay", "--rule", "state.count < 3"],
        "a test of the kind replay states all that happened, and one with --rule nothing but the rule. "
          + "Leave out --rule, or write --as testing."
      ),
      (
        ["--as", "replay"],
        "a test of the kind replay is several files, and stands in a folder. "
          + "Write -o Tests/AppTests/CounterTests.swift."
      ),
      (
        ["--as", "node"],
        "a test for node needs the reducer's file. Add --reducer FILE.js."
      ),
      (
        ["--rule", "state.count > -100"],
        "the rule holds at all of these steps: there is no bug to write down. "
          + "Leave out the rule for a test of what is right."
      ),
    ])
  func refused(words: [String], message: String) async throws {
    let runner = try CommandRunner()
    let file = await runner.recordCounter()
    let answer = await runner.run(
      ["test", file, "--host", "'\(BuiltProgram.path("retcon"))' serve-sample counter"] + words)
    #expect(answer.status == .trouble)
    #expect(answer.messages == "retcon: \(message)\n")
  }
}
