import HostProtocol
import Platform
import SessionFile
import SessionWords
import TimeTravel
import ValueTree

/// Searching for steps, compared with `wc -l` or `jq` on the same file.
enum SearchRows {
  static func rows(_ log: LargeLog, _ folder: BenchFolder) throws -> [Row] {
    let whole = try wholeStates(2_000, in: folder)
    let session = OpenSession(SessionRecording(try SessionReader(path: log.path)))
    let foreign = OpenSession(SessionRecording(try SessionReader(path: whole)))
    func find(_ what: String, _ condition: String) -> Row {
      Row(
        "find: \(what), 1,000,000 steps", bar: .ratioAtMost(6), finding(condition, session),
        against: .lines(of: log.path), samples: 5)
    }
    return [
      Row(
        "text search for a hit near the end", bar: .ratioAtMost(5),
        .timedAsync {
          try await session.search(.main, from: 0, for: StepText(LargeLog.lateText)) {
            blackHole($0)
          }
        }, against: .lines(of: log.path), samples: 5),
      find("a place that few steps change", "state.name == 'Bob'"),
      find("a place that every step changes", "state.total < 0"),
      find(
        "labels and actions",
        "label == 'quantityChanged' && action.quantityChanged.quantity == -1"),
      Row(
        "find: whole states of 42 KB in every line, a filter", bar: .fasterAtLeast(12),
        finding("state.items[?@.quantity < 0]", foreign),
        against: jq("select(any(.state.items[]?; .quantity < 0))", whole), samples: 3),
      Row(
        "find: whole states of 42 KB in every line, a place", bar: .fasterAtLeast(12),
        finding("state.total < 0 && label != 'x'", foreign),
        against: jq("select(.state.total < 0 and .label != \"x\")", whole), samples: 3),
    ]
  }

  static func finding(_ condition: String, _ session: OpenSession) -> Work {
    .timedAsync {
      try await session.search(.main, from: 0, for: StepQuestion(condition)) { blackHole($0) }
    }
  }

  private static func jq(_ filter: String, _ path: String) -> Work {
    .process(["jq", "-c", filter, path], "jq")
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
