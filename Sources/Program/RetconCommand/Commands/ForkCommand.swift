import Debugger
import ForkSearch
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

struct ForkCommand: TypedCommand {
  let asking: Asking
  let edit: ForkEdit
  var name: String?
  var output: String?
  var tellsDifference = false
  var until: StepQuestion?

  static let declaration = CommandDeclaration(
    name: "fork", usage: "FILE@[BRANCH/]STEP EDIT (--host COMMAND | --reducer FILE.js)",
    summary: "change a step and run the rest again",
    discussion: """
      EDIT is one of the options below, or a script file. You see the steps of the fork until it
      equals its parent again. With --diff you see only the steps that differ from the parent, and
      how. Each step has signs for how far to trust it:
      \(Standing.legends[0]),
      \(Standing.legends[1]).

      ACTION is JSON, or the label of a recorded action: the last one up to STEP counts, else the
      next. Behind a label, JSON is what the action carries. --send comes after all that the app did
      before the next step: if a debounce ended there, after what it sent.
      WORD is send ACTION, finish, finish ACTION, fail MESSAGE or cancel. If the effect waits for an
      answer, it is value VALUE, error VALUE, nearest (the recorded answer to the nearest question),
      or ask, which with --live really asks, once.
      Only --name and -o keep the fork.
      """,
    options: [
      Option("skip", help: "skip the step, or restore one that was skipped"),
      Option("replace", value: "ACTION", help: "put another action in its place"),
      Option("send", value: "ACTION", help: "send one more action after it"),
      Option("set", value: "PLACE=VALUE", help: "set a part of the state after the step"),
      Option("move", value: "N", help: "move the step N later, or with −N earlier"),
      Option(
        "read", value: "KEY=VALUE",
        help: "what a dependency returns to the reducer, or to the step's effect"),
      Option("throw", value: "KEY=VALUE", help: "the error that it throws at the reducer instead"),
      Option("answer", value: "EFFECT WORD", help: "what an effect in flight does after the step"),
      Option("live", help: "let --answer 'EFFECT ask' reach the outside world"),
      Option("script", value: "FILE", help: "a list of edits as JSON; see docs/protocol.md"),
      Option("name", value: "NAME", help: "keep the fork beside the session"),
      Option("output", letter: "o", value: "NEW", help: "write it as a session"),
      Option("diff", help: "print only what differs from the parent"),
      Option("until", value: "CONDITION", help: "say first whether this still comes to hold"),
    ] + Asking.hosted)

  func run(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context, for: .forking(isKept: name != nil)) { session in
      _ = try session.host(for: "a fork")
      let script = try await edit.script(session)
      let kept = try session.open.addFork(BranchID(name ?? "the fork"), script)
      for await _ in try session.open.runFork(kept.id) {}
      for words in [kept.remark].compactMap(\.self) + session.open.notKept where name != nil {
        context.tell(words)
      }
      guard let fork = session.open.branch(kept.id) else { return .trouble }
      if let until {
        let words = try await session.whether(until, comesToHoldIn: fork)
        if session.isJSON { context.tell(words) } else { context.show(words) }
      }
      if let output {
        let last = try await session.open.export(fork.id, to: output)
        let marks = try session.open.copyMarks(
          along: fork.id, in: session.reader.steps.lowerBound...last, to: output)
        context.tell("\(output): steps 0 to \(last)\(marks.words)")
        context.warn(fork.report?.remarks ?? [])
        if case .ended = fork.progress {
          context.warn([fork.outcomeWords(in: session.open.branches)])
        }
      } else {
        // Its last line tells why it ended.
        try await Self.show(fork, beside: tellsDifference, session)
      }
      if case .ended = fork.progress { return .trouble }
      return fork.firstDifferent == nil ? .yes : .no
    }
  }

  private static func show(
    _ fork: Branch, beside tellsDifference: Bool, _ session: QueriedSession
  ) async throws {
    let last = fork.report?.rejoining?.step ?? fork.steps.upperBound
    let lines = StepLines(session, branch: fork)
    var told: [String] = []
    for step in stride(from: (fork.script?.leavesAt ?? 0) + 1, through: last, by: 1) {
      let position = Position(branch: fork.id, step: step)
      guard tellsDifference, let beside = try await session.open.compare(position) else {
        try lines.show(step)
        continue
      }
      try show(beside, of: position, lines, &told, session)
    }
    let words = fork.outcome(in: session.open.branches)
    if session.isJSON {
      session.context.tell(words.joined(separator: ". "))
    } else {
      for line in words { session.context.show(line) }
    }
  }

  /// Shows a step that differs from the parent's. Differences that the previous step has, too, are
  /// not printed again.
  private static func show(
    _ beside: Comparison, of position: Position, _ lines: StepLines, _ told: inout [String],
    _ session: QueriedSession
  ) throws {
    let own = try session.open.step(at: position)
    let isOther = !beside.hasCounterpart || beside.otherLabel != own.step.label
    let isSame = own.standing.sameAs != nil || own.standing.outcome == .equal
    let isDifferent = !isSame || beside.difference?.changes.isEmpty == false
    let theirs = try beside.other.map { try session.open.step(at: $0).step }
    let isEdited = beside.hasCounterpart && theirs?.action != own.step.action
    guard isOther || isDifferent || isEdited else { return }
    let changes = beside.difference?.lines(width: 96) ?? []
    let context = session.context
    if session.isJSON {
      let other = beside.hasCounterpart ? beside.other : nil
      var own = try session.open.words(at: position)
      own["beside"] = .line([
        "branch": session.open.name(of: beside.branch), "step": other?.step,
        "label": other == nil ? nil : beside.otherLabel,
      ])
      own["different"] = .list(beside.difference?.changes ?? []) { .string($0.path.text) }
      context.output.json(.object(own))
    } else {
      try lines.show(position.step)
      if isOther || isEdited && !isDifferent {
        let row = beside.hasCounterpart ? theirs.map { StepRow($0) } : nil
        let other = row.map {
          isOther || $0.payload.isEmpty ? $0.label : "\($0.label) \($0.payload)"
        }
        context.show(
          "    in \(session.open.name(of: beside.branch)): \(other ?? "no such step")")
      }
      for line in changes where changes != told { context.output.line("    " + line) }
    }
    told = changes
  }

}

