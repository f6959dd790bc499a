import Testing

@testable import RetconCommand

@Suite("retcon fork", .needs(.node))
struct ForkTests {
  @Test("--diff lists each step that differs, and the same difference once")
  func differences() async throws {
    let runner = try CommandRunner()
    let reducer = try runner.write(
      "export default (s = { n: 0 }, a) => (a.type === 'set' ? { n: a.v } : s);", as: "set.mjs")
    let file = try runner.write(
      """
      {"type":"set","v":5}
      {"type":"look"}
      {"type":"set","v":7}
      {"type":"look"}

      """, as: "a.jsonl")
    let words = ["fork", file + "@1", "--skip", "--diff", "--reducer", reducer]
    let answer = await runner.run(words)
    #expect(
      answer.data.hasPrefix("1  ≠?    look\n    ~ n  5 → 0\n“the fork” ran"), "\(answer.data)")
    let kept = await runner.run(
      ["fork", file + "@1", "--replace", #"{"type":"set","v":6}"#] + words.dropFirst(3))
    #expect(
      kept.data.hasPrefix(
        "1  ≠?    set {v: 6}\n    ~ n  5 → 6\n2  ≠?    look\n“the fork” ran"), "\(kept.data)")
    let lines = await runner.run(words + ["--json"]).data.split(separator: "\n")
    #expect(lines.count == 1 && lines[0].contains(#""different":["n"]"#), "\(lines)")
    let same = await runner.run([
      "fork", file + "@2", "--replace", #"{"type":"look","at":1}"#, "--diff", "--reducer", reducer,
    ])
    #expect(
      same.data == """
        2  =?    look {at: 1}
            in main: look
              nothing is different
        “the fork” ran 3 steps; only the action of 2 differs from main
        The states are the same as main from 2, assumed

        """)
  }

  @Test("a label stands for its nearest action, and JSON behind it for what that carries")
  func labels() async throws {
    let runner = try CommandRunner()
    let add = "export default (s = { n: 0 }, a) => (a.type === 'add' ? { n: s.n + a.payload } : s);"
    let host = ["--reducer", try runner.write(add, as: "add.mjs")]
    let lines = [1, 2, 4].map { #"{"type":"add","payload":\#($0)}"# }
    let file = try runner.write(lines.joined(separator: "\n") + "\n", as: "a.jsonl")
    for (action, change) in [("add", "3 → 5"), ("add -9", "3 → -6")] {
      let answer = await runner.run(["fork", file + "@2", "--send", action, "--diff"] + host)
      #expect(answer.data.contains("~ n  \(change)"), "\(answer)")
    }
    let near = await runner.run(["fork", file + "@2", "--send", "ad"] + host)
    #expect(near.messages.contains("no recorded action has the label ad. Did you mean add?"))
    let wrong = await runner.run(["fork", file + "@2", "--set", "n={bad"] + host)
    #expect(wrong.messages.contains("this is not JSON: expected a key or }, found b, column 2"))
    let idle = await runner.run(["fork", file + "@2", "--answer", "load finish"] + host)
    #expect(idle.messages.contains("is in flight here"), "\(idle)")
  }

  @Test("an action of an edit is the user's, and nothing sent the first step")
  func senders() async throws {
    let runner = try CommandRunner()
    let set = "export default (s = { n: 0 }, a) => (a.type === 'set' ? { n: a.v } : s);"
    let host = ["--reducer", try runner.write(set, as: "set.mjs")]
    let file = try runner.write(#"{"type":"set","v":5}"# + "\n{\"type\":\"look\"}\n", as: "a.jsonl")
    let send = ["--send", #"{"type":"set","v":-1}"#, "--name", "big"]
    #expect(await runner.run(["fork", file + "@1"] + send + host).status == .no)
    let check = await runner.run(["check", file + "@big", "--rule", "state.n >= 0"] + host)
    #expect(check.data.contains("  2 set  your edit\n"), "\(check)")
    let show = await runner.run(["show", file + "@big/2"] + host)
    #expect(show.data.contains("your edit\n"), "\(show)")
    let start = await runner.run(["check", file, "--rule", "state.n > 0"] + host)
    #expect(start.data.contains("  0 init  the session starts here\n"), "\(start)")
  }

  @Test("a fork behind a step that today's reducer takes differently says so")
  func differentBefore() async throws {
    let runner = try CommandRunner()
    let reducer = try runner.write(
      "export default (s = { n: 0 }, a) => (a.type === 'i' ? { n: s.n + 1 } : s);", as: "i.mjs")
    let lines = [("i", 1), ("i", 5), ("i", 6), ("look", 6)].map {
      #"{"action":{"type":"\#($0.0)"},"state":{"n":\#($0.1)}}"# + "\n"
    }
    let file = try runner.write(lines.joined(), as: "old.jsonl")
    let words = "oday's reducer takes a step before the fork differently, and the fork starts"
    for (step, isOther) in [(4, true), (3, true), (1, false)] {
      let answer = await runner.run("fork", "\(file)@\(step)", "--skip", "--reducer", reducer)
      #expect(answer.data.contains(words) == isOther, "\(answer)")
    }
  }
}
