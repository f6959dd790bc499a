import SessionLog
import ValueTree

/// Runs of a recording, kept at some of its steps within a budget of memory, so that going to a step
/// need not start at the beginning (rule 21).
///
/// They lie evenly over what was run, and closely where somebody looked last. What is kept is never
/// believed unseen: whoever takes one up compares it with the recorded state.
struct Checkpoints<State: Codable & Sendable, Action: Codable & Sendable> {
  private struct Kept {
    var run: Rerun<State, Action>
    var cost: Int
  }

  let budget: Int
  /// In the order of their steps.
  private var kept: [Kept] = []
  private(set) var cost = 0
  /// A state with references changes after the checkpoint was made, so there is none.
  private var isPossible: Bool?
  /// Where somebody looked last.
  private var looked: [Int] = []

  /// Closer than this nothing is gained by a further one.
  private static var leastDistance: Int { 8 }
  private static var usualDistance: Int { 64 }

  init(budget: Int) { self.budget = budget }

  var steps: [Int] { kept.map(\.run.position) }

  /// The last one that does not come after a step.
  func last(upTo step: Int) -> Rerun<State, Action>? {
    let place = place(after: step)
    return place > 0 ? kept[place - 1].run : nil
  }

  /// Forgets one that was found not to be what was recorded.
  mutating func remove(at step: Int) {
    let place = place(after: step)
    guard place > 0, kept[place - 1].run.position == step else { return }
    cost -= kept.remove(at: place - 1).cost
  }

  mutating func look(at step: Int) {
    looked.removeAll { $0 == step }
    looked.append(step)
    if looked.count > 4 { looked.removeFirst() }
  }

  /// Keeps a run where it pays: every so often, and on the last steps before the one that somebody
  /// is on the way to, ever closer, because who looks at a step looks at those before it next.
  mutating func offer(_ run: Rerun<State, Action>, onTheWayTo target: Int) throws {
    guard isPossible != false else { return }
    let place = place(after: run.position)
    let before = place > 0 ? kept[place - 1].run.position : run.cursor.steps.lowerBound
    let distance = run.position - before
    let rest = target - run.position
    let isClose = rest >= Self.leastDistance && rest.nonzeroBitCount == 1
    guard distance >= (isClose ? min(rest, usualDistance) : usualDistance) else { return }
    try keep(run)
  }

  /// Everything that a state could take by itself counts, though neighbours share most of it: sharing
  /// can only be broken up by later steps, and then the budget must still hold. What a copy of a run
  /// has beside its state is small, and counted by the number of its effects.
  private mutating func keep(_ run: Rerun<State, Action>) throws {
    isPossible = !ReferenceSearch.findsReference(in: run.machine.state)
    guard isPossible == true else {
      (kept, cost) = ([], 0)
      return
    }
    var run = run
    run.isInScene = false
    run.cursor.rest()
    let size =
      try run.encoder.encode(run.machine.state).memoryCost + 2_048
      + 1_024 * (run.book.inFlight.count + run.descents.runCount / 16)
    guard size <= budget else { return }
    kept.insert(Kept(run: run, cost: size), at: place(after: run.position))
    cost += size
    while cost > budget { removeOne() }
  }

  /// How far apart they are when the budget is used up; a new one every 64 steps until then.
  private var usualDistance: Int {
    guard let last = kept.last, let first = kept.first, cost > budget / 2 else {
      return Self.usualDistance
    }
    let span = last.run.position - first.run.position
    return max(Self.usualDistance, span * (cost / kept.count) / max(1, budget))
  }

  /// Removes the one whose neighbours are closest, where nobody looks.
  private mutating func removeOne() {
    let first = kept[0].run.cursor.steps.lowerBound
    let usual = usualDistance
    var found = (place: 0, worth: Int.max)
    for place in kept.indices {
      let position = kept[place].run.position
      let before = place > 0 ? kept[place - 1].run.position : first
      let after = place + 1 < kept.count ? kept[place + 1].run.position : position + usual
      let isLookedAt = looked.contains { abs($0 - position) <= 4 * Self.usualDistance }
      let worth = (after - before) * (isLookedAt ? 16 : 1)
      if worth < found.worth { found = (place, worth) }
    }
    cost -= kept.remove(at: found.place).cost
  }

  private func place(after step: Int) -> Int {
    var low = 0
    var high = kept.count
    while low < high {
      let middle = (low + high) / 2
      if kept[middle].run.position <= step { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
