import Platform
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

/// Sessions that differ for one cause. Every output shows these words, in this order.
struct Finding: Sendable {
  /// The cause. Two sessions with the same words are one finding, in every run and on every machine.
  let words: String
  private(set) var sessions: [Session] = []
  /// The result of the shortest session: one line of `verify --format json`.
  private(set) var example: Value = .null
  var standing: Standing?

  /// A session with the step of its first difference.
  struct Session: Sendable, Comparable {
    let at: Int
    let file: String

    static func < (left: Self, right: Self) -> Bool {
      (left.at, left.file) < (right.at, right.file)
    }

    var position: String { at > 0 ? "\(file)@\(at)" : file }
  }

  /// Compared with the findings of an earlier run.
  enum Standing: String, Sendable {
    case known, new, gone
  }

  /// Failures of Retcon come after differences.
  enum Severity: Int, Sendable {
    case differs, notRun, notChecked
  }

  init(_ words: String) { self.words = words }

  mutating func add(_ row: Value) {
    let session = Session(
      at: row["at"].flatMap { Int($0.text()) } ?? 0, file: row["file"]?.string ?? "")
    if sessions.allSatisfy({ session < $0 }) { example = row }
    sessions.append(session)
  }

  mutating func sort() { sessions.sort() }

  var shortest: Session { sessions.first ?? Session(at: 0, file: "") }

  static func severity(of row: Value) -> Severity? {
    if row["error"] != nil { return .notRun }
    guard row["equal"] == true else { return .differs }
    return row["notLookedAt"] == nil ? nil : .notChecked
  }

  var severity: Severity { Self.severity(of: example) ?? .differs }

  private var difference: Value? { example["divergences"]?[0] ?? example["undecodable"]?[0] }

  var kind: String {
    switch severity {
    case .differs: difference?["kind"]?.string ?? "does not decode"
    case .notRun: "not run"
    case .notChecked: "not checked"
    }
  }

  /// The same for the same words, on every machine.
  var fingerprint: String {
    SHA256.hash(words.utf8).prefix(8).map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
  }

  /// The reducer's line, if an error or the action's name tells it.
  var source: (file: String, line: Int)? {
    guard let file = example["source"]?.string, let line = example["line"]?.text() else {
      return nil
    }
    return Int(line).map { (file, $0) }
  }

  /// The recorded part of the shortest session, beside the result of today's reducer.
  var detail: String {
    if let error = example["error"]?.string { return error }
    if severity == .notChecked, case .array(let gaps)? = example["notLookedAt"] {
      return gaps.compactMap(\.string).joined(separator: "; ")
    }
    let isTwice = difference?["kind"] == "nondeterministic"
    return [
      Self.preview(difference?["recorded"]).map { (isTwice ? "first run " : "recorded ") + $0 },
      Self.preview(difference?["rerun"]).map { (isTwice ? "second run " : "today ") + $0 },
      kind == "breaks a rule" ? nil : difference?["hint"]?.string ?? difference?["reason"]?.string,
    ].compactMap(\.self).joined(separator: ", ")
  }

  /// The app's value in a cell of the table, which holds its JSON text.
  private static func value(_ cell: Value?) -> Value? {
    cell?.string.flatMap { try? Value(parsing: $0) } ?? cell
  }

  private static func preview(_ cell: Value?) -> String? {
    value(cell).map { ValuePreview.text($0, limit: 200) }
  }

  var count: String { counted(sessions.count, "session") }

  var title: String {
    (standing == .new ? "new: " : standing == .gone ? "gone: " : "") + words
  }

  /// The cause behind the action's name, and both values.
  var wordsOfStep: String {
    let label = (difference?["label"]?.string).map { $0 + ": " } ?? ""
    return String(words.hasPrefix(label) ? words.dropFirst(label.count) : words[...])
      + (detail.isEmpty ? "" : ": \(detail)")
  }

  /// The places that differ in the shortest session, with both values.
  var places: [(place: String, recorded: Value?, today: Value?)] {
    guard case .array(let all)? = example["divergences"] else { return [] }
    return all.filter { $0["step"] == difference?["step"] }.map {
      ($0["path"]?.string ?? "", Self.value($0["recorded"]), Self.value($0["rerun"]))
    }
  }

  /// One line: the cause, how often, the shortest session, both values.
  var sentence: String {
    guard !sessions.isEmpty else { return "\(title)." }
    let end = detail.last.map { ".?!".contains($0) } == true ? "" : "."
    return "\(title), in \(count). \(detail.isEmpty ? "" : detail + end + " ")Look: retcon "
      // The name of a file may look like an option.
      + ShellWord.quoted((shortest.file.hasPrefix("-") ? "./" : "") + shortest.position)
  }

  /// The commands to go on with.
  func commands(_ host: [String]) -> [String] {
    guard severity == .differs else { return [] }
    let isEnd = ["crash", "did not return"].contains(kind)
    let rule = kind == "breaks a rule" ? ["--rule", difference?["hint"]?.string ?? ""] : []
    return [
      ["retcon", shortest.position] + (rule.isEmpty ? ["--again"] : []),
      ["retcon", "minimize", shortest.file]
        + (rule.isEmpty ? [isEnd ? "--crash" : "--divergence"] : rule),
      ["retcon", "test", shortest.position] + rule,
    ].map { ($0 + host).map(ShellWord.quoted).joined(separator: " ") }
  }

