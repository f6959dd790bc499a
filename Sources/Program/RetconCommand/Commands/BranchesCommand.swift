import Debugger
import SessionFile
import SessionWords
import TextCanvas
import TimeTravel
import ValueTree

struct BranchesCommand: TypedCommand {
  let asking: Asking

  static let declaration = CommandDeclaration(
    name: "branches", usage: "FILE", summary: "list the forks of a session",
    discussion: "For each: the branch and the step where it leaves, and its edits.",
    options: Asking.declarations)

  func run(in context: CommandContext) async throws -> ExitCode {
    try await asking.ask(in: context, for: .states) { session in
      for branch in session.open.branches {
        session.show(branch.lines(in: session.open), json: branch.words)
      }
      return .yes
    }
  }
}

extension BranchesCommand {
  init(_ given: ParsedArguments) throws {
    self.init(asking: try Asking(given, Self.declaration))
  }
}

extension Branch {
  fileprivate func lines(in session: OpenSession) -> [String] {
    guard let script else { return ["\(name)  \(steps.lowerBound)–\(steps.upperBound)"] }
    let edits = editLines(in: session.branches) {
      try? session.step(at: Position(branch: script.parent, step: $0)).step.label
    }
    let parent = session.name(of: script.parent)
    return ["\(name)  leaves \(parent) at \(script.leavesAt)\(note.map { "  \($0)" } ?? "")"]
      + edits.map { "  " + $0 }
  }

  fileprivate var words: Value {
    guard let script else {
      return .line(["branch": name, "first": steps.lowerBound, "last": steps.upperBound])
    }
    let words: LineObject = ["branch": name] + script.object
    return .line(words + ["note": note])
  }
}

struct MarkCommand: TypedCommand {
  let asking: Asking
  var removes = false

  static let declaration = CommandDeclaration(
    name: "mark", usage: "FILE[@[BRANCH/]STEP [NOTE]]",
    summary: "mark a step, or list the marks",
    discussion: "Marks are kept beside the session, with the forks; the session is not changed.",
    options: Asking.declarations + [
      Option("remove", letter: "d", help: "remove the mark")
    ])

  func run(in context: CommandContext) async throws -> ExitCode {
    guard asking.position.step != nil || asking.words.isEmpty && !removes else {
      throw UsageError(what: "mark needs a step", next: "Write FILE@STEP")
    }
    return try await asking.ask(in: context, for: .states) { session in
      guard session.step != nil else { return Self.list(session) }
      let position = session.here
      guard !removes || session.open.marks[position] != nil else { return .no }
      let remark = session.open.setMark(position, removes ? nil : asking.words.first ?? "")
      let problems = session.open.notKept + [remark].compactMap(\.self)
      for words in problems { context.tell(words) }
      return session.open.notKept.isEmpty ? .yes : .trouble
    }
  }

  private static func list(_ session: QueriedSession) -> ExitCode {
    let marks = session.open.marks.map { (session.open.name(of: $0.branch), $0.step, $1) }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
    for (branch, step, note) in marks {
      session.show(
        ["\(Mark(branch: branch, step: step).text)  \(note)"],
        json: ["step": Value(step), "branch": .string(branch), "note": .string(note)])
    }
    return marks.isEmpty ? .no : .yes
  }
}

extension MarkCommand {
  init(_ given: ParsedArguments) throws {
    self.init(
      asking: try Asking(given, Self.declaration, behind: 0...1), removes: given.has("remove"))
  }
}
