import Platform
import Recorder
import ValueTree

/// Runs of a recording, kept at some of its steps within a budget of memory, so that going to a step
/// need not start at the beginning (`runs/checkpoint`).
///
/// They lie evenly over what was run, and closely where somebody looked last. What is kept is never
/// believed unseen: whoever takes one up compares it with the recorded state.
struct Checkpoints<State: Codable & Sendable, Action: Codable & Sendable> {
  private struct Kept {
    var run: Rerun<State, Action>
    var place: Int
    var cost: Int
    /// Of what the state encoded to, to see whether it still does.
    var digest: Int
  }

  /// By what their places are counted: the steps of the source that they run, or a branch's own.
  enum Counting { case source, branch }

  let budget: Int
  private let counting: Counting
  /// In the order of their steps.
  private var kept: [Kept] = []
  private(set) var cost = 0
  /// A state with references changes after the checkpoint was made, so there is none.
  private var isPossible: Bool?
  /// Where somebody looked last.
  private var looked: [Int] = []

  /// Closer than this nothing is gained by a further one.
  private static var leastDistance: Int { 8 }
  private var leastUsualDistance: Int { counting == .source ? 64 : 512 }

  init(budget: Int, counting: Counting = .source) {
    self.budget = budget
    self.counting = counting
  }

  var steps: [Int] { kept.map(\.place) }

  /// The last one that does not come after a step, and is what it was. `recorded` gives the state that
  /// is known of its place; those that are found to be something else are forgotten.
  mutating func last(
    upTo step: Int, recorded: (Int) throws -> Value?
  ) throws -> Rerun<State, Action>? {
    while true {
      let index = index(after: step) - 1
      guard index >= 0 else { return nil }
      let found = kept[index]
      let value = try ValueEncoder().encode(found.run.machine.state)
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

  /// Keeps a run where it pays: every so often, and on the last steps before the one that somebody
  /// is on the way to, ever closer, because who looks at a step looks at those before it next.
  mutating func offer(_ run: Rerun<State, Action>, onTheWayTo target: Int) throws {
    guard isPossible != false, budget > 0 else { return }
    let place = counting == .source ? run.follower.position : run.step
    let index = index(after: place)
    let before = index > 0 ? kept[index - 1].place : run.follower.cursor.steps.lowerBound
    let distance = place - before
    let rest = target - place
    let isClose = rest >= Self.leastDistance && rest.nonzeroBitCount == 1
    guard distance >= (isClose ? min(rest, usualDistance) : usualDistance) else { return }
    try keep(run, at: place)
  }

  /// Everything that a state could take by itself counts, though neighbours share most of it: sharing
  /// can only be broken up by later steps, and then the budget must still hold. What a copy of a run
  /// has beside its state is small, and counted by the number of its effects.
  private mutating func keep(_ run: Rerun<State, Action>, at place: Int) throws {
    isPossible = !ReferenceSearch.findsReference(in: run.machine.state)
    guard isPossible == true else {
      (kept, cost) = ([], 0)
      return
    }
    var run = run
    run.isInScene = false
    run.tracker = nil
    run.looked = nil
    run.log = RerunLog()
    run.follower.cursor.rest()
    let value = try run.encoder.encode(run.machine.state)
    let size =
      value.memoryCost + 2_048 + 1_024
      * (run.book.inFlight.count + run.follower.descents.runCount / 16)
    guard size <= budget else { return }
    kept.insert(
      Kept(run: run, place: place, cost: size, digest: value.hashValue), at: index(after: place))
    cost += size
    while cost > budget { removeOne(besides: place) }
  }

  /// How far apart they are when the budget is used up; a new one every 64 steps until then.
  private var usualDistance: Int {
    guard let last = kept.last, let first = kept.first, cost > budget / 2 else {
      return leastUsualDistance
    }
    let span = last.place - first.place
    return max(leastUsualDistance, span * (cost / kept.count) / max(1, budget))
  }

  /// Removes the one whose neighbours are closest, where nobody looks.
  private mutating func removeOne(besides newest: Int) {
    let first = kept[0].run.follower.cursor.steps.lowerBound
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

  /// Where one behind a step would stand.
  private func index(after step: Int) -> Int {
    kept.indices.firstBehind { kept[$0].place <= step }
  }
}

extension Value {
  /// About how many bytes the typed value takes that encodes to this one: rather more than less.
  ///
  /// A scalar takes a word or two, a text beyond 15 bytes and an array a block of its own. Members are
  /// counted with their keys, as if each object were a dictionary; a struct takes less.
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
