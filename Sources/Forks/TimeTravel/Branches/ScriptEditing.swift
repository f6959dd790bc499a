import SessionWords
import ValueTree

/// Applies a change at a branch's step to its script.
///
/// Users see the branch's own step numbers; scripts use the parent's. A change goes where the user
/// sees it: between its visible neighbours.
struct ScriptEditing {
  private(set) var script: Script
  let parentName: String
  var rejoining: Rejoining?
  /// A step of the branch; nil if it has none with this number.
  let origin: (Int) -> BranchStep?
  private(set) var shows = 0
  private(set) var remark: String?

  /// The edits have the branch's numbers. More than one are all after the step.
  mutating func apply(_ edits: [Edit], at step: Int) throws(Trouble) {
    shows = step
    switch edits.first {
    case .insert, .set: try add(edits, after: step)
    case .answer(let answer):
      forgetAnswers(of: answer.effect, after: step)
      try add(edits, after: step)
    case .reply(let reply):
      try depart(before: step + 1)
      script.edits.removeAll {
        if case .reply(let old) = $0 { old.question == reply.question } else { false }
      }
      script.edits.append(.reply(reply))
    case .replace(_, let action):
      try replace(step, with: action)
      for case .skip(let later) in edits.dropFirst() { try skip(later) }
    case .skip: try skip(step)
    case .read(_, let key, let index, let outcome): try read(step, key, index, outcome)
    case .move: try move(step, by: edits[0].offset ?? 0)
    case nil: break
    }
  }

  // MARK: Places

  /// The place of a change: after a parent's step, and there in the list of edits.
  private struct Site {
    var after: Int
    var index: Int
  }

  private var moved: Set<Int> {
    Set(script.edits.compactMap { if case .move(let step, _) = $0 { step } else { nil } })
  }

  /// The parent's step at a step's place; nil for inserted ones.
  private func anchor(of step: Int) -> Int? {
    if step <= script.leavesAt { return step }
    if let rejoining, step > rejoining.step {
      return step + rejoining.parentStep - rejoining.step
    }
    guard let from = origin(step)?.descendsFrom, !moved.contains(from) else { return nil }
    return from
  }

  /// The edits between two parent's steps in order, and the number of their steps up to `step`.
  private func edits(around step: Int) -> (anchor: Int, made: Int, edits: [Int]) {
    var made = 0
    var before = step
    while before > script.leavesAt, anchor(of: before) == nil {
      if origin(before)?.isOutput == false { made += 1 }
      before -= 1
    }
    let anchor = anchor(of: before) ?? script.leavesAt
    var after = step + 1
    while after > script.leavesAt, origin(after) != nil, self.anchor(of: after) == nil {
      after += 1
    }
    let next =
      after > script.leavesAt && origin(after) == nil && rejoining == nil
      ? Int.max : self.anchor(of: after) ?? .max
    let between = script.edits.order.filter { index in
      script.edits[index].place.map { $0 >= anchor && $0 < next } ?? false
    }
    return (anchor, made, between)
  }

  private func site(after step: Int) -> Site {
    let (anchor, made, between) = edits(around: step)
    var count = 0
    var last: Int?
    for index in between {
      if script.edits[index].makesStep {
        guard count < made else { break }
        count += 1
      }
      last = index
    }
    if let last { return Site(after: script.edits[last].place ?? anchor, index: last + 1) }
    return Site(after: anchor, index: between.first ?? script.edits.count)
  }

  private func maker(of step: Int) -> Int? {
    guard step > script.leavesAt, anchor(of: step) == nil, origin(step)?.isOutput == false else {
      return nil
    }
    let (_, made, between) = edits(around: step)
    let makers = between.filter { script.edits[$0].makesStep }
    return makers.indices.contains(made - 1) ? makers[made - 1] : nil
  }

  private mutating func depart(before step: Int) throws(Trouble) {
    guard step <= script.leavesAt else { return }
    guard script.rest == .rerun else {
      throw Trouble(
        "this fork ends where it leaves “\(parentName)”, so the steps that it shares stay",
        next: "Make a new fork there")
    }
    script.leavesAt = step - 1
  }

  private func source(of step: Int, to verb: String) throws(Trouble) -> Int {
    if let anchor = anchor(of: step) { return anchor }
    guard let from = origin(step)?.descendsFrom else {
      throw Trouble(
        "step \(step) is no step of “\(parentName)”, so it cannot be \(verb) here",
        next: "Make a new fork of this one there")
    }
    return from
  }
}

// MARK: Changes

