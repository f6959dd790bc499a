import Platform
import SessionWords
import TextCanvas
import ValueTree

struct MergeCommand: TypedCommand {
  static let declaration = CommandDeclaration(
    name: "merge", usage: "FILE …",
    summary: "join the results of verify --format json from several machines",
    discussion: """
      The answer is the same however many shards there were: the findings of all sessions, as verify shows them.
      With --json, the lines of all files come first, sorted. A shard that is missing or not complete is named.
      Exit status 1 says that a session differs (with --base, that a finding is new), and 2 that something is
      missing or could not be run.
      """,
    options: FindingFormat.options)

  let files: [String]
  let format: FindingFormat
  let base: String?
  let showsSessions: Bool
  /// The longest line, in bytes.
  private static let most = 64 << 20

  init(_ given: ParsedArguments) throws {
    guard !given.positionals.isEmpty else {
      throw UsageError(what: "merge needs files", next: "Write retcon merge shard-*.jsonl")
    }
    (files, format) = (given.positionals, try FindingFormat(given))
    (base, showsSessions) = (given.value("base"), given.has("sessions"))
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    var results: [(file: String, text: String)] = []
    var findings = try Findings(hostWords: ["--host", "COMMAND"], base: base)
    var shards = ShardCount()
    var problems: [String] = []
    for file in files {
      let local = try LocalFile(file, in: context.environment, isSession: false)
      defer { withExtendedLifetime(local) {} }
      var (count, number, shard) = (0, 0, Value?.none)
      try FileSystem.forEachLine(of: local.path, most: Self.most) { text in
        number += 1
        let line = try? Value(parsing: text)
        if let line, let name = line["file"]?.string, line["equal"] != nil || line["error"] != nil {
          if format == .json { results.append((name, line.text())) }
          findings.add(line)
          count += 1
        } else if line?["shard"] != nil, shard == nil {
          shard = line
          return
        } else if line?["count"] == nil, line?["standing"] != "gone", problems.count < 1_000 {
          problems.append("\(file), line \(number): this is no result of verify --format json")
        }
        // Only the last line is a shard.
        if shard != nil { shard = .null }
      }
      if let shard {
        if let problem = shards.add(shard, count, file) { problems.append(problem) }
      } else if number == 0 {
        problems.append("\(file) has no result of verify --format json")
      } else {
        shards.addUnfinished(file)
      }
    }
    problems += shards.problems
    results.sort { ($0.file, $0.text) < ($1.file, $1.text) }
    for result in results { context.output.line(SafeText.json(result.text)) }
    findings.sort()
    findings.write(as: format, withSessions: showsSessions, in: context)
    context.warn(problems.map { $0 + "." })
    return problems.isEmpty ? findings.exitCode : .trouble
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
