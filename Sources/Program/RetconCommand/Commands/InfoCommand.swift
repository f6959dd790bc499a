import SessionFile
import SessionWords
import TextCanvas
import ValueTree

struct InfoCommand: TypedCommand {
  let session: SessionArgument
  var isJSON = false
  var isCheck = false
  var extent = enough
  var host = HostOptions()

  static let declaration = CommandDeclaration(
    name: "info", usage: "FILE", summary: "show what a session holds and its problems",
    discussion: """
      Reads every line and applies every patch, to find all problems. Of a file above 256 MB it
      reads the first 256 MB, unless you give --all. With --reducer, you see which requests of a
      session with world: true run again. Exit status 2: there is no answer.
      """,
    options: [
      Option("json", help: "as one JSON object"),
      Option("all", help: "read all of a large file"),
      Option("quick", help: "check only what opening checks"),
      Option(
        "check", letter: "c",
        help: "read all of it; exit status 1 when anything is missing, left out or damaged"),
    ] + HostOptions.declarations + SessionList.options)

  private static let enough = 256 << 20

  func run(in context: CommandContext) async throws -> ExitCode {
    let reader = try session.open()
    var census = SessionCensus()
    let examined =
      extent == 0
      ? "nothing: --quick was given"
      : try Self.examine(reader, upTo: extent, &census, context.output)
    var facts = SessionOverview(reader: reader, census: census, examined: examined)
    facts.runsAgain = try await whatRunsAgain(in: reader, context)
    if isJSON {
      context.output.json(.object(ValueObject(try facts.members)))
    } else {
      for line in try facts.lines { context.show(line) }
    }
    return isCheck && !facts.isWhole ? .no : .yes
  }

  /// The host's words on an app that may run whole.
  private func whatRunsAgain(
    in reader: SessionReader, _ context: CommandContext
  ) async throws -> [String] {
    let workFolder = WorkFolder(context.environment)
    defer { withExtendedLifetime(workFolder) {} }
    let isWhole = reader.header.world != nil && host.isNamed(in: context.environment)
    guard isWhole, let connection = try host.connection(in: context, workFolder, for: reader.path)
    else { return [] }
    defer { connection.end() }
    return try await connection.load(reader.path, as: reader).notes
  }

  private static func examine(
    _ reader: SessionReader, upTo most: Int, _ census: inout SessionCensus, _ output: Output
  ) throws -> String? {
    let size = reader.size
    let line = ProgressLine(output: output, name: reader.fileName)
    defer { line.clear() }
    do {
      try reader.examine(&census) { share in
        guard share * Double(size) <= Double(most) else { throw ReachedLimit() }
        line.show(done: Int(share * 100), of: 100)
      }
      return nil
    } catch is ReachedLimit {
      return "the first \(most >> 20) MB of \(grouped(size >> 20)) MB; --all looks at the rest"
    }
  }

  private struct ReachedLimit: Error {}
}

extension InfoCommand {
  init(_ given: ParsedArguments) throws {
    let (isCheck, isQuick) = (given.has("check"), given.has("quick"))
    guard !isCheck || !isQuick else {
      throw UsageError(
        what: "--check reads all of a file, and --quick nothing", next: "Give one of them")
    }
    self.init(
      session: try SessionArgument(given, command: "info"), isJSON: given.has("json"),
      isCheck: isCheck,
      extent: isQuick ? 0 : given.has("all") || isCheck ? .max : Self.enough,
      host: try HostOptions(given))
  }
}

struct SessionOverview {
  let reader: SessionReader
  let census: SessionCensus
  let examined: String?
  var runsAgain: [String] = []

  var isWhole: Bool {
    reader.isFinished && counts.allSatisfy { $0.count == 0 || $0.name == Self.start && isForeign }
      && !reader.notices.contains { $0.isTrouble }
  }

  private static let start = "missing start"
  private static let dropped = "dropped states"
  /// No line of such a file can tell a state before the first action.
  private var isForeign: Bool { reader.isReadInPlace }

  private var counts: [(name: String, count: Int, words: String)] {
    [
      ("lost steps", census.lostSteps, "the notices say why"),
      ("lost lines", census.lostLines, "between steps; the notices say why"),
      ("missing steps", census.missingSteps, "the file has no line for them"),
      (
        "unknown references", census.unknownReferences,
        "they name an effect or a step that the file does not have"
      ),
      (Self.dropped, census.droppedStates, "the recorder had fallen behind"),
      ("absent states", census.absentStates, "a host computes them"),
      ("skipped steps", census.skippedSteps, "no reducer ran in them"),
      (Self.start, reader.header.state == nil ? 1 : 0, "the file has no state to start with"),
    ]
  }

