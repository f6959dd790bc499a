import HostProtocol
import RecordingSupport
import SessionWords
import TimeTravel
import ValueTree

/// A host in memory: its reducer adds the amount of an action to `total`, and crashes at `boom`.
struct FakeHost: BranchHost {
  let recording: MemoryRecording
  var name: String { "WishesHost" }

  func verdict(on check: ValueCheck) async throws -> ValueVerdict { .fine }

  func run(
    _ branch: BranchPath, from step: Int, onStep: @escaping @Sendable (BranchStep) -> Void
  ) async throws -> BranchReport {
    var last = 0
    for ran in try steps(of: branch) {
      if ran.step.label == "boom" {
        return BranchReport(
          lastStep: last,
          ending: .init(ran.step.number, .crashed, "Fatal error: Index out of range"))
      }
      last = ran.step.number
      onStep(ran)
    }
    return BranchReport(lastStep: last, pending: try pending(after: branch))
  }

  /// Where a branch only ends: the effects in flight there, with what those of the same name did.
  private func pending(after branch: BranchPath) throws -> [PendingEffect] {
    let script = try script(of: branch)
    let here = script.leavesAt
    guard script.rest == .nothing, script.edits.isEmpty,
      recording.summary.steps.contains(here)
    else { return [] }
    let all = try recording.effects(in: recording.summary.steps)
    let inFlight = all.filter { $0.touches(here...here) && ($0.end.map { $0.step > here } ?? true) }
    return try inFlight.map { effect in
      let same = Set(all.filter { $0.name == effect.name }.map(\.number))
      let outcomes = try recording.summary.steps.compactMap { number -> RecordedOutcome? in
        let step = try recording.step(number)
        guard case .effect(let sender) = step.cause, same.contains(sender) else { return nil }
        return RecordedOutcome(
          effect: sender, step: number, label: step.label, outcome: .emit(action: step.action))
      }
      return PendingEffect(
        effect: effect.number, origin: effect.origin, isUnanswered: effect.end == nil,
        recorded: outcomes + [
          RecordedOutcome(effect: effect.number, step: 8, outcome: .fail(message: "offline"))
        ])
    }
  }

  func state(of branch: BranchPath, after step: Int) async throws -> Value {
    let script = try script(of: branch)
    var amount = 0
    for ran in try steps(of: branch) where ran.step.number <= step {
      if let number = ran.step.action["add"], case .number(.integer(let added)) = number {
        amount += Int(added)
      }
    }
    let own = try steps(of: branch).first { $0.step.number == step }
    let beside = own?.descendsFrom ?? script.leavesAt
    guard case .object(var state)? = try recording.state(after: beside) else { return .null }
    for ran in try steps(of: branch) where ran.step.number <= step {
      guard case .string(let pointer)? = ran.step.action["pointer"],
        let value = ran.step.action["value"]
      else { continue }
      state[String(pointer.dropFirst())] = value
    }
    state["total"] = .number(Number((state["total"]?.double ?? 0) + Double(amount)))
    return .object(state)
  }

  private func script(of branch: BranchPath) throws -> Script {
    guard let script = branch.branches.last?.script else { throw Trouble("no script") }
    return script
  }

  private func steps(of branch: BranchPath) throws -> [BranchStep] {
    let script = try script(of: branch)
    var steps: [BranchStep] = []
    var number = script.leavesAt
    func add(
      _ label: String, _ action: Value, descends: Int?, _ standing: Standing, cause: Cause = .user
    ) {
      number += 1
      let time = try? recording.step(min(number, recording.summary.steps.upperBound)).time
      steps.append(
        BranchStep(
          step: Step(number: number, time: time, label: label, action: action, cause: cause),
          descendsFrom: descends, standing: standing))
    }
    for edit in script.edits {
      switch edit {
      case .insert(_, let action):
        add(Self.label(action), action, descends: nil, Standing(.edited, .new))
      case .answer(let answer):
        guard case .emit(let action) = answer.outcome else { continue }
        add(
          Self.label(action), action, descends: nil, Standing(.edited, .new),
          cause: .effect(answer.effect))
      case .set(_, let pointer, let value):
        let made = Step(setting: SetPart(pointer, value: value))
        add(made.label, made.action, descends: nil, Standing(.edited, .new))
        steps[steps.count - 1].step.set = made.set
      case .skip, .replace, .read, .move, .reply: break
      }
    }
    guard script.rest == .rerun else { return steps }
    let skipped = script.edits.compactMap { edit -> Int? in
      if case .skip(let step) = edit { step } else { nil }
    }
    for beside in script.leavesAt + 1...recording.summary.steps.upperBound
    where !skipped.contains(beside) {
      let step = try recording.step(beside)
      var cause = step.cause
      if case .output(let sender) = cause { cause = .output(of: sender + number + 1 - beside) }
      add(step.label, step.action, descends: beside, Standing(.edited, .different), cause: cause)
    }
    return steps
  }

  private static func label(_ action: Value) -> String {
    guard case .object(let object) = action, let first = object.first else { return "?" }
    return first.key
  }
}

extension Value {
  fileprivate var double: Double? {
    guard case .number(let number) = self else { return nil }
    return number.doubleValue
  }
}
