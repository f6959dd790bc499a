import Testing

@testable import RetconCommand

@Suite("retcon record")
struct RecordTests {
  @Test("a sample is driven by a script, on a clock of its own")
  func script() async throws {
    let runner = try CommandRunner()
    let script = try runner.write(
      """
      {"incrementTapped":{}}
      {"after":1,"action":{"timerTapped":{}}}

      {"after":2.5,"action":{"timerTapped":{}}}

      """, as: "script.jsonl")
    let words = ["record", "counter", script, "-o", "$/new.retcon"]
    #expect(await runner.run(words) == .init(status: .yes, messages: "$/new.retcon: 5 steps\n"))
    let steps = await runner.run("steps", "$/new.retcon")
    #expect(
      steps.data == """
        0    init
        1   500ms    incrementTapped
        2    1.5s    timerTapped
        3    2.5s  ⚡timerTicked
        4    3.5s  ⚡timerTicked
        5    4.0s    timerTapped

        """)
  }

  @Test("a line that is no action of the sample is named")
  func badLine() async throws {
    let runner = try CommandRunner()
    let script = try runner.write("{\"incrementTapped\":{}}\n{\"nope\":{}}\n", as: "script.jsonl")
    let answer = await runner.run("record", "counter", script, "-o", "$/new.retcon")
    #expect(answer.status == .trouble)
    #expect(
      answer.messages.hasPrefix("retcon: $/script.jsonl, line 2: no action of Counter: "),
      "\(answer)")
    let sample = await runner.run("record", "none", script, "-o", "$/new.retcon")
    #expect(sample.messages.hasPrefix("retcon: there is no sample named none. There are counter"))
  }
}