extension ForkCommand {
  init(_ given: ParsedArguments) throws {
    let asking = try Asking(given, Self.declaration)
    let wanted = ForkEdit.names.filter { given.has($0) }
    guard wanted.count == 1, let option = wanted.first, given.all(option).count == 1 else {
      throw UsageError(
        what: wanted.isEmpty
          ? "fork needs an edit" : "fork makes one edit at a time",
        next: wanted.isEmpty
          ? "Write --skip, --replace ACTION, --send ACTION, --set PLACE=VALUE, --move N or --read KEY=VALUE"
          : "Put several into a file, for --script, or fork the fork")
    }
    guard asking.position.step != nil || option == "script" else {
      throw UsageError(what: "fork needs a step", next: "Write FILE@STEP")
    }
    self.init(
      asking: asking,
      edit: try ForkEdit(option, given.value(option) ?? "", isLive: given.has("live")),
      name: given.value("name"), output: given.value("output"),
      tellsDifference: given.has("diff"),
      until: try given.value("until").map { try asking.question($0) })
  }
}

extension QueriedSession {
  /// Whether a condition still comes to hold in a fork, beside its parent.
  fileprivate func whether(
    _ question: StepQuestion, comesToHoldIn fork: Branch
  ) async throws -> String {
    let start = (fork.script?.leavesAt ?? 0) + 1
    func answer(_ id: BranchID) async throws -> (step: Int?, isSure: Bool) {
      let steps = open.branch(id)?.steps ?? 0...0
      guard start <= steps.upperBound else { return (nil, true) }
      var first: Int?
      let unknown = try await open.find(
        try await open.resolved(question, of: id), in: start...steps.upperBound, of: id
      ) {
        first = $0
        return false
      }
      return (first, first != nil || unknown == 0)
    }
    let parent = fork.script?.parent ?? .main
    let (before, now) = (try await answer(parent), try await answer(fork.id))
    // A fork with a doubt is in doubt from there on.
    let isCertain = fork.report?.assumptions.isEmpty ?? true
    let last = min(fork.report?.rejoining?.step ?? .max, fork.steps.upperBound)
    let different =
      try start > last
      ? 0
      : (start...last).count {
        try open.step(at: Position(branch: fork.id, step: $0)).standing.outcome != .equal
      }
    let name = open.name(of: parent)
    let verdict =
      switch (before.step, now.step) {
      case _ where !now.isSure: "unknown: a state of the fork is not known"
      case (let before?, nil): "gone: it holds at \(before) of \(name), and nowhere in the fork"
      case (let before?, let now?): "still there: at \(now); in \(name) at \(before)"
      case (nil, let now?) where !before.isSure: "there: at \(now); in \(name) it is not known"
      case (nil, nil) where !before.isSure: "not here; in \(name) it is not known"
      case (nil, let now?): "new: at \(now), and nowhere behind the edit in \(name)"
      case (nil, nil): "neither here nor in \(name)"
      }
    return "\(question.condition.text) is \(verdict). \(counted(different, "step")) differ"
      + (different == 1 ? "s" : "") + (isCertain ? "." : ". This rests on what is assumed below.")
  }
}

