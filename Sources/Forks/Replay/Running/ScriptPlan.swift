import SessionWords
import ValueTree

struct ScriptPlan: Sendable {
  private(set) var skipped: Set<Int> = []
  private(set) var replaced: [Int: Value] = [:]
  private(set) var moved: Set<Int> = []
  private(set) var reads: [Int: [EditedRead]] = [:]
  private var later: [Int: [Edit]] = [:]
  private(set) var answers: [EffectID: Int] = [:]
  private(set) var replies: [Reply] = []
  private var lastAnswers: [EffectID: EffectAnswer] = [:]
  private(set) var scheduled: [EffectID: [EffectAnswer]] = [:]
  private(set) var lastTouched: Int

  static let nothing = ScriptPlan(leavesAt: 0)

  let leavesAt: Int
  /// Whether the edits' order is the steps' order; a clock would disturb it.
  private(set) var isFreeStepping = false

  private init(leavesAt: Int) {
    self.leavesAt = leavesAt
    lastTouched = leavesAt
  }

  init(_ script: Script, of steps: ClosedRange<Int>) throws(ReplayError) {
    self.init(leavesAt: script.leavesAt)
    guard steps.contains(script.leavesAt) else {
      throw .noSuchStep(script.leavesAt, available: steps)
    }
    let own = (script.leavesAt + 1)...max(script.leavesAt + 1, steps.upperBound)
    isFreeStepping = script.rest == .nothing
    for edit in script.edits {
      if let step = edit.step, !own.contains(step) { throw .editOutside(step, branch: own) }
      if let place = edit.place, !(script.leavesAt...steps.upperBound).contains(place) {
        throw .editOutside(place, branch: own)
      }
      add(edit)
    }
  }

  private mutating func add(_ edit: Edit) {
    switch edit {
    case .skip(let step): skipped.insert(step)
    case .replace(let step, let action): replaced[step] = action
    case .insert(let place, _), .set(let place, _, _): later[place, default: []].append(edit)
    case .move(let step, let after):
      if !moved.insert(step).inserted { forgetMove(of: step) }
      later[after, default: []].append(edit)
    case .read(let step, let key, let index, let outcome):
      reads[step, default: []].append(EditedRead(key: key, index: index, outcome: outcome))
    case .reply(let reply): replies.append(reply)
    case .answer(let answer):
      answers[answer.effect, default: 0] += 1
      lastAnswers[answer.effect] = answer
      if answer.live != nil, !isFreeStepping {
        scheduled[answer.effect, default: []].append(answer)
        lastTouched = .max
      } else {
        later[answer.after, default: []].append(edit)
      }
    }
    lastTouched = max(lastTouched, edit.step ?? 0, edit.place ?? 0)
  }

  private mutating func forgetMove(of step: Int) {
    for place in later.keys {
      later[place]?.removeAll { if case .move(step, _) = $0 { true } else { false } }
    }
  }

  func isLast(_ answer: EffectAnswer) -> Bool { lastAnswers[answer.effect] == answer }

  var isEmpty: Bool {
    skipped.isEmpty && replaced.isEmpty && moved.isEmpty && reads.isEmpty && later.isEmpty
  }

  func touches(_ step: Int) -> Bool {
    guard step <= lastTouched else { return false }
    return skipped.contains(step) || replaced[step] != nil || moved.contains(step)
      || reads[step] != nil || later[step] != nil
  }

  func changes(_ step: Int) -> Bool {
    skipped.contains(step) || replaced[step] != nil || moved.contains(step) || reads[step] != nil
  }

  /// The effects whose actions it changes.
  func touched(in source: any ReplaySource) throws -> [EffectID] {
    let sent = try skipped.union(replaced.keys).union(moved).compactMap(source.effect)
    return Set(sent).union(answers.keys).sorted()
  }

  func comes(after step: Int) -> [Edit] { later[step] ?? [] }

  var insertions: [(step: Int, edit: Edit)] {
    later.keys.sorted().flatMap { step in comes(after: step).map { (step, $0) } }
  }
}

extension Script {
  var replies: [Reply] {
    edits.compactMap { if case .reply(let reply) = $0 { reply } else { nil } }
  }
}

extension Edit {
  var takesStepAway: Bool { if case .replace = self { false } else { decidesStep } }
}
