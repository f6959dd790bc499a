import HostProtocol
import Platform
import SessionWords
import TextCanvas
import ValueTree

/// The sessions of a command that takes many: named one by one, or listed in a file.
struct SessionList: Sendable {
  let files: [String]
  let shard: Shard?
  private let fetch: String?

  static let options = [
    Option(
      "files-from", value: "FILE",
      help: "each session that FILE names, by lines or NUL bytes (- for standard input)"),
    Option(
      "fetch", value: "COMMAND",
      help: "the command that writes a session to standard output; {} is the session's name"),
    Option("shard", value: "I/N", help: "the I-th of N parts of the sessions, by their names"),
  ]

  private static let most = 1_000_000

  init(_ given: ParsedArguments, named: [String] = []) throws {
    fetch = given.value("fetch")
    if let fetch, !fetch.contains("{}") || HostCommand(words: fetch) == nil {
      throw UsageError(
        what: "--fetch is not a command with {} for the name",
        next: "Write --fetch 'aws s3 cp {} -'")
    }
    var all = named
    if let list = given.value("files-from") {
      let local = try LocalFile(list, in: currentEnvironment(), isSession: false)
      let text = try FileSystem.text(of: local.path)
      withExtendedLifetime(local) {}
      let end: Character = text.contains("\0") ? "\0" : "\n"
      let names = text.split(
        maxSplits: Self.most, whereSeparator: { $0 == end || end == "\n" && $0 == "\r\n" })
      all += names.map(String.init)
      guard !all.isEmpty else {
        throw UsageError(what: "\(list) names no session", next: "Write one name a line")
      }
      guard names.count <= Self.most else {
        throw UsageError(
          what: "\(list) names more than \(grouped(Self.most)) sessions",
          next: "Split it into several files")
      }
    }
    shard = try given.value("shard").map { try Shard($0) }
    files = shard.map { shard in all.filter(shard.contains) } ?? all
  }

  /// The environment in which `LocalFile` fetches missing files.
  func environment(_ environment: [String: String]) -> [String: String] {
    fetch.map { environment.merging([LocalFile.fetch: $0]) { $1 } } ?? environment
  }
}

/// One of several parts of a list. The name of a file without its folder decides, so a new file moves no
/// other.
struct Shard: Sendable, Equatable {
  let number: Int
  let count: Int

  init(_ text: String) throws(UsageError) {
    let parts = text.split(separator: "/").map { Int($0) ?? 0 }
    guard parts.count == 2, (1...100_000).contains(parts[1]), (1...parts[1]).contains(parts[0])
    else {
      throw UsageError(what: "\(text) is no shard", next: "Write --shard 1/4 to 4/4")
    }
    (number, count) = (parts[0], parts[1])
  }

  /// FNV-1a, the same on every machine.
  func contains(_ file: String) -> Bool {
    let name = file.split(separator: "/").last ?? ""
    let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return Int(hash % UInt64(count)) == number - 1
  }
}

extension SessionList {
  /// Runs a command, for each session of a list where one is given.
  static func run(
    _ command: any Command.Type, _ given: ParsedArguments, in context: CommandContext
  ) async throws -> ExitCode {
    guard !(command is VerifyCommand.Type) else { return try await command.run(given, in: context) }
    let named = files(command, given)
    guard given.has("files-from") || !named.isEmpty else {
      guard !given.has("shard"), !given.has("fetch") else {
        throw UsageError(
          what: "--shard and --fetch are for lists of sessions", next: "Add --files-from FILE")
      }
      return try await command.run(given, in: context)
    }
    guard !given.has("output") else {
      throw UsageError(
        what: "one file cannot hold the results of many sessions", next: "Leave out -o")
    }
    let list = try SessionList(given, named: named)
    let environment = list.environment(context.environment)
    var statuses: Set<ExitCode> = []
    for file in list.files {
      statuses.insert(
        await run(command, given, for: file, insteadOf: named.count, in: context, environment))
    }
    if statuses.contains(.trouble) { return .trouble }
    // As in grep, one session in which something is found is enough.
    let isSearch = command is FindCommand.Type
    return statuses.contains(isSearch ? .yes : .no)
      ? (isSearch ? .yes : .no) : isSearch ? .no : .yes
  }

  /// The files of a command that has several.
  private static func files(_ command: any Command.Type, _ given: ParsedArguments) -> [String] {
    if command is WatchCommand.Type, !given.has("files-from") {
      let files = given.positionals.prefix { FileSystem.exists($0) }
      return files.count > 1 ? Array(files) : []
    }
    let others = command is FindCommand.Type ? 1 : 0
    let takesMany =
      others == 1 || command is InfoCommand.Type || command is StepsCommand.Type
      || command is CheckCommand.Type
    let files = given.positionals.dropLast(others)
    // Else the words are a mistake, which the command tells.
    let areFiles = files.dropFirst().contains { FileSystem.exists($0) }
    return takesMany && !given.has("files-from") && areFiles ? Array(files) : []
  }

  /// Each line of the answer names its session, in JSON by the member `file`.
  private static func run(
    _ command: any Command.Type, _ given: ParsedArguments, for file: String,
    insteadOf count: Int, in context: CommandContext, _ environment: [String: String]
  ) async -> ExitCode {
    do {
      let local = try LocalFile(file, in: environment)
      defer { withExtendedLifetime(local) {} }
      let isJSON = given.has("json")
      let head =
        isJSON
        ? SafeText.json("{\"file\":\(Value.string(file).text())") : SafeText.line("\(file): ")
      var inner = context
      inner.output.data = { text in
        context.output.data(
          text.split(separator: "\n").map { line in
            guard isJSON, line.first == "{" else { return head + line + "\n" }
            var line = line
            // The name on the list replaces the one that the command says, which may be of a copy.
            if line.hasPrefix("{\"file\":"),
              case .object(var members)? = try? Value(parsing: String(line))
            {
              members["file"] = nil
              line = SafeText.json(Value.object(members).text())[...]
            }
            return head + (line == "{}" ? "" : ",") + line.dropFirst() + "\n"
          }.joined())
      }
      return try await command.run(given.naming(local.path, insteadOf: count), in: inner)
    } catch {
      context.warn(["\(file): \(sentence(for: error))"])
      return .trouble
    }
  }
}
