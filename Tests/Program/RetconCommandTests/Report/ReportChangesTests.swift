import SessionFile
import SessionWords
import TestSupport
import Testing
import TimeTravel
import ValueTree

@testable import RetconCommand

@Suite("The changes in a report", .serialized, .needs(.node, .chromium))
struct ReportChangesTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  @Test("the changes that it shows are those of diff, for 300 random pairs of states")
  func changes() async throws {
    let path = runner.folder + "/pairs.retcon"
    var random = SeededGenerator(seed: 60)
    func record(_ id: Int) -> Value {
      let count = Int.random(in: 0..<3, using: &random)
      return ["id": Value(id), "name": .string("n\(count)"), "count": Value(count)]
    }
    func next() -> Value {
      let ids = Array(1...9).shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random))
      let items = Bool.random(using: &random) ? ids.sorted() : Array(ids)
      let tags = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
        Value.string(["a", "b", "c"].randomElement(using: &random) ?? "")
      }
      var state: ValueObject = [
        "items": .array(ValueArray(items.map(record))), "tags": .array(ValueArray(tags)),
      ]
      state["open"] = Bool.random(using: &random) ? true : nil
      return .object(state)
    }
    var states = [next()]
    let writer = try SessionWriter(path: path, header: SessionHeader(state: states[0]))
    for n in 1...300 {
      states.append(next())
      try writer.append(Step(number: n, label: "changed", action: .null), state: states[n])
    }
    try writer.finish()
    let page = runner.folder + "/report.html"
    #expect(await runner.run(["report", "-o", page, path]).status == .yes)
    let browser = try Browser()
    try browser.open(page)
    let shown = try browser.run(
      """
      (async () => {
        const all = [];
        for (let step = 1; step <= 300; step++) {
          here = { branch: 0, step };
          await drawDetail();
          all.push([...document.querySelectorAll('#detail .changes li')].map((row) =>
            row.querySelector('code').textContent + ' ' + row.querySelector('.mono').textContent));
        }
        return all;
      })()
      """)
    for n in 1...300 {
      let changes = ValueDifference(from: states[n - 1], to: states[n]).changes
      let rows = changes.compactMap { change -> String? in
        switch change.kind {
        case .added: "\(change.path.text) + "
        case .removed: "\(change.path.text) − "
        case .changed: "\(change.path.text) "
        case .moved(_, let from): "\(change.path.text) ↕ was at \(from.text)  "
        }
      }
      guard case .array(let all)? = shown[n - 1] else {
        Issue.record("step \(n) shows nothing")
        continue
      }
      let texts = all.compactMap(\.string)
      #expect(texts.count == rows.count, "step \(n): \(texts), not \(rows)")
      #expect(zip(texts, rows).allSatisfy { $0.hasPrefix($1) }, "step \(n): \(texts), not \(rows)")
    }
  }
}
