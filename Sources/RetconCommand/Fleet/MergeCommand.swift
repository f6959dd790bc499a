import Platform
import SessionWords
import TextCanvas
import ValueTree

struct MergeCommand: TypedCommand {
  static let declaration = CommandDeclaration(
    name: "merge", usage: "FILE …",
    summary: "join the results of verify --format json from several machines",
    discussion: """
      The answer is the same however many shards there were: sorted by session, counted, and grouped by cause.
      A shard that is missing or not complete is named. Exit status 1 says that a session differs, and 2 that
      something is missing or could not be run.
      """,
    options: [Option("json", help: "the lines of all files, sorted, instead of the summary")])

  let files: [String]
  let isJSON: Bool
  /// All files together, in bytes: their values take several times as much memory.
  private static let most = 64 << 20
  private static let mostLines = 1_000_000

  init(_ given: ParsedArguments) throws {
    guard !given.positionals.isEmpty else {
      throw UsageError(what: "merge needs files", next: "Write retcon merge shard-*.jsonl")
    }
    (files, isJSON) = (given.positionals, given.has("json"))
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    var results: [(file: String, text: String, line: Value)] = []
    var shards = ShardCount()
    var (problems, room) = ([String](), Self.most)
    for file in files {
      let local = try LocalFile(file, in: context.environment, isSession: false)
      let bytes = Array(try FileSystem.text(of: local.path).utf8)
      withExtendedLifetime(local) {}
      room -= bytes.count
      guard room >= 0 else {
        throw UsageError(
          what: "all results together have more than \(Self.most >> 20) MB",
          next: "Merge some of them")
      }
      let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: Self.mostLines)
      guard lines.count <= Self.mostLines else {
        throw UsageError(
          what: "\(file) has more than \(grouped(Self.mostLines)) results",
          next: "Split it into several files")
      }
      var count = 0
      for (index, text) in lines.enumerated() {
        let line = try? Value(parsing: text)
        if let line, let name = line["file"]?.string, line["equal"] != nil || line["error"] != nil {
          results.append((name, line.text(), line))
          count += 1
        } else if let line, line["shard"] != nil, index == lines.indices.last {
          if let problem = shards.add(line, count, file) { problems.append(problem) }
          count = -1
        } else if problems.count < 1_000 {
          problems.append("\(file), line \(index + 1): this is no result of verify --format json")
        }
      }
      if lines.isEmpty {
        problems.append("\(file) has no result of verify --format json")
      } else if count >= 0 {
        shards.addUnfinished(file)
      }
    }
    problems += shards.problems
    results.sort { ($0.file, $0.text) < ($1.file, $1.text) }
    var tally = VerifyTally(hostWords: ["--host", "COMMAND"])
    for result in results {
      tally.add(result.line)
      if isJSON { context.output.json(result.line) }
    }
    if !isJSON { for line in tally.lines { context.show(line) } }
    context.warn(problems.map { $0 + "." })
    return problems.isEmpty ? tally.exitCode : .trouble
  }
}

/// The last line of a shard's results says which part of the whole it is, and how many sessions it has.
private struct ShardCount {
  private var whole: Int?
  private var seen: Set<Int> = []
  private var unfinished: [String] = []

  mutating func add(_ line: Value, _ count: Int, _ file: String) -> String? {
    guard let number = Self.int(line["shard"]?[0]), let whole = Self.int(line["shard"]?[1]),
      (1...100_000).contains(whole), (1...whole).contains(number)
    else { return "\(file): its last line is no shard" }
    guard self.whole == nil || self.whole == whole else {
      return "\(file) is one of \(whole) shards, and others are of \(self.whole ?? 0)"
    }
    self.whole = whole
    guard seen.insert(number).inserted else { return "shard \(number) is there twice" }
    let sessions = Self.int(line["sessions"]) ?? -1
    return sessions == count
      ? nil : "shard \(number) has \(count) of \(counted(sessions, "result")): \(file)"
  }

  private static func int(_ value: Value?) -> Int? { value.flatMap { Int($0.text()) } }

  /// Results without a shard are whole if no other file is a shard.
  mutating func addUnfinished(_ file: String) { unfinished.append(file) }

  var problems: [String] {
    guard let whole else { return [] }
    let missing = (1...whole).filter { !seen.contains($0) }
    return unfinished.map { "\($0) ends before its last line" }
      + (missing.isEmpty
        ? []
        : [
          "of \(whole) shards these are missing: "
            + missing.map(String.init).joined(separator: ", ")
        ])
  }
}
