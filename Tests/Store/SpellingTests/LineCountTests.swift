import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Features that are no longer than their models, and a page that says so.
@Suite struct LineCountTests {
  private static func text(_ path: String) throws -> String {
    let url = URL(filePath: "\(Checkout.root)/\(path)")
    return String(decoding: try Data(contentsOf: url), as: UTF8.self)
  }

  @Test("features have the lines that docs/store.md says, and two no more than their models")
  func lines() throws {
    let files = ["CounterWithFact", "SeveralDestinations", "DetailWithAlert", "AppWithStack"]
    let counts = try files.map { file in
      try Self.text("Tests/Store/SpellingTests/Features/\(file).swift").split(separator: "\n")
        .filter {
          let text = $0.drop { $0 == " " }
          return !text.isEmpty && !text.hasPrefix("//") && !text.hasPrefix("import ")
        }.count
    }
    let page = try Self.text("docs/store.md").split { $0.isWhitespace }.joined(separator: " ")
    #expect(page.contains("have 59, 38, 96 and 41 lines"))
    #expect(page.contains("have \(counts[0]), \(counts[1]), \(counts[2]) and \(counts[3]) here"))
    #expect(counts[1] <= 38 && counts[3] <= 41)
  }
}
