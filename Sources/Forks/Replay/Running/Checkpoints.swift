import Platform
import ValueTree

/// Runs of a recording at some of its steps, within a memory budget, so that a jump need not start
/// at the beginning (`runs/checkpoint`).
///
/// They lie evenly over the run, and closely around recent jumps. A checkpoint is compared with the
/// recorded state before use.
struct Checkpoints {
  private struct Kept {
    var run: Rerun
    var place: Int
    var cost: Int
    var digest: Int
  }

  let budget: Int
  private let leastUsualDistance: Int
  private var kept: [Kept] = []
  private(set) var cost = 0
  /// False for a state with references: it would change after the checkpoint.
  private var isPossible: Bool?
  private var looked: [Int] = []
  /// The place that was asked for last.
  private var newest: Int?

  private static var leastDistance: Int { 8 }

  init(budget: Int, distance: Int = 64) { (self.budget, leastUsualDistance) = (budget, distance) }

  var steps: [Int] { kept.map(\.place) }

  /// The last valid one up to a step. `recorded` returns the known state of its place; checkpoints
  /// that differ are dropped.
  mutating func last(
    upTo step: Int, recorded: (Int) throws -> Value?
  ) throws -> Rerun? {
    while true {
      let index = index(after: step) - 1
      guard index >= 0 else { return nil }
      let found = kept[index]
      let value = try found.run.machine.state(nil)
      if value.hashValue == found.digest,
        try recorded(found.place)?.isExactlyEqual(to: value) ?? true
      {
        return found.run
      }
      cost -= kept.remove(at: index).cost
    }
  }

  mutating func look(at step: Int) {
    looked.removeAll { $0 == step }
    looked.append(step)
    if looked.count > 4 { looked.removeFirst() }
  }

  /// Keeps a run at regular distances, and ever closer before the step that someone jumps to,
  /// because they look at the previous steps next.
  mutating func offer(
    _ run: Rerun, at place: Int, onTheWayTo target: Int
  ) throws {
    guard isPossible != false, budget > 0 else { return }
    let index = index(after: place)
    let before = index > 0 ? kept[index - 1].place : run.replayCursor.cursor.steps.lowerBound
    let distance = place - before
    let rest = target - place
    let isClose = rest >= Self.leastDistance && rest.nonzeroBitCount == 1
    guard distance >= (isClose ? min(rest, usualDistance) : usualDistance) else { return }
    try keep(run, at: place)
  }

  /// Keeps the run that was asked for, too: the next question is often about a step behind it.
  mutating func keepNewest(_ run: Rerun, at place: Int) throws {
    if let old = exchange(&newest, with: nil) {
      let index = index(after: old) - 1
      if index > 0, kept[index].place == old, old - kept[index - 1].place < leastUsualDistance {
        cost -= kept.remove(at: index).cost
      }
    }
    let index = index(after: place)
    guard isPossible != false, budget > 0, index == 0 || kept[index - 1].place < place else {
      return
    }
    try keep(run, at: place)
    newest = place
  }

  /// Counts each state's full size although neighbours share most of it: later steps can end the
  /// sharing, and the budget must still hold. The rest of a run is small, and is estimated from the
  /// number of its effects.
  private mutating func keep(_ run: Rerun, at place: Int) throws {
    isPossible = !run.machine.holdsReferences
    guard isPossible == true else {
      (kept, cost) = ([], 0)
      return
    }
    var run = run
    run.surroundings.isInScene = false
    run.observer.rest()
    run.log = RerunLog()
    run.replayCursor.cursor.rest()
    let value = try run.machine.state(run.observer.encoder)
    let size =
      value.memoryCost + 2_048 + 1_024
      * (run.matcher.inFlight.count + run.replayCursor.descents.runCount / 16)
    guard size <= budget else { return }
    kept.insert(
      Kept(run: run, place: place, cost: size, digest: value.hashValue), at: index(after: place))
    cost += size
    while cost > budget { removeOne(besides: place) }
  }

  /// Their distance when the budget is used up; until then the least one.
  private var usualDistance: Int {
    guard let last = kept.last, let first = kept.first, cost > budget / 2 else {
      return leastUsualDistance
    }
    let span = last.place - first.place
    return max(leastUsualDistance, span * (cost / kept.count) / max(1, budget))
  }

  private mutating func removeOne(besides newest: Int) {
    let first = kept[0].run.replayCursor.cursor.steps.lowerBound
    let usual = usualDistance
    var found = (index: 0, worth: Int.max)
    for index in kept.indices where kept[index].place != newest {
      let place = kept[index].place
      let before = index > 0 ? kept[index - 1].place : first
      let after = index + 1 < kept.count ? kept[index + 1].place : place + usual
      let isLookedAt = looked.contains { abs($0 - place) <= 4 * leastUsualDistance }
      let worth = (after - before) * (isLookedAt ? 16 : 1)
      if worth < found.worth { found = (index, worth) }
    }
    cost -= kept.remove(at: found.index).cost
  }

  private func index(after step: Int) -> Int {
    kept.indices.firstBehind { kept[$0].place <= step }
  }
}

extension Value {
  /// The approximate bytes of the typed value, rather too many.
  ///
  /// A scalar takes a word or two, a text beyond 15 bytes and an array a block of its own. Members
  /// count with their keys, as if each object were a dictionary; a struct takes less.
  var memoryCost: Int {
    var cost = 0
    var rest = [self]
    while let value = rest.popLast() {
      cost += 16
      switch value {
      case .null, .bool, .number: break
      case .string(let text): cost += text.blockCost
      case .array(let elements):
        cost += 32
        rest.append(contentsOf: elements)
      case .object(let members):
        for (key, member) in members {
          cost += 16 + key.blockCost
          rest.append(member)
        }
      }
    }
    return cost
  }
}

extension String {
  fileprivate var blockCost: Int { utf8.count > 15 ? utf8.count + 32 : 0 }
}