  /// A row of the answers' table; `count` tells it from a session's row.
  func row(_ host: [String]) -> Value {
    var members: ValueObject = [
      "finding": .string(words), "fingerprint": .string(fingerprint),
      "count": Value(sessions.count),
    ]
    if let standing { members["standing"] = .string(standing.rawValue) }
    guard !sessions.isEmpty else { return .object(members) }
    members.add([
      "kind": .string(kind), "file": .string(shortest.file), "at": Value(shortest.at),
      "detail": .string(detail),
    ])
    if let label = difference?["label"] { members["action"] = label }
    if let source { members.add(["source": .string(source.file), "line": Value(source.line)]) }
    members["next"] = .list(commands(host), Value.string)
    return .object(members)
  }
}

/// The lines of `verify --format json`, of this run or of others, and their findings.
struct Findings: Sendable {
  /// The options for another command that name the host.
  let hostWords: [String]
  /// Each session with its finding, in the order of the files.
  private(set) var sessions: [(file: String, words: String?)] = []
  private var found: [String: Finding] = [:]
  private var counts: [Finding.Severity: Int] = [:]
  /// The words of an earlier run.
  private let base: Set<String>?

  init(hostWords: [String], base: String? = nil) throws {
    self.hostWords = hostWords
    self.base = try base.map { file in
      let rows = try FileSystem.text(of: file).split(separator: "\n").map {
        try? Value(parsing: String($0))
      }
      guard rows.allSatisfy({ $0?["file"] ?? $0?["finding"] ?? $0?["shard"] != nil }) else {
        throw UsageError(
          what: "\(file) is no answer of verify --json",
          next: "Write retcon verify … --json > \(file)")
      }
      return Set(rows.filter { $0?["standing"] != "gone" }.compactMap { $0?["finding"]?.string })
    }
  }

  mutating func add(_ row: Value) {
    let severity = Finding.severity(of: row)
    let words = severity == nil ? nil : row["finding"]?.string ?? "no cause is told"
    sessions.append((row["file"]?.string ?? "", words))
    guard let severity, let words else { return }
    counts[severity, default: 0] += 1
    found[words, default: Finding(words)].add(row)
  }

  /// Puts sessions of several shards in one order.
  mutating func sort() { sessions.sort { ($0.file, $0.words ?? "") < ($1.file, $1.words ?? "") } }

  func finding(of file: String) -> Finding? {
    all.first { $0.sessions.contains { $0.file == file } }
  }

  /// Differences first, then by the number of sessions.
  var all: [Finding] {
    found.values.map { finding in
      var finding = finding
      finding.sort()
      finding.standing = base.map { $0.contains(finding.words) ? .known : .new }
      return finding
    }.sorted { left, right in
      (left.severity.rawValue, right.sessions.count, left.words)
        < (right.severity.rawValue, left.sessions.count, right.words)
    } + gone
  }

  /// Findings of the base that no session has any more.
  private var gone: [Finding] {
    (base ?? []).filter { found[$0] == nil }.sorted().map { words in
      var finding = Finding(words)
      finding.standing = .gone
      return finding
    }
  }

  /// Trouble outranks a difference, because the result is then incomplete. With a base, only a new
  /// finding counts.
  var exitCode: ExitCode {
    if counts[.notRun] ?? counts[.notChecked] != nil { return .trouble }
    return found.keys.contains { base?.contains($0) != true } ? .no : .yes
  }

  var sentence: String {
    func count(_ severity: Finding.Severity) -> Int { counts[severity] ?? 0 }
    var parts = [
      "\(grouped(sessions.count - counts.values.reduce(0, +))) as recorded",
      "\(grouped(count(.differs))) differ",
    ]
    if count(.notChecked) > 0 { parts.append("\(grouped(count(.notChecked))) only partly checked") }
    if count(.notRun) > 0 { parts.append("\(grouped(count(.notRun))) could not be run") }
    var words = "\(counted(sessions.count, "session")): " + parts.joined(separator: ", ")
    let all = all
    if !found.isEmpty { words += "; \(counted(found.count, "finding"))" }
    if base != nil {
      words +=
        ": "
        + [Finding.Standing.new, .known, .gone].map { standing in
          "\(grouped(all.count { $0.standing == standing })) \(standing.rawValue)"
        }.joined(separator: ", ")
    }
    return words + "."
  }

  func lines(withSessions: Bool) -> [String] {
    [sentence]
      + all.enumerated().flatMap { index, finding in
        guard !finding.sessions.isEmpty else { return ["(\(index + 1)) \(finding.title)"] }
        var lines = ["\(finding.shortest.position)  \(finding.detail)"]
        if let source = finding.source { lines.append("\(source.file):\(source.line)") }
        lines += finding.commands(hostWords)
        if withSessions { lines += finding.sessions.map(\.position) }
        return ["", "(\(index + 1)) \(finding.title), in \(finding.count)"]
          + lines.map { "    \($0)" }
      }
  }
}

extension Pointer {
  /// The place without what is different in each session: positions, and keys that are ids.
  var withoutPositions: Pointer {
    Pointer(
      tokens: tokens.map { token in
        let digits = token.count(where: \.isWholeNumber)
        let isID = digits > 1 || digits == 1 && token.contains { "-:#".contains($0) }
        return isID || digits > 0 && digits == token.count ? "*" : token
      })
  }
}
