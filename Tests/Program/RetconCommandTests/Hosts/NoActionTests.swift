import TestSupport
import Testing

@testable import RetconCommand

@Suite("What is no action is not run", .needs(.node))
struct NoActionTests {
  private let runner: CommandRunner

  init() throws {
    runner = try CommandRunner()
    _ = try runner.write(
      """
      export default (state = { n: 0 }, action) =>
        action.type.endsWith("add") ? { n: state.n + 1 } : state;
      """, as: "add.mjs")
  }

  private func run(_ words: String...) async -> CommandRunner.Answer {
    await runner.run(words + ["--reducer", "$/add.mjs"])
  }

  @Test("a change that the log does not hold is taken over, and crashes no reducer")
  func gap() async throws {
    let log = try runner.write(
      """
      {"action":{"type":"add"},"prevState":{"n":0},"nextState":{"n":1}}
      {"action":{"type":"add"},"prevState":{"n":5},"nextState":{"n":6}}
      {"action":{"type":"add"},"prevState":{"n":6},"nextState":{"n":7}}

      """, as: "log.jsonl")
    let verified = await run("verify", log)
    #expect(verified.data.contains("step 2: the log is damaged here"), "\(verified)")
    #expect(!verified.data.contains("crash"), "\(verified)")
    let crash = await run("minimize", log, "--crash")
    #expect(crash.status != .yes && !crash.data.contains("certain"), "\(crash)")
    let state = await run("state", log + "@4", "n")
    #expect(state.data == "7\n", "\(state)")
  }

  @Test("other breadcrumbs of Sentry leave the state as it is")
  func breadcrumbs() async throws {
    let navigation = #"{"timestamp":1,"category":"navigation","data":{"to":"/cart"}}"#
    let add = #"{"timestamp":2,"category":"redux.action","data":{"type":"add"}}"#
    let report = try runner.write(
      "{\"breadcrumbs\":[\(navigation),\(add),\(navigation),\(add)]}", as: "sentry.json")
    let watched = await run("watch", report, "n", "--all")
    #expect(watched.status == .yes, "\(watched)")
    let state = await run("state", report + "@4", "n")
    #expect(state.data == "2\n", "\(state)")
    let verified = await run("verify", report)
    #expect(!verified.data.contains("crash"), "\(verified)")
  }
}
