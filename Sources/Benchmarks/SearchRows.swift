import HostProtocol
import Platform
import SessionFile
import SessionWords
import TimeTravel
import ValueTree

/// Searching for steps, compared with `wc -l` or `jq` on the same file.
enum SearchRows {
  static func rows(_ log: LargeLog) throws -> [Row] {
    let folder = try BenchFolder()
    let whole = try wholeStates(2_000, in: folder)
    let session = OpenSession(SessionRecording(try SessionReader(path: log.path)))
    let foreign = OpenSession(SessionRecording(try SessionReader(path: whole)))
    let lines = Work.process("wc -l", ["wc", "-l", log.path])
    return [
      Row(
        "text search for a hit near the end", bar: .ratioAtMost(5),
        .timedAsync("search for a text") {
          keep(try await hits(StepText(LargeLog.lateText), session))
        },
        against: lines, samples: 5),
      find("a place that few steps change", "state.name == 'Bob'", session, lines),
      find("a place that every step changes", "state.total < 0", session, lines),
      find(
        "labels and actions",
        "label == 'quantityChanged' && action.quantityChanged.quantity == -1", session, lines),
      Row(
        "find: whole states of 42 KB in every line, a filter", bar: .fasterAtLeast(12),
        finding("state.items[?@.quantity < 0]", foreign),
        against: jq("select(any(.state.items[]?; .quantity < 0))", whole, in: folder), samples: 3),
      Row(
        "find: whole states of 42 KB in every line, a place", bar: .fasterAtLeast(12),
        finding("state.total < 0 && label != 'x'", foreign),
        against: jq("select(.state.total < 0 and .label != \"x\")", whole, in: folder), samples: 3),
    ]
  }

  private static func find(
    _ what: String, _ condition: String, _ session: OpenSession, _ baseline: Work
  ) -> Row {
    Row(
      "find: \(what), 1,000,000 steps", bar: .ratioAtMost(6), finding(condition, session),
      against: baseline, samples: 5)
  }

  static func finding(_ condition: String, _ session: OpenSession) -> Work {
    .timedAsync(condition) { keep(try await hits(StepQuestion(condition), session)) }
  }

  private static func hits(_ question: StepQuestion, _ session: OpenSession) async throws -> Int {
    let count = Counter()
    try await session.search(Branch.main, from: 0, for: question) { await count.add($0) }
    return await count.hits
  }

  private static func hits(_ text: StepText, _ session: OpenSession) async throws -> Int {
    let count = Counter()
    try await session.search(Branch.main, from: 0, for: text) { await count.add($0) }
    return await count.hits
  }

  private actor Counter {
    private(set) var hits = 0
    func add(_ batch: SearchBatch) { hits += batch.hits.count }
  }

  /// `folder` must live as long as the work.
  private static func jq(_ filter: String, _ path: String, in folder: BenchFolder) -> Work {
    .measured("jq", unit: .seconds) {
      defer { keep(folder) }
      do {
        return try ChildProcess.run(["jq", "-c", filter, path]).seconds
      } catch is ChildStart.Failure {
        throw OptionError(text: "jq is not installed")
      }
    }
  }

  private static func wholeStates(_ steps: Int, in folder: BenchFolder) throws -> String {
    let path = folder("whole.retcon")
    let file = try BenchFile(path)
    for number in 0...steps {
      var line = StepLine(LargeLog.step(number))
      line.state = LargeLog.state(number)
      try file.write(
        number == 0 ? SessionHeader(state: LargeLog.state(0)).bytes : LogLine.step(line).bytes)
    }
    return path
  }
}