  /// One fact: a value for programs, words for people, or only one of them.
  private struct Fact {
    var name: String
    var value: Value?
    var words: [String]
  }

  /// Members of a JSON object, `lostSteps` for `lost steps`.
  var members: [ValueObject.Element] {
    get throws {
      try all.compactMap { fact in
        let words = fact.name.split(separator: " ")
        let key = words.dropFirst().reduce(into: String(words[0])) {
          $0 += $1.prefix(1).uppercased() + $1.dropFirst()
        }
        return fact.value.map { (key, $0) }
      }
    }
  }

  var lines: [String] {
    get throws {
      let facts = try all.filter { !$0.words.isEmpty }
      let width = facts.map(\.name.count).max() ?? 0
      return facts.flatMap { fact in
        fact.words.enumerated().map { index, text in
          let name = index == 0 ? fact.name : ""
          return name + String(repeating: " ", count: width - name.count + 2) + text
        }
      }
    }
  }

  private var all: [Fact] {
    get throws {
      let header = reader.header
      var facts: [Fact] = []
      func add(_ name: String, _ value: Value?, _ words: [String]? = nil) {
        guard value != nil || words != nil else { return }
        facts.append(Fact(name: name, value: value, words: words ?? value.map(texts) ?? []))
      }
      let counts = counts.map { name, count, words in
        (name, count, words: count > 0 ? ["\(grouped(count)): \(words)"] : [])
      }
      // Dropped states come first, because they change how the rest reads.
      let dropped = counts.first { $0.0 == Self.dropped }
      add(Self.dropped, nil, dropped?.words)
      add("file", .string(reader.path))
      // Another tool's file gives its own name.
      let app = header.app.flatMap { $0.name == reader.fileName ? nil : $0 }
      add("app", app.map { .string($0.name + ($0.version.map { " \($0)" } ?? "")) })
      add("from", header.origin.map { .string($0.format) })
      add("caveat", header.origin?.caveat.map(Value.string))
      add("started", header.started.map(Value.string))
      add("steps", Value(reader.stepCount))
      if header.firstStep > 0 { add("first", Value(header.firstStep + 1)) }
      if let duration = try duration {
        let isKnown = duration >= .zero
        add(
          "duration", isKnown ? .number(Number(duration / .seconds(1))) : nil,
          [isKnown ? duration.longText : "unknown: the times go down"])
      }
      if case .browse(let reason) = header.capability { add("browse only", .string(reason)) }
      switch header.states {
      case .everyStep: break
      case .every(let interval): add("states", .string("of every \(interval) steps"))
      case .first where header.state != nil:
        add("states", .string("of the start \(census.heldStates > 0 ? "and some steps" : "only")"))
      case .first where examined == nil:
        add("states", .string(census.heldStates > 0 ? "of some steps only" : "none"))
      case .first: break
      }
      add("on tape", list(reader.tape))
      add("redacted", list(header.redacted))
      add("runs again", list(runsAgain))
      let isGrowing = !reader.isFinished && reader.isBeingRecorded
      let reason =
        isGrowing ? "an app records into it now" : "the app stopped before it could say so"
      add("ended", .bool(reader.isFinished), reader.isFinished ? [] : ["no: \(reason)"])
      add("being recorded", .bool(isGrowing), [])
      for (name, count, words) in counts {
        add(name, Value(count), name == Self.dropped ? [] : words)
      }
      add("whole", .bool(isWhole), [])
      add("notices", list(reader.notices.map(\.sentence)))
      add("examined", examined.map(Value.string))
      return facts
    }
  }

  private var duration: Duration? {
    get throws {
      func time(_ steps: some Sequence<Int>) throws -> Duration? {
        for step in steps { if let time = try reader.step(step).time { return time } }
        return nil
      }
      let first = try reader.header.firstTime ?? time(reader.steps.prefix(Self.lookedAtForTime))
      guard let first, let last = try time(reader.steps.suffix(Self.lookedAtForTime).reversed())
      else { return nil }
      return last - first
    }
  }

  private static let lookedAtForTime = 1_000

  private func list(_ texts: [String]) -> Value? {
    texts.isEmpty ? .none : .list(texts, Value.string)
  }

  private func texts(_ value: Value) -> [String] {
    switch value {
    case .string(let text): [text]
    case .array(let array): array.flatMap(texts)
    case .number: [Int(value.text()).map(grouped) ?? value.text()]
    default: [value.text()]
    }
  }
}

extension Notice {
  fileprivate var isTrouble: Bool {
    switch finding {
    case .newerVersion, .unknownLines: false
    default: true
    }
  }
}
