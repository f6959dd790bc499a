import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

/// A search as one types, whose answers may come late, and an auction.
@Suite("Conditions that name earlier steps") struct NamedStepTests {
  private let runner: CommandRunner
  private let search: String

  init() throws {
    runner = try CommandRunner()
    let lines = [
      #"{"retcon":"1.1","app":{"name":"search"},"session":"s","can":"replay","states":"every","#
        + #""state":{"query":"","results":[]}}"#,
      #"{"step":1,"time":0,"label":"typed","action":{"type":"typed","text":"te"},"cause":"user","#
        + #""patch":[{"op":"replace","path":"/query","value":"te"}]}"#,
      #"{"effect":1,"event":"started","after":1,"time":0,"from":1,"ordinal":1,"name":"fetch"}"#,
      #"{"step":2,"time":1,"label":"typed","action":{"type":"typed","text":"tea"},"cause":"user","#
        + #""patch":[{"op":"replace","path":"/query","value":"tea"}]}"#,
      #"{"effect":2,"event":"started","after":2,"time":1,"from":2,"ordinal":1,"name":"fetch"}"#,
      #"{"step":3,"time":2,"label":"found","action":{"type":"found","n":1},"cause":{"effect":2},"#
        + #""patch":[{"op":"replace","path":"/results","value":["tea"]}]}"#,
      #"{"effect":2,"event":"finished","after":3,"time":2}"#,
      #"{"step":4,"time":3,"label":"found","action":{"type":"found","n":2},"cause":{"effect":1},"#
        + #""patch":[{"op":"replace","path":"/results","value":["ten"]}]}"#,
      #"{"effect":1,"event":"finished","after":4,"time":3}"#,
      #"{"step":5,"time":4,"label":"typed","action":{"type":"typed","text":"te"},"cause":"user","#
        + #""patch":[{"op":"replace","path":"/query","value":"te"}]}"#,
    ]
    search = try runner.write(lines.joined(separator: "\n") + "\n", as: "search.retcon")
  }

  private func steps(_ condition: String) async -> [String] {
    await runner.run("find", search, condition).data.split(separator: "\n").map {
      String($0.split(separator: " ")[0])
    }
  }

  @Test("the step that started the effect which sent the action")
  func started() async throws {
    #expect(await steps("cause.name == 'fetch' && started.state.query != state.query") == ["4"])
    #expect(await steps("started.step == 2 && started.action.text == 'tea'") == ["3"])
    #expect(await steps("!started") == ["0", "1", "2", "5"])
    let rule = "!started || started.state.query == state.query"
    let broken = await runner.run("check", search, "--rule", rule)
    #expect(broken.status == .no && broken.data.contains("search.retcon@4\n"), "\(broken)")
    let near = await runner.run("find", search, "started.stat.query == 1")
    #expect(near.messages.contains("Did you mean started.state?"), "\(near)")
  }

  @Test("the last step with the same values at some places")
  func last() async throws {
    #expect(await steps("last(label, text).step == 1") == ["5"])
    #expect(await steps("last(label).step < 2") == ["2"])
    #expect(await steps("last(label, cause).label == 'typed'") == ["2", "5"])
    #expect(await steps("last(label, action.n)") == [])
    #expect(await steps("last(label).state.query != previous.query && label == 'typed'") == ["1"])
    #expect(await steps("precededBy(last(label, text).step == 1) || step == 1") == ["1"])
    let wrong = await runner.run("find", search, "last(label, state.query).step == 1")
    #expect(wrong.messages.contains("last takes places in label, action, cause, reads."))
  }

  @Test("without causes, it is unknown what started the sender")
  func unknown() async throws {
    let text = [
      #"{"state":{"n":0}}"#, #"{"action":{"type":"a"},"state":{"n":1}}"#,
      #"{"action":{"type":"a"},"state":{"n":2}}"#,
    ].joined(separator: "\n")
    let file = try runner.write(text + "\n", as: "plain.jsonl")
    let answer = await runner.run("find", file, "started.step == 1")
    #expect(answer.status == .trouble, "\(answer)")
    #expect(
      answer.messages.contains("have no known answer: it is not told what sent their actions"))
  }

  @Test("forks of a search know them, too: the two bids that break the rule", .needs(.node))
  func forks() async throws {
    _ = try runner.write(
      """
      export const reducer = (state = { bids: 0, best: {} }, { id, amount }) => ({
        bids: state.bids + 1, best: { ...state.best, [id]: amount },
      });
      """, as: "auction.mjs")
    var (lines, best) = ([#"{"state":{"bids":0,"best":{}}}"#], [String: Int]())
    for step in 1...40 {
      let id = "lot\(step % 3)"
      best[id] = step == 31 ? 4 : step
      let text = best.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
      lines.append(
        #"{"action":{"type":"bid","id":"\#(id)","amount":\#(best[id] ?? 0)},"#
          + #""state":{"bids":\#(step),"best":{\#(text.joined(separator: ","))}}}"#)
    }
    let file = try runner.write(lines.joined(separator: "\n") + "\n", as: "auction.jsonl")
    let rule = "!last(label, id) || last(label, id).action.amount < action.amount"
    let broken = await runner.run("check", file, "--rule", rule)
    #expect(broken.data.contains("auction.jsonl@31\n"), "\(broken)")
    let least = await runner.run(
      "minimize", file, "--reducer", "$/auction.mjs", "--rule", rule, "--json")
    let result = try Value(parsing: least.data)
    let actions = result["actions"]
    #expect(actions?[0]?["step"] == 28 && actions?[1]?["step"] == 31, "\(least)")
    #expect(actions?[2] == nil && result["minimal"] == true, "\(least)")
    let ids = actions?[0]?["remarks"]?.text() ?? ""
    #expect(ids.contains("it happens, too, equal to the one in 31"), "\(ids)")
    let state = "last(label, id).state.bids >= 28 && state.best.lot1 == 4"
    let found = await runner.run("find", file, state)
    #expect(found.data.hasPrefix("31 "), "\(found)")
  }
}
