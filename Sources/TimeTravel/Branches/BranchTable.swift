import HostProtocol
import SessionLog
import ValueTree

/// The branches of an open session, in the order in which they were made, with the steps that a
/// host ran for them.
struct BranchTable: Sendable {
  private(set) var branches: [Branch]
  private var forkSteps: [String: ForkSteps] = [:]

  /// Saved branches whose parents are not there any more are left out.
  init(main: Branch, saved: [SavedBranch] = []) {
    branches = [main]
    for branch in saved where self[branch.name] == nil {
      let script = branch.script
      guard self[script.parent] != nil, main.steps.contains(script.leavesAt) else { continue }
      add(branch.name, script)
      branches[branches.count - 1].progress = .notRun
    }
  }

  subscript(name: String) -> Branch? { branches.first { $0.name == name } }

  private mutating func add(_ name: String, _ script: Script) {
    branches.append(
      Branch(
        name: name, script: script, steps: branches[0].steps.lowerBound...script.leavesAt,
        progress: .running))
    forkSteps[name] = ForkSteps(script)
  }

  /// A branch that is to be run: a new one, or one that was saved. False when the name is taken.
  mutating func begin(_ name: String, _ script: Script, inFlight: [EffectSpan]) -> Bool {
    guard self[script.parent] != nil else { return false }
    if let index = place(of: name) {
      guard branches[index].isNotRun, branches[index].script == script else { return false }
      branches[index].progress = .running
    } else {
      add(name, script)
    }
    forkSteps[name] = ForkSteps(script, inFlight: inFlight)
    return true
  }

  /// Forgets a fork and those that leave it.
  mutating func remove(_ name: String) {
    guard self[name]?.isMain == false else { return }
    for child in branches where child.script?.parent == name { remove(child.name) }
    branches.removeAll { $0.name == name }
    forkSteps[name] = nil
  }

  mutating func append(_ step: BranchStep, to name: String) {
    guard let index = place(of: name) else { return }
    forkSteps[name]?.append(step)
    let steps = branches[index].steps
    branches[index].steps = steps.lowerBound...max(step.step.number, steps.upperBound)
    let isAsExpected = [.equal, .new].contains(step.standing.outcome)
    if branches[index].firstDifferent == nil, !isAsExpected {
      branches[index].firstDifferent = step.step.number
    }
  }

  mutating func finish(_ name: String, _ report: BranchReport) {
    guard let index = place(of: name) else { return }
    branches[index].report = report
    switch report.ending {
    case .complete: branches[index].progress = .complete
    case .undecodable(let step, let reason):
      branches[index].progress = .ended("step \(step) does not decode: \(reason)")
      addLast(step, .undecodable, reason, to: name)
    case .crashed(let step, let words):
      branches[index].progress = .ended("crashed at step \(step): \(words)")
      addLast(step, .crashed, words, to: name)
    case .timedOut(let step):
      branches[index].progress = .ended("step \(step) did not return in time")
      addLast(step, .timedOut, "the reducer did not return in time", to: name)
    }
    if let rejoining = report.rejoining, let script = branches[index].script,
      let parent = self[script.parent]
    {
      let rest = max(0, parent.steps.upperBound - rejoining.parentStep)
      let steps = branches[index].steps
      branches[index].steps =
        steps.lowerBound...max(steps.upperBound, rejoining.step + rest)
    }
  }

  /// The step at which a fork ended was not told as one: it is shown all the same, with the reason.
  private mutating func addLast(
    _ number: Int, _ outcome: Standing.Outcome, _ reason: String, to name: String
  ) {
    guard let script = self[name]?.script else { return }
    let before = forkSteps[name]?.last
    guard number == (forkSteps[name]?.lastNumber ?? script.leavesAt) + 1 else { return }
    var values = before?.standing.values ?? .recorded
    var last = Step(number: number, time: before?.time, label: "?", action: .null)
    if before == nil, case .insert(_, let action)? = script.edits.first {
      last.action = action
      last.label = action.caseNames
      values = .edited
    }
    last.error = reason
    append(
      BranchStep(
        step: last, descendsFrom: before?.descendsFrom.map { $0 + 1 },
        standing: Standing(values, outcome)), to: name)
  }

  mutating func stop(_ name: String, _ reason: String) {
    guard let index = place(of: name) else { return }
    branches[index].progress = .ended(reason)
  }

  private func place(of name: String) -> Int? { branches.firstIndex { $0.name == name } }

  /// Whose step this is: a fork shares its first steps with its parent, and its last ones when it
  /// meets the parent again.
  func owner(of position: Position) -> Position {
    var position = position
    while let branch = self[position.branch], let script = branch.script {
      if position.step <= script.leavesAt {
        position.branch = script.parent
      } else if let rejoining = branch.report?.rejoining, position.step > rejoining.step {
        position.step += rejoining.parentStep - rejoining.step
        position.branch = script.parent
      } else {
        break
      }
    }
    return position
  }

  func step(_ number: Int, of fork: String) -> ForkSteps.Entry? { forkSteps[fork]?[number] }

  /// The effects of a fork's own steps, those that were in flight where it leaves included.
  func effects(of fork: String) -> EffectTable { forkSteps[fork]?.effects ?? EffectTable() }

  /// The branch with its parents' scripts, the outermost first.
  func path(to name: String) -> BranchPath {
    var scripts: [NamedScript] = []
    var next = self[name]
    while let branch = next, let script = branch.script {
      scripts.append(NamedScript(name: branch.name, script: script))
      next = self[script.parent]
    }
    return BranchPath(scripts.reversed())
  }
}

extension Value {
  /// The label of an action that no recorder has named: its `type`, or the names of its cases.
  var caseNames: String {
    switch self {
    case .string(let text): return text
    case .object(let object):
      if case .string(let type)? = object["type"] { return type }
      guard object.count == 1 else { return "?" }
      let inner = object[0].value.caseNames
      return inner == "?" || object[0].value.isPlain ? object[0].key : "\(object[0].key).\(inner)"
    default: return "?"
    }
  }

  private var isPlain: Bool { if case .object = self { false } else { true } }
}
