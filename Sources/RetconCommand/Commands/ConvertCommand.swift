import SessionFile
import SessionImports
import SessionWords
import TimeTravel

/// `retcon convert`: writes a session as a file of another tool.
struct ConvertCommand: Command {
  private static let forms = SessionExport.Form.allCases.map(\.rawValue)

  static let declaration = CommandDeclaration(
    name: "convert", usage: "FILE[@BRANCH/STEP] --to \(forms.joined(separator: "|")) [-o NEW]",
    summary: "write a session as a file of another tool",
    discussion: """
      redux is what an app exports by Redux DevTools, redux-lifted what other libraries write; the
      extension imports both. jsonl is one line for each action, with the state after it. With a reducer
      the states are computed. What has no place in the file is told on standard error, and the exit
      status is 1 then.
      """,
    options: [
      OptionDeclaration(
        "to", value: forms.joined(separator: "|"), help: "what to write"),
      OptionDeclaration(
        "output", letter: "o", value: "NEW", help: "the file to write (standard output)"),
      OptionDeclaration("force", letter: "f", help: "write over NEW when it exists"),
    ] + Asking.hosted.filter { $0.name != "json" })

  let asking: Asking
  let form: SessionExport.Form
  let output: OutputFile
  let isForced: Bool

  init(_ arguments: ParsedArguments) throws {
    asking = try Asking(arguments, Self.declaration)
    let name = arguments.value("to")
    guard let form = name.flatMap({ SessionExport.Form(rawValue: $0) }) else {
      throw UsageError(
        what: name.map { "nothing is known of a form named \($0)" }
          ?? "convert does not know what to write",
        next: "Write --to "
          + (suggestion(for: name ?? "", among: Self.forms)
            ?? Self.forms.joined(separator: ", --to ")))
    }
    self.form = form
    output = OutputFile(name: arguments.value("output") ?? "-")
    isForced = arguments.has("force")
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    let isFork = asking.position.branch != Branch.main
    return try await asking.ask(in: context, for: isFork ? .forking(isKept: false) : .states) {
      session in
      var reader = session.reader
      let workshop = Workshop(context.environment)
      defer { withExtendedLifetime(workshop) {} }
      if isFork {
        let fork = try workshop.path("fork.retcon")
        try await session.open.export(session.branch.name, to: fork)
        reader = try SessionReader(path: fork, shownAs: asking.position.file)
      }
      let export = try SessionExport(reader)
      var losses = try await output.write(in: context) { path in
        try export.write(form, to: path, replacing: isForced)
      }
      let marks = session.open.marks.count
      if marks > 0 { losses.append(counted(marks, "mark")) }
      guard !losses.isEmpty else { return .yes }
      context.output.talk("not in \(output.shownName): \(losses.joined(separator: "; "))\n")
      return .no
    }
  }
}
