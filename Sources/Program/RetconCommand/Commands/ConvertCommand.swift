import SessionFile
import SessionImports
import SessionWords
import TimeTravel
import ValueTree

struct ConvertCommand: Command {
  private static let forms =
    SessionExport.Form.allCases.map(\.rawValue) + TimelineExport.Form.allCases.map(\.rawValue)

  static let declaration = CommandDeclaration(
    name: "convert", usage: "FILE[@BRANCH/STEP] --to FORMAT [-o NEW]",
    summary: "write a session as a file of another tool",
    discussion: """
      redux is what an app exports with Redux DevTools, redux-lifted what other libraries write; the
      extension imports both. jsonl has one line for each action, with the state after it. With a
      reducer, Retcon computes the states; if a second run gives others, the exit status is 2.
      Standard error lists what the format has no place for, and the exit status is then 1.
      chrome-trace is a timeline for Perfetto and speedscope, otlp a trace of OpenTelemetry,
      asciicast a tour for asciinema (asciicast-v3 for its version 3).
      """,
    options: [
      Option("to", value: "FORMAT", choices: forms, help: forms.joined(separator: ", ")),
      Option("output", letter: "o", value: "NEW", help: "the file to write (standard output)"),
      Option("force", letter: "f", help: "write over NEW when it exists"),
      Option("watch", value: "PLACE", help: "a number to draw as a counter of chrome-trace"),
    ] + Asking.placed)

  static func run(_ given: ParsedArguments, in context: CommandContext) async throws -> ExitCode {
    let asking = try Asking(given, declaration)
    let name = given.value("to")
    let output = OutputFile(name: given.value("output") ?? "-")
    guard !given.has("watch") || name == TimelineExport.Form.chromeTrace.rawValue else {
      throw UsageError(
        what: "only chrome-trace draws a counter",
        next: "Leave out --watch, or write --to chrome-trace")
    }
    if let form = name.flatMap({ TimelineExport.Form(rawValue: $0) }) {
      let watched = try given.all("watch").map { try Pointer(typed: $0) }
      return try await asking.ask(in: context) { session in
        let text = try await TimelineExport(session: session, watched: watched).text(form)
        try await output.write(in: context, isText: true) { path in
          let isForced = given.has("force")
          if isForced { try session.reader.checkIsAnother(path, madeFrom: asking.position.file) }
          try FileSystem.write(text, to: path, replacing: isForced)
        }
        return .yes
      }
    }
    guard let form = name.flatMap({ SessionExport.Form(rawValue: $0) }) else {
      guard name != "retcon", name != nil || !output.name.hasSuffix(".retcon") else {
        throw UsageError(
          what: "convert writes files of other tools",
          next: "retcon trim FILE --range .. -o NEW writes a file of Retcon's own")
      }
      throw UsageError(
        what: name.map { "there is no format named \($0)" }
          ?? "convert needs a format",
        next: "Write --to "
          + (suggestion(for: name ?? "", among: forms)
            ?? forms.joined(separator: ", --to ")))
    }
    let isFork = !asking.position.isOnMain
    return try await asking.ask(in: context, for: isFork ? .forking(isKept: false) : .states) {
      session in
      let workFolder = WorkFolder(context.environment)
      defer { withExtendedLifetime(workFolder) {} }
      let export = try SessionExport(await session.branchReader(in: workFolder))
      var losses = try await output.write(in: context, isText: true) { path in
        try export.write(
          form, to: path, replacing: given.has("force"), source: asking.position.file)
      }
      let marks = session.open.marks.count
      if marks > 0 { losses.append(counted(marks, "mark")) }
      let lost = session.reader.lostLineCount
      if lost > 0 { losses.append("\(counted(lost, "line")) that cannot be read") }
      if !losses.isEmpty {
        context.tell("not in \(output.shownName): \(losses.joined(separator: "; "))")
      }
      if let step = try await session.firstRandomStep() {
        throw Trouble(
          "a second run, in another process, gave another state: the reducer depends on something that was "
            + "not recorded, and \(output.shownName) holds the states of the first run",
          place: "step \(step)", next: "retcon verify --twice says where they differ")
      }
      return losses.isEmpty ? .yes : .no
    }
  }
}
