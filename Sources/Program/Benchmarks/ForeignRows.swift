import Debugger
import Platform
import SessionFile
import SessionImports
import SessionWords
import TerminalDriver
import TextCanvas
import TimeTravel
import ValueTree

/// A million lines of JSON as any store writes them, read in place, and a session of the same steps.
enum ForeignRows {
  static let topic = Topic(name: "In place") { folder in
    let retcon = try ProcessRows.builtProgram("retcon")
    let lines = folder("ticks.jsonl")
    try writeTicks(1_000_000, to: lines)
    let own = folder("ticks.retcon")
    try open(lines).copy(to: own)
    return try reading(lines, retcon, folder) + questions(lines, own, retcon)
      + DebuggerRows.rows(
        OpenSession(SessionRecording(try open(lines))), label: "tick3", place: "count",
        shown: " 19│")
  }

  private static func open(_ path: String) throws -> SessionReader {
    var opener = SessionOpener.standard
    opener.indexCache = nil
    return try opener.open(path)
  }

  private static func reading(
    _ lines: String, _ retcon: String, _ folder: BenchFolder
  ) throws -> [Row] {
    [
      Row(
        "a JSON Lines file of 1,000,000 lines: first frame", bar: .atMost(50e-3),
        .measured { try firstFrame(retcon, lines, showing: "tick") }, samples: 7),
      Row(
        "its last step and state, warm", bar: .ratioAtMost(1.5), .lastStep(of: lines),
        against: .lines(of: lines), samples: 7),
      Row(
        "the same with its index in the cache", bar: .ratioAtMost(1.5),
        .lastStep(of: lines, IndexCache(folder: folder.path)), against: .lines(of: lines),
        samples: 7),
      Row(
        "private memory after opening it", bar: .atMost(30e6 + 8 * 1_000_000),
        .measured(unit: .bytes) { try MemoryRows.privateBytes(opening: lines) }, samples: 3),
      Row(
        "2,000 new lines a second: what is used of one core", bar: .atMost(0.05),
        .measured(unit: .share) {
          let path = folder("growing.jsonl")
          try writeTicks(200_000, to: path)
          return try ScreenRows.watching(retcon, path, after: 200_000, stepsPerSecond: 2_000) {
            tick($0)
          }
        }, samples: 1),
    ]
  }

  /// From the start of the program until its screen has a text.
  static func firstFrame(_ retcon: String, _ path: String, showing text: String) throws -> Double {
    let watch = Stopwatch()
    let terminal = try PseudoTerminal(retcon, [path], columns: 120, rows: 40)
    try terminal.wait(for: text)
    let seconds = watch.seconds
    terminal.type("q")
    try terminal.waitForExit()
    return seconds
  }

  private static func questions(
    _ lines: String, _ own: String, _ retcon: String
  ) throws -> [Row] {
    let asked = [
      ("a state and a label", "state.count > 999000 && label == 'tick3'"),
      ("the action", "action.payload.n > 999000"), ("a state", "state.total < 0"),
    ]
    let files = [(lines, "JSON Lines", 4.0), (own, "the own format", 3.0)]
    return try files.flatMap { path, name, limit in
      let session = OpenSession(SessionRecording(try open(path)))
      let rows = asked.map { what, condition in
        Row(
          "find: \(what), 1,000,000 steps, \(name)", bar: .ratioAtMost(limit),
          SearchRows.finding(condition, session), against: .lines(of: path), samples: 5)
      }
      guard path == lines else { return rows }
      return rows + duckDB(lines, [retcon, "find", lines, asked[0].1, "--count"])
    }
  }

  static func hasDuckDB() -> Bool {
    if (try? ChildProcess.run(["python3", "-c", "import duckdb"]).status) == 0 { return true }
    print("      DuckDB is not installed, so nothing is compared with it: pip install duckdb")
    return false
  }

  private static func duckDB(_ path: String, _ finding: [String]) -> [Row] {
    func ask(_ words: String) -> [String] { ["python3", "-c", "import duckdb; \(words)"] }
    guard hasDuckDB() else { return [] }
    let query = """
      duckdb.sql("select count(*) from read_ndjson('\(path)') where state.count > 999000 \
      and action.type = 'tick3'").fetchall()
      """
    return [
      Row(
        "the first of these questions, beside DuckDB, both with their start", bar: .ratioAtMost(1),
        .process(finding), against: .process(ask(query), "DuckDB from Python"), samples: 3)
    ]
  }

  private static func writeTicks(_ count: Int, to path: String) throws {
    let file = try BenchFile(path)
    for number in 1...count { try file.write(tick(number)) }
  }

  private static func tick(_ number: Int) -> [UInt8] {
    Array(
      """
      {"action":{"type":"tick\(number % 7)","payload":{"n":\(number),"note":"\(note)"}},\
      "state":{"count":\(number),"total":\(number % 1_000),"items":[\(items)],"name":"Ann"}}

      """.utf8)
  }

  private static let note = "as long as the actions of real apps are, with a place and a reason"
  private static let items = (0..<8).map { #"{"id":\#($0),"title":"Article \#($0)","price":12.5}"# }
    .joined(separator: ",")
}
