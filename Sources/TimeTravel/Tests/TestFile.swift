import HostProtocol
import SessionFile

extension OpenSession {
  /// What a test of these steps does, and their source.
  package func testParts(
    of steps: ClosedRange<Int>, on branch: String
  ) async throws -> (plan: TestPlan, source: StepSource) {
    let plan = try testPlan(of: steps, on: branch)
    let source = try await source(of: steps, on: branch, unfinished: plan.unfinished?.action)
    guard source.steps.count == steps.count else {
      throw Trouble(
        "the reducer gets no further than step \(source.steps.last?.number ?? 0)",
        next: "Name a range that ends there")
    }
    return (plan, source)
  }

  package func checkActions(in steps: ClosedRange<Int>, of branch: String) throws {
    for step in steps where try self.step(at: Position(branch: branch, step: step)).step.set != nil
    {
      throw Trouble(
        "step \(step) sets a part of the state, which no action does",
        next: "Write --as replay, or another --range")
    }
  }

  /// Writes steps of a branch as a Swift test.
  package func writeTest(
    of steps: ClosedRange<Int>, on branch: String, to path: String
  ) async throws {
    if summary.isOfJavaScript {
      throw Trouble(
        "a test for node needs the reducer's file",
        next: "Write retcon test \(summary.name) --reducer FILE.js")
    }
    try checkActions(in: steps, of: branch)
    let (plan, source) = try await testParts(of: steps, on: branch)
    var writer = SwiftTestWriter()
    writer.typeName = SwiftTestWriter.typeName(of: path)
    var file = try NewFile(path: path)
    try file.append(Array(try writer.text(plan, source).utf8))
    try file.keep()
  }
}

extension SwiftTestWriter {
  /// `wishes-2.retcon` → `Wishes2`
  package static func typeName(of file: String) -> String {
    let stem = (file.split(separator: "/").last ?? "").prefix { $0 != "." }
    let words = stem.split { !($0.isLetter || $0.isNumber) || !$0.isASCII }
    let name = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return name.first?.isLetter == true ? name : "Session" + name
  }
}
