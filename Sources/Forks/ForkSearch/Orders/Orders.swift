/// The possible orders of events: causes come first, and only some pairs matter.
///
/// Orders that agree on all pairs that matter count as one, so only one is tried.
struct Orders: Sendable {
  struct Pair: Hashable, Sendable {
    var first: Int
    var second: Int
  }

  let count: Int
  private(set) var before: [Set<Int>]
  var dependent: [Pair] = []

  /// `causes` lists, by event, the events that must come before it.
  init(_ causes: [Set<Int>]) {
    count = causes.count
    before = []
    for event in causes.indices {
      before.append(causes[event].reduce(into: causes[event]) { $0.formUnion(before[$1]) })
    }
  }

  var free: [Pair] {
    (0..<count).flatMap { second in
      (0..<second).filter { !before[second].contains($0) }.map { Pair(first: $0, second: second) }
    }
  }

  /// The nearest order with some pairs reversed and others as they are; nil if impossible.
  private func order(reversing reversed: some Sequence<Pair>, keeping kept: [Pair]) -> [Int]? {
    var earlier = before
    for pair in reversed { earlier[pair.first].insert(pair.second) }
    for pair in kept { earlier[pair.second].insert(pair.first) }
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

  func nearest(reversing reversed: [Pair]) -> [Int]? { order(reversing: reversed, keeping: []) }

  /// All orders with so many of the pairs that matter reversed.
  func orders(reversals: Int) -> [(reversed: Set<Pair>, order: [Int])] {
    var found: [(Set<Pair>, [Int])] = []
    func choose(_ chosen: Set<Pair>, from start: Int) {
      guard chosen.count < reversals else {
        let kept = dependent.filter { !chosen.contains($0) }
        if let order = order(reversing: chosen, keeping: kept) { found.append((chosen, order)) }
        return
      }
      for index in dependent.indices.dropFirst(start) {
        choose(chosen.union([dependent[index]]), from: index + 1)
      }
    }
    choose([], from: 0)
    return found
  }

  /// An order with only this pair swapped, and the events that must move along; nil if a cause
  /// prevents it.
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

  /// The moves that make an order; nil is the beginning. Events only move earlier, because an ended
  /// effect cannot answer later.
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

/// The label of an event and the places that it changes. Pairs of the same kinds commute alike.
struct EventKind: Hashable {
  var label: String
  var places: [String]
}