extension ScriptEditing {
  private mutating func add(_ edits: [Edit], after step: Int) throws(Trouble) {
    let site = site(after: step)
    try depart(before: site.after + 1)
    script.edits.insert(contentsOf: edits.map { $0.moved(after: site.after) }, at: site.index)
    shows = edits.contains(where: \.makesStep) ? step + 1 : step
  }

  private mutating func forgetAnswers(of effect: EffectID, after step: Int) {
    let site = site(after: step)
    let before = script.edits.count
    script.edits = script.edits.enumerated().filter { index, edit in
      guard case .answer(let answer) = edit, answer.effect == effect else { return true }
      return answer.after < site.after || (answer.after == site.after && index < site.index)
    }.map(\.element)
    if script.edits.count < before { remark = "The answer given before was replaced" }
  }

  private mutating func replace(_ step: Int, with action: Value) throws(Trouble) {
    if let index = maker(of: step) {
      switch script.edits[index] {
      case .insert(let after, _):
        script.edits[index] = .insert(after: after, action: action)
        return
      case .answer(var answer):
        answer.outcome = .emit(action: action)
        script.edits[index] = .answer(answer)
        return
      case .set(let step, let pointer, _):
        var new = pointer
        if let other = action["pointer"]?.string.flatMap({ try? Pointer($0) }) { new = other }
        script.edits[index] = .set(step: step, pointer: new, value: action["value"] ?? action)
        return
      case .skip, .replace, .move, .read, .reply: break
      }
    }
    let source = try source(of: step, to: "replaced")
    try depart(before: source)
    script.edits.removeAll { if case .replace(source, _) = $0 { true } else { false } }
    script.edits.append(.replace(step: source, action: action))
  }

  private mutating func skip(_ step: Int) throws(Trouble) {
    if let index = maker(of: step) {
      let edit = script.edits.remove(at: index)
      guard case .move(let source, _) = edit else { return }
      script.edits.append(.skip(step: source))
      return
    }
    if let skipped = origin(step)?.step, skipped.isSkipped {
      remark = "it was skipped when it was recorded, and is restored"
      return try replace(step, with: skipped.action)
    }
    let source = try source(of: step, to: "skipped")
    try depart(before: source)
    script.edits.removeAll { $0.step == source }
    script.edits.append(.skip(step: source))
  }

  private mutating func read(
    _ step: Int, _ key: String, _ index: Int, _ outcome: Read.Outcome
  ) throws(Trouble) {
    let source = try source(of: step, to: "given another value")
    try depart(before: source)
    script.edits.removeAll {
      if case .read(source, key, index, _) = $0 { true } else { false }
    }
    script.edits.append(.read(step: source, key: key, index: index, outcome: outcome))
  }

  private mutating func move(_ step: Int, by offset: Int) throws(Trouble) {
    // A reducer's sends stay with their step.
    var end = step
    while origin(end + 1)?.isOutput == true { end += 1 }
    var target = offset > 0 ? end + offset : step + offset - 1
    if offset > 0 {
      while origin(target + 1)?.isOutput == true { target += 1 }
    } else {
      while origin(target + 1)?.isOutput == true { target -= 1 }
    }
    guard origin(step)?.isOutput == false else {
      throw Trouble("the reducer sent step \(step), so it stays after the step that sent it")
    }
    guard origin(target) != nil, offset != 0 else {
      throw Trouble("step \(step) cannot go any further \(offset > 0 ? "down" : "up")")
    }
    shows = offset > 0 ? target - (end - step) : target + 1
    let site = site(after: target)
    if let index = maker(of: step) {
      let edit = script.edits[index].moved(after: site.after)
      script.edits.insert(edit, at: site.index)
      script.edits.remove(at: site.index <= index ? index + 1 : index)
      try depart(before: site.after + 1)
      dropIdleMoves()
      return
    }
    let source = try source(of: step, to: "moved")
    try depart(before: min(source, site.after + 1))
    script.edits.insert(.move(step: source, after: site.after), at: site.index)
  }

  private mutating func dropIdleMoves() {
    let all = script.edits
    script.edits = all.filter { edit in
      guard case .move(let step, let after) = edit, after == step &- 1 else { return true }
      return all.contains { $0 != edit && ($0.place == after || $0.step == after) }
    }
  }
}

extension Edit {
  fileprivate func moved(after place: Int) -> Edit {
    switch self {
    case .insert(_, let action): return .insert(after: place, action: action)
    case .move(let step, _): return .move(step: step, after: place)
    case .set(_, let pointer, let value): return .set(step: place, pointer: pointer, value: value)
    case .answer(var answer):
      answer.after = place
      return .answer(answer)
    case .skip, .replace, .read, .reply: return self
    }
  }
}

extension BranchStep {
  fileprivate var isOutput: Bool { if case .output = step.cause { true } else { false } }
}
