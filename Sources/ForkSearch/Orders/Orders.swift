/// The orders in which events can come: what causes put before what, and which pairs it matters for.
///
/// Two orders in which all pairs that matter stand alike are one: only one of them is tried.
struct Orders: Sendable {
  struct Pair: Hashable, Sendable {
    /// The places of two events, the earlier first.
    var first: Int
    var second: Int
  }

  let count: Int
  /// By event: those that always come before it.
  private(set) var before: [Set<Int>]
  /// The pairs whose order matters and is free.
  var dependent: [Pair] = []

  /// `causes` are, by event, those that have to come before it.
  init(_ causes: [Set<Int>]) {
    count = causes.count
    before = []
    for event in causes.indices {
      before.append(causes[event].reduce(into: causes[event]) { $0.formUnion(before[$1]) })
    }
  }

  /// All pairs that no cause orders.
  var free: [Pair] {
    (0..<count).flatMap { second in
      (0..<second).filter { !before[second].contains($0) }.map { Pair(first: $0, second: second) }
    }
  }

  /// An order with these pairs the other way round, and all others that matter as they were; nil where
  /// there is none.
  func order(reversing reversed: Set<Pair>) -> [Int]? {
    var earlier = before
    for pair in dependent {
      if reversed.contains(pair) {
        earlier[pair.first].insert(pair.second)
      } else {
        earlier[pair.second].insert(pair.first)
      }
    }
    return first(keeping: earlier)
  }

  /// The order nearest to the recorded one in which these pairs come the other way round; nil where there
  /// is none.
  func nearest(reversing reversed: [Pair]) -> [Int]? {
    var earlier = before
    for pair in reversed { earlier[pair.first].insert(pair.second) }
    return first(keeping: earlier)
  }

  /// The first order in which each event comes behind those that have to be earlier.
  private func first(keeping earlier: [Set<Int>]) -> [Int]? {
    var order: [Int] = []
    var placed: Set<Int> = []
    while order.count < count {
      guard
        let next = (0..<count).first(where: {
          !placed.contains($0) && earlier[$0].isSubset(of: placed)
        })
      else { return nil }
      order.append(next)
      placed.insert(next)
    }
    return order
  }

  /// The orders with so many reversals, each with what is reversed.
  func orders(reversals: Int) -> [(reversed: Set<Pair>, order: [Int])] {
    var found: [(Set<Pair>, [Int])] = []
    func choose(_ chosen: Set<Pair>, from start: Int) {
      guard chosen.count < reversals else {
        if let order = order(reversing: chosen) { found.append((chosen, order)) }
        return
      }
      for index in dependent.indices.dropFirst(start) {
        choose(chosen.union([dependent[index]]), from: index + 1)
      }
    }
    choose([], from: 0)
    return found
  }

  /// An order in which only this pair has changed places, with what has to go along; nil where causes stand
  /// between.
  func swapped(_ pair: Pair) -> [Int]? {
    let between = (pair.first + 1..<pair.second)
    var order = Array(0..<count)
    if between.allSatisfy({ !before[pair.second].contains($0) }) {
      order.remove(at: pair.second)
      order.insert(pair.second, at: pair.first)
    } else if between.allSatisfy({ !before[$0].contains(pair.first) }) {
      order.remove(at: pair.first)
      order.insert(pair.first, at: pair.second)
    } else {
      return nil
    }
    return order
  }

  /// Which events are moved so that they come in an order, and behind which one each, in the order in which
  /// they come; nil stands for the beginning. All of them are moved to an earlier place: an effect that has
  /// ended answers no more.
  static func moves(to order: [Int]) -> [(event: Int, after: Int?)] {
    var moves: [(event: Int, after: Int?)] = []
    var last: Int?
    for (place, event) in order.enumerated() {
      if order[place...].allSatisfy({ $0 >= event }) {
        last = event
      } else {
        moves.append((event, last))
      }
    }
    return moves
  }
}
