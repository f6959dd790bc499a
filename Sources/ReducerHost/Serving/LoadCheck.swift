import HostProtocol
import Replay
import SessionLog
import ValueTree

/// Grades a log: whether today's types decode what it holds.
struct LoadCheck<State: Codable & Sendable, Action: Codable & Sendable> {
  let reader: SessionReader

  /// How many steps are looked at, how many of one label, and how many findings are told.
  private static var stepLimit: Int { 100_000 }
  private static var labelLimit: Int { 20 }
  private static var findingLimit: Int { 20 }

  init(_ reader: SessionReader) { self.reader = reader }

  func report(_ control: RunControl) throws -> LoadReport {
    let count = reader.stepCount
    if case .browse(let reason) = reader.header.capability {
      return LoadReport(
        steps: count, grade: .impossible,
        findings: [finding(reader.header.firstStep, "", "", "the log says: \(reason)")])
    }
    var findings: [LoadReport.Finding] = []
    let first = reader.steps.lowerBound
    if let problem = check(State.self, try reader.state(after: first), first) {
      return LoadReport(steps: count, grade: .impossible, findings: [problem])
    }
    var seen: [String: Int] = [:]
    for number in reader.steps.dropFirst().prefix(Self.stepLimit) {
      if number.isMultiple(of: 1024) {
        if control.isCancelled() { throw ReplayError.cancelled }
        control.progress(number - first, count)
      }
      let step = try reader.step(number)
      seen[step.label, default: 0] += 1
      guard (seen[step.label] ?? 0) <= Self.labelLimit, findings.count < Self.findingLimit,
        let problem = check(Action.self, step.action, number)
      else { continue }
      if !findings.contains(where: { $0.path == problem.path && $0.type == problem.type }) {
        findings.append(problem)
      }
    }
    return LoadReport(
      steps: count, grade: findings.isEmpty ? .fine : .risky, findings: findings)
  }

  private func check<T: Codable>(
    _ type: T.Type, _ value: Value, _ step: Int
  ) -> LoadReport.Finding? {
    do {
      let again = try ValueEncoder().encode(try ValueDecoder().decode(type, from: value))
      guard !again.isExactlyEqual(to: value) else { return nil }
      return finding(
        step, String(reflecting: type), "", "it decodes to something else than was recorded")
    } catch let error as DecodingError {
      return finding(error, step, String(reflecting: type))
    } catch {
      return finding(step, String(reflecting: type), "", "\(error)")
    }
  }

  private func finding(
    _ error: DecodingError, _ step: Int, _ type: String
  ) -> LoadReport.Finding {
    switch error {
    case .typeMismatch(let wanted, let context):
      finding(step, "\(wanted)", path(context), context.debugDescription)
    case .valueNotFound(let wanted, let context):
      finding(step, "\(wanted)", path(context), "there is no value")
    case .keyNotFound(let key, let context):
      finding(step, type, path(context), "there is no “\(key.stringValue)”")
    case .dataCorrupted(let context):
      finding(step, type, path(context), context.debugDescription)
    @unknown default: finding(step, type, "", "\(error)")
    }
  }

  private func path(_ context: DecodingError.Context) -> String {
    Pointer(tokens: context.codingPath.map(\.stringValue)).description
  }

  private func finding(
    _ step: Int, _ type: String, _ path: String, _ problem: String
  ) -> LoadReport.Finding {
    LoadReport.Finding(step: step, type: type, path: path, problem: problem)
  }
}
