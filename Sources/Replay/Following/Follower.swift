import Platform
import SessionWords

/// Where a run is in what it follows: a recording, or a branch that was run before.
struct Follower: Sendable {
  var cursor: SourceCursor
  /// What the user did to the source's steps.
  var script = ScriptPlan.nothing
  /// The last step of the source that was dealt with.
  var position: Int
  /// Which step of the source each step of the branch descends from.
  var descents = Descents()
  /// The source's clock at `position`.
  private(set) var clock: Duration?
  /// What runs in the source at `position`.
  private(set) var inFlight: Set<Int>
  /// Recorded steps that came by the tape, or by what the user made of them in the parent.
  var claimed: Set<Int> = []
  /// Steps behind this one are not run.
  var lastPosition = Int.max
  var isFreeStepping = false
  /// When the source began, in seconds since 1970.
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

  var isAtEnd: Bool { isFreeStepping || position >= min(cursor.steps.upperBound, lastPosition) }

  mutating func slot(_ number: Int) throws -> SourceSlot { try cursor.slot(number) }
  mutating func step(_ number: Int) throws -> Step { try cursor.slot(number).step }

  /// Where no states are recorded, a state is known to be the source's only as long as nothing was
  /// edited.
  func isUntouched(_ source: Int) -> Bool { script.isEmpty || source <= script.leavesAt }

  /// A skipped step that the user did not put another action into.
  func isPassedOver(_ step: Step) -> Bool { step.isSkipped && script.replaced[step.number] == nil }

  /// Whether a fork has the place and the time of its parent's newest step.
  mutating func isTimely(_ number: Int, at clock: Duration?) throws -> Bool {
    try !script.moved.contains(number) && step(number).time == clock
  }

  /// When the app is let go all is over anyway.
  func isLetGo(at time: Duration) -> Bool {
    source.end.map { $0 - time <= .milliseconds(1) } ?? true
  }

  // MARK: - The source's own account

  mutating func begin(at time: Duration?) { clock = time }

  /// Keeps account of what runs in the source, and of its time.
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

  /// The source's steps that follow this one because reducers sent them at once.
  mutating func outputs(after step: Int) throws -> [Int] {
    try cursor.hasEnds(step) ? [] : outputs(afterEndsOf: step)
  }

  /// Those that the last end after this step brought forth.
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

  /// What comes of this step alone, out of the turn that it was recorded in.
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

  /// What moved steps sent goes with them; they themselves are still looked for in their old turn.
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

  /// Whether the turn that the source is in is followed by a step that is lost, or may be cut off.
  mutating func isBeforeGap() throws -> Bool {
    var next = position + 2
    while next <= cursor.steps.upperBound, try cursor.isOutput(next) { next += 1 }
    guard next <= cursor.steps.upperBound else { return source.mayEndInsideTurn }
    let step = try step(next)
    return step.damage != nil && !step.isUnfinished
  }

  /// `forks/rejoin`, as far as it hangs on the source: here a branch can be its parent again.
  mutating func mayRejoin() throws -> Bool {
    guard position < cursor.steps.upperBound, script.lastTouched <= position,
      source.isKeyframe(position), source.isKnown(after: position)
    else { return false }
    // In the middle of the parent's turn there are still sends to come that the branch may not have.
    return try !cursor.isOutput(position + 1)
  }
}

/// Which step of the source each step of a branch descends from, kept as runs.
struct Descents: Sendable {
  private var runs: [(branch: Int, source: Int?)] = []

  var runCount: Int { runs.count }

  mutating func add(_ branch: Int, from source: Int?) {
    if let last = runs.last {
      if last.source == nil, source == nil { return }
      if let start = last.source, start + branch - last.branch == source { return }
    }
    runs.append((branch, source))
  }

  /// From here on the numbers of both are the same again.
  mutating func restart(at step: Int) {
    runs.removeAll { $0.branch >= step }
    runs.append((step, step))
  }

  /// The step of the branch that descends from one of the source.
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

/// The later one of two times, either of which may be unknown.
func latest(_ one: Duration?, _ other: Duration?) -> Duration? {
  guard let one, let other else { return one ?? other }
  return max(one, other)
}
