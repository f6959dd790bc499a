import Platform
import Testing

@testable import RetconCommand

@Suite("Completions")
struct CompletionsTests {
  @Test("bash offers the values of options, the samples of demo, and commands")
  func bash() async throws {
    let runner = try CommandRunner()
    let script = await runner.run("completions", "bash").data
    func offered(_ words: String..., before: String = "") throws -> [Substring] {
      let line = words.map { "'\($0)'" }.joined(separator: " ")
      let ask =
        before + script + "COMP_WORDS=(\(line)); COMP_CWORD=\(words.count - 1); _retcon; "
        + #"printf '%s\n' "${COMPREPLY[@]}""#
      return try Subprocess.output(of: ["bash", "-c", ask], in: "/", showsErrors: true).text
        .split(separator: "\n")
    }
    #expect(try offered("retcon", "verify", "--format", "ju") == ["junit"])
    #expect(try offered("retcon", "convert", "--to", "asc") == ["asciicast", "asciicast-v3"])
    #expect(try offered("retcon", "test", "--as", "n") == ["node"])
    #expect(try offered("retcon", "show", "-p", "ef") == ["effects"])
    #expect(try offered("retcon", "demo", "w") == ["wishes"])
    #expect(try offered("retcon", "verify", "--ba") == ["--base"])
    let file = try runner.write("", as: "shop.retcon").replacing("$", with: runner.folder)
    // As the program prints them.
    let forks = "retcon() { printf 'main  0–28\\nno coupon  leaves main at 3\\n  skips 4\\n'; }; "
    #expect(
      try offered("retcon", "steps", "\(file)@3", "--branch", "", before: forks)
        == ["main", "no coupon"])
  }
}
