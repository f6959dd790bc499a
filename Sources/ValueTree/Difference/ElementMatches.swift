/// Which elements of two stretches belong together, and which of those stand in the same order.
struct ElementMatches {
  var oldCount: Int
  var newCount: Int
  /// The longest run of elements in the same order that could be found, ascending.
  var anchors: [ElementPair]
  /// The same element at another place among the others, ascending by the new place.
  var moves: [ElementPair] = []
  var movedOld: [Bool]
  var movedNew: [Bool]

  /// The fewest edits that were found.
  init(tokens: ElementTokens) {
    let (old, new) = (tokens.old, tokens.new)
    self.init(
      oldCount: old.count, newCount: new.count,
      anchors: CommonOrder.pairs(old, new, tokenCount: tokens.count))
    var matchedOld = Array(repeating: false, count: old.count)
    var matchedNew = Array(repeating: false, count: new.count)
    for anchor in anchors {
      matchedOld[anchor.old] = true
      matchedNew[anchor.new] = true
    }
    var waiting: [Int: [Int]] = [:]
    for place in old.indices.reversed() where !matchedOld[place] {
      waiting[old[place], default: []].append(place)
    }
    for place in new.indices where !matchedNew[place] {
      guard let from = waiting[new[place]]?.popLast() else { continue }
      moves.append(ElementPair(old: from, new: place))
      movedOld[from] = true
      movedNew[place] = true
    }
  }

  /// Each element at its own place, for two stretches of one length.
  init(inPlace count: Int) {
    self.init(
      oldCount: count, newCount: count,
      anchors: (0..<count).map { ElementPair(old: $0, new: $0) })
  }

  private init(oldCount: Int, newCount: Int, anchors: [ElementPair]) {
    self.oldCount = oldCount
    self.newCount = newCount
    self.anchors = anchors
    movedOld = Array(repeating: false, count: oldCount)
    movedNew = Array(repeating: false, count: newCount)
  }

  /// How many operations the matches leave to be written, not counting changes inside of elements.
  var editCount: Int {
    let gone = oldCount - anchors.count - moves.count
    let come = newCount - anchors.count - moves.count
    return moves.count + max(gone, come)
  }
}
