import HostProtocol
import Platform
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

struct BisectCommand: TypedCommand {
  static let declaration = CommandDeclaration(
    name: "bisect", usage: "FILE (--host COMMAND | --reducer FILE.js) [--good REVISION]",
    summary: "find the commit that changed what a session does",
    discussion: """
      Runs verify in a copy of the repository of this folder, at one commit after the other, along first
      parents. A commit that does not build, or cannot run the session, is skipped. Without --good it goes
      back until a commit runs as recorded. Your own checkout is not touched. Exit status 0 says that the
      commit was found.
      """,
    options: HostOptions.declarations + [
      Option("host-build", value: "COMMAND", help: "builds the host in the copy, run by sh"),
      Option("good", value: "REVISION", help: "a commit that ran as recorded"),
      Option("bad", value: "REVISION", help: "a commit that differs (HEAD)"),
      Option("rule", value: "CONDITION", help: "must hold after every step; may be repeated"),
      Option("json", help: "as one JSON object"),
    ])

  let file: String
  let host: HostOptions
  let build: String?
  let good: String?
  let bad: String
  let hostWords: [String]
  let isJSON: Bool

  init(_ given: ParsedArguments) throws {
    file = try SessionArgument(given, command: "bisect").position.file
    host = try HostOptions(given)
    guard host.command != nil || host.reducer != nil else {
      throw UsageError(
        what: "bisect needs the app's reducer, and no host is named",
        next: "Write --reducer FILE.js for a Redux app, else --host COMMAND")
    }
    build = given.value("host-build")
    (good, bad) = (given.value("good"), given.value("bad") ?? "HEAD")
    for revision in [good, bad].compactMap(\.self) where revision.hasPrefix("-") {
      throw UsageError(what: "\(revision) is no revision", next: "Write --good v1.2")
    }
    hostWords = HostOptions.words(given) + (try Self.rules(given))
    isJSON = given.has("json")
  }

  /// Rules are those of today: their files may not be in older commits.
  private static func rules(_ given: ParsedArguments) throws -> [String] {
    try given.all("rule").flatMap { rule in
      let code = try StepQuestion(rule).code
      let text = code.reduce(rule) { text, name in
        let path = absolutePath(HostedCode.file(name)).escapedInCondition
        return text.replacing(name, with: "'\(path)'#\(name.split(separator: "#").last ?? "")")
      }
      return ["--rule", text]
    }
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    let work = try FileSystem.temporaryFolder(in: context.environment)
    defer { withExtendedLifetime(work) {} }
    guard FileSystem.exists(file), let session = realPath(of: file) else {
      throw SessionError(.missing, path: file)
    }
    var search = CommitSearch(
      command: self, session: session, folder: work.path, context: context)
    try search.copyRepository()
    return try search.run()
  }
}

/// One search, in a copy of the repository that shares its objects.
private struct CommitSearch {
  let command: BisectCommand
  let session: String
  let folder: String
  let context: CommandContext
  /// Newest first.
  var commits: [String] = []
  var place = ""
  var results: [Int: Result] = [:]

  enum Result {
    case same
    case differs(Value)
    case skipped(String)

    var isSkipped: Bool { if case .skipped = self { true } else { false } }
  }

  private var tree: String { "\(folder)/tree" }

  mutating func copyRepository() throws {
    let top = try git(["rev-parse", "--show-toplevel"])
    let inside = try git(["rev-parse", "--show-prefix"])
    for path in [command.host.reducer?.words, command.host.command?.program].compactMap(\.self)
    where path.hasPrefix(top + "/") {
      throw UsageError(
        what: "every commit would use the same file \(path)",
        next: "Write it relative to this folder: the copy has one of its own")
    }
    let (bad, good) = (try commit(command.bad), try command.good.map(commit))
    let range = [bad] + (good.map { ["^\($0)"] } ?? [])
    let younger = try git(["rev-list", "--first-parent"] + range).split(separator: "\n")
    commits = younger.map(String.init) + [good].compactMap(\.self)
    _ = try git(["clone", "--quiet", "--shared", "--no-checkout", top, tree])
    place = inside.isEmpty ? tree : "\(tree)/\(inside)"
  }

  mutating func run() throws -> ExitCode {
    guard commits.count > 1 else {
      throw UsageError(
        what: "there is no commit between the good one and \(command.bad)",
        next: "Write --good OLDER")
    }
    switch try result(0) {
    case .same:
      throw UsageError(what: "\(command.bad) runs as recorded", next: "Write --bad REVISION")
    case .skipped(let reason): throw UsageError(what: "\(command.bad) cannot run: \(reason)")
    case .differs: break
    }
    var bad = 0
    var good = try oldest(&bad)
    while good - bad > 1, let next = try candidate(between: bad, good) {
      if case .same = try result(next) { good = next } else { bad = next }
    }
    return show(bad, good)
  }

