import Platform
import TestSupport
import Testing

@testable import RetconCommand

@Suite("retcon convert")
struct ConvertTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  @Test("nothing is lost of an export, in either direction", .needs(.node))
  func states() async throws {
    let reducer = try runner.write(ReducerFiles.counter, as: "counter.mjs")
    let export = try runner.write(
      ReducerFiles.export(#"{"type":"add","by":2}"#, #"{"type":"add"}"#), as: "state.json")
    let lifted = await runner.run(
      "convert", export, "--to", "jsonl", "--reducer", reducer)
    #expect(
      lifted
        == CommandRunner.Answer(
          status: .yes,
          data: """
            {"state":{"count":0,"list":[]}}
            {"label":"add","action":{"type":"add","by":2},"state":{"count":2,"list":[]}}
            {"label":"add","action":{"type":"add"},"state":{"count":3,"list":[]}}

            """))
  }

  @Test(
    "a fork is run and written with the steps that it shares", .needs(.node))
  func fork() async throws {
    let reducer = try runner.write(ReducerFiles.counter, as: "counter.mjs")
    let session = try runner.write(
      "{\"type\":\"add\",\"by\":2}\n{\"type\":\"add\"}\n", as: "log.jsonl")
    _ = await runner.run("fork", session + "@1", "--skip", "--name", "less", "--reducer", reducer)
    let answer = await runner.run(
      "convert", session, "--branch", "less", "--to", "jsonl", "--reducer", reducer)
    #expect(
      answer.data == """
        {"state":{"count":0,"list":[]}}
        {"label":"add","action":{"type":"add"},"state":{"count":1,"list":[]}}

        """, "\(answer)")
    #expect(answer.status == .no)
    #expect(answer.messages == "not in standard output: how far to trust 1 step of a fork\n")
  }

  @Test(
    "states that are others in a second run are written, and said",
    .needs(.node))
  func random() async throws {
    let reducer = try runner.write(ReducerFiles.counter, as: "counter.mjs")
    let session = try runner.write(
      "{\"type\":\"add\",\"by\":2}\n{\"type\":\"random\"}\n", as: "log.jsonl")
    let answer = await runner.run("convert", session, "--to", "jsonl", "--reducer", reducer)
    #expect(answer.status == .trouble)
    #expect(answer.data.contains(#""label":"random""#))
    #expect(
      answer.messages
        == "retcon: step 2: a second run, in another process, gave another state: the "
        + "reducer depends on something that was not recorded, and standard output holds the "
        + "states of the first run. retcon verify --twice says where they differ.\n")
  }

  @Test("marks are not carried; a file that is there stays; a form that nobody knows is told")
  func troubles() async throws {
    let session = try runner.write("{\"type\":\"add\"}\n", as: "log.jsonl")
    _ = await runner.run("mark", session + "@1", "here")
    let marked = await runner.run("convert", session, "--to", "redux", "-o", "$/state.json")
    #expect(marked.messages == "not in $/state.json: 1 mark\n" && marked.status == .no)
    let again = await runner.run("convert", session, "--to", "redux", "-o", "$/state.json")
    #expect(again.status == .trouble)
    #expect(again.messages.contains("$/state.json: a file of this name exists"))
    let forced = await runner.run("convert", session, "--to", "jsonl", "-o", "$/state.json", "-f")
    #expect(forced.status == .no)
    #expect(
      try runner.text(of: "$/state.json") == "{\"label\":\"add\",\"action\":{\"type\":\"add\"}}\n")
    let watched = await runner.run("convert", session, "--to", "jsonl", "--watch", "total")
    #expect(
      watched.messages
        == "retcon: only chrome-trace draws a counter. Leave out --watch, or write --to chrome-trace.\n"
    )
    let unknown = await runner.run("convert", session, "--to", "xml")
    #expect(
      unknown.messages == "retcon: there is no format named xml. Write --to redux, "
        + "--to redux-lifted, --to jsonl, --to chrome-trace, --to otlp, --to asciicast, "
        + "--to asciicast-v3.\n")
    for words in [["--to", "retcon"], ["-o", "$/own.retcon"]] {
      let own = await runner.run(["convert", session] + words)
      #expect(own.messages.contains("retcon trim FILE --range .. -o NEW writes"), "\(own)")
    }
  }

  @Test("a session is never written over by its own conversion or trim, whatever it is called")
  func itself() async throws {
    let session = await runner.recordCounter()
    let before = try runner.text(of: session)
    #expect(try Subprocess.run("gzip", ["-qk", runner.folder + "/counter.retcon"]) == 0)
    #expect(symlink("counter.retcon", runner.folder + "/link.retcon") == 0)
    #expect(link(runner.folder + "/counter.retcon", runner.folder + "/hard.retcon") == 0)
    let packed = try runner.text(of: "$/counter.retcon.gz").utf8.count
    for (source, target) in [
      ("counter", "counter.retcon"), ("counter", "link.retcon"), ("counter", "hard.retcon"),
      ("link", "counter.retcon"), ("counter.retcon.gz", "counter.retcon.gz"),
    ] {
      let file = source.hasSuffix("gz") ? "$/" + source : "$/\(source).retcon"
      for words in [
        ["convert", file, "--to", "jsonl", "-f", "-o", "$/" + target],
        ["trim", file, "--range", "1..2", "-f", "-o", "$/" + target],
      ] {
        let answer = await runner.run(words)
        #expect(answer.status == .trouble, "\(words)")
        #expect(
          answer.messages.contains("this would overwrite the session itself"),
          "\(words): \(answer.messages)")
      }
    }
    #expect(try runner.text(of: session) == before)
    #expect(try runner.text(of: "$/counter.retcon.gz").utf8.count == packed)
  }
}