/// An edit as options and agents give it: what it means depends on the session.
struct ForkEdit: Sendable {
  let script: @Sendable (QueriedSession) async throws -> Script

  static let names = TypedEdit.Word.allCases.map(\.rawValue) + ["script"]
}

extension ForkEdit {
  init(replacing: Bool, with action: Value) {
    let edit = TypedEdit(replaces: replacing, action)
    self.init(script: { try await Self.script(of: edit, in: $0) })
  }

  /// Only a person says `isLive`.
  init(_ name: String, _ text: String, isLive: Bool = false) throws {
    if let word = TypedEdit.Word(rawValue: name) {
      let edit = try TypedEdit(word, text, sign: "--")
      self.init(script: { try await Self.script(of: edit, in: $0, isLive: isLive) })
    } else {
      self.init(script: { try await Self.script(inFileAt: text, in: $0) })
    }
  }

  private static func script(
    inFileAt path: String, in session: QueriedSession
  ) async throws -> Script {
    let position = session.here
    let script = try script(inFileAt: path, position)
    for edit in script.edits {
      var step = position.step
      if case .set(let place, _, _) = edit {
        // Other edits may still change the state before.
        guard script.edits.count == 1 else { continue }
        step = place
      }
      try check(try await session.open.verdict(on: edit, of: script.parent), at: step, in: session)
    }
    return script
  }

  private static func script(
    of edit: TypedEdit, in session: QueriedSession, isLive: Bool = false
  ) async throws -> Script {
    let position = session.here
    let context = try await session.open.context(of: edit, at: position)
    let edits: [Edit]
    if let (question, effect) = edit.asked(context) {
      guard isLive else {
        throw UsageError(
          what: "this really asks \(question.text.clipped()), once: \(question.price)",
          next: "If you want that, add --live")
      }
      edits = [.reply(try await session.open.askLive(question, of: effect, at: position))]
    } else {
      edits = try edit.edits(at: position.step, context)
    }
    guard try await !session.open.has(edits, at: position) else {
      throw Trouble(
        "this edit changes nothing: step \(position.step) already has this",
        next: "Choose another value, or another step")
    }
    let verdict = try await session.open.verdict(on: edits[0], of: position.branch)
    try check(verdict, at: position.step, in: session)
    let place = Position(
      branch: position.branch, step: edit.place(of: edits, at: position.step))
    return try session.open.changedInFork(edits, at: place).script
  }

  private static func check(
    _ verdict: ValueVerdict, at step: Int, in session: QueriedSession
  ) throws(UsageError) {
    guard case .problem(let problem) = verdict else { return }
    let place = problem.path.isRoot ? "" : " at \(problem.path)"
    throw UsageError(
      what: "the app cannot decode this\(place): \(problem.sentence.withoutFullStop)",
      next: "retcon show \(session.text(step)) shows an action that it can decode")
  }

  private static func script(inFileAt path: String, _ position: Position) throws -> Script {
    let value = try json(Array(FileSystem.text(of: path).utf8), of: path)
    guard case .array = value else { return try script(value, of: path) }
    var script = try script(
      [
        "parent": .string(position.branch.text), "leavesAt": 0, "rest": "rerun", "edits": value,
      ], of: path)
    script.leavesAt = script.edits.map { $0.leavesAt ?? 0 }.min() ?? 0
    return script
  }

  private static func script(_ value: Value, of path: String) throws(UsageError) -> Script {
    do { return try Script(value, at: path) } catch {
      throw UsageError(
        what: "\(path) is not a script: \(error)",
        next: "Write [{\"edit\":\"skip\",\"step\":12}]; docs/protocol.md has all edits")
    }
  }

  private static func json(_ bytes: [UInt8], of what: String) throws(UsageError) -> Value {
    do { return try Value(parsing: bytes) } catch {
      throw UsageError(what: "\(what) is not JSON: \(error.what), column \(error.column)")
    }
  }
}
