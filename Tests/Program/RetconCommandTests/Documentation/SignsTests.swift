import SessionWords
import Testing

@testable import RetconCommand

@Suite("The signs of a step")
struct SignsTests {
  @Test("stand in the table of the page on the debugger, each once")
  func page() throws {
    let table = try #require(
      Page("debugger.md").text.split(separator: "### Signs").last?.split(separator: "\n#").first)
    let rows = table.split(separator: "\n").filter { $0.hasPrefix("| `") }.joined()
    for sign in Standing.signs.map(\.sign) {
      #expect(rows.ranges(of: "`\(sign)`").count == 1, "\(sign)")
    }
  }

  @Test("have their words in the help of fork, its tool, and the page for agents")
  func legend() async throws {
    #expect(Standing.legend.hasPrefix("= as recorded, ≠ differs, + new step, "))
    #expect(Standing.legend.hasSuffix(", ? assumed"))
    let tool = try #require(AgentTool.all.first { $0.name == "fork" })
    #expect(tool.summary.contains(Standing.legend))
    #expect(try await CommandRunner().run("skill").data.contains(Standing.legend))
    let help = try await CommandRunner().run("fork", "--help").data.replacing("\n", with: " ")
    #expect(help.contains(Standing.legend))
  }
}
