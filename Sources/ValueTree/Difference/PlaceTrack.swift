/// Finds a place of one value in another that it became: an element of an array keeps its identity when
/// others come, go or move around it.
///
/// ```swift
/// let track = PlaceTrack(from: ["tea", "milk"], to: ["bread", "tea"])
/// track.forward(["0"])  // ["1"]
/// track.forward(["1"])  // nil
/// ```
package struct PlaceTrack {
  private let tree: ChangeTree?
  private let matching: ElementMatching

  package init(from old: Value, to new: Value, matching: ElementMatching = .standard) {
    tree = Comparison(matching: matching).changes(from: old, to: new)
    self.matching = matching
  }

  /// Where what stands at a place of the old value stands in the new one; nil when it went.
  package func forward(_ place: Pointer) -> Pointer? { follow(place, isForward: true) }

  /// Where what stands at a place of the new value stood in the old one; nil when it came.
  package func back(_ place: Pointer) -> Pointer? { follow(place, isForward: false) }

  private func follow(_ place: Pointer, isForward: Bool) -> Pointer? {
    var node = tree
    var found = Pointer()
    for (depth, token) in place.tokens.enumerated() {
      switch node {
      case nil, .replaced:
        return found.appending(Pointer(tokens: place.tokens.dropFirst(depth)))
      case .object(let changes):
        node = changes.changed.first { $0.key == token }?.change
        found = found.appending(token)
      case .array(let changes):
        guard let index = Int(token),
          let other = changes.counterpart(of: index, isForward: isForward, matching)
        else { return nil }
        let old = isForward ? index : other
        node = changes.changed.first { $0.pair.old == old }?.change
        found = found.appending(other)
      }
    }
    return found
  }
}

extension ArrayChanges {
  /// The place of an element in the other array; nil where it is not there.
  fileprivate func counterpart(
    of index: Int, isForward: Bool, _ matching: ElementMatching
  ) -> Int? {
    let (from, to) = isForward ? (old, new) : (new, old)
    guard from.indices.contains(index) else { return nil }
    let pairs = moves.map { isForward ? ($0.old, $0.new) : ($0.new, $0.old) }
    guard !(isForward ? removed : added).contains(index) else { return nil }
    var other = pairs.first { $0.0 == index }?.1
    if other == nil {
      // Those that neither moved nor came nor went stand in the same order in both.
      let gone = Set((isForward ? removed : added) + pairs.map(\.0))
      let come = Set((isForward ? added : removed) + pairs.map(\.1))
      var rank = index - gone.count { $0 < index }
      other = to.indices.first { place in
        guard !come.contains(place) else { return false }
        rank -= 1
        return rank < 0
      }
    }
    guard let other, matching.identity(of: from[index]) == matching.identity(of: to[other]) else {
      return nil
    }
    return other
  }
}
