import SessionFile
import TerminalDriver
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
    #expect(answer == .init(status: .yes, talk: "$/kept.retcon: 2 of 3 steps\n"))
    let kept = try SessionReader(path: runner.folder + "/kept.retcon")
    #expect(try kept.steps.map { try kept.state(after: $0)["n"] } == [0, 1, 2])
    #expect(kept.header.capability == .browse(because: "steps were left out"))
    #expect(!kept.header.knowsCauses)
  }

  @Test(
    "with a reducer the kept actions are run again, and what lost its cause is named",
    .enabled(if: ReducerFiles.hasNode))
  func runAgain() async throws {
    try runner.writeCounter(#"{"type":"add","by":2}"#, #"{"type":"other"}"#, #"{"type":"add"}"#)
    let reducer = ["--reducer", "$/counter.mjs"]
    let answer = await runner.run(
      ["trim", "$/export.json", "--keep", "action.type == 'add'", "-o", "$/kept.retcon"] + reducer)
    #expect(answer == .init(status: .yes, talk: "$/kept.retcon: 2 of 3 steps\n"))
    let kept = try SessionReader(path: runner.folder + "/kept.retcon")
    #expect(try kept.state(after: 2)["count"] == 3)
    #expect(await runner.run(["verify", "$/kept.retcon"] + reducer).status == .yes)
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
    #expect(answer.talk.contains(": its effect was not started\n"), "\(answer)")
  }

  @Test("steps are chosen in one way")
  func ways() async throws {
    let file = try runner.write("{\"type\":\"a\"}\n", as: "log.jsonl")
    let none = await runner.run("trim", file, "-o", "$/x.retcon")
    #expect(
      none.talk
        == "retcon: trim needs a range. Write --range 800..812, --keep CONDITION or --drop CONDITION.\n"
    )
    let two = await runner.run("trim", file, "-r", "1..", "--keep", "step > 0", "-o", "$/x.retcon")
    #expect(two.talk == "retcon: trim chooses steps in one way. Trim the result again.\n")
  }
}
