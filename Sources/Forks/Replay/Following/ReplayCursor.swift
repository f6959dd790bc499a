import Platform
import SessionWords

/// The position of a run in its source: a recording or an earlier branch.
struct ReplayCursor: Sendable {
  var cursor: SourceCursor
  var script = ScriptPlan.nothing
  var position: Int
  var descents = StepOrigins()
  private(set) var clock: Duration?
  private(set) var inFlight: Set<EffectID>
  var claimed: Set<Int> = []
  var lastPosition = Int.max
  let startDate: Double

  init(_ source: any ReplaySource, from step: Int, inFlight: [EffectInFlight]) {
    cursor = SourceCursor(source)
    startDate = source.startDate
    position = step
    self.inFlight = Set(inFlight.map(\.effect))
    descents.add(step, from: step)
  }

  var source: any ReplaySource { cursor.source }
  var steps: ClosedRange<Int> { cursor.steps }

  var isFreeStepping: Bool { script.isFreeStepping }
  var isAtEnd: Bool { isFreeStepping || position >= min(cursor.steps.upperBound, lastPosition) }

  mutating func slot(_ number: Int) throws -> SourceSlot { try cursor.slot(number) }
  mutating func step(_ number: Int) throws -> Step { try cursor.slot(number).step }

  /// Without recorded states, a state is known to be the source's only before the first edit.
  func isUntouched(_ source: Int) -> Bool { script.isEmpty || source <= script.leavesAt }

  func isPassedOver(_ step: Step) -> Bool { step.isSkipped && script.replaced[step.number] == nil }

  mutating func isTimely(_ number: Int, at clock: Duration?) throws -> Bool {
    try !script.moved.contains(number) && step(number).time == clock
  }

  func isLetGo(at time: Duration) -> Bool {
    source.end.map { $0 - time <= .milliseconds(1) } ?? true
  }

  // MARK: - The source's own account

  mutating func track(_ events: [EffectEvent], until time: Duration? = nil) {
    for event in events {
      if event.origin != nil {
        inFlight.insert(event.effect)
      } else {
        inFlight.remove(event.effect)
      }
    }
    clock = latest(clock, time)
  }

  // MARK: - Turns

  mutating func outputs(after step: Int) throws -> [Int] {
    try cursor.hasEnds(step) ? [] : outputs(afterEndsOf: step)
  }

  mutating func outputs(afterEndsOf step: Int) throws -> [Int] {
    var outputs: [Int] = []
    var next = step + 1
    while next <= cursor.steps.upperBound, try cursor.isOutput(next) {
      outputs.append(next)
      guard try !cursor.hasEnds(next) else { break }
      next += 1
    }
    return try withoutSendsOfMoved(outputs)
  }

  mutating func outputs(ofMoved number: Int) throws -> [Int] {
    var senders: Set<Int> = [number]
    return try outputs(after: number).filter { output in
      guard case .output(let sender) = try step(output).cause, senders.contains(sender) else {
        return false
      }
      senders.insert(output)
      return true
    }
  }

  /// A moved step takes along what it sent, but is itself still expected in its old turn.
  private mutating func withoutSendsOfMoved(_ outputs: [Int]) throws -> [Int] {
    guard !script.moved.isEmpty else { return outputs }
    var gone: Set<Int> = []
    return try outputs.filter { output in
      var isGone = false
      if case .output(let sender) = try step(output).cause { isGone = gone.contains(sender) }
      if isGone || script.moved.contains(output) { gone.insert(output) }
      return !isGone
    }
  }

  /// Whether a lost step follows the source's turn, or the recording may end inside it.
  mutating func isBeforeGap() throws -> Bool {
    var next = position + 2
    while next <= cursor.steps.upperBound, try cursor.isOutput(next) { next += 1 }
    guard next <= cursor.steps.upperBound else { return source.mayEndInsideTurn }
    let step = try step(next)
    return step.isLost
  }

  /// The source's half of `forks/rejoin`: whether a branch can equal its parent here.
  mutating func mayRejoin() throws -> Bool {
    guard position < cursor.steps.upperBound, script.lastTouched <= position,
      source.isKeyframe(position), source.isKnown(after: position)
    else { return false }
    // Inside the parent's turn, later sends may be missing in the branch.
    return try !cursor.isOutput(position + 1)
  }
}

struct StepOrigins: Sendable {
  private var runs: [(branch: Int, source: Int?)] = []

  var runCount: Int { runs.count }

  mutating func add(_ branch: Int, from source: Int?) {
    if let last = runs.last {
      if last.source == nil, source == nil { return }
      if let start = last.source, start + branch - last.branch == source { return }
    }
    runs.append((branch, source))
  }

  mutating func restart(at step: Int) {
    runs.removeAll { $0.branch >= step }
    runs.append((step, step))
  }

  func step(from source: Int) -> Int? {
    for (index, run) in runs.enumerated() {
      guard let start = run.source, source >= start else { continue }
      let step = run.branch + source - start
      if index + 1 == runs.count || step < runs[index + 1].branch { return step }
    }
    return nil
  }

  subscript(_ branch: Int) -> Int? {
    let next = runs.indices.firstBehind { runs[$0].branch <= branch }
    guard next > 0, let start = runs[next - 1].source else { return nil }
    return start + branch - runs[next - 1].branch
  }
}

func latest(_ one: Duration?, _ other: Duration?) -> Duration? {
  guard let one, let other else { return one ?? other }
  return max(one, other)
}
