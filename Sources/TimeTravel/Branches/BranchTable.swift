import HostProtocol
import SessionFile
import SessionWords
import ValueTree

/// The branches of a session in order of creation, with the steps that a host ran.
struct BranchTable: Sendable {
  private(set) var branches: [Branch]
  /// By fork.
  private(set) var own: [String: ForkSteps] = [:]
  private var lastRun = 0
  /// By old names: work may still be on its way to a fork that was renamed.
  private var newNames: [String: String] = [:]

  /// Saved branches without their parents are left out.
  init(main: Branch, saved: [SavedBranch] = []) {
    branches = [main]
    addInOrder(saved)
  }

  @discardableResult
  mutating func addInOrder(_ saved: [SavedBranch]) -> [String] {
    var added: [String] = []
    var rest = saved
    while true {
      let waiting = rest.filter { branch in
        guard restore(branch) else { return true }
        added.append(branch.name)
        return false
      }
      if waiting.count == rest.count { return added }
      rest = waiting
    }
  }

  subscript(name: String) -> Branch? { branches.first { $0.name == name } }

  /// The recording has grown. Forks stay as they ran.
  mutating func grow(to steps: ClosedRange<Int>) { branches[0].steps = steps }

  mutating func add(_ saved: SavedBranch) {
    var branch = Branch(name: saved.name, steps: branches[0].steps)
    branch.note = saved.note
    branches.append(branch)
    forgetSteps(of: branches.count - 1, saved.script)
  }

  mutating func restore(_ saved: SavedBranch) -> Bool {
    guard self[saved.name] == nil, let parent = self[saved.script.parent] else { return false }
    // The parent may not have run yet; its length is unknown, but limited.
    let steps = branches[0].steps
    let most = steps.upperBound + (parent.isMain ? 0 : HostLimits.ownSteps)
    guard (steps.lowerBound...most).contains(saved.script.leavesAt) else { return false }
    add(saved)
    return true
  }

  /// Changes a branch's script; it and its descendants must run again.
  mutating func change(_ name: String, _ script: Script) {
    guard let index = place(of: name), !branches[index].isMain else { return }
    forgetSteps(of: index, script)
  }

  mutating func update(_ name: String, run: Int? = nil, _ change: (inout Branch) -> Void) {
    guard let index = run.map({ place(of: name, run: $0) }) ?? place(of: name) else { return }
    change(&branches[index])
  }

  mutating func begin(_ name: String, inFlight: [EffectSpan]) -> Int? {
    guard let index = place(of: name), let script = branches[index].script else { return nil }
    forgetSteps(of: index, script)
    take(inFlight, for: name)
    lastRun += 1
    branches[index].run = lastRun
    branches[index].progress = .running
    return lastRun
  }

  mutating func take(_ inFlight: [EffectSpan], for name: String) {
    guard let index = place(of: name) else { return }
    own[name]?.take(inFlight)
    for span in inFlight { branches[index].effectNames[span.number] = span.name }
  }

  private mutating func forgetSteps(of index: Int, _ script: Script) {
    let name = branches[index].name
    branches[index].script = script
    branches[index].steps = branches[0].steps.lowerBound...script.leavesAt
    branches[index].progress = .notRun
    branches[index].report = nil
    branches[index].build = nil
    branches[index].firstDifferent = nil
    branches[index].sameFrom = nil
    branches[index].editSteps = []
    own[name] = ForkSteps(script)
    for (child, branch) in branches.enumerated() where branch.script?.parent == name {
      if let script = branch.script { forgetSteps(of: child, script) }
    }
  }

  mutating func forgetRuns() {
    for index in branches.indices where branches[index].script?.parent == Branch.main {
      if let script = branches[index].script { forgetSteps(of: index, script) }
    }
  }

  mutating func rename(_ old: String, to new: String) -> Bool {
    guard let index = place(of: old), self[new] == nil, !branches[index].isMain else {
      return false
    }
    branches[index].name = new
    own[new] = own.removeValue(forKey: old)
    newNames[old] = new
    for child in branches.indices where branches[child].script?.parent == old {
      branches[child].script?.parent = new
    }
    return true
  }

  func newName(of name: String) -> String {
    self[name] == nil ? newNames[name] ?? name : name
  }

  @discardableResult
  mutating func remove(_ name: String) -> [String] {
    guard self[name]?.isMain == false else { return [] }
    var removed: [String] = []
    for child in branches where child.script?.parent == name { removed += remove(child.name) }
    branches.removeAll { $0.name == name }
    own[name] = nil
    return removed + [name]
  }

  mutating func append(_ step: BranchStep, to name: String, run: Int) {
    guard let index = place(of: name, run: run) else { return }
    own[name]?.append(step)
    grow(index, to: step.step.number)
  }

