import Platform
import SessionWords

/// A fork's own steps in little memory: most share their action with a parent's step.
struct ForkSteps: Sendable {
  /// 24 bytes, because there may be millions.
  private struct Compact: Sendable {
    /// Nanoseconds, a session's precision; a marker if missing or out of range.
    private var nanoseconds: Int64
    /// −1 for an inserted step.
    var descendsFrom: Int32
    /// The effect or the step that sent it; −1 from outside, as the parent's step says it.
    private var sender: Int32
    private var isOutput: Bool
    var values: Standing.Values
    var outcome: Standing.Outcome

    init(_ step: BranchStep) {
      descendsFrom = step.descendsFrom.map { Int32(clamping: $0) } ?? -1
      (sender, isOutput) =
        switch step.step.cause {
        case .user, .outside, .unknown: (-1, false)
        case .effect(let effect): (Int32(clamping: effect.number), false)
        case .output(let number): (Int32(clamping: number), true)
        }
      (values, outcome) = (step.standing.values, step.standing.outcome)
      nanoseconds = step.step.time.flatMap(\.wholeNanoseconds) ?? .min
    }

    var isOwn: Bool { descendsFrom < 0 && !isOutput }

    /// Without its action and reads, which are the parent's.
    func step(_ number: Int, _ assumptions: [Assumption]) -> BranchStep {
      let cause: Cause =
        sender < 0 ? .user : isOutput ? .output(of: Int(sender)) : .effect(EffectID(Int(sender)))
      return BranchStep(
        step: Step(
          number: number, time: nanoseconds == .min ? nil : .nanoseconds(nanoseconds), label: "?",
          action: .null, cause: cause),
        descendsFrom: descendsFrom < 0 ? nil : Int(descendsFrom),
        standing: Standing(values, outcome, assumptions))
    }
  }

  private let first: Int
  private let edited: Set<Int>
  private var steps: [Compact] = []
  /// The reported steps for which the parent's do not suffice.
  private var told: [Int: BranchStep] = [:]
  private(set) var assumptions = AssumptionIndex()
  private var own: [Int: [Assumption]] = [:]
  private(set) var effects = EffectTable()
  private var events: [Int: [EffectEvent]] = [:]
  /// The steps that differ from the parent's and not from the recording's.
  private(set) var recorded: Set<Int> = []
  /// By effect: what it read in this fork, and the first step that it sent here.
  private var asked: [EffectID: (from: Int, reads: [OutsideRead])] = [:]

  init(_ script: Script) {
    first = script.leavesAt + 1
    edited = script.editedSteps
  }

  /// Sets the effects in flight at the start, which may be found after the run.
  mutating func setInFlight(_ inFlight: [EffectSpan]) {
    effects = EffectTable()
    for span in inFlight { effects.add(span, endedBy: first - 1) }
    for step in events.keys.sorted() { for event in events[step] ?? [] { effects.add(event) } }
  }

  var lastNumber: Int { first + steps.count - 1 }
  var last: BranchStep? { self[lastNumber] }

  /// A step; unless it is whole, its action and reads are the parent's.
  subscript(number: Int) -> BranchStep? {
    guard steps.indices.contains(number - first) else { return nil }
    var step = told[number] ?? steps[number - first].step(number, own[number] ?? [])
    step.effects = events[number] ?? []
    return step
  }

  func isWhole(_ number: Int) -> Bool { told[number] != nil }

  /// The reads of an effect before a step that it sent; nil if its host did not tell.
  func reads(of effect: EffectID, before number: Int) -> [OutsideRead]? {
    guard let asked = asked[effect], asked.from <= number else { return nil }
    return asked.reads.filter { $0.step < number }
  }

  /// The first of the last steps that are all as recorded, without one left out; nil if the last
  /// one is not.
  var equalFrom: Int? {
    var next: Int32?
    let equal = steps.reversed().prefix { step in
      defer { next = step.descendsFrom }
      return step.outcome == .equal && step.descendsFrom >= 0
        && next.map { $0 == step.descendsFrom + 1 } != false
    }
    return equal.isEmpty ? nil : first + steps.count - equal.count
  }

  func number(descendingFrom parentStep: Int) -> Int? {
    let wanted = Int32(clamping: parentStep)
    return steps.firstIndex { $0.descendsFrom == wanted }.map { first + $0 }
  }

  func places(of edits: [Edit]) -> [Int?] {
    var made = steps.indices.filter { steps[$0].isOwn }.map { first + $0 }
    var places = [Int?](repeating: nil, count: edits.count)
    for index in edits.order {
      switch edits[index] {
      case .skip, .reply: break
      case .replace(let step, _), .read(let step, _, _, _), .move(let step, _):
        places[index] = number(descendingFrom: step)
      case .answer(let answer) where !edits[index].makesStep:
        places[index] =
          answer.after < first ? answer.after : number(descendingFrom: answer.after)
      case .insert, .set, .answer:
        guard let place = made.firstIndex(where: { told[$0]?.came(of: edits[index]) == true })
        else { continue }
        places[index] = made.remove(at: place)
      }
    }
    return places
  }

  mutating func append(_ events: [EffectEvent]) {
    for event in events { effects.add(event) }
    if !events.isEmpty { self.events[lastNumber, default: []] += events }
  }

  mutating func append(_ step: BranchStep) {
    guard step.step.number == lastNumber + 1 else {
      return impossible("the check of a host's messages passes on only the next step")
    }
    assumptions.add(step.standing.assumptions)
    if !step.standing.assumptions.isEmpty { own[step.step.number] = step.standing.assumptions }
    steps.append(Compact(step))
    append(step.effects)
    if step.isAsRecorded { recorded.insert(step.step.number) }
    if let reads = step.asked, case .effect(let effect) = step.step.cause {
      asked[effect, default: (step.step.number, [])].reads += reads
    }
    guard !step.isTold(byParentBut: edited) else { return }
    var kept = step
    (kept.effects, kept.patch, kept.asked) = ([], nil, nil)
    told[step.step.number] = kept
  }

}

extension BranchStep {
  fileprivate func came(of edit: Edit) -> Bool {
    switch edit {
    case .insert(_, let action): return step.cause == .user && step.action == action
    case .set(_, let pointer, _): return step.set?.pointer == pointer
    case .answer(let answer):
      guard case .emit(let action) = answer.outcome else { return false }
      return step.cause == .effect(answer.effect) && step.action == action
    case .skip, .replace, .move, .read, .reply: return false
    }
  }
}
