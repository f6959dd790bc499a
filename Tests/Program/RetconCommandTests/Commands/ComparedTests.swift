import Platform
import TestSupport
import Testing

@testable import RetconCommand

@Suite("What verify says about what it could not compare", .needs(.node))
struct ComparedTests {
  private let runner: CommandRunner

  init() throws {
    runner = try CommandRunner()
    _ = try write("a.type === 'i' ? { n: s.n + 1 } : s", as: "i.mjs")
    // Goes wrong where no state tells it.
    _ = try write("a.type === 'i' ? { n: s.n + (s.n ? 1000 : 1) } : s", as: "bad.mjs")
  }

  private func write(_ body: String, as name: String, before: String = "") throws -> String {
    try runner.write(before + "\nexport default (s = { n: 0 }, a) => \(body);\n", as: name)
  }

  /// A JSON Lines file of actions, with the states that are known.
  private func actions(_ states: [Int?], as name: String = "a.jsonl") throws -> String {
    let lines = states.map { state in
      #"{"action":{"type":"i"}"# + (state.map { #","state":{"n":\#($0)}"# } ?? "") + "}\n"
    }
    return try runner.write(lines.joined(), as: name)
  }

  private func verify(
    _ file: String, _ reducer: String = "$/i.mjs", _ more: String...
  ) async -> CommandRunner.Answer {
    await runner.run(["verify", file, "--reducer", reducer] + more)
  }

