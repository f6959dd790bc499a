import FoundationEssentials
import TestSupport
import Testing
import ValueTree

/// The examples of `docs/conditions.md`.
@Suite("The page on conditions")
struct ConditionPageTests {
  @Test("every example can be read, and runs")
  func examples() throws {
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    let conditions = Self.lines(fenced: "condition", in: page)
    let paths = Self.lines(fenced: "path", in: page)
    for text in conditions {
      let condition = try Condition(text)
      _ = try condition.holds(for: ConditionTests.step) { _ in true }
    }
    for text in paths { _ = try PathQuery(text).values(in: ConditionTests.step) }
    #expect(conditions.count == 34)
    #expect(paths.count == 2)
  }

  @Test(
    "every word of a step and every function is on the page, and the error shown is the error given"
  )
  func completeness() throws {
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    for word in Condition.words { #expect(page.contains("| `\(word)` |"), "\(word)") }
    for function in ["length", "count", "value", "match", "search", "precededBy", "followedBy"] {
      #expect(page.contains("| `\(function)("), "\(function)")
    }
    let error = #expect(throws: QueryError.self) { try Condition("state.total = 0") }
    #expect(Self.lines(fenced: "text", in: page).joined(separator: "\n") == error?.description)
  }

  private static var page: URL {
    URL(filePath: "\(Checkout.root)/docs/conditions.md")
  }

  private static func lines(fenced tag: String, in page: String) -> [String] {
    page.split(separator: "\n```\(tag)\n", omittingEmptySubsequences: false).dropFirst()
      .compactMap { $0.split(separator: "\n```", maxSplits: 1).first }
      .flatMap { $0.split(separator: "\n") }.map(String.init)
  }
}
