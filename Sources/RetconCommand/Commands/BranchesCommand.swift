import Debugger
import TextCanvas
import TimeTravel
import ValueTree

/// `retcon branches`: the recording and its forks.
struct BranchesCommand: Command {
  static let declaration = CommandDeclaration(
    name: "branches", usage: "FILE", summary: "list the forks that were made of a session",
    discussion: "Each with the branch and the step that it leaves, and its edits.",
    options: Asking.declarations)

  let asking: Asking

  init(_ arguments: ParsedArguments) throws { asking = try Asking(arguments, Self.declaration) }

  func run(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context, for: .states) { session in
      for branch in session.open.branches {
        if asking.isJSON {
          context.output.json(branch.words)
          continue
        }
        let note = branch.note.map { "  \($0)" } ?? ""
        guard let script = branch.script else {
          let steps = branch.steps
          context.output.line("\(branch.name)  \(steps.lowerBound)–\(steps.upperBound)")
          continue
        }
        context.show("\(branch.name)  leaves \(script.parent) at \(script.leavesAt)\(note)")
        for line in branch.editLines(label: {
          try? session.open.step(at: Position(branch: script.parent, step: $0)).step.label
        }) {
          context.show("  " + line)
        }
      }
      return .yes
    }
  }
}

extension Branch {
  fileprivate var words: Value {
    guard let script else {
      return [
        "branch": .string(name), "first": .number(Number(steps.lowerBound)),
        "last": .number(Number(steps.upperBound)),
      ]
    }
    var members: ValueObject = ["branch": .string(name)]
    if case .object(let object) = script.value {
      for (key, value) in object { members[key] = value }
    }
    members["note"] = note.map(Value.string)
    return .object(members)
  }
}

/// `retcon mark`: marks on steps.
struct MarkCommand: Command {
  static let declaration = CommandDeclaration(
    name: "mark", usage: "FILE[@[BRANCH/]STEP [NOTE]]",
    summary: "mark a step, or list the marks",
    discussion: "Marks are kept beside the session, with the forks; the session is not changed.",
    options: Asking.declarations + [
      OptionDeclaration("remove", letter: "d", help: "take the mark off the step")
    ])

  let asking: Asking
  let removes: Bool

  init(_ arguments: ParsedArguments) throws {
    let hasNote = arguments.positionals.count > 1
    asking = try Asking(arguments, Self.declaration, behind: hasNote ? ["a note"] : [])
    removes = arguments.has("remove")
    guard asking.position.step != nil || !(hasNote || removes) else {
      throw UsageError(what: "mark does not know which step", next: "Write FILE@STEP")
    }
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context, for: .states) { session in
      guard session.step != nil else { return list(session, context) }
      let position = session.here
      guard !removes || session.open.marks[position] != nil else { return .no }
      let remark = session.open.setMark(position, removes ? nil : asking.words.first ?? "")
      let problems = session.open.notKept + [remark].compactMap(\.self)
      for words in problems { context.tell(words) }
      return session.open.notKept.isEmpty ? .yes : .trouble
    }
  }

  private func list(_ session: AskedSession, _ context: CommandContext) -> ExitCode {
    let marks = session.open.marks.sorted {
      ($0.key.branch, $0.key.step) < ($1.key.branch, $1.key.step)
    }
    for (position, note) in marks {
      if asking.isJSON {
        context.output.json([
          "step": .number(Number(position.step)), "branch": .string(position.branch),
          "note": .string(note),
        ])
      } else {
        context.show("\(position.text)  \(note)")
      }
    }
    return marks.isEmpty ? .no : .yes
  }
}
