import Foundation
import Testing

@Suite struct TestingPageCheck {
  @Test("every block of code and of output in docs/testing.md stands in the tests")
  func blocks() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let root = folder.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(
      contentsOf: Self.page(root), encoding: .utf8)
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

  /// The root of the package; a link on the way to this file may lead elsewhere.
  private static func page(_ root: URL) throws -> URL {
    let page = root.appendingPathComponent("docs/testing.md")
    if FileManager.default.fileExists(atPath: page.path) { return page }
    let tests = root.appendingPathComponent("Tests").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appendingPathComponent("docs/testing.md")
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