  /// `coming` is the step in which it ended, as far as known.
  mutating func finish(
    _ name: String, _ report: BranchReport, run: Int, build: Int = 0, in coming: ComingStep? = nil
  ) {
    guard let index = place(of: name, run: run) else { return }
    branches[index].report = report
    branches[index].build = build
    own[name]?.append(report.effects)
    for case .answer(let answer) in branches[index].script?.edits ?? [] {
      branches[index].effectNames[answer.effect] = own[name]?.effects[answer.effect]?.name
    }
    branches[index].editSteps =
      own[name]?.places(of: branches[index].script?.edits ?? []) ?? []
    if report.ending == nil, branches[index].script?.parent == Branch.main,
      report.rejoining != nil
        || own[name]?.last?.descendsFrom == branches[0].steps.upperBound
    {
      branches[index].sameFrom =
        own[name]?.equalFrom ?? report.rejoining.map { $0.step + 1 }
    }
    branches[index].progress = report.ending.map { .ended($0.sentence) } ?? .complete
    if let ending = report.ending { addLast(ending, as: coming, to: name) }
    if let rejoining = report.rejoining, let script = branches[index].script,
      let parent = self[script.parent]
    {
      let rest = max(0, parent.steps.upperBound - rejoining.parentStep)
      grow(index, to: rejoining.step + rest)
    }
  }

  private mutating func grow(_ index: Int, to step: Int) {
    let steps = branches[index].steps
    branches[index].steps = steps.lowerBound...max(step, steps.upperBound)
  }

  /// Shows the step in which a fork ended, with the reason, although the host did not report it.
  private mutating func addLast(
    _ ending: BranchReport.Ending, as coming: ComingStep?, to name: String
  ) {
    guard let script = self[name]?.script else { return }
    let before = own[name]?.last
    guard ending.step == (own[name]?.lastNumber ?? script.leavesAt) + 1 else { return }
    let values = max(
      before?.standing.values ?? .recorded, coming?.isEdited == true ? .edited : .recorded)
    var last = coming?.step ?? Step(number: ending.step, label: "?", action: .null)
    (last.number, last.error) = (ending.step, ending.reason)
    last.time = [before?.time, last.time].compactMap(\.self).max()
    append(
      BranchStep(
        step: last, descendsFrom: coming?.descendsFrom, standing: Standing(values, ending.outcome)),
      to: name, run: self[name]?.run ?? 0)
  }

  private func place(of name: String) -> Int? { branches.firstIndex { $0.name == name } }

  /// The branch if this run is its current one: news from replaced runs is ignored.
  private func place(of name: String, run: Int) -> Int? {
    place(of: name).flatMap {
      branches[$0].run == run && branches[$0].progress != .notRun ? $0 : nil
    }
  }

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
  /// The label of an action without a recorded one: its `type`, or its case names.
  package var caseNames: String {
    switch self {
    case .string(let text): return text
    case .object(let object):
      if case .string(let type)? = object["type"] { return type }
      guard let names = Self.cases(of: object, 0), !names.isEmpty else { return "?" }
      return names.joined(separator: ".")
    default: return "?"
    }
  }

  /// Nested case names; unnamed payloads (`_0`) are between those of Swift.
  private static func cases(of object: ValueObject, _ depth: Int) -> [String]? {
    guard object.count == 1, depth < 32, let first = object[0].key.unicodeScalars.first,
      first.properties.isLowercase || object[0].key == "_0",
      object[0].key.unicodeScalars.allSatisfy({
        $0.properties.isAlphabetic || "_0123456789".unicodeScalars.contains($0)
      })
    else { return nil }
    let name = object[0].key == "_0" ? [] : [object[0].key]
    guard case .object(let inner) = object[0].value else { return name }
    return name + (cases(of: inner, depth + 1) ?? [])
  }
}

/// A step's place in the recording: a recorded step, or some steps after it.
struct RecordedPlace: Sendable, Hashable {
  var step: Int
  var behind = 0
}

extension BranchTable {
  func place(of position: Position) -> RecordedPlace {
    var position = owner(of: position)
    var behind = 0
    while position.branch != Branch.main, let script = self[position.branch]?.script {
      if let from = own[position.branch]?[position.step]?.descendsFrom {
        // Steps inserted into the parent count from there.
        position = owner(of: Position(branch: script.parent, step: from))
      } else {
        behind += 1
        position = owner(of: Position(branch: position.branch, step: position.step - 1))
      }
    }
    return RecordedPlace(step: position.step, behind: behind)
  }

  func step(at place: RecordedPlace, of branch: String) -> Position? {
    guard let steps = self[branch]?.steps else { return nil }
    // A few jumps suffice, each by the distance of the recorded steps.
    var step = min(max(place.step, steps.lowerBound), steps.upperBound)
    var seen: Set<Int> = []
    while seen.insert(step).inserted, seen.count < 64 {
      let found = self.place(of: Position(branch: branch, step: step))
      if found == place { return Position(branch: branch, step: step) }
      let distance =
        found.step == place.step ? place.behind - found.behind : place.step - found.step
      step = min(max(step + distance, steps.lowerBound), steps.upperBound)
    }
    return nil
  }

  func lastShared(_ first: String, _ second: String) -> Int {
    let (one, two) = (path(to: first).branches, path(to: second).branches)
    let common = zip(one, two).prefix { $0.0.name == $0.1.name }.count
    let own = one.dropFirst(common) + two.dropFirst(common)
    return own.map(\.script.leavesAt).min() ?? .max
  }
}
