import Testing

@testable import RetconCommand

@Suite("Answers that are not known")
struct NoAnswerTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  @Test("blame tells the newest values first, and no more than were asked for")
  func blame() async throws {
    let steps = (1...60).map { #"{"action":{"type":"t"},"state":{"n":\#($0)}}"# + "\n" }
    let file = try runner.write(#"{"state":{"n":0}}"# + "\n" + steps.joined(), as: "long.jsonl")
    func heads(_ words: String...) async -> [Substring] {
      await runner.run(["blame", file] + words).data.split(separator: "\n")
        .filter { $0.hasPrefix("/") }
    }
    let all = await heads("n")
    #expect(all.count == 20)
    #expect(all.first == "/n  60–60  60" && all.last == "/n  41–41  41")
    #expect(
      await runner.run("blame", file, "n").talk
        == "There were more values. Ask at an earlier step, or raise --limit.\n")
    #expect(await heads("n@30", "-n", "2") == ["/n  31–31  31", "/n  30–30  30", "/n  29–29  29"])
    #expect(await heads("n@30", "-1") == ["/n  30–30  30"])
    #expect(await heads("n", "--limit", "100").count == 61)
    #expect(await runner.run("blame", file, "n", "-n", "100").talk == "")
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
        == "/n  2–3  not there\n  2 b  the file does not tell what sent it\n")
  }
}
