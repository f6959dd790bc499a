import HostProtocol
import Replay
import SessionFile
import SessionWords
import ValueTree

/// Grades a log: whether today's types decode it.
///
/// Checks every action, or an even sample of ``actionLimit`` in a long session; and the first
/// state, the last, and some between. The report counts the unchecked ones.
struct LoadCheck {
  let reader: SessionReader
  private let setup: any RunSetup
  /// The state before the first step, if it is not the recorded one.
  private let start: (any Machine)?
  private let actionLimit: Int
  private var findings: [LoadReport.Finding] = []
  private var upgraded = 0

  private static var stateCount: Int { 8 }
  private static var findingLimit: Int { 20 }

  init(
    _ reader: SessionReader, _ setup: any RunSetup, start: (any Machine)? = nil,
    actionLimit: Int = 100_000
  ) {
    self.reader = reader
    self.start = start
    self.setup = setup
    self.actionLimit = max(1, actionLimit)
  }

  func report(_ control: RunControl) throws -> LoadReport {
    if case .browse(let reason) = reader.header.capability {
      return LoadReport(
        steps: reader.stepCount, grade: .impossible,
        findings: [finding(reader.header.firstStep, "", [], "the log says: \(reason)")])
    }
    var check = self
    return try check.run(control)
  }

  private mutating func run(_ control: RunControl) throws -> LoadReport {
    let steps = reader.steps
    if let problem = try checkStart() { return report(.impossible, [problem], checked: 0) }
    let distance = max(1, (steps.count - 1 + actionLimit - 1) / actionLimit)
    var checked = 0
    var all = StoredSteps(reader, from: steps.lowerBound + 1)
    for number in stride(from: steps.lowerBound + 1, through: steps.upperBound, by: distance) {
      if checked.isMultiple(of: 1024) {
        if control.isCancelled() { throw ReplayError.cancelled }
        control.progress(number - steps.lowerBound, steps.count - 1)
      }
      checked += 1
      let step = try distance == 1 ? all.step().step : reader.step(number)
      guard let problem = checkAction(step), isNew(problem) else { continue }
      add(try first(problem, after: number - distance))
    }
    let apart = max(1, (steps.count - 1) / (Self.stateCount - 1))
    for number in stride(from: steps.upperBound, to: steps.lowerBound, by: -apart).reversed() {
      if control.isCancelled() { throw ReplayError.cancelled }
      if let problem = try checkState(number), isNew(problem) { add(problem) }
    }
    findings.sort { $0.step < $1.step }
    return report(findings.isEmpty ? .fine : .risky, findings, checked: checked)
  }

  /// The reason that nothing can run. If only the first states are unusable, that is a finding.
  private mutating func checkStart() throws -> LoadReport.Finding? {
    let source = SessionSource(reader, upgrade: setup.upgrade)
    let first = source.steps.lowerBound
    let problem = try checkState(first)
    do {
      let start = try StateStart(of: source, setup, given: start)
      guard start.step > first else { return problem }
      let loss = source.loss(ofStateAfter: first) ?? problem?.sentence ?? "its state is not known"
      add(finding(first, "", [], "\(loss); it can be run from step \(start.step) on"))
      return nil
    } catch let error as ReplayError {
      return problem ?? finding(first, "", [], error.what)
    }
  }

  private func report(
    _ grade: LoadReport.Grade, _ findings: [LoadReport.Finding], checked: Int
  ) -> LoadReport {
    var report = LoadReport(steps: reader.stepCount, grade: grade, findings: findings)
    if grade != .impossible { report.unchecked = max(0, reader.steps.count - 1 - checked) }
    report.upgraded = upgraded
    return report
  }

  private func isNew(_ problem: LoadReport.Finding) -> Bool {
    findings.count < Self.findingLimit
      && !findings.contains { $0.path == problem.path && $0.type == problem.type }
  }

  private mutating func add(_ problem: LoadReport.Finding) { findings.append(problem) }

  private mutating func first(
    _ problem: LoadReport.Finding, after step: Int
  ) throws -> LoadReport.Finding {
    let known = upgraded
    defer { upgraded = known }
    for number in stride(from: max(step, reader.steps.lowerBound) + 1, to: problem.step, by: 1) {
      if let earlier = try checkAction(reader.step(number)), earlier.path == problem.path,
        earlier.type == problem.type
      {
        return earlier
      }
    }
    return problem
  }

  private mutating func checkAction(_ step: Step) -> LoadReport.Finding? {
    guard step.damage == nil || step.isUnfinished else {
      return finding(step.number, "", [], "the log is damaged here")
    }
    guard step.set == nil else { return nil }
    return check(setup.actionType, step.action, step.number, setup.upgrade?.action)
  }

  private mutating func checkState(_ number: Int) throws -> LoadReport.Finding? {
    do {
      return check(
        setup.stateType, try reader.state(after: number), number, setup.upgrade?.state)
    } catch {
      switch error.problem {
      case .stateNotStored, .stateLost, .stepUnfinished: return nil
      default: throw error
      }
    }
  }

  private mutating func check<T: Codable>(
    _ type: T.Type, _ recorded: Value, _ step: Int, _ upgrade: SessionUpgrade.Change?
  ) -> LoadReport.Finding? {
    // It decodes to itself.
    if upgrade == nil, type == Value.self { return nil }
    let name = String(reflecting: type)
    var value = recorded
    if let upgrade {
      do {
        value = try upgrade(recorded, reader.header.app?.version)
      } catch {
        return finding(step, name, [], "the upgrade function failed: \(error)")
      }
      if !value.isExactlyEqual(to: recorded) { upgraded += 1 }
    }
    do {
      let again = try ValueEncoder().encode(try ValueDecoder().decode(type, from: value))
      guard let other = differences(from: value, to: again, limit: 1).first else { return nil }
      return finding(
        step, name, other.path,
        "the decoded value differs from the recorded one (\(words(other.left)) is now "
          + "\(words(other.right)))")
    } catch let error as DecodingError {
      let fault = DecodingFault(error)
      return finding(step, fault.type ?? name, fault.path, fault.problem)
    } catch {
      return finding(step, name, [], "\(error)")
    }
  }

  private func words(_ value: Value?) -> String {
    guard let text = value?.text() else { return "nothing" }
    return text.count > 40 ? text.prefix(39) + "…" : text
  }

  private func finding(
    _ step: Int, _ type: String, _ path: Pointer, _ problem: String
  ) -> LoadReport.Finding {
    LoadReport.Finding(step: step, type: type, path: path, problem: problem)
  }
}

extension ValueProblem {
  init?(of value: Value, as type: (some Decodable).Type) {
    do {
      _ = try ValueDecoder().decode(type, from: value)
      return nil
    } catch let error as DecodingError {
      let fault = DecodingFault(error)
      self.init(path: fault.path, sentence: fault.problem)
    } catch {
      self.init(sentence: "\(error)")
    }
  }
}
