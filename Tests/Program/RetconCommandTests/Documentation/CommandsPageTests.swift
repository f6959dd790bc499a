import Platform
import Samples
import TerminalDriver
import Testing

@testable import RetconCommand

@Suite("The page on commands")
struct CommandsPageTests {
  private let host = "'\(BuiltProgram.path("retcon"))' serve-sample wishes"

  @Test(
    "each command on it answers as it says",
    arguments: ["commands.md", "tutorial.md", "verify-in-ci.md"])
  func answers(page: String) async throws {
    let runner = try CommandRunner()
    await WishesSample.recordDemo(to: runner.folder + "/wishes.retcon")
    for block in try Page(page).blocks("console") {
      for example in block.split(separator: "$ ").map(String.init) {
        let lines = example.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        var words = Page.words(lines[0], in: runner.folder)
        // Here the program that runs is that of the tests.
        let running = ["fork", "minimize", "why", "explore", "test", "verify", "trim"]
        if running.contains(words[0]) || lines[0].contains("@typed") { words += ["--host", host] }
        #if !os(Linux)
          // The list of signals that can be set is known on one system only.
          if words[0] == "test" { continue }
        #endif
        let answer = await runner.run(words)
        let text = (answer.data + answer.messages).replacing("$/", with: "")
        #expect(text == String(lines.last ?? ""), "$ \(lines[0])")
      }
    }
  }

  @Test("it or the tutorial has an example of every command that asks a session something")
  func everyCommand() throws {
    let page = try ["commands.md", "tutorial.md"].flatMap { try Page($0).blocks("console") }
      .joined()
    let asking = CommandTable.standard.commands.map { $0.declaration }.filter { declaration in
      declaration.options.contains { $0.name == "json" }
        && !["info", "verify", "merge", "bisect"].contains(declaration.name)
    }
    #expect(asking.count > 10)
    for declaration in asking {
      #expect(page.contains("$ retcon \(declaration.name) "), "\(declaration.name)")
    }
  }
}
