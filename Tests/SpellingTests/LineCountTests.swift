import Platform
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Features that are no longer than their models, and a page that says so.
@Suite struct LineCountTests {
  private static func text(_ path: String) throws -> [Substring] {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    let url = URL(filePath: (root + [Substring(path)]).joined(separator: "/"))
    return String(decoding: try Data(contentsOf: url), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test(
    "a feature has the lines that docs/store.md says, and those with a bar no more than there",
    arguments: [
      ("CounterWithFact", "a counter with a fact", nil),
      ("SeveralDestinations", "several destinations", 38),
      ("DetailWithAlert", "a detail screen with an alert", nil),
      ("AppWithStack", "an app with a stack of three", 41),
    ])
  func lines(file: String, words: String, bar: Int?) throws {
    let lines = try Self.text("Tests/SpellingTests/Features/\(file).swift").filter { line in
      let text = line.drop { $0 == " " }
      return !text.isEmpty && !text.hasPrefix("//") && !text.hasPrefix("import ")
    }
    let row = try #require(
      Self.text("docs/store.md").first { $0.hasPrefix("| \(words)") })
    let cells = row.split(separator: "|").compactMap { Int($0.filter { $0 != " " }) }
    #expect(cells.last == lines.count)
    if let bar { #expect(cells.first == bar && lines.count <= bar) }
  }
}
