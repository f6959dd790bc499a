import Foundation
import TestSupport
import Testing

@Suite struct TestingPageCheck {
  @Test("every block of code and of output in docs/testing.md stands in the tests")
  func blocks() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let page = try String(
      contentsOf: URL(fileURLWithPath: "\(Checkout.root)/docs/testing.md"), encoding: .utf8)
    let names = [
      "Search", "TestingPageTests", "TestingPageXCTests", "../Store/TestStoreCompositionTests",
    ]
    let sources = try names.map { name in
      Self.bare(
        try String(contentsOf: folder.appendingPathComponent("\(name).swift"), encoding: .utf8))
    }
    let blocks = Self.blocks(of: page)
    #expect(blocks.count == 10)
    for block in blocks {
      #expect(
        sources.contains { $0.contains(Self.bare(block)) }, "no test contains this:\n\(block)")
    }
  }

  private static func blocks(of page: String) -> [String] {
    // Fences surround every second part; its first line names the language.
    page.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }
      .map { $0.element.drop { $0 != "\n" } }.map(String.init)
  }

  /// Without the space at both ends of each line.
  private static func bare(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }
}
