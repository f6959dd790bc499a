import TerminalDriver
import TestSupport
import Testing

@testable import RetconCommand

@Suite("Answers that are not known")
struct NoAnswerTests {
  private let runner: CommandRunner
  private let host = ["--host", "'\(BuiltProgram.path("retcon"))' serve-sample counter"]

  init() throws { runner = try CommandRunner() }

  /// The second step has an unknown state.
  private func holed() throws -> String {
    try runner.write(
      """
      {"retcon":"1.0","can":"browse","state":{"n":0}}
      {"step":1,"label":"a","action":{},"patch":[{"op":"replace","path":"/n","value":1}]}
      {"step":2,"label":"b","action":{},"lost":"it did not encode"}

      """, as: "holed.retcon")
  }

  @Test("find and steps --where have no answer where a state that they ask for is not known")
  func find() async throws {
    let file = try holed()
    for words in [["find", file, "state.n > 3"], ["steps", file, "--where", "state.n > 3"]] {
      let answer = await runner.run(words)
      #expect(
        answer == .init(status: .trouble, messages: "retcon: 1 step has no known state\n"),
        "\(words)")
    }
    #expect(await runner.run("find", file, "label == 'c'").status == .no)
    for words in [
      ["find", file, "state.n == 1", "--json"],
      ["steps", file, "--where", "state.n == 1", "--json"],
    ] {
      let answer = await runner.run(words)
      #expect(answer.status == .yes && answer.data.hasPrefix(#"{"step":1,"#))
      #expect(answer.messages == "retcon: 1 step has no known state\n")
    }
    #expect(await runner.run("find", file, "label == 'a'").messages == "")
    #expect(await runner.run("find", file, "state.n > 3", "--range", "0..1").status == .no)
  }

  @Test("a log that begins with its first action lacks no state, and a place is suggested")
  func misspelled() async throws {
    let file = try runner.write(
      #"{"type":"a","state":{"total":1}}"# + "\n" + #"{"type":"b","state":{"total":2}}"# + "\n",
      as: "a.jsonl")
    let found = await runner.run("find", file, "state.totl > 1")
    #expect(
      found
        == .init(
          status: .trouble,
          messages: "retcon: no state has state.totl. Did you mean state.total?\n"))
    let watched = await runner.run("watch", file, "totl")
    #expect(
      watched.messages == "retcon: there was never a value at /totl. Did you mean /total?\n"
        && watched.status == .no, "\(watched)")
    let held = await runner.run("check", file, "--rule", "state.total > 0")
    #expect(held == .init(status: .yes, data: "✓ state.total > 0  (2 steps)\n"), "\(held)")
    let told = await runner.run("check", file, "--rule", "state.total >= previous.total")
    #expect(told.status == .trouble && told.data.contains("1 step has no known"), "\(told)")
    #expect(await runner.run("info", file, "--check").status == .yes)
  }

  /// One step has a known state, the next is lost; the last has a whole state again.
  private func lost() throws -> String {
    try runner.write(
      """
      {"retcon":"1.1","can":"browse","states":"every","state":{"n":0,"m":0}}
      {"step":1,"label":"a","action":{},"cause":"user","patch":[{"op":"replace","path":"/n","value":1}]}
      {"lost":[2,3],"lines":4,"because":"No space"}
      {"step":4,"label":"b","action":{},"cause":"user","patch":[{"op":"replace","path":"/m","value":7}]}
      {"step":5,"keyframe":true,"label":"c","action":{},"cause":"user","state":{"n":1,"m":8}}
      {"end":5}

      """, as: "lost.retcon")
  }

  @Test(
    "an unknown state is no answer, also under a negation and for neighbours",
    arguments: [
      ("!(state.n == 1)", ["0"], "3 steps have no known state"),
      ("state.n != previous.n", ["0", "1"], "4 steps have no known answer: a state is unknown"),
      ("precededBy(state.m == 7)", [], "3 steps have no known answer: a state is unknown"),
      ("label == 'a' || state.n == 0", ["0", "1"], "3 steps have no known state"),
    ])
  func unknown(condition: String, hits: [String], words: String) async throws {
    let file = try lost()
    let found = await runner.run("find", file, condition, "--json")
    let steps = found.data.split(separator: "\n").compactMap {
      $0.split(separator: ",").first?.split(separator: ":").last.map(String.init)
    }
    #expect(steps == hits)
    #expect(found.messages == "retcon: \(words)\n")
    #expect(found.status == (hits.isEmpty ? .trouble : .yes))
    let checked = await runner.run("check", file, "--rule", "!(\(condition))")
    #expect(checked.status == (hits.isEmpty ? .trouble : .no))
    #expect(checked.data.hasPrefix(hits.isEmpty ? "? " : "✗ "), "\(checked)")
  }

  @Test("a log that does not tell its first state has no warning about the state before")
  func previous() async throws {
    let lines = [3, 4, 2, 5].map { #"{"action":{"type":"t"},"state":{"n":\#($0)}}"# + "\n" }
    let file = try runner.write(lines.joined(), as: "log.jsonl")
    let found = await runner.run("find", file, "state.n > previous.n", "--count")
    #expect(found == .init(status: .yes, data: "2\n"))
    let lost = await runner.run("find", file, "previous.n > 9")
    #expect(lost.status == .no && lost.messages.isEmpty, "\(lost)")
  }

  @Test("trim neither drops nor keeps a step of which nobody knows, and says so")
  func trim() async throws {
    let file = try lost()
    let condition = "!(state.n == 1)"
    for (way, kept) in [("--drop", "5 of 5 steps"), ("--keep", "no step of \(file) would be left")]
    {
      let answer = await runner.run("trim", file, way, condition, "-o", "$/\(way).retcon")
      #expect(answer.status == .trouble)
      #expect(answer.messages.contains("3 steps have no known state, and"), "\(answer)")
      #expect(answer.messages.contains(": \(kept)"), "\(answer)")
    }
    let none = await runner.run("trim", file, "--keep", "step > 9", "-o", "$/none.retcon")
    #expect(
      none.status == .trouble && !FileSystem.exists(runner.folder + "/none.retcon"), "\(none)")
  }

  @Test("watch and blame tell what is unknown from what is not there")
  func history() async throws {
    let file = try lost()
    let watched = await runner.run("watch", file, "m")
    #expect(watched.data == "0  0  init\n2  unknown  ?\n5  8  c\n", "\(watched)")
    #expect(watched.messages == "retcon: 3 steps have no known state\n")
    let whole = await runner.run("watch", file, "m", "--range", "2..4")
    #expect(whole.status == .trouble)
    let (late, lost, early) = ("/m  5  8", "/m  2–4  not known", "/m  0–1  0")
    for (step, wanted) in [(1, [early, late, lost]), (5, [late, lost, early])] {
      let heads = await runner.run("blame", file, "m@\(step)").data.split(separator: "\n")
        .filter { $0.hasPrefix("/") }.map(String.init)
      #expect(heads == wanted, "@\(step)")
    }
    #expect(await runner.run("blame", file, "m@1").data.contains("\n  2 ?  the file does not say"))
  }

  @Test("redacted values look alike, so no answer rests on them")
  func redacted() async throws {
    let file = try runner.write(
      """
      {"retcon":"1.1","can":"browse","redacted":["key pin"],"states":"every","state":{"pin":"<redacted>","n":0}}
      {"step":1,"label":"a","action":{},"cause":"user","patch":[{"op":"replace","path":"/n","value":1}]}
      {"step":2,"label":"<redacted>","action":{},"cause":"user","patch":[]}
      {"end":2}

      """, as: "redacted.retcon")
    let reason = "no known answer: a value is redacted, or a state unknown"
    for (condition, count, hits) in [
      ("state.pin == 1", "3 steps have", ""), ("state.pin != previous.pin", "2 steps have", "0"),
      ("label == 'a'", "1 step has", "1"), ("state.n == 1 && state.pin", "2 steps have", ""),
      ("!followedBy(state.pin == 1)", "2 steps have", "2"),
    ] {
      let found = await runner.run("find", file, condition, "--json")
      #expect(found.messages == "retcon: \(count) \(reason)\n", "\(condition)")
      #expect(found.data.hasPrefix(hits.isEmpty ? "" : #"{"step":\#(hits),"#))
      #expect(found.status == (hits.isEmpty ? .trouble : .yes))
    }
    #expect(await runner.run("find", file, "state.pin == '<redacted>'", "-c").data == "3\n")
    let count = await runner.run("find", file, "state.n == 1", "-c")
    #expect(count == .init(status: .yes, data: "2\n"))
    let checked = await runner.run("check", file, "--rule", "state.pin != 1")
    #expect(checked.data == "? state.pin != 1  (0 steps; 3 steps have \(reason))\n")
    let reported = await runner.run("report", file, "--markdown", "--rule", "state.pin != 1")
    #expect(reported.data.contains("at 3 steps: a value is redacted, or a state unknown."))
    let caveat = "Redacted values look alike: changes between them cannot be seen.\n"
    #expect(await runner.run("diff", file + "@2") == .init(status: .trouble, messages: caveat))
    #expect(
      await runner.run("diff", file + "@2", "--json").data
        == #"{"equal":null,"at":"","changes":[]}"# + "\n")
    let different = await runner.run("diff", file + "@1")
    #expect(different.status == .no && different.messages == caveat)
    #expect(await runner.run("diff", file + "@2", "--at", "n") == .init(status: .yes))
    #expect(await runner.run("blame", file, "pin").messages == caveat)
    #expect(await runner.run("blame", file, "n").messages == "")
    #expect(await runner.run("watch", file, "pin", "n").messages == caveat)
  }

  @Test("a report does not call a rule broken, or kept, where a state is unknown")
  func report() async throws {
    let file = try runner.write(
      #"{"state":{"n":0}}"# + "\n" + #"{"action":{"type":"a"}}"# + "\n", as: "bare.jsonl")
    let answer = await runner.run("report", file, "--markdown", "--rule", "state.n >= 0")
    #expect(
      answer.data.contains(
        "Not run with a reducer.\n\nThe rule state.n >= 0 was not checked at 1 step: a state is unknown."
      ), "\(answer)")
    #expect(!answer.data.contains("Quit and type"))
    let lost = await runner.run("report", try lost(), "--markdown", "--rule", "state.m != 7")
    #expect(lost.status == .yes && lost.data.contains("was not checked at 3 steps"), "\(lost)")
  }

  @Test(
    "at every door, the state after an error is the one before it, and those behind it are unknown",
    .needs(.node),
    arguments: [
      ("boom", "TypeError: "), ("exit", "the reducer ended its process with exit status 3"),
    ])
  func threw(action: String, error: String) async throws {
    try runner.writeCounter(#"{"type":"add"}"#, #"{"type":"\#(action)"}"#, #"{"type":"add"}"#)
    let host = ["--reducer", "$/counter.mjs"]
    let words = "the step ended in an error: this is the state before it"
    let state = await runner.run(["state", "$/export.json@2", "count"] + host)
    #expect(state.status == .yes && state.data == "1\n", "\(state)")
    #expect(state.messages.hasPrefix("2  \(words) (step 2: \(error)"), "\(state)")
    let diff = await runner.run(["diff", "$/export.json@1", "@2"] + host)
    #expect(diff.status == .yes && diff.messages == state.messages, "\(diff)")
    let shown = await runner.run(["show", "$/export.json@2"] + host)
    #expect(shown.data.replacing(/\s+/, with: " ").contains(words), "\(shown)")
    for command in [["state", "$/export.json@3"], ["diff", "$/export.json@1", "@3"]] {
      let behind = await runner.run(command + host)
      #expect(behind.status == .trouble && behind.data.isEmpty, "\(behind)")
      #expect(behind.messages.contains("the reducer failed at step 2: \(error)"), "\(behind)")
    }
    let found = await runner.run(["find", "$/export.json", "state.count == 1", "--json"] + host)
    #expect(found.data.split(separator: "\n").count == 2, "\(found)")
    #expect(found.messages.contains("1 step has no known state"), "\(found)")
  }

  @Test("blame tells the asked value first, then the newest, and no more than were asked for")
  func blame() async throws {
    let steps = (1...60).map { #"{"action":{"type":"t"},"state":{"n":\#($0)}}"# + "\n" }
    let file = try runner.write(#"{"state":{"n":0}}"# + "\n" + steps.joined(), as: "long.jsonl")
    func heads(_ words: String...) async -> [Substring] {
      await runner.run(["blame", file] + words).data.split(separator: "\n")
        .filter { $0.hasPrefix("/") }
    }
    let all = await heads("n")
    #expect(all.count == 20)
    #expect(all.first == "/n  60  60" && all.last == "/n  41  41")
    #expect(
      await runner.run("blame", file, "n").messages
        == "There were more values. Ask at an earlier step, or raise --limit.\n")
    #expect(await heads("n@30", "-n", "2") == ["/n  30  30", "/n  31  31", "/n  29  29"])
    #expect(await heads("n@30", "-1") == ["/n  30  30"])
    #expect(await heads("n", "--limit", "100").count == 61)
    #expect(await runner.run("blame", file, "n", "-n", "100").messages == "")
  }

  @Test("with -1 a place that has gone is told with the step that took it")
  func gone() async throws {
    let file = try runner.write(
      """
      {"state":{"n":1}}
      {"action":{"type":"a"},"state":{"n":2}}
      {"action":{"type":"b"},"state":{}}
      {"action":{"type":"c"},"state":{}}

      """, as: "gone.jsonl")
    #expect(
      await runner.run("blame", file, "n", "-1").data
        == "/n  2–3  not there\n  2 b\n")
  }

  @Test(
    "a fork with a value that the app cannot decode is refused with the decoder's words",
    arguments: [
      (["--replace", #"{"nonsense":{}}"#], "the app cannot decode this: "),
      (["--send", #"{"nonsense":{}}"#], "the app cannot decode this: "),
      (["--set", "count=abc"], "the app cannot decode this at /count: expected an integer"),
    ])
  func undecodable(edit: [String], words: String) async throws {
    let file = await runner.recordCounter()
    let answer = await runner.run(["fork", file + "@3"] + edit + host)
    #expect(answer.status == .trouble && answer.data == "")
    #expect(answer.messages.hasPrefix("retcon: " + words), "\(answer)")
    #expect(
      answer.messages.hasSuffix(
        ". retcon show $/counter.retcon@3 shows an action that it can decode.\n"), "\(answer)")
  }

  @Test("a read that the reducer did not make cannot be changed: an effect may have made it")
  func readOfEffect() async throws {
    let file = await runner.recordCounter()
    let answer = await runner.run(["fork", file + "@25", "--read", "fact=1"] + host)
    #expect(answer.status == .trouble && answer.data == "")
    #expect(
      answer.messages
        == "retcon: step 25 did not read fact. --answer can answer an effect in flight.\n")
  }

  @Test(
    "so is each edit of a list",
    arguments: [
      (#"{"edit":"replace","step":3,"action":{"nonsense":{}}}"#, "this: "),
      (#"{"edit":"insert","after":3,"action":{"nonsense":{}}}"#, "this: "),
      (#"{"edit":"set","step":3,"pointer":"/count","value":"abc"}"#, "this at /count: "),
    ])
  func undecodableInList(edit: String, words: String) async throws {
    let file = await runner.recordCounter()
    let list = try runner.write("[\(edit)]", as: "edits.json")
    let answer = await runner.run(["fork", file, "--script", list] + host)
    #expect(answer.status == .trouble && answer.data == "")
    #expect(answer.messages.hasPrefix("retcon: the app cannot decode \(words)"), "\(answer)")
  }

  @Test(
    "an edit of the start is refused",
    arguments: [
      #"{"edit":"skip","step":0}"#,
      #"{"edit":"insert","after":-1,"action":{"incrementTapped":{}}}"#,
      #"{"edit":"move","step":3,"after":-1}"#,
    ])
  func editOfStart(edit: String) async throws {
    let file = await runner.recordCounter()
    let list = try runner.write("[\(edit)]", as: "edits.json")
    let answer = await runner.run(["fork", file, "--script", list] + host)
    #expect(answer.status == .trouble)
    #expect(answer.messages == "retcon: no fork can change step 0, or what is before it.\n")
  }

  @Test("a fork that is written and crashes says why", .needs(.node))
  func crashIsWritten() async throws {
    try runner.writeCounter(#"{"type":"add"}"#, #"{"type":"add"}"#)
    let answer = await runner.run(
      "fork", "$/export.json@1", "--send", #"{"type":"boom"}"#, "-o", "$/fork.retcon", "--reducer",
      "$/counter.mjs")
    #expect(answer.status == .trouble)
    #expect(
      answer.messages.contains("“the fork” ") && answer.messages.contains("TypeError"), "\(answer)")
  }

  @Test("verify has another exit status for what it cannot answer, where one is named")
  func skip() async throws {
    let file = await runner.recordCounter()
    func status(_ words: [String]) async -> Int32 {
      await runner.run(["verify"] + words + ["--exit-skip", "125"]).status.rawValue
    }
    #expect(await status([file] + host) == 0)
    #expect(await status(["$/none.retcon"] + host) == 125)
    #expect(await status([file, "$/none.retcon"] + host) == 125)
    #expect(await status([file, "--host", "/no/such/host"]) == 125)
    #expect(await runner.run("verify", file, "--exit-skip", "0").status == .trouble)
  }
}
