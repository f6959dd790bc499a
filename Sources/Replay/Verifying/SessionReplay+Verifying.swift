import Recorder
import SessionWords
import ValueTree

extension SessionReplay {
  /// Runs the recording again and compares everything (rules 22 and 23).
  package func verify(
    _ options: VerifyOptions = VerifyOptions(), control: RunControl = RunControl()
  ) throws -> VerifyReport {
    let last = min(options.until ?? .max, main.steps.upperBound)
    var rerun = try beginning(of: main, from: options.after)
    var findings = Findings(options)
    if ReferenceSearch.findsReference(in: rerun.machine.state) {
      findings.checksDeterminism = false
    }
    rerun.findings = findings
    try rerun.track()
    compareFirstState(&rerun)
    let first = options.after == nil ? main.steps.lowerBound : rerun.position
    if rerun.position > first {
      rerun.findings?.passed(
        first + 1...rerun.position,
        because: main.loss(ofStateAfter: first) ?? "the state after step \(first) cannot be used")
    }
    // Whoever runs it again may not come back.
    let unfinished = try firstUnfinished()
    if let unfinished { rerun.lastPosition = unfinished - 1 }
    let report = try finish(&rerun, until: options.until, control)
    var divergences = rerun.findings?.divergences ?? []
    let passed = rerun.findings?.passed ?? []
    let isLost = passed.contains { $0.steps.upperBound > rerun.position }
    if case .undecodable(let step, let reason) = report.ending, !isLost {
      divergences.append(
        Divergence(
          step: step, label: (try? main.step(step).label) ?? "?", kind: .missingStep,
          hint: "it does not decode, and there is no recorded state to go on from: \(reason)"))
    }
    // What was sent too much is found when its turn is over.
    divergences = divergences.enumerated()
      .sorted { ($0.element.step, $0.offset) < ($1.element.step, $1.offset) }.map(\.element)
    let passedOver = passed.filter { $0.steps.upperBound <= rerun.position }
    var verified = VerifyReport(
      steps: passedOver.reduce(rerun.position - first) { $0 - $1.steps.count },
      divergences: divergences,
      undecodable: rerun.findings?.undecodable ?? [],
      unattributedReads: try main.unattributedReads(),
      isPartial: !isLost && rerun.position < min(last, rerun.lastPosition))
    verified.unchecked = passed
    verified.remarks =
      setup.differences(
        fromTape: main.tape, registered: registeredTape, asked: rerun.findings?.asked ?? [])
      + rerun.log.liveRemarks
    if let unfinished, options.until == nil, !verified.isPartial, !isLost {
      verified.unfinished = UnfinishedStep(
        step: unfinished, label: try main.step(unfinished).label)
    }
    return verified
  }

  /// The step inside of whose reducer the app stopped. There are several when threads sent at once.
  private func firstUnfinished() throws -> Int? {
    var first: Int?
    for number in main.steps.reversed() {
      guard try main.step(number).isUnfinished else { break }
      first = number
    }
    return first
  }

  /// A state that decodes to something else is different before anything has run.
  private func compareFirstState(_ rerun: inout Rerun<State, Action>) {
    let first = rerun.position
    guard let tracker = rerun.tracker, let recorded = try? main.state(after: first),
      !tracker.branch.isExactlyEqual(to: recorded)
    else { return }
    let step = (try? main.step(first)) ?? Step.first(first)
    rerun.findings?.differentState(at: step, recorded: recorded, rerun: tracker.branch)
  }
}
