import SessionFile
import SessionWords
import StoreCore
import TextCanvas
import TimeTravel

extension Effect<DebuggerAction> {
  static func trim(_ steps: ClosedRange<Int>, path: String, _ words: RedactionWords) -> Effect {
    .writing("trim", to: path) { session, place, _ in
      let redaction = try words.redaction
      let written = try session.trim(steps, to: place, without: redaction)
      let marks = try session.copyMarks(
        along: .main, in: written.steps, to: place, without: redaction)
      return
        "Steps \(written.range.words) are in \(path)\(marks.words)\(written.caveat).\(format(of: path))"
    }
  }

  static func exportBranch(_ branch: BranchID, path: String, _ words: RedactionWords) -> Effect {
    .writing("export branch", to: path) { session, place, _ in
      let redaction = try words.redaction
      let last = try await session.export(branch, to: place, without: redaction)
      let steps = session.summary.steps.lowerBound...last
      let marks = try session.copyMarks(along: branch, in: steps, to: place, without: redaction)
      return
        "“\(session.name(of: branch))” is in \(path), with \(counted(last, "step"))\(marks.words).\(format(of: path))"
    }
  }

  static func writeTest(
    _ steps: ClosedRange<Int>, of branch: BranchID, path: String, showing bug: TestedBug?
  ) -> Effect {
    .writing("write test", to: path) { session, place, _ in
      let helpers = try await session.writeTest(
        of: steps, on: branch, to: place, showing: bug
      ).compactMap { $0.split(separator: "/").last }
      return "\(counted(steps.count, "step")) as a test: \(path)"
        + (helpers.isEmpty ? "" : ", with \(helpers.joined(separator: " and ")) beside it")
        + (bug == nil ? "" : ". It fails as long as the bug is there")
    }
  }

  static func exportState(_ position: Position, path: String) -> Effect {
    .writing("export state", to: path) { session, place, _ in
      try await session.exportState(at: position, to: place)
      return "The state after \(session.text(of: position)) is in \(path)."
    }
  }

  static func report(
    _ position: Position, path: String, replaces: Bool, _ words: RedactionWords
  ) -> Effect {
    .writing("report", to: path) { session, place, send in
      var report = SessionReport(session)
      report.onRun = { await send(.forkGrew($0)) }
      report.position = position
      report.replaces = replaces
      report.redaction = try words.redaction
      try await report.write(to: place)
      return "The report is in \(path). It opens at step \(session.text(of: position))."
    }
  }

  /// Writes a file and reports it; one at a time, and you can stop it.
  private static func writing(
    _ name: String, to path: String,
    _ write: @escaping @Sendable (OpenSession, _ place: String, Send<Action>) async throws -> String
  ) -> Effect {
    .doing(name, orSend: { .exported(Message($0, .failure)) }) { session, send in
      @Dependency(\.background?.folder) var folder
      let place = folder.map { "\($0)/\(path.split(separator: "/").last ?? "file")" } ?? path
      await send(.exported(Message(try await write(session, place, send))))
    }.cancellable(id: Background.Job.exporting, cancelInFlight: true)
  }

  private static func format(of path: String) -> String {
    path.hasSuffix(".json") ? " It is in Retcon's own format." : ""
  }
}
