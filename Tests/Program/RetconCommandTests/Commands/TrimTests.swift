import SessionFile
import TerminalDriver
import TestSupport
import Testing

@testable import RetconCommand

@Suite("retcon trim by conditions")
struct TrimTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  @Test("without a reducer kept steps have their recorded states, and the result is for browsing")
  func recorded() async throws {
    let file = try runner.write(
      """
      {"state":{"n":0}}
      {"action":{"type":"a"},"state":{"n":1}}
      {"action":{"type":"noise"},"state":{"n":1}}
      {"action":{"type":"a"},"state":{"n":2}}

      """, as: "log.jsonl")
    let answer = await runner.run("trim", file, "--drop", "label == 'noise'", "-o", "$/kept.retcon")
    #expect(answer == .init(status: .yes, messages: "$/kept.retcon: 2 of 3 steps\n"))
    let kept = try SessionReader(path: runner.folder + "/kept.retcon")
    #expect(try kept.steps.map { try kept.state(after: $0)["n"] } == [0, 1, 2])
    #expect(kept.header.capability == .browse(because: "steps were left out"))
    #expect(!kept.header.knowsCauses)
  }

  @Test(
    "with a reducer the kept actions are run again, and what lost its cause is named",
    .needs(.node))
  func runAgain() async throws {
    try runner.writeCounter(#"{"type":"add","by":2}"#, #"{"type":"other"}"#, #"{"type":"add"}"#)
    let reducer = ["--reducer", "$/counter.mjs"]
    let answer = await runner.run(
      ["trim", "$/export.json", "--keep", "action.type == 'add'", "-o", "$/kept.retcon"] + reducer)
    #expect(answer == .init(status: .yes, messages: "$/kept.retcon: 2 of 3 steps\n"))
    let kept = try SessionReader(path: runner.folder + "/kept.retcon")
    #expect(try kept.state(after: 2)["count"] == 3)
    #expect(await runner.run(["verify", "$/kept.retcon"] + reducer).status == .yes)
  }

  @Test(
    "with a reducer that does not give the recorded states, the new ones are not taken for them",
    .needs(.node))
  func computed() async throws {
    try runner.writeCounter()
    let file = try runner.write(
      """
      {"state":{"count":0,"list":[]}}
      {"action":{"type":"add"},"state":{"count":1,"list":[]}}
      {"action":{"type":"add"},"state":{"count":50,"list":[]}}

      """, as: "log.jsonl")
    let answer = await runner.run(
      "trim", file, "--keep", "step > 1", "-o", "$/kept.retcon", "--reducer", "$/counter.mjs")
    #expect(answer.status == .no, "\(answer)")
    #expect(answer.messages.contains("the recording: 2 steps were run again, and"), "\(answer)")
    #expect(answer.messages.contains("/count  50        2"), "\(answer)")
  }

  @Test("a range of a fork is of the fork, with the marks along it", .needs(.node))
  func fork() async throws {
    try runner.writeCounter(
      #"{"type":"add","by":2}"#, #"{"type":"add","by":3}"#, #"{"type":"add","by":4}"#)
    let reducer = ["--reducer", "$/counter.mjs"]
    _ = await runner.run(["fork", "$/export.json@1", "--skip", "--name", "less"] + reducer)
    _ = await runner.run("mark", "$/export.json@1", "of main")
    let range = ["--range", "..", "-o", "$/less.retcon"]
    let answer = await runner.run(["trim", "$/export.json@less"] + range + reducer)
    #expect(answer == .init(status: .yes, messages: "$/less.retcon: 2 steps, 1 to 2\n"))
    let state = await runner.run("state", "$/less.retcon@2", "count")
    #expect(state.data == "7\n", "\(state)")
    let chosen = await runner.run(
      ["trim", "$/export.json@less", "--drop", "step == 1", "-o", "$/new.retcon"] + reducer)
    #expect(chosen.status == .trouble)
    #expect(
      chosen.messages.contains("trim $/export.json@less --range .. -o NEW.retcon"), "\(chosen)")
  }

  @Test("an export of actions is for browsing, too, once steps are left out")
  func actionsAlone() async throws {
    try runner.writeCounter(#"{"type":"add","by":2}"#, #"{"type":"other"}"#)
    _ = await runner.run(
      "trim", "$/export.json", "--drop", "label == 'other'", "-o", "$/kept.retcon")
    let kept = try SessionReader(path: runner.folder + "/kept.retcon")
    #expect(kept.header.capability == .browse(because: "steps were left out"))
  }

  @Test(
    "a log without a first state keeps the states of its re-run",
    .needs(.node))
  func withoutStart() async throws {
    try runner.writeCounter()
    let file = try runner.write(
      """
      {"action":{"type":"add","by":2},"state":{"count":2,"list":[]}}
      {"action":{"type":"add"},"state":{"count":3,"list":[]}}

      """, as: "log.jsonl")
    _ = await runner.run(
      "trim", file, "--drop", "step == 1", "-o", "$/kept.retcon", "--reducer", "$/counter.mjs")
    let kept = try SessionReader(path: runner.folder + "/kept.retcon")
    #expect(try kept.state(after: 1)["count"] == 1)
  }

  @Test("what an effect sent goes with the step that started it, and is named")
  func lost() async throws {
    let file = await runner.recordCounter()
    let first = await runner.run("effects", file, "--json")
    let host = "'\(BuiltProgram.path("retcon"))' serve-sample counter"
    #expect(!first.data.isEmpty)
    let answer = await runner.run(
      "trim", file, "--keep", "cause != 'user' || label == 'reset'", "-o", "$/kept.retcon",
      "--host",
      host)
    #expect(answer.status == .no)
    #expect(answer.messages.contains(": its effect was not started\n"), "\(answer)")
  }

  @Test("the marked steps are kept, and without a mark it says how to make one")
  func marked() async throws {
    let file = await runner.recordCounter()
    let host = "'\(BuiltProgram.path("retcon"))' serve-sample counter"
    let trim = ["trim", file, "--mark", "-o", "$/kept.retcon", "--host", host]
    #expect(
      await runner.run(trim).messages
        == "retcon: no step of $/counter.retcon has a mark. "
        + "Make some: retcon mark $/counter.retcon@12 NOTE.\n")
    for step in [2, 6] { _ = await runner.run("mark", "\(file)@\(step)", "look") }
    #expect(
      await runner.run(trim)
        == .init(status: .yes, messages: "$/kept.retcon: 2 of 34 steps, 2 marks beside it\n"))
    #expect(
      Sidecar(session: runner.folder + "/kept.retcon").contents.marks == [
        Mark(step: 1, note: "look"), Mark(step: 2, note: "look"),
      ])
    let kept = try SessionReader(path: runner.folder + "/kept.retcon")
    #expect(
      try kept.steps.dropFirst().map { try kept.step($0).label } == [
        "incrementTapped", "randomizeTapped",
      ])
  }

  @Test("marks go along with a range; where something is taken out, notes that may tell it stay")
  func travelling() async throws {
    let file = await runner.recordCounter()
    for step in [2, 6, 12] { _ = await runner.run("mark", "\(file)@\(step)", "look at \(step)") }
    func marks(_ options: String...) async -> (String, [Mark]) {
      let name = "part\(options.count).retcon"
      let answer = await runner.run(["trim", file, "-r", "5..12", "-o", "$/\(name)"] + options)
      return (answer.messages, Sidecar(session: "\(runner.folder)/\(name)").contents.marks)
    }
    let (messages, all) = await marks()
    #expect(messages == "$/part0.retcon: 8 steps, 5 to 12, 2 marks beside it\n")
    #expect(all == [Mark(step: 6, note: "look at 6"), Mark(step: 12, note: "look at 12")])
    let (redacted, some) = await marks("--redact-text", "at 6", "--redact-missing-ok")
    #expect(redacted == "$/part3.retcon: 8 steps, 5 to 12, 2 marks beside it, 1 without its note\n")
    #expect(some == [Mark(step: 6), Mark(step: 12, note: "look at 12")])
  }

  @Test("a state that stands alone behind a damaged action goes along, also at the end")
  func loneState() async throws {
    let file = try runner.write(
      """
      {"action":"a","state":{"n":1}}
      {"action":"b" "state":{"n":7}}
      {"state":{"n":2}}
      {"action":"c","state":{"n":3}}
      {"action":"d" "state":{"n":7}}
      {"state":{"n":4}}

      """, as: "log.jsonl")
    for first in 1...4 {
      let part = "$/from\(first).retcon"
      #expect(await runner.run("trim", file, "-r", "\(first)..", "-o", part).status == .yes)
      for step in max(1, first - 1)...4 {
        let answer = await runner.run("state", "\(part)@\(step)")
        let original = await runner.run("state", "\(file)@\(step)")
        #expect(answer == original, "\(part)@\(step)")
        #expect(answer.data.contains("\"n\": \(step)"), "\(answer)")
      }
    }
    let known = await runner.run(
      "find", "$/from1.retcon", "state.n == 2 || state.n == 4", "--count")
    #expect(known.data == "2\n")
  }

  @Test("damage goes along and is told, in another tool's file and in a session")
  func damage() async throws {
    let line = #"{"action":{"type":"a"},"prevState":{"n":0},"nextState":{"n":0}}"#
    let foreign = try runner.write(
      "\(line)\nno JSON\n\(line)\n\0\0\n\(line)\n{\"action\"", as: "damaged.jsonl")
    let own = try runner.write(
      """
      {"retcon":"1.1","can":"replay","state":{"n":0}}
      {"step":1,"action":"a","patch":[]}
      no JSON
      {"step":2,"action":"a","patch":[]}
      \0\0
      {"step":3,"action":"a","patch":[]}
      {"end":3}

      """, as: "damaged.retcon")
    for (file, lines) in [(foreign, 3), (own, 2)] {
      let whole = await runner.run("trim", file, "--range", "..", "-o", "$/out.retcon", "--force")
      #expect(
        whole.messages
          == "$/out.retcon: 3 steps, 1 to 3; \(lines) lines of the log cannot be read\n")
      #expect(await runner.run("info", "-c", "$/out.retcon").status == .no)
      let converted = await runner.run("convert", file, "--to", "jsonl")
      #expect(converted.status == .no)
      #expect(converted.messages.contains("\(lines) lines that cannot be read"), "\(converted)")
      let part = await runner.run("trim", file, "--range", "2", "-o", "$/out.retcon", "--force")
      #expect(
        part.messages == "$/out.retcon: 1 step, 2; 2 lines of the log cannot be read\n", "\(part)")
    }
  }

  @Test("with a reducer a range is verified, and one that it does not go through is told")
  func provenRange() async throws {
    let file = await runner.recordCounter()
    let host = ["--host", "'\(BuiltProgram.path("retcon"))' serve-sample counter"]
    #expect(
      await runner.run(["trim", file, "-r", "5..9", "-o", "$/part.retcon"] + host)
        == .init(status: .yes, messages: "$/part.retcon: 5 steps, 5 to 9\n"))
    let text = try runner.text(of: file)
    _ = try runner.write(
      text.replacing("\"path\":\"/count\",\"value\":3}", with: "\"path\":\"/count\",\"value\":5}"),
      as: "other.retcon")
    let answer = await runner.run(
      ["trim", "$/other.retcon", "-r", "1..9", "-o", "$/x.retcon"] + host)
    #expect(answer.status == .no)
    #expect(answer.messages.contains("the re-run differs from step 3 on"), "\(answer.messages)")
  }

  @Test("what is not there is not said to be taken out, and a path needs its slashes")
  func missed() async throws {
    let file = await runner.recordCounter()
    func trim(_ options: String...) async -> String {
      let trim = ["trim", file, "-r", "5..9", "-o", "$/part\(options.joined().count).retcon"]
      return await runner.run(trim + options).messages
    }
    #expect(
      await trim("--redact", "count")
        == "retcon: count: “count” is not a pointer to a place in the state. Write --redact /count.\n"
    )
    let missed = await trim("--redact", "/count", "--redact-key", "nokey")
    #expect(
      missed
        == "retcon: $/counter.retcon: found nothing to redact for --redact-key nokey, so nothing "
        + "was written. Write each name as retcon state shows it, also _0; or add --redact-missing-ok.\n"
    )
    let written = await trim(
      "--redact", "/count", "--redact-key-any-case", "nokey", "--redact-missing-ok")
    #expect(written.hasSuffix(": 5 steps, 5 to 9\n"), "\(written)")
    let name =
      runner.folder
      + "/part\("--redact/count--redact-key-any-casenokey--redact-missing-ok".count).retcon"
    #expect(try SessionReader(path: name).header.redacted == ["/count"])
  }

  @Test("steps are chosen in one way")
  func ways() async throws {
    let file = try runner.write("{\"type\":\"a\"}\n", as: "log.jsonl")
    let none = await runner.run("trim", file, "-o", "$/x.retcon")
    #expect(
      none.messages
        == "retcon: trim needs a range. Write --range 800..812, --keep CONDITION, --drop CONDITION or "
        + "--mark.\n"
    )
    let two = await runner.run("trim", file, "-r", "1..", "--keep", "step > 0", "-o", "$/x.retcon")
    #expect(two.messages == "retcon: trim chooses steps in one way. Trim the result again.\n")
  }
}
