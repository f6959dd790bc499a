import TerminalDriver
import TestSupport
import Testing

@testable import RetconCommand

@Suite("A condition at each door")
struct ConditionDoorsTests {
  private let runner: CommandRunner

  init() throws {
    runner = try CommandRunner()
    _ = try runner.write(
      """
      {"state":{"items":[],"total":0}}
      {"label":"add","action":{"type":"add"},"state":{"items":[{"id":1,"quantity":2}],"total":4}}

      """, as: "cart.jsonl")
  }

  @Test(
    "a word that a step lacks gets the same refusal, with the right word",
    arguments: [
      ["find", "$/cart.jsonl"], ["steps", "$/cart.jsonl", "--where"],
      ["check", "$/cart.jsonl", "--rule"], ["test", "$/cart.jsonl", "--rule"],
      ["minimize", "$/cart.jsonl", "--until"], ["minimize", "$/cart.jsonl", "--rule"],
      ["why", "$/cart.jsonl", "--until"], ["explore", "$/cart.jsonl", "--rule"],
      ["trim", "$/cart.jsonl", "-o", "$/new.retcon", "--keep"],
      ["trim", "$/cart.jsonl", "-o", "$/new.retcon", "--drop"],
      ["report", "$/cart.jsonl", "-o", "$/new.html", "--rule"],
    ])
  func refusal(door: [String]) async {
    let answer = await runner.run(door + ["state.total > before.total"])
    #expect(
      answer.messages == """
        retcon: the condition is not understood:
        state.total > before.total
                      ^ “before” is none of the words that a step has.
        Did you mean “previous”?

        """)
    #expect(answer.status == .trouble)
    // A name of the state is found at each door, too.
    let named = await runner.run(door + ["totl > 3"])
    #expect(named.messages.contains("Did you mean “state.total”?"), "\(named)")
  }

  @Test(
    "a place that is nowhere in the session is said at once",
    arguments: [
      ["find", "$/cart.jsonl"], ["steps", "$/cart.jsonl", "--where"],
      ["check", "$/cart.jsonl", "--rule"], ["test", "$/cart.jsonl", "--rule"],
      ["trim", "$/cart.jsonl", "-o", "$/new.retcon", "--keep"],
      ["report", "$/cart.jsonl", "-o", "$/new.html", "--rule"],
    ])
  func nowhere(door: [String]) async {
    for (condition, words) in [
      ("state.totl == 0", "no state has state.totl. Did you mean state.total?"),
      (
        "count(state.items[?@.quantty < 0]) == 0",
        "no state has state.items[].quantty. Did you mean quantity?"
      ),
      ("action.typ == 'add'", "no step has action.typ. Did you mean action.type?"),
      ("action.payload.id == 3", "no step has action.payload.id."),
      ("cause.nmae == 'fetch'", "no step has cause.nmae. Did you mean cause.name?"),
      ("standing.valus == 'open'", "no step has standing.valus. Did you mean standing.values?"),
      ("count(reads[?@.kye == 'x']) == 0", "no step has reads[].kye. Did you mean reads[].key?"),
      ("cause == 'usr'", "no cause is “usr”. Did you mean “user”?"),
    ] {
      let answer = await runner.run(door + [condition])
      #expect(answer.messages.contains(words), "\(answer)")
    }
    let present = await runner.run(door + ["count(state.items[?@.quantity < 0]) == 0"])
    #expect(!present.messages.contains("no state has"), "\(present)")
  }

  @Test(
    "a search over forks says it, too", arguments: ["minimize", "why", "explore"])
  func searches(name: String) async throws {
    let file = try runner.write(
      """
      {"retcon":"1.0","can":"replay","app":{"name":"Counter"},"state":{"count":0}}
      {"step":1,"label":"increment","action":{"increment":{}},"state":{"count":1}}

      """, as: "counter.retcon")
    let host = "'\(BuiltProgram.path("retcon"))' serve-sample counter"
    for (rule, words) in [
      ("state.cont >= 0", "no state has state.cont. Did you mean state.count?"),
      ("cause.nmae != 'a'", "no step has cause.nmae. Did you mean cause.name?"),
      ("action.incremnt != 3", "no step has action.incremnt. Did you mean action.increment?"),
    ] {
      let answer = await runner.run([name, file, "--rule", rule, "--host", host])
      #expect(answer.messages.contains(words), "\(answer)")
    }
  }

  @Test(
    "a part of the state needs no word, also where the reducer computes the states", .needs(.node))
  func computed() async throws {
    let log = try runner.write(
      #"[{"type":"add","by":4},{"type":"open"},{"type":"close"},{"type":"add","by":9}]"#,
      as: "log.json")
    let reducer = try runner.write(
      """
      export default (s = { total: 0 }, a) => (a.type === 'add' ? { ...s, total: s.total + a.by }
        : a.type === 'open' ? { ...s, sheet: 1 } : { total: s.total });
      """, as: "r.mjs")
    func find(_ condition: String) async -> CommandRunner.Answer {
      await runner.run("find", log, condition, "--reducer", reducer)
    }
    let found = await find("total > 10 && sheet != 1")
    #expect(found.status == .yes && found.messages.isEmpty, "\(found)")
    let middle = await find("sheet == 1")
    #expect(middle.status == .yes && middle.messages.isEmpty, "\(middle)")
    let wrong = await find("totl > 10")
    #expect(
      wrong.messages.contains("no state has state.totl. Did you mean state.total?"), "\(wrong)")
    #expect(await find("before.total > 3").messages.contains("Did you mean “previous”?"))
  }
}
