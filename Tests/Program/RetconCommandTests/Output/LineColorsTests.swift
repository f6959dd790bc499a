import Testing

@testable import RetconCommand

@Suite("Colors of lines")
struct LineColorsTests {
  @Test("differences and failures have colors where they are wanted, and else none")
  func colors() async throws {
    let runner = try CommandRunner()
    let file = try runner.write(
      """
      {"state":{"total":1}}
      {"label":"coupon","action":1,"error":"no","state":{"total":2}}

      """, as: "a.jsonl")
    let plain = await runner.run("diff", "\(file)@1")
    #expect(!plain.data.contains("\u{1B}"))
    let always = await runner.run("diff", "\(file)@1", "--color", "always")
    #expect(always.data.contains("\u{1B}[33m") && always.data.contains("\u{1B}[0m"), "\(always)")
    #expect(
      await runner.run("diff", "\(file)@1", "--color=never").data == plain.data)
    let steps = await runner.run("steps", file, "--color", "always")
    #expect(steps.data.contains("\u{1B}[31m"), "\(steps)")
    let wrong = await runner.run("steps", file, "--color", "red")
    #expect(wrong.status == .trouble && wrong.messages.contains("auto, always or never"))
  }
}