  /// The nearest commit that runs as recorded: at growing distances, without `--good`.
  private mutating func oldest(_ bad: inout Int) throws -> Int {
    var step = 1
    var index = command.good == nil ? 1 : commits.count - 1
    while true {
      switch try result(index) {
      case .same: return index
      case .differs: bad = index
      case .skipped: break
      }
      guard index < commits.count - 1 else {
        throw UsageError(
          what: "no commit was found that runs as recorded, back to \(commits[index].prefix(10))",
          next: "Record a session with the old app, or name another --good")
      }
      step *= 2
      index = min(index + step, commits.count - 1)
    }
  }

  /// The commit nearest to the middle that runs, or nil when every one in between is skipped.
  private mutating func candidate(between bad: Int, _ good: Int) throws -> Int? {
    let middle = (bad + good) / 2
    for index in (bad + 1..<good).sorted(by: { abs($0 - middle) < abs($1 - middle) })
    where !(try result(index).isSkipped) { return index }
    return nil
  }

  private mutating func result(_ index: Int) throws -> Result {
    if let known = results[index] { return known }
    let found = try examine(commits[index])
    results[index] = found
    let words =
      switch found {
      case .same: "as recorded"
      case .differs(let line): "differs: \(line["finding"]?.string ?? "")"
      case .skipped(let reason): "skipped: \(reason)"
      }
    context.tell("\(commits[index].prefix(10)) \(words)")
    return found
  }

  private func examine(_ commit: String) throws -> Result {
    _ = try git(["-C", tree, "checkout", "--quiet", "--force", "--detach", commit])
    guard access(place, F_OK) == 0 else { return .skipped("the commit has no such folder") }
    if let build = command.build, try output(["/bin/sh", "-c", build]).status != 0 {
      return .skipped("it does not build")
    }
    let verify = [FileSystem.ownProgram, "verify", session, "--json"] + command.hostWords
    let (text, status) = try output(verify)
    let line = text.split(separator: "\n").first.flatMap { try? Value(parsing: String($0)) }
    switch (status, line) {
    case (0, _): return .same
    case (1, let line?): return .differs(line)
    default: return .skipped(line?["error"]?.string ?? "it cannot run the session")
    }
  }

  private func show(_ bad: Int, _ good: Int) -> ExitCode {
    guard case .differs(let line)? = results[bad] else { return .trouble }
    let suspects = commits[bad..<good].map {
      (try? git(["log", "-1", "--format=%H %s", $0])) ?? $0
    }
    let at = line["at"]?.text() ?? "0"
    if command.isJSON {
      context.output.json([
        "commits": .list(commits[bad..<good], Value.string),
        "file": .string(command.file), "finding": line["finding"] ?? .null,
        "at": line["at"] ?? .null,
        "divergences": line["divergences"] ?? .null,
      ])
    } else {
      if suspects.count > 1 {
        context.show(
          "One of these \(suspects.count) commits; the others between them were skipped:")
      }
      for words in suspects { context.show(words) }
      context.show("step \(at): \(line["finding"]?.string ?? "")")
      let words = ["retcon", "\(command.file)@\(at)", "--again"] + command.hostWords
      context.show("Side by side: \(words.map(ShellWord.quoted).joined(separator: " "))")
    }
    return suspects.count == 1 ? .yes : .no
  }

  private func commit(_ revision: String) throws -> String {
    do {
      return try git(["rev-parse", "--verify", "--quiet", "\(revision)^{commit}"])
    } catch is UsageError {
      throw UsageError(
        what: "git knows no commit \(revision) here",
        next: "Run retcon bisect in the repository, with revisions that it has")
    }
  }

  private func git(_ words: [String]) throws -> String {
    let (text, status) = try output(["git"] + words, in: ".", showsErrors: true)
    guard status == 0 else {
      throw UsageError(
        what: "git \(words.first ?? "") ended with \(status)",
        next: "Run retcon bisect in the repository, with revisions that it has")
    }
    return String(text.drop { $0.isNewline }.reversed().drop { $0.isNewline }.reversed())
  }

  private func output(
    _ words: [String], in folder: String? = nil, showsErrors: Bool = false
  ) throws -> (text: String, status: Int32) {
    try Subprocess.output(of: words, in: folder ?? place, showsErrors: showsErrors)
  }
}
