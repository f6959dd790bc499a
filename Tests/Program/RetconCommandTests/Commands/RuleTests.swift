import Platform
import Samples
import TerminalDriver
import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

@Suite("A rule in a test")
struct RuleTests {
  @Test(
    "a rule means the same in JavaScript", .needs(.node),
    arguments: [
      (
        "state.total >= 0",
        [
          #"{"total":-1}"#, #"{"total":null}"#, #"{"total":"5"}"#, #"{"total":[]}"#, "{}",
          #"{"total":true}"#, #"{"total":0}"#, #"{"total":2.5}"#,
        ]
      ),
      (
        "!state.error",
        [#"{"error":""}"#, #"{"error":0}"#, #"{"error":null}"#, #"{"error":false}"#, "{}"]
      ),
      (
        "state.name",
        ["{}", #"{"name":null}"#, #"{"name":false}"#, #"{"name":"b"}"#, #"{"name":""}"#]
      ),
      (
        "state['a'] != state.b",
        [
          #"{"a":[1],"b":[1]}"#, #"{"a":{"x":1,"y":2},"b":{"y":2,"x":1}}"#, "{}",
          #"{"a":null,"b":null}"#, #"{"a":[1],"b":[2]}"#, #"{"a":[],"b":{}}"#, #"{"a":null}"#,
        ]
      ),
      (
        "(state.a<state.b||state.a <= 'b' && 0 == state.n)",
        [
          #"{"a":"😀","b":"～"}"#, #"{"a":"～","b":"😀"}"#, #"{"a":"b","n":0}"#, #"{"a":"c","n":0}"#,
          #"{"a":1,"b":"2"}"#, #"{"a":"a","n":"0"}"#,
        ]
      ),
      (
        "state.modal.open != true",
        [#"{"modal":{"open":true}}"#, #"{"modal":null}"#, "{}", #"{"modal":{"open":1}}"#]
      ),
      (
        "state.list.length == 2 || state.text[0] == 'a' || state.toString",
        [#"{"list":{"length":3}}"#, #"{"list":{"length":2}}"#, #"{"text":["a"]}"#, "[]"]
      ),
      (
        "length(state.items) < 2 && count(state..id) != 1",
        [
          #"{"items":[1,2]}"#, #"{"items":[]}"#, "{}", #"{"items":"😀"}"#,
          #"{"items":{"a":{"id":1}}}"#,
        ]
      ),
      (
        "state.items[?@.id == 7 && !@.gone].name",
        [
          #"{"items":[{"id":8,"name":"a"}]}"#, #"{"items":[{"id":7,"name":"a"}]}"#,
          #"{"items":[{"id":7,"gone":0,"name":"a"}]}"#, #"{"items":{"x":{"id":7,"name":1}}}"#,
        ]
      ),
      (
        "value(state.a[1:3]) == 2 || state.a[-1] == 9 || count(state.a[::-2]) == 3",
        ["[]", #"{"a":[1,2]}"#, #"{"a":[9,1,1]}"#, #"{"a":[0,0,9]}"#, #"{"a":[1,2,3,4,5]}"#]
      ),
      (
        "match(state.a, 'x.[a-z\\\\-]+') || search(state.a, '\\\\-\\\\.') "
          + "|| match(state.a, state.b)",
        [
          #"{"a":7}"#, #"{"a":"x1a-"}"#, #"{"a":"x\n1a"}"#, #"{"a":"1-.1"}"#,
          #"{"a":"12","b":"1."}"#, #"{"a":"12","b":"("}"#,
        ]
      ),
      (
        "sum(state.a[*]) == 3 || unique(state.b[*]) && sorted(state.b[*].n)",
        [
          #"{"a":[1,"x"],"b":[1,1]}"#, "{}", #"{"a":[1,2],"b":[1,1]}"#, #"{"b":["1",1,1.5]}"#,
          #"{"b":[{"n":2},{"n":1}]}"#, #"{"b":[{"n":1},{"n":2},{"n":2}]}"#,
          #"{"b":[{"n":"a"},{"n":"b"}]}"#,
        ]
      ),
      ("state[*][0, 'n'] || state.a.c > 2", [#"{"a":[]}"#, #"{"a":[1]}"#, #"{"a":{"n":1}}"#]),
    ])
  func rules(rule: String, states: [String]) async throws {
    let runner = try CommandRunner()
    _ = try runner.write(
      "export default (state = {}, { type }) => type === 'go' ? globalThis.next ?? \(states[0]) : state;",
      as: "app.mjs")
    _ = try runner.write(##"{"payload":"[{\"type\":\"go\"}]"}"##, as: "export.json")
    let answer = await runner.run(
      "test", "$/export.json", "--reducer", "$/app.mjs", "--rule", rule, "--as", "vitest", "-o",
      "$/rule.test.mjs")
    #expect(answer.status == .yes, "\(answer)")
    let written = try runner.text(of: "$/rule.test.mjs")
    #expect(written.contains(", \"the rule does not hold: "), "the failure names the rule")
    _ = try runner.write(
      written.replacing(/import .* from 'vitest';/, with: "const { expect, test } = globalThis;"),
      as: "ruled.mjs")
    _ = try runner.write(
      """
      import { writeFileSync } from 'node:fs';
      let isKept;
      globalThis.expect = (value) => ({ toEqual: (other) => { isKept = value === other; } });
      globalThis.test = (name, body) => body();
      const all = [];
      for (const state of [\(states.joined(separator: ","))]) {
        globalThis.next = state;
        await import(`./ruled.mjs?${all.length}`);
        all.push(isKept);
      }
      writeFileSync(new URL('kept.json', import.meta.url), JSON.stringify(all));
      """, as: "run.mjs")
    #expect(try Subprocess.run("node", ["\(runner.folder)/run.mjs"], input: "") == 0)
    let condition = try Condition(rule)
    let kept = try states.map { try condition.holds(for: ["state": Value(parsing: $0)]) }
    #expect(Set(kept).count == 2)
    #expect(
      try runner.text(of: "$/kept.json") == "[\(kept.map(String.init).joined(separator: ","))]")
  }

  @Test("a test with a rule has a line for each step, and one assertion")
  func short() async throws {
    let runner = try CommandRunner()
    let reducer = try runner.write(
      "export default (s = { total: 0 }, { by = 0 }) => ({ total: s.total - by });", as: "cart.mjs")
    let file = try runner.write(
      #"{"action":{"type":"add","by":-3}}"# + "\n" + #"{"action":{"type":"coupon","by":4}}"# + "\n",
      as: "cart.jsonl")
    let answer = await runner.run(
      "test", file, "--reducer", reducer, "--rule", "state.total >= 0", "-o", "$/rule.test.mjs")
    #expect(answer.status == .yes, "\(answer)")
    #expect(
      try runner.text(of: "$/rule.test.mjs") == #"""
        import assert from 'node:assert/strict';
        import test from 'node:test';
        import { replay } from './retcon-load.mjs';
        import { told, find, key, order } from './retcon-steps.mjs';

        // Fails until the reducer keeps the rule: state.total >= 0
        test("cart.jsonl, steps 1 to 2", async () => {
          const run = await replay(import.meta, "./cart.mjs", {"total":0});
          run.step({"type":"add","by":-3});
          run.step({"type":"coupon","by":4});
          const root = { state: told(run.state), label: "coupon" };
          assert.equal((order(find(root, [key("state")], [key("total")])[0], 0) >= 0), true, "the rule does not hold: state.total >= 0");
        });

        """#)
  }

  @Test("the length of a list is written as in JavaScript, and a word that a test lacks is named")
  func length() async throws {
    let runner = try CommandRunner()
    _ = try runner.write(
      "export default (s = { items: [] }, a) => ({ items: [...s.items, a.type] });", as: "app.mjs")
    _ = try runner.write(
      ##"{"payload":"[{\"type\":\"a\"},{\"type\":\"b\"}]"}"##, as: "export.json")
    func answer(_ rule: String) async -> CommandRunner.Answer {
      await runner.run("test", "$/export.json", "--reducer", "$/app.mjs", "--rule", rule)
    }
    let plain = await answer("state.items.length < 2")
    let called = await answer("length(state.items) < 2")
    #expect(plain.status == .yes && plain.data == called.data)
    #expect(plain.messages == called.messages && !plain.messages.contains("no state has"))
    #expect(
      plain.data.contains("export.json, step 1\"") && plain.data.contains("length(state.items) < 2")
    )
    #expect(await answer("action.type == 'a'").messages.contains("the rule asks about action,"))
    #expect(await answer("count($..a) == 0").messages.contains("the rule asks about $,"))
  }

  @Test("a rule that JavaScript cannot keep exactly is refused", .needs(.node))
  func inexactRule() async throws {
    let runner = try CommandRunner()
    try runner.writeCounter(#"{"type":"add"}"#)
    let answer = await runner.run(
      "test", "$/export.json", "--reducer", "$/counter.mjs", "--rule",
      "state.count > 9007199254740993")
    #expect(
      answer.messages
        == "retcon: JavaScript cannot hold the number 9007199254740993 exactly. "
        + "Write the rule with fewer digits, or check the session: retcon check.\n")
    #expect(answer.status == .trouble)
  }

  #if os(Linux)
    @Test("without a name the test is named as its file, and a rule's test tells no effect's fate")
    func named() async throws {
      let runner = try CommandRunner()
      await Samples.named("wishes")?.recordDemo(to: "\(runner.folder)/wishes.retcon")
      for (file, name) in [("RuleTests", "RuleTests"), ("Rule", "RuleTests")] {
        let answer = await runner.run(
          "test", "$/wishes.retcon", "--host",
          "'\(BuiltProgram.path("retcon"))' serve-sample wishes",
          "--rule", "!state.destination.submit.message", "-o", "$/\(file).swift")
        let text = try runner.text(of: "$/\(file).swift")
        #expect(answer.status == .yes && text.contains("struct \(name) {"), "\(answer)")
        #expect(!text.contains("store.receive("), "\(text)")
        #expect(text.contains("ifInFlight: .last(\"fetchWishes\", index: 1)"), "\(text)")
      }
    }
  #endif
}
