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
        "1  ≠*    set {v: 6}\n    ~ n  5 → 6\n2  ≠?    look\n“the fork” ran"), "\(kept.data)")
    let lines = await runner.run(words + ["--json"]).data.split(separator: "\n")
    #expect(lines.count == 1 && lines[0].contains(#""different":["n"]"#), "\(lines)")
  }
}
