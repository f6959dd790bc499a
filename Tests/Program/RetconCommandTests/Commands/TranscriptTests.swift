import Platform
import Samples
import TerminalDriver
import Testing

@testable import RetconCommand

/// Every command as it is typed, with what it answers: where it cannot, where there is nothing, and its help.
@Suite("What commands say")
struct TranscriptTests {
  private static let cart = """
    {"state":{"total":0,"items":[]}}
    {"action":{"type":"cart/add","title":"tea"},"state":{"total":4,"items":["tea"]}}
    {"action":{"type":"cart/coupon"},"state":{"total":-1,"items":["tea"]}}

    """

  @Test(
    "is in answers.txt, word by word, with the exit status where it is not 0: make frames writes it"
  )
  func answers() async throws {
    let runner = try CommandRunner()
    await WishesSample.recordDemo(to: runner.folder + "/wishes.retcon")
    _ = try runner.write(Self.cart, as: "cart.json")
    _ = try runner.write(#"{"incrementTaped":{}}"# + "\n", as: "script.json")
    let file = #filePath.replacing("TranscriptTests.swift", with: "answers.txt")
    var written = ""
    for example in try CommandRunner.text(ofFile: file).split(separator: "$ retcon ") {
      let lines = example.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      let words = Page.words("retcon " + lines[0], in: runner.folder).map {
        $0 == "HOST" ? "'\(BuiltProgram.path("retcon"))' serve-sample wishes" : $0
      }
      let answer = await runner.run(words)
      let status = answer.status == .yes ? "" : "= \(answer.status.rawValue)\n"
      let text = (answer.data + answer.messages).replacing("$/", with: "") + status
      written += "$ retcon \(lines[0])\n\(text)"
      guard environmentVariable("RETCON_WRITE_FRAMES") == nil else { continue }
      #expect(text == String(lines.last ?? ""), "$ retcon \(lines[0])")
    }
    if environmentVariable("RETCON_WRITE_FRAMES") != nil {
      try SourceTextsTests.write(written, to: file)
    }
  }

  @Test("names every command")
  func whole() throws {
    let file = #filePath.replacing("TranscriptTests.swift", with: "answers.txt")
    let text = try CommandRunner.text(ofFile: file)
    for command in CommandTable.standard.commands.map({ $0.declaration }) where !command.isHidden {
      #expect(text.contains("$ retcon \(command.name) --help\n"), "\(command.name)")
    }
  }
}
