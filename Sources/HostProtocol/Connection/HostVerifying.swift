import Platform
import SessionLog

extension HostConnection {
  /// Re-runs the recording and compares. A reducer that ends the process, or does not return, is a
  /// divergence of its own class.
  public func verify(
    _ options: VerifyOptions = VerifyOptions(),
    progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in }
  ) async throws(HostFailure) -> VerifyReport {
    do throws(HostFailure) {
      let answer = try await ask(.verify(options), loaded()) { news in
        if case .progress(let done, let total) = news { progress(done, total) }
      }
      guard case .verified(let report) = answer else { throw unexpected(answer) }
      return try await tried(report, options)
    } catch {
      switch error {
      case .died(let death):
        guard let step = death.step else { throw error }
        return crashReport(step, death.reason)
      case .timedOut(let step): return crashReport(step, "the reducer did not return in time")
      default: throw error
      }
    }
  }

  /// The step that the app stopped in is run last: whoever runs it may not come back.
  private func tried(
    _ report: VerifyReport, _ options: VerifyOptions
  ) async throws(HostFailure) -> VerifyReport {
    guard var step = report.unfinished, report.divergences.count < options.limit else {
      return report
    }
    var report = report
    let words: String? =
      switch try await run(RunRequest(branch: .main, tells: .report, until: step.step)).ending {
      case .crashed(_, let words): words
      case .timedOut: "the reducer did not return in time"
      case .complete, .undecodable: nil
      }
    step.endsNow = words == nil
    if words == nil { report.steps += 1 }
    report.unfinished = step
    if let words {
      report.divergences.append(
        Divergence(
          step: step.step, label: step.label, kind: .crash,
          hint: words))
    }
    return report
  }

  private func crashReport(_ step: Int, _ words: String) -> VerifyReport {
    let first = state.withLock { $0.session?.steps.lowerBound } ?? 0
    let crash = Divergence(step: step, label: "", kind: .crash, hint: words)
    return VerifyReport(
      steps: max(0, step - first - 1), divergences: [crash], isPartial: true)
  }
}
