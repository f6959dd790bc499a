import SessionLog
import ValueTree

extension SessionReplay {
  /// Runs the recording again and compares everything (rules 22 and 23).
  package func verify(
    _ options: VerifyOptions = VerifyOptions(), control: RunControl = RunControl()
  ) throws -> VerifyReport {
    var rerun = try beginning(of: main)
    var findings = Findings(options)
    if ReferenceSearch.findsReference(in: rerun.machine.state) {
      findings.checksDeterminism = false
    }
    rerun.findings = findings
    try rerun.track()
    compareFirstState(&rerun)
    let report = try finish(&rerun, until: nil, control)
    var divergences = rerun.findings?.divergences ?? []
    if case .undecodable(let step, let reason) = report.ending {
      divergences.append(
        Divergence(
          step: step, label: (try? main.step(step).label) ?? "?", kind: .missingStep,
          hint: "it does not decode, and there is no recorded state to go on from: \(reason)"))
    }
    return VerifyReport(
      steps: rerun.position - main.steps.lowerBound, divergences: divergences,
      undecodable: rerun.findings?.undecodable ?? [],
      unattributedReads: try main.unattributedReads(),
      isPartial: rerun.position < main.steps.upperBound)
  }

  /// A state that decodes to something else is different before anything has run.
  private func compareFirstState(_ rerun: inout Rerun<State, Action>) {
    let first = main.steps.lowerBound
    guard let tracker = rerun.tracker, let recorded = try? main.state(after: first),
      !tracker.branch.isExactlyEqual(to: recorded)
    else { return }
    let step = (try? main.step(first)) ?? Step.first(first)
    rerun.findings?.differentState(at: step, recorded: recorded, rerun: tracker.branch)
  }
}
