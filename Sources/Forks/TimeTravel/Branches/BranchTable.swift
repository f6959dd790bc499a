import HostProtocol
import Platform
import SessionFile
import SessionWords
import ValueTree

/// The branches of a session in order of creation, with the steps that a host ran.
struct BranchTable: Sendable {
  private(set) var branches: [Branch]
  /// By fork.
  private(set) var own: [BranchID: ForkSteps] = [:]
  private var lastRun = 0

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

  subscript(id: BranchID) -> Branch? { branches[id] }

  /// The recording has grown. Forks stay as they ran.
  mutating func grow(to steps: ClosedRange<Int>) { branches[0].steps = steps }

  mutating func add(_ id: BranchID, name: String, _ script: Script, note: String? = nil) {
    branches.append(Branch(id, name: name, steps: branches[0].steps))
    branches[branches.count - 1].note = note
    forgetSteps(of: branches.count - 1, script)
  }

  /// A fork as the sidecar names it, and its parent.
  func saved(_ id: BranchID) -> SavedBranch? {
    guard let branch = self[id], var script = branch.script else { return nil }
    script.parent = BranchID(branches.name(of: script.parent))
    return SavedBranch(name: branch.name, script: script, note: branch.note)
  }

  /// A saved fork's script with the parent of that name here; nil without one.
  func script(of saved: SavedBranch) -> Script? {
    guard let parent = branches[named: saved.script.parent.text] else { return nil }
    var script = saved.script
    script.parent = parent.id
    return script
  }

  mutating func restore(_ saved: SavedBranch) -> Bool {
    guard branches[named: saved.name] == nil, let script = script(of: saved) else { return false }
    return restore(branches.freeID(for: saved.name), saved.name, script, saved.note)
  }

  mutating func restore(
    _ id: BranchID, _ name: String, _ script: Script, _ note: String?
  ) -> Bool {
    guard self[id] == nil, let parent = self[script.parent] else { return false }
    // The parent may not have run yet; its length is unknown, but limited.
    let steps = branches[0].steps
    let most = steps.upperBound + (parent.isMain ? 0 : HostLimits.ownSteps)
    guard (steps.lowerBound...most).contains(script.leavesAt) else { return false }
    add(id, name: name, script, note: note)
    return true
  }

  /// Changes a branch's script; it and its descendants must run again.
  mutating func change(_ id: BranchID, _ script: Script) {
    guard let index = place(of: id), !branches[index].isMain else { return }
    forgetSteps(of: index, script)
  }

  mutating func update(_ id: BranchID, run: Int? = nil, _ change: (inout Branch) -> Void) {
    guard let index = run.map({ place(of: id, run: $0) }) ?? place(of: id) else { return }
    change(&branches[index])
  }

  mutating func begin(_ id: BranchID, inFlight: [EffectSpan]) -> Int? {
    guard let index = place(of: id), let script = branches[index].script else { return nil }
    forgetSteps(of: index, script)
    setInFlight(inFlight, for: id)
    lastRun += 1
    branches[index].run = lastRun
    branches[index].progress = .running
    return lastRun
  }

  mutating func setInFlight(_ inFlight: [EffectSpan], for id: BranchID) {
    guard let index = place(of: id) else { return }
    if own[id]?.setInFlight(inFlight) == nil { impossible("each fork has its steps") }
    for span in inFlight { branches[index].effectNames[span.number] = span.name }
  }

  private mutating func forgetSteps(of index: Int, _ script: Script) {
    let id = branches[index].id
    branches[index].script = script
    branches[index].forgetRun()
    own[id] = ForkSteps(script)
    for (child, branch) in branches.enumerated() where branch.script?.parent == id {
      if let script = branch.script { forgetSteps(of: child, script) }
    }
  }

  mutating func forgetRuns() {
    for index in branches.indices where branches[index].script?.parent == .main {
      if let script = branches[index].script { forgetSteps(of: index, script) }
    }
  }

