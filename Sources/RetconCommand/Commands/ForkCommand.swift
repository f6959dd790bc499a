import Debugger
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

/// `retcon fork`: runs a changed session through the app's reducer.
struct ForkCommand: Command {
  static let declaration = CommandDeclaration(
    name: "fork", usage: "FILE@[BRANCH/]STEP EDIT (--host COMMAND | --reducer FILE.js)",
    summary: "change a step and run the rest again",
    discussion: """
      EDIT is one of the options below, or a script file. The steps of the fork are listed up to where it
      meets its parent again: a sign tells what each is worth (? under h in the debugger explains them).
      With --diff they are those that are not as in the parent, each with what is different.
      ACTION is the label of a recorded action, whose last recording is taken, or JSON. Nothing is kept
      unless --name gives the fork a name or -o a file.
      """,
    options: [
      OptionDeclaration(
        "skip", help: "leave the step out; one that was skipped is taken back in"),
      OptionDeclaration("replace", value: "ACTION", help: "another action instead of the step's"),
      OptionDeclaration("send", value: "ACTION", help: "one more action after the step"),
      OptionDeclaration("set", value: "PLACE=VALUE", help: "a part of the state after the step"),
      OptionDeclaration(
        "move", value: "N", help: "the step comes so many later, or, with −N, earlier"),
      OptionDeclaration(
        "read", value: "KEY=VALUE", help: "what a dependency gives to the reducer at the step"),
      OptionDeclaration(
        "script", value: "FILE", help: "the edits as a list, in the words of the protocol"),
      OptionDeclaration("name", value: "NAME", help: "keep the fork beside the session"),
      OptionDeclaration("output", letter: "o", value: "NEW", help: "write it as a session"),
      OptionDeclaration("diff", help: "tell only what is different from the parent"),
    ] + Asking.hosted)

  private static let edits = ["skip", "replace", "send", "set", "move", "read", "script"]

  let asking: Asking
  let edit: (option: String, value: String)
  let name: String?
  let output: String?
  let tellsDifference: Bool

