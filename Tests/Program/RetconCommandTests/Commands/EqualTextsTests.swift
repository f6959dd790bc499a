import TerminalDriver
import TestSupport
import Testing

@testable import RetconCommand

@Suite("minimize keeps the failure", .needs(.node))
struct EqualTextsTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  /// Coupons, and amounts that the discount is lowered by.
  private func minimize(_ moves: [(code: String?, amount: Int)]) async throws -> String {
    let reducer = try runner.write(
      """
      const signs = { coupon: 1, lower: -1 };
      export default (s = { discount: 0 }, a) => (
        { discount: s.discount + (signs[a.type] ?? 0) * (a.amount ?? 0) });
      """, as: "cart \(moves.count).mjs")
    let actions = moves.map { code, amount in
      code.map { #"{"type":"coupon","code":"\#($0)","amount":\#(amount)}"# }
        ?? #"{"type":"lower","amount":\#(amount)}"#
    }
    let log = try runner.write("[\(actions.joined(separator: ","))]", as: "log \(moves.count).json")
    let answer = await runner.run(
      "minimize", log, "--rule", "state.discount <= 29", "--reducer", reducer, "--as-recorded")
    #expect(answer.status == .yes, "\(answer)")
    return answer.data
  }

  @Test("a text that two actions share stays in two, if as few actions do")
  func kept() async throws {
    let found = try await minimize([
      ("D", 20), (nil, 20), ("C", 10), ("A", 15), (nil, 5), ("D", 5), ("D", 20),
    ])
    #expect(found.contains("2 of 7 actions are enough"), "\(found)")
    #expect(found.ranges(of: #"code: "D""#).count == 2 && !found.contains("another"), "\(found)")
    let last = try await minimize([
      ("D", 20), (nil, 15), (nil, 5), ("D", 20), ("B", 5), (nil, 10), (nil, 10), ("C", 20),
      (nil, 5), ("C", 20),
    ])
    #expect(last.ranges(of: #"code: "C""#).count == 2, "\(last)")
  }

  @Test("where it cannot, it says that this may be another failure")
  func lost() async throws {
    let found = try await minimize([
      ("C", 10), ("A", 15), (nil, 15), ("C", 5), ("C", 5), ("C", 15),
    ])
    #expect(
      found.contains(
        "it may be another failure: code \"C\" of recorded step 6 is also in steps 1, 4, 5, which "
          + "are left out"), "\(found)")
  }
}
