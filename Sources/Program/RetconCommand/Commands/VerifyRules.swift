import HostProtocol
import Platform
import SessionFile
import SessionWords
import TextCanvas
import TimeTravel

extension VerifyCommand {
  /// Adds the first step that breaks a rule. Today's states are the recorded ones.
  func check(
    _ rules: [StepQuestion], in hosted: HostedSession, on host: HostConnection,
    _ context: CommandContext, _ report: inout VerifyReport
  ) async throws {
    guard !rules.isEmpty else { return }
    // Where the file holds no states, today's reducer tells them.
    let reader = hosted.needsStates ? try await hosted.withStates(of: host).reader : hosted.reader
    let workFolder = WorkFolder(context.environment)
    let code = self.host.code(in: context, workFolder)
    defer {
      report.remarks += code.remarks()
      code.restart()
    }
    let open = OpenSession(SessionRecording(reader), code: code)
    try await open.recording.findEffects()
    for rule in rules {
      let text = rule.condition.text
      var first: Int?
      let unknown = try await open.find(
        try StepQuestion("!(\(text))"), in: open.summary.steps, of: .main
      ) { step in
        first = step
        return false
      }
      if let first {
        let step = try open.step(at: Position(step: first)).step
        report.divergences.append(
          Divergence(
            step: first, label: step.label, kind: .rule, hint: text, cause: step.cause))
      } else if unknown > 0 {
        report.isPartial = true
        report.remarks.append("the rule \(text) was not checked at \(counted(unknown, "step"))")
      }
    }
    // Without recorded states the rules are all that can be compared.
    if hosted.needsStates, !report.isPartial {
      report.uncompared = 0
      report.remarks.append("the file holds no states, so only the rules were checked")
    }
    report.divergences.sort { $0.step < $1.step }
  }

  /// Says where a rule that is a function first gives another answer: its text does not tell which
  /// places it reads. Today's reducer runs on by itself, as in a fork without an edit.
  func reportFirstAnswers(
    of rules: [StepQuestion], in hosted: HostedSession, on host: HostConnection,
    _ context: CommandContext, _ report: inout VerifyReport
  ) async throws {
    guard !rules.isEmpty, !hosted.needsStates else { return }
    let workFolder = WorkFolder(context.environment)
    let code = self.host.code(in: context, workFolder)
    defer {
      report.remarks += code.remarks()
      code.restart()
    }
    let open = OpenSession(SessionRecording(hosted.reader), host: host, code: code)
    try await open.recording.findEffects()
    for rule in rules {
      report.remarks.append(
        try await otherAnswer(to: rule, in: open, report.divergences.map(\.step)))
    }
  }

  private func otherAnswer(
    to rule: StepQuestion, in open: OpenSession, _ differing: [Int]
  ) async throws -> String {
    let text = rule.condition.text
    let recorded = try await open.answers(to: rule, in: open.summary.steps, of: .main)
    var passed = open.summary.steps.lowerBound
    for step in differing where step > passed {
      let fork = BranchID("with this reducer, from step \(step)")
      _ = try open.addFork(fork, Script(leavesAt: step - 1, edits: []))
      try await open.runWithParents(fork)
      guard let branch = open.branch(fork) else {
        impossible("a fork stays until it is deleted")
        break
      }
      // If it equals the recording again, the next difference begins another fork.
      let steps = step...max(step, branch.report?.rejoining?.step ?? branch.steps.upperBound)
      let today = try await open.answers(to: rule, in: steps, of: fork)
      for step in steps {
        guard let old = recorded[step], let new = today[step], old != new else { continue }
        let words = [old, new].map { $0 ? "holds" : "is broken" }
        return "\(text) differs first at step \(grouped(step)): it \(words[0]) in the recording, "
          + "and \(words[1]) with this reducer"
      }
      if case .ended(let why) = branch.progress {
        return
          "\(text) is the same up to step \(grouped(steps.upperBound)), where the run ended: \(why)"
      }
      passed = steps.upperBound
    }
    return "\(text) holds, or is broken, at the same steps with this reducer"
  }
}

extension OpenSession {
  /// Whether a rule holds, by step, where that is known.
  fileprivate func answers(
    to rule: StepQuestion, in steps: ClosedRange<Int>, of branch: BranchID
  ) async throws -> [Int: Bool] {
    var answers: [Int: Bool] = [:]
    for (text, answer) in [(rule.condition.text, true), ("!(\(rule.condition.text))", false)] {
      try await find(try StepQuestion(text), in: steps, of: branch) { step in
        answers[step] = answer
        return true
      }
    }
    return answers
  }
}
