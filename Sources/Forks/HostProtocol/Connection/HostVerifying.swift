import Platform
import SessionFile
import SessionWords

extension HostConnection {
  /// The host's files as it loaded them: where one has changed, an earlier result means nothing. Of
  /// Retcon's own host, only the files of the reducer.
  package var stamps: [String: String] {
    state.withLock { state in
      (state.files?.stamps ?? [:]).filter { !command.isThin || state.loaded.contains($0.key) }
    }
  }

  /// Re-runs the loaded session and compares. A crash or a hang is reported with its label and
  /// cause.
  ///
  /// If more than the first difference is wanted, it continues after such a step from its recorded
  /// state.
  package func verify(
    _ session: SessionReader, _ options: VerifyOptions,
    progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in }
  ) async throws(HostFailure) -> VerifyReport {
    var report = try await compared(session, options, progress)
    guard !session.header.knowsCauses else { return report }
    for index in report.divergences.indices where report.divergences[index].cause == .user {
      report.divergences[index].cause = nil
    }
    return report
  }

  private func compared(
    _ session: SessionReader, _ options: VerifyOptions,
    _ progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void
  ) async throws(HostFailure) -> VerifyReport {
    var whole: VerifyReport?
    var options = options
    while true {
      let report = try await verify(options, progress: progress)
      guard var end = report.divergences.last, end.kind.endsRun,
        end.step != report.unfinished?.step
      else { return try await comparedElsewhere(whole.adding(report), options) }
      if let step = try? session.step(end.step) {
        (end.label, end.cause) = (step.label, step.cause)
      }
      let first = options.after ?? session.steps.lowerBound
      if options.limit > 1, end.step - 1 > first {
        var before = options
        before.until = end.step - 1
        whole = whole.adding(try await verify(before, progress: progress))
      }
      var stopped = whole.adding(VerifyReport(steps: 0, divergences: [end], isPartial: true))
      stopped.steps = max(0, end.step - 1 - session.steps.lowerBound)
      guard options.limit > 1, session.steps.contains(end.step + 1), end.step > first,
        (try? session.state(after: end.step)) != nil
      else { return stopped }
      whole = stopped
      options.after = end.step
    }
  }

  /// Compares differences in a second process. Hash order, for example, changes between processes:
  /// a difference that varies comes from the reducer itself, not from the recording.
  private func comparedElsewhere(
    _ report: VerifyReport, _ options: VerifyOptions
  ) async throws(HostFailure) -> VerifyReport {
    let kinds: Set<Divergence.Kind> = [.state, .effect, .missingStep, .extraStep]
    let steps = Set(
      report.divergences.filter { kinds.contains($0.kind) && $0.step > options.after ?? .min }
        .map(\.step))
    guard options.checksDeterminism, let last = steps.max() else { return report }
    var again = options
    again.until = last
    let other = try await elsewhere().verify(again)
    var report = report
    for step in steps {
      func found(_ report: VerifyReport) -> [Divergence] {
        report.divergences.filter { $0.step == step }
      }
      let (here, there) = (found(report), found(other))
      guard var one = here.first, here.map(\.rerun) != there.map(\.rerun) else { continue }
      let same = there.first { $0.path == one.path }
      (one.kind, one.recorded, one.rerun) = (.nondeterministic, one.rerun, same?.rerun)
      one.hint = Self.otherProcess
      let place =
        report.divergences.firstIndex { $0.step == step }
        ?? impossible("the step is one of this report", 0)
      report.divergences.removeAll { $0.step == step }
      report.divergences.insert(one, at: place)
    }
    return report
  }

  /// A second process with the same session, which stays for later ones.
  private func elsewhere() async -> HostConnection {
    let other = state.withLock { state in
      let other = state.other ?? copy()
      state.other = other
      return other
    }
    await copySession(to: other)
    return other
  }

  private static let otherProcess =
    "another process gave another result: the reducer depends on a hash value, or on something else of "
    + "its process"

  /// Re-runs the recording and compares. A crash and a hang are divergences of their own kind.
  package func verify(
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
      guard let ending = error.ending() else { throw error }
      let first = state.withLock { $0.session?.steps.lowerBound } ?? 0
      let crash = Divergence(
        step: ending.step, label: "", kind: ending.outcome == .crashed ? .crash : .hang,
        hint: ending.reason)
      return VerifyReport(
        steps: max(0, ending.step - first - 1), divergences: [crash], isPartial: true)
    }
  }

  /// Runs the step that the app stopped in last, because it may not return.
  private func tried(
    _ report: VerifyReport, _ options: VerifyOptions
  ) async throws(HostFailure) -> VerifyReport {
    guard var step = report.unfinished, report.divergences.count < options.limit else {
      return report
    }
    var report = report
    let end = try await run(RunRequest(branch: .main, from: nil, until: step.step)).ending
    step.endsNow = end == nil || end?.outcome == .undecodable
    if let end, step.endsNow == false {
      report.divergences.append(
        Divergence(step: step.step, label: step.label, kind: .crash, hint: end.reason))
    } else {
      report.steps += 1
    }
    report.unfinished = step
    return report
  }
}

extension Divergence.Kind {
  fileprivate var endsRun: Bool { self == .crash || self == .hang }
}

extension VerifyReport? {
  fileprivate func adding(_ report: VerifyReport) -> VerifyReport {
    guard var whole = self else { return report }
    whole.steps += report.steps
    whole.divergences += report.divergences
    whole.undecodable += report.undecodable
    whole.unattributedReads += report.unattributedReads.filter {
      !whole.unattributedReads.contains($0)
    }
    whole.unchecked += report.unchecked
    whole.uncompared += report.uncompared
    whole.remarks += report.remarks.filter { !whole.remarks.contains($0) }
    whole.unfinished = report.unfinished
    whole.isPartial = report.isPartial
    return whole
  }
}
