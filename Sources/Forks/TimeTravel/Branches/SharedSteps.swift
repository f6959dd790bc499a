import SessionWords

/// The steps that a fork shares with its parent: the first ones and, after it rejoins, the last
/// ones, perhaps renumbered.
extension Branch {
  fileprivate var shift: Int { report?.rejoining.map { $0.step - $0.parentStep } ?? 0 }

  /// The parent's shared step; nil for own steps.
  package func parent(of step: Int) -> Position? {
    guard let script else { return nil }
    if step <= script.leavesAt { return Position(branch: script.parent, step: step) }
    guard let rejoining = report?.rejoining, step > rejoining.step else { return nil }
    return Position(branch: script.parent, step: step - shift)
  }

  fileprivate func step(ofParents step: Int) -> Int? {
    if let script, step <= script.leavesAt { return step }
    guard let rejoining = report?.rejoining, step > rejoining.parentStep else { return nil }
    return step + shift
  }

  package func step(atParents step: Int) -> Int {
    min(self.step(ofParents: step) ?? step, steps.upperBound)
  }
}

extension BranchTable {
  func parent(of position: Position) -> Position? {
    self[position.branch]?.parent(of: position.step)
  }

  /// The branch that owns a step, with its number there.
  func owner(of position: Position) -> Position {
    var owner = position
    while let parent = parent(of: owner) { owner = parent }
    return owner
  }

  /// The standing of a fork's own step, compared with the recording. Hosts compare with the parent.
  func standing(of step: BranchStep, at position: Position) -> Standing {
    var standing = step.standing
    guard let parent = self[position.branch]?.script?.parent, parent != .main,
      let from = step.descendsFrom, [.equal, .different].contains(standing.outcome)
    else { return standing }
    let place = owner(of: Position(branch: parent, step: from))
    let theirs = own[place.branch]?[place.step].map { self.standing(of: $0, at: place).outcome }
    let isSame = standing.outcome == .equal
    if isSame { standing.sameAs = self[parent]?.name }
    switch theirs ?? .equal {
    case .equal: break
    case .different where own[position.branch]?.recorded.contains(position.step) == true:
      standing.outcome = .equal
    case let outcome where isSame || outcome == .new: standing.outcome = outcome
    default: standing.outcome = .different
    }
    return standing
  }

  /// The range of recorded steps from a step on, and their number offset; nil for a fork's step.
  func recorded(from step: Int, of id: BranchID) -> (last: Int, shift: Int)? {
    guard let branch = self[id], branch.steps.contains(step) else { return nil }
    guard let script = branch.script else { return (branch.steps.upperBound, 0) }
    guard let there = branch.parent(of: step),
      let recorded = recorded(from: there.step, of: there.branch)
    else { return nil }
    let isFirst = step <= script.leavesAt
    let shift = isFirst ? 0 : branch.shift
    let last = recorded.last + shift
    return (isFirst ? min(last, script.leavesAt) : last, recorded.shift + shift)
  }

  func numbered(_ step: BranchStep, at position: Position) -> BranchStep {
    guard let parent = parent(of: position) else { return step }
    var step = numbered(step, at: parent)
    step.descendsFrom = parent.step
    if parent.branch != .main { step.standing.sameAs = self[parent.branch]?.name }
    guard parent.step != position.step else { return step }
    step.step.number = position.step
    if case .output(let sender) = step.step.cause {
      step.step.cause = .output(of: number(ofParents: sender, on: position.branch))
    }
    step.effects = step.effects.map { event in
      var event = event
      event.step = number(ofParents: event.step, on: position.branch)
      if case .started(var origin) = event.kind {
        origin.step = number(ofParents: origin.step, on: position.branch)
        event.kind = .started(origin)
      }
      return event
    }
    return step
  }

  /// A parent's step number on a fork; for replaced steps, the descendant's or the last shared one.
  func number(ofParents step: Int, on fork: BranchID) -> Int {
    guard let branch = self[fork], let script = branch.script else { return step }
    return branch.step(ofParents: step) ?? own[fork]?.number(descendingFrom: step)
      ?? script.leavesAt
  }

  /// The effects alive during some steps of a fork. The parent answers for shared ones.
  func effects(
    in steps: ClosedRange<Int>, of fork: BranchID,
    inParent parents: (ClosedRange<Int>) throws -> [EffectSpan]
  ) rethrows -> [EffectSpan] {
    guard let branch = self[fork], let script = branch.script else { return [] }
    let table = own[fork]?.effects ?? EffectTable()
    var found: [EffectSpan] = []
    if steps.lowerBound <= script.leavesAt {
      let first = steps.lowerBound...min(steps.upperBound, script.leavesAt)
      found = try parents(first).filter { table[$0.number] == nil }
    }
    guard let rejoining = branch.report?.rejoining else { return found + table.spans(in: steps) }
    // Effects in flight where both meet continue as in the parent.
    let meeting = try parents(rejoining.parentStep...rejoining.parentStep)
    for var span in table.spans(in: steps) {
      if span.end == nil, let end = meeting.first(where: { $0.number == span.number })?.end,
        let step = branch.step(ofParents: end.step)
      {
        span.end = EffectSpan.End(step: step, time: end.time, manner: end.manner)
      }
      if span.touches(steps) { found.append(span) }
    }
    guard steps.upperBound > rejoining.step else { return found }
    let last = max(steps.lowerBound, rejoining.step + 1) - branch.shift
    let known = Set(found.map(\.number))
    for var span in try parents(last...steps.upperBound - branch.shift)
    where table[span.number] == nil && !known.contains(span.number) {
      span.origin.step = number(ofParents: span.origin.step, on: fork)
      if let end = span.end { span.end?.step = number(ofParents: end.step, on: fork) }
      found.append(span)
    }
    return found
  }
}