  init(_ arguments: ParsedArguments) throws {
    asking = try Asking(arguments, Self.declaration)
    let given = Self.edits.filter { arguments.has($0) }
    guard given.count == 1, let option = given.first, arguments.all(option).count == 1 else {
      throw UsageError(
        what: given.isEmpty ? "fork does not know what to change" : "fork makes one edit at a time",
        next: given.isEmpty
          ? "Write --skip, --replace ACTION, --send ACTION, --set PLACE=VALUE, --move N or --read KEY=VALUE"
          : "Put several into a file, for --script, or fork the fork")
    }
    guard asking.position.step != nil || option == "script" else {
      throw UsageError(what: "fork does not know which step", next: "Write FILE@STEP")
    }
    edit = (option, arguments.value(option) ?? "")
    name = arguments.value("name")
    output = arguments.value("output")
    tellsDifference = arguments.has("diff")
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context, for: .forking(isKept: name != nil)) { session in
      guard session.open.hostName != nil else {
        throw UsageError(
          what: "a fork needs the app's reducer",
          next: "Add \(session.open.summary.hostOption)")
      }
      let script = try await script(session)
      let kept = try session.open.addFork(name ?? "the fork", script)
      for await _ in try session.open.runFork(kept.name) {}
      for words in [kept.remark].compactMap(\.self) + session.open.notKept where name != nil {
        context.tell(words)
      }
      guard let fork = session.open.branch(kept.name) else { return .trouble }
      if let output {
        let last = try await session.open.export(fork.name, to: output)
        let marks = try session.open.copyMarks(
          along: fork.name, in: session.reader.steps.lowerBound...last, to: output)
        context.tell("\(output): steps 0 to \(last)\(marks.words)")
      } else {
        try await show(fork, session, context)
      }
      // Why it ended is told by its last line.
      if case .ended = fork.progress { return .trouble }
      return fork.firstDifferent == nil ? .yes : .no
    }
  }

  private func show(
    _ fork: Branch, _ session: AskedSession, _ context: CommandContext
  ) async throws {
    let last = fork.report?.rejoining?.step ?? fork.steps.upperBound
    let lines = StepLines(session, context.output, isJSON: asking.isJSON, branch: fork)
    var told: [String] = []
    for step in stride(from: (fork.script?.leavesAt ?? 0) + 1, through: last, by: 1) {
      let position = Position(branch: fork.name, step: step)
      guard tellsDifference, let beside = try await session.open.compare(position) else {
        try lines.show(step)
        continue
      }
      try show(beside, of: position, lines, &told, session, context)
    }
    let words = SafeText.line(fork.outcomeWords)
    if asking.isJSON { context.output.talk(words + "\n") } else { context.output.line(words) }
  }

  /// A step that is not as in the parent. What is still different since the one before is not told again.
  private func show(
    _ beside: Comparison, of position: Position, _ lines: StepLines, _ told: inout [String],
    _ session: AskedSession, _ context: CommandContext
  ) throws {
    let label = try session.open.step(at: position).step.label
    let isOther = !beside.hasCounterpart || beside.otherLabel != label
    let changes = beside.difference?.lines(width: 96) ?? []
    guard isOther || changes != told else { return }
    if asking.isJSON {
      var words: ValueObject = ["branch": .string(beside.branch)]
      if beside.hasCounterpart, let other = beside.other {
        words["step"] = .number(Number(other.step))
        words["label"] = beside.otherLabel.map(Value.string)
      }
      var own = try session.open.words(at: position)
      own["beside"] = .object(words)
      own["different"] = .array(
        ValueArray(beside.difference?.changes.map { .string($0.path.text) } ?? []))
      context.output.json(.object(own))
    } else {
      try lines.show(position.step)
      if isOther {
        let other = beside.hasCounterpart ? beside.otherLabel ?? "" : "no such step"
        context.show("    in \(beside.branch): \(other)")
      }
      for line in changes where changes != told { context.output.line("    " + line) }
    }
    told = changes
  }

  private func script(_ session: AskedSession) async throws -> Script {
    let position = session.here
    let value = edit.value
    let change: BranchChange
    switch edit.option {
    case "skip": change = .skip
    case "replace": change = .replace(try await action(value, session))
    case "send": change = .insert(try await action(value, session))
    case "move":
      guard let offset = Int(value.replacing("−", with: "-")), offset != 0 else {
        throw UsageError(what: "--move is \(value), and has to be a number", next: "Write --move 2")
      }
      change = .move(by: offset)
    case "set":
      let (place, new) = try Self.pair(value, of: "set", "total=0")
      change = .set(pointer: try PlaceArgument(place).pointer.description, value: Self.json(new))
    case "read":
      let (key, new) = try Self.pair(value, of: "read", "uuid='\"A\"'")
      change = .read(key: key, index: 0, outcome: .value(Self.json(new)))
    default: return try Self.script(inFileAt: value, position)
    }
    return try session.open.changedInFork(change, at: position).script
  }

  /// A list of edits, or a whole script.
  private static func script(inFileAt path: String, _ position: Position) throws -> Script {
    let value = try Self.value(Array(FileSystem.text(of: path).utf8), of: path)
    guard case .array = value else { return try script(value, of: path) }
    var script = try script(
      [
        "parent": .string(position.branch), "leavesAt": 0, "rest": "rerun", "edits": value,
      ], of: path)
    script.leavesAt = script.edits.map { $0.place ?? ($0.step ?? 1) - 1 }.min() ?? 0
    return script
  }

  private static func script(_ value: Value, of path: String) throws(UsageError) -> Script {
    do { return try Script(value, at: path) } catch {
      throw UsageError(
        what: "\(path) is no script: \(error)",
        next: "Write [{\"edit\":\"skip\",\"step\":12}]; docs/protocol.md has all edits")
    }
  }

  private static func value(_ bytes: [UInt8], of what: String) throws(UsageError) -> Value {
    do { return try Value(parsing: bytes) } catch {
      throw UsageError(what: "\(what) is not JSON: \(error.what), column \(error.column)")
    }
  }

  /// JSON, or the label of a recorded action.
  private func action(_ text: String, _ session: AskedSession) async throws -> Value {
    if let start = text.first, "{[\"".contains(start) {
      return try Self.value(Array(text.utf8), of: "the action")
    }
    var labels: Set<String> = []
    for step in session.branch.steps.reversed() {
      let told = try session.open.step(at: session.at(step)).step
      if told.label == text { return told.action }
      labels.insert(told.label)
    }
    throw UsageError(
      what: "no recorded action has the label \(text)",
      next: nearest(text, labels).map { "Did you mean \($0)?" } ?? "Write the action as JSON")
  }

  private static func pair(
    _ text: String, of option: String, _ example: String
  ) throws(UsageError) -> (String, String) {
    guard let sign = text.firstIndex(of: "=") else {
      throw UsageError(
        what: "--\(option) is \(text), and has no =", next: "Write --\(option) \(example)")
    }
    return (String(text[..<sign]), String(text[text.index(after: sign)...]))
  }

  /// What is no JSON is a text.
  private static func json(_ text: String) -> Value {
    (try? Value(parsing: Array(text.utf8))) ?? .string(text)
  }
}