  @Test("one state is not taken for all: the text counts the compared steps, and exit status is 2")
  func one() async throws {
    let file = try actions([1, nil, nil])
    for reducer in ["$/i.mjs", "$/bad.mjs"] {
      #expect(
        await verify(file, reducer)
          == .init(
            status: .trouble,
            data: """
              $/a.jsonl: 3 steps were run again; 1 could be compared, as recorded; the rest has no \
              recorded state.
              $/a.jsonl: 2 steps without a recorded state could not be compared.

              """))
    }
    let json = await verify(file, "$/i.mjs", "--json").data.prefix { $0 != "\n" }
    let reason = "2 steps without a recorded state could not be compared"
    #expect(json.hasPrefix(#"{"file":"$/a.jsonl","equal":true,"finding":"not checked: #"#))
    #expect(json.hasSuffix(#""uncompared":2,"notLookedAt":["\#(reason)"]}"#), "\(json)")
    let junit = await verify(file, "$/i.mjs", "--format", "junit")
    #expect(junit.data.contains(#"errors="1""#) && junit.status == .trouble)
    let two = await runner.run("verify", file, file, "--reducer", "$/i.mjs")
    #expect(two.data.hasPrefix("2 sessions: 0 as recorded, 0 differ, 2 only partly checked; 1"))
    #expect(await verify(try actions([1, 2, 3], as: "all.jsonl")).status == .yes)
  }

  @Test("what cannot be read was not compared, in another tool's file and in a session")
  func unreadable() async throws {
    let line = #"{"action":{"type":"i"},"state":{"n":1}}"#
    let foreign = try runner.write("\(line)\nno JSON\n", as: "damaged.jsonl")
    let own = try runner.write(
      """
      {"retcon":"1.1","can":"replay","state":{"n":0}}
      {"step":1,"action":{"type":"i"},"patch":[{"op":"replace","path":"/n","value":1}]}
      no JSON
      {"end":1}

      """, as: "damaged.retcon")
    for file in [foreign, own] {
      let answer = await verify(file)
      #expect(answer.status == .trouble, "\(answer)")
      #expect(answer.data.hasSuffix("\(file): 1 line of it cannot be read.\n"), "\(answer)")
    }
    let empty = await verify(
      try runner.write(#"{"retcon":"1.1","can":"replay","state":{"n":0}}"# + "\n", as: "e.retcon"))
    #expect(empty.status == .trouble, "\(empty)")
    #expect(empty.data.hasSuffix("it has no step that could be compared.\n"), "\(empty)")
  }

  @Test(
    "a first state that the file lacks is the reducer's own only if it leads to the recorded ones")
  func start() async throws {
    #expect(await verify(try actions([1, 2])).status == .yes)
    let middle = try actions([6, 7, 8], as: "middle.jsonl")
    let answer = await verify(middle)
    #expect(answer.status == .trouble, "\(answer)")
    #expect(answer.data.contains("2 steps were run again, all as recorded"), "\(answer)")
    #expect(answer.data.contains("step 1: the state after step 0 cannot be used"), "\(answer)")
    #expect(await verify(middle, "$/bad.mjs").status == .no)
    let first = await runner.run("state", middle + "@0", "--reducer", "$/i.mjs")
    #expect(first.status == .trouble && first.data.isEmpty, "\(first)")
    let fork = await runner.run(
      "fork", middle + "@2", "--replace", #"{"type":"o"}"#, "--reducer", "$/i.mjs", "--name", "f")
    #expect(fork.status == .no, "\(fork)")
    let forked = await runner.run("state", middle + "@f/3", "--reducer", "$/i.mjs", "n")
    #expect(forked.data == "7\n", "\(forked)")
    // A reducer that dies there ends no reading.
    let dying = try write("a.type === 'i' ? process.exit(1) : s", as: "dying.mjs")
    let state = await runner.run("state", middle + "@2", "--reducer", dying, "n")
    #expect(state.data == "7\n", "\(state)")
  }

  @Test("a session that a kill tore off is as recorded up to there, with and without a line end")
  func tornOff() async throws {
    let lines = """
      {"retcon":"1.1","can":"replay","states":"every","state":{"n":0}}
      {"step":1,"action":{"type":"i"},"cause":"user","patch":[{"op":"replace","path":"/n","value":1}]}
      {"step":2,"action":{"type":"i"
      """
    for end in ["", "\n", "\0\0", "\0\0\n"] {
      FileSystem.remove(runner.folder + "/torn.retcon")
      let file = try runner.write(lines + end, as: "torn.retcon")
      let answer = await verify(file, "$/i.mjs", "--json")
      #expect(answer.status == .yes, "\(answer)")
      #expect(
        answer.data
          == #"{"file":"$/torn.retcon","equal":true,"steps":1,"remarks":["the recording stops after "#
          + #"step 1: what came after is missing"],"partial":true}"# + "\n")
      let copy = await runner.run("convert", file, "--to", "jsonl", "-o", "$/torn.jsonl", "-f")
      #expect(copy.messages.contains("1 line that cannot be read"), "\(copy)")
      FileSystem.remove(runner.folder + "/part.retcon")
      let part = await runner.run("trim", file, "--range", "..", "-o", "$/part.retcon")
      #expect(part.messages.contains("1 step, 1; 1 line of the log cannot be read"), "\(part)")
      #expect(await verify("$/part.retcon").status == .yes)
    }
  }

  @Test(
    "a recording whose end is damaged is as recorded up to there, like one that a kill tore off")
  func damagedEnd() async throws {
    let lines = """
      {"retcon":"1.1","can":"replay","states":"every","state":{"n":0}}
      {"step":1,"action":{"type":"i"},"cause":"user","patch":[{"op":"replace","path":"/n","value":1}]}
      {"end":"1}

      """
    let file = try runner.write(lines, as: "end.retcon")
    #expect(await runner.run("trim", file, "--range", "..", "-o", "$/part.retcon").status == .yes)
    for file in [file, "$/part.retcon"] {
      let answer = await verify(file, "$/i.mjs", "--json")
      #expect(answer.status == .yes && answer.data.contains(#""partial":true"#), "\(answer)")
      #expect(!answer.data.contains("notLookedAt"), "\(answer)")
    }
  }

  @Test("a step that an earlier error kept from running is not counted as run again")
  func interrupted() async throws {
    let throwing = try write(
      "{ if (a.type === 'bad') throw new Error('boom'); return { n: s.n + 1 }; }", as: "throws.mjs")
    let file = try runner.write(
      """
      {"state":{"n":0}}
      {"action":{"type":"i"},"state":{"n":1}}
      {"action":{"type":"bad"},"state":{"n":1},"error":"Error: boom"}
      {"action":{"type":"i"},"state":{"n":1},"error":"Interrupted by an error up the chain"}
      {"action":{"type":"i"},"state":{"n":1},"error":"Interrupted by an error up the chain"}

      """, as: "interrupted.jsonl")
    #expect(
      await verify(file, throwing)
        == .init(
          status: .yes,
          data: """
            $/interrupted.jsonl: 2 steps were run again, all as recorded; some could not be.

            Steps that did not run again:
              steps 3 to 4: an earlier step ended in an error, as recorded

            """))
    let well = await verify(file, "$/i.mjs", "--all")
    #expect(well.status == .no && !well.data.contains("did not run"), "\(well)")
  }

  @Test("--all goes on from the recorded state behind a reducer that throws, and blames one step")
  func thrown() async throws {
    let reducer = try write(
      "{ if (a.type === 'bad') throw new Error('boom'); return { n: s.n + 1 }; }", as: "throws.mjs")
    let steps = [("i", 0, 1), ("bad", 1, 1), ("i", 1, 2), ("i", 2, 3)]
    let plain = steps.map { #"{"action":{"type":"\#($0)"},"state":{"n":\#($2)}}"# + "\n" }
    let logger = steps.map {
      #"{"action":{"type":"\#($0)"},"prevState":{"n":\#($1)},"nextState":{"n":\#($2)}}"# + "\n"
    }
    for (name, lines) in [("thrown.jsonl", plain), ("logger.jsonl", logger)] {
      let answer = await verify(try runner.write(lines.joined(), as: name), reducer, "--all")
      #expect(answer.status == .no && answer.data.contains("step 2  bad: crash"), "\(answer)")
      #expect(!answer.data.contains("step 3"), "\(answer)")
    }
    let bare = try runner.write(
      ["i", "bad", "i"].map { #"{"action":{"type":"\#($0)"}}"# + "\n" }.joined(), as: "bare.jsonl")
    let check = await runner.run("check", bare, "--rule", "state.n < 3", "--reducer", reducer)
    #expect(check.status == .trouble, "\(check)")
    let made = await runner.run("convert", bare, "--to", "jsonl", "--reducer", reducer)
    #expect(made.status == .no && made.messages.contains("1 lost state"), "\(made)")
  }

  @Test("numbers of JSON are as recorded if they are equal, and no command shows them as changes")
  func equalNumbers() async throws {
    let file = try runner.write(
      #"{"state":{"n":1,"z":0,"l":[1]}}"# + "\n"
        + #"{"action":{"type":"o"},"state":{"n":1.0,"z":-0.0,"l":[1e0]}}"# + "\n"
        + #"{"action":{"type":"i"},"state":{"n":2,"z":0.0,"l":[1]}}"# + "\n", as: "numbers.jsonl")
    let reducer = try write("a.type === 'i' ? { ...s, n: s.n + 1 } : s", as: "numbers.mjs")
    let answer = await verify(file, reducer)
    #expect(answer.status == .yes, "\(answer)")
    let diff = await runner.run("diff", file + "@2", "--json")
    #expect(diff.data.contains(#""changes":[{"op":"replace","path":"/n","value":2}]"#), "\(diff)")
    let shown = await runner.run("show", file + "@1", "--pane", "diff")
    #expect(!shown.data.contains("→"), "\(shown)")
  }

  @Test("an error that was recorded and comes no more is a difference")
  func mended() async throws {
    let file = try runner.write(
      #"{"action":{"type":"i"},"state":{"n":1}}"# + "\n"
        + #"{"action":{"type":"o"},"state":{"n":1},"error":"Error: boo"}"# + "\n", as: "error.jsonl"
    )
    let answer = await verify(file)
    #expect(answer.status == .no, "\(answer)")
    #expect(
      answer.data.contains("it ended in an error, and does so no more: Error: boo"), "\(answer)")
  }

  @Test("a reducer takes no damage away: torn steps, unreadable lines, and copies of them")
  func damage() async throws {
    let line = #"{"action":{"type":"i"}}"#
    let torn = try runner.write("\(line)\n\(line)\n{\"action\":{\"type\"\n", as: "torn.jsonl")
    let check = await runner.run("check", torn, "--rule", "state.n < 9", "--reducer", "$/i.mjs")
    #expect(check.status == .trouble, "\(check)")
    let lines = try runner.write("\(line)\nno JSON\n\(line)\n", as: "lines.jsonl")
    for file in [torn, lines] {
      let answer = await runner.run("convert", file, "--to", "jsonl", "--reducer", "$/i.mjs")
      #expect(answer.status == .no && answer.messages.contains("not in"), "\(answer)")
    }
    // The steps after an unreadable step are unknown.
    let middle = try runner.write("\(line)\n{\"action\":{\n\(line)\n", as: "middle.jsonl")
    let watched = await runner.run("watch", middle, "n", "--all", "--reducer", "$/i.mjs")
    let values = watched.data.split(separator: "\n").map { $0.split(separator: " ")[1] }
    #expect(values == ["0", "1", "unknown", "unknown"], "\(watched)")
  }

  @Test("a converted export keeps the states of a file that holds some")
  func converted() async throws {
    let some = try actions([nil, 2, nil], as: "half.jsonl")
    for form in ["redux", "redux-lifted"] {
      let answer = await runner.run("convert", some, "--to", form, "-o", "$/\(form).json")
      let found = await runner.run("find", "$/\(form).json", "state.n == 2", "--count")
      #expect(found.data == "1\n", "\(form): \(answer) \(found)")
    }
  }

  @Test("states that the file lacks are computed beside those that it has, for every command")
  func some() async throws {
    let bare = try actions([nil, nil, nil, nil], as: "bare.jsonl")
    #expect(await runner.run("trim", bare, "--range", "..", "-o", "$/bare.retcon").status == .yes)
    let some = try actions([nil, 2, nil, nil], as: "some.jsonl")
    for file in ["$/bare.retcon", some] {
      let found = await runner.run("find", file, "state.n >= 3", "--reducer", "$/i.mjs", "--count")
      #expect(found == .init(status: .yes, data: "2\n"), "\(file): \(found)")
    }
    // Recorded values stay, and every command computes the following ones from them.
    let other = try actions([nil, 7, nil, nil], as: "other.jsonl")
    let watched = await runner.run("watch", other, "n", "--all", "--reducer", "$/i.mjs")
    let values = watched.data.split(separator: "\n").map { $0.split(separator: " ")[1] }
    #expect(values == ["0", "1", "7", "8", "9"], "\(watched)")
    let sampled = try runner.write(
      """
      {"retcon":"1.1","can":"replay","states":2,"state":{"n":0}}
      {"step":1,"label":"i","action":{"type":"i"},"cause":"user"}
      {"step":2,"label":"i","action":{"type":"i"},"cause":"user","state":{"n":7}}
      {"step":3,"label":"i","action":{"type":"i"},"cause":"user"}
      {"end":3}

      """, as: "sampled.retcon")
    for file in [other, sampled] {
      let state = await runner.run("state", file + "@3", "n", "--reducer", "$/i.mjs")
      #expect(state.data == "8\n", "\(file): \(state)")
    }
  }

  @Test("a session whose header says that it has no states is not said to be as recorded")
  func none() async throws {
    let lines = [
      #"{"retcon":"1.1","can":"replay","states":"first","state":{"n":0}}"#,
      #"{"step":1,"label":"i","action":{"type":"i"},"cause":"user"}"#, #"{"end":1}"#,
    ]
    let file = try runner.write(lines.map { $0 + "\n" }.joined(), as: "none.retcon")
    #expect(
      await verify(file)
        == .init(
          status: .trouble,
          data: """
            $/none.retcon: 1 step was run again; none could be compared: there is no recorded state.
            $/none.retcon: the file holds no states, so only two runs of each step were compared.

            """))
  }

  @Test("a recording of every second state is as recorded where it has states")
  func sampled() async throws {
    let lines = [
      #"{"retcon":"1.1","can":"replay","states":2,"state":{"n":0}}"#,
      #"{"step":1,"label":"i","action":{"type":"i"},"cause":"user"}"#,
      #"{"step":2,"label":"i","action":{"type":"i"},"cause":"user","state":{"n":2}}"#,
      #"{"step":3,"label":"i","action":{"type":"i"},"cause":"user"}"#, #"{"end":3}"#,
    ]
    let file = try runner.write(lines.map { $0 + "\n" }.joined(), as: "sampled.retcon")
    let answer = await verify(file)
    #expect(answer.status == .yes)
    #expect(
      answer.data == """
        $/sampled.retcon: 3 steps were run again; 1 could be compared, as recorded; the rest has no \
        recorded state.

        """)
    #expect(await verify(file, "$/bad.mjs").status == .no)
  }

  @Test("a step whose state is known through a patch counts as compared")
  func patched() async throws {
    let lines = [
      #"{"retcon":"1.1","can":"replay","state":{"n":0}}"#,
      #"{"step":1,"action":{"type":"i"},"patch":[{"op":"replace","path":"/n","value":1}]}"#,
      #"{"step":2,"action":{"type":"o"},"patch":[]}"#, #"{"end":2}"#,
    ]
    let file = try runner.write(lines.map { $0 + "\n" }.joined(), as: "patched.retcon")
    #expect(
      await verify(file)
        == .init(
          status: .yes, data: "$/patched.retcon: 2 steps were run again, all as recorded.\n"))
  }

  @Test("--twice compares the two runs with each other where there is no recorded state")
  func twice() async throws {
    let reducer = try write(
      "a.type === 'i' ? { n: s.n + 1, ...(s.n === 1 ? { salt } : {}) } : s", as: "salt.mjs",
      before: "const salt = process.pid;")
    let file = try runner.write(
      #"{"state":{"n":0}}"# + "\n" + runner.text(of: try actions([1, nil])), as: "b.jsonl")
    let answer = await verify(file, reducer, "--twice")
    #expect(answer.status == .no)
    #expect(
      answer.data.contains("step 2  i: the reducer is nondeterministic")
        || answer.data.contains("step 2  i, sent by the user: the reducer is nondeterministic"),
      "\(answer)")
    #expect(await verify(file, "$/i.mjs", "--twice").status == .trouble)
  }

  @Test("a kept result does not count for another reducer, and a run without work says so")
  func resumed() async throws {
    let file = try actions([1, 2])
    let reducer = try write("a.type === 'i' ? { n: s.n + 1 } : s", as: "mine.mjs")
    #expect(await verify(file, reducer, "--resume", "$/kept").status == .yes)
    #expect(
      await verify(file, reducer, "--resume", "$/kept")
        == .init(
          status: .yes, messages: "retcon: 1 of 1 result kept in $/kept: nothing was run.\n"))
    #expect(await verify(file, reducer, "--resume", "$/kept", "--twice").messages == "")
    unlink("\(runner.folder)/mine.mjs")
    _ = try write("a.type === 'i' ? { n: s.n + (s.n ? 1000 : 1) } : s", as: "mine.mjs")
    #expect(await verify(file, reducer, "--resume", "$/kept").status == .no)
  }

  @Test("--resume refuses a file that is not a list of results, and writes nothing to it")
  func refused() async throws {
    let file = try actions([1, 2])
    for (name, text) in [
      ("s.retcon", #"{"retcon":"1.1","can":"replay","state":{"n":0}}"# + "\n"),
      ("note.txt", "remember"), ("a.json", #"{"file":"a"}"#),
    ] {
      let other = try runner.write(text, as: name)
      let answer = await verify(file, "$/i.mjs", "--resume", other)
      #expect(answer.status == .trouble)
      #expect(answer.messages.contains("\(other) is not a list of results"), "\(answer)")
      #expect(try runner.text(of: other) == text)
    }
  }

  @Test("on the other day a date is still a Date, and Date is still callable")
  func dates() async throws {
    let reducer = try write(
      """
      a.type === 'made' ? { ...s, when: new Date(a.at) }
        : { ...s, late: typeof Date() === 'string' && s.when instanceof Date
          && s.when.constructor === Date ? s.when.getTime() : -1 }
      """, as: "date.mjs")
    let lines = [
      #"{"state":{"late":0}}"#,
      #"{"action":{"type":"made","at":5},"state":{"late":0,"when":"1970-01-01T00:00:00.005Z"}}"#,
      #"{"action":{"type":"late"},"state":{"late":5,"when":"1970-01-01T00:00:00.005Z"}}"#,
    ]
    let file = try runner.write(lines.map { $0 + "\n" }.joined(), as: "d.jsonl")
    let answer = await verify(file, reducer)
    #expect(answer.status == .yes, "\(answer)")
  }
}