  /// The names of the removed branches, descendants first.
  @discardableResult
  mutating func remove(_ id: BranchID) -> [String] {
    guard let branch = self[id], !branch.isMain else { return [] }
    var removed: [String] = []
    for child in branches where child.script?.parent == id { removed += remove(child.id) }
    branches.removeAll { $0.id == id }
    own[id] = nil
    return removed + [branch.name]
  }

  mutating func append(_ step: BranchStep, to id: BranchID, run: Int) {
    guard let index = place(of: id, run: run) else { return }
    if own[id]?.append(step) == nil { impossible("each fork has its steps") }
    grow(index, to: step.step.number)
  }

  /// `coming` is the step in which it ended, as far as known.
  mutating func finish(
    _ id: BranchID, _ report: BranchReport, run: Int, build: Int = 0, in coming: BranchStep? = nil
  ) {
    guard let index = place(of: id, run: run) else { return }
    branches[index].report = report
    branches[index].build = build
    if own[id]?.append(report.effects) == nil { impossible("each fork has its steps") }
    for case .answer(let answer) in branches[index].script?.edits ?? [] {
      branches[index].effectNames[answer.effect] = own[id]?.effects[answer.effect]?.name
    }
    branches[index].editSteps =
      own[id]?.places(of: branches[index].script?.edits ?? []) ?? []
    if report.ending == nil, branches[index].script?.parent == .main,
      report.rejoining != nil
        || own[id]?.last?.descendsFrom == branches[0].steps.upperBound
    {
      branches[index].sameFrom =
        own[id]?.equalFrom ?? report.rejoining.map { $0.step + 1 }
    }
    branches[index].endsInDoubt = own[id]?.last?.standing.values.areKnown == false
    branches[index].progress = report.ending.map { .ended($0.sentence) } ?? .complete
    if let ending = report.ending { addLast(ending, as: coming, to: id) }
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
    _ ending: BranchReport.Ending, as coming: BranchStep?, to id: BranchID
  ) {
    guard let script = self[id]?.script else { return impossible("only a fork ends") }
    let before = own[id]?.last
    guard ending.step == (own[id]?.lastNumber ?? script.leavesAt) + 1 else { return }
    var last =
      coming
      ?? BranchStep(
        step: Step(number: ending.step, label: "?", action: .null),
        standing: Standing(.recorded, .new))
    last.standing = Standing(
      max(before?.standing.values ?? .recorded, last.standing.values), ending.outcome)
    (last.step.number, last.step.error) = (ending.step, ending.reason)
    last.step.time = [before?.step.time, last.step.time].compactMap(\.self).max()
    append(last, to: id, run: self[id]?.run ?? 0)
  }

  private func place(of id: BranchID) -> Int? { branches.firstIndex { $0.id == id } }

  /// The branch if this run is its current one: news from replaced runs is ignored.
  private func place(of id: BranchID, run: Int) -> Int? {
    place(of: id).flatMap {
      branches[$0].run == run && branches[$0].progress != .notRun ? $0 : nil
    }
  }

  /// Hosts know branches by their ids, so a rename keeps what a host has run.
  func path(to id: BranchID) -> BranchPath {
    var scripts: [NamedScript] = []
    var next = self[id]
    while let branch = next, let script = branch.script {
      scripts.append(NamedScript(id: branch.id, script: script))
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
    while position.branch != .main, let script = self[position.branch]?.script {
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

  func step(at place: RecordedPlace, of branch: BranchID) -> Position? {
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

  func lastShared(_ first: BranchID, _ second: BranchID) -> Int {
    let (one, two) = (path(to: first).branches, path(to: second).branches)
    let common = zip(one, two).prefix { $0.0.id == $0.1.id }.count
    let own = one.dropFirst(common) + two.dropFirst(common)
    return own.map(\.script.leavesAt).min() ?? .max
  }
}
