/// Follows a place from one value to the next: an array element keeps its identity when others are
/// added, removed or moved.
///
/// ```swift
/// let track = PlaceTrack(from: ["tea", "milk"], to: ["bread", "tea"])
/// track.forward(["0"])  // ["1"]
/// track.forward(["1"])  // nil
/// ```
package struct PlaceTrack {
  private let tree: ChangeTree?

  package init(from old: Value, to new: Value) {
    tree = ChangeFinder(matching: .standard).changes(from: old, to: new)
  }

  package func forward(_ place: Pointer) -> Pointer? { trace(place, isForward: true) }

  package func back(_ place: Pointer) -> Pointer? { trace(place, isForward: false) }

  private func trace(_ place: Pointer, isForward: Bool) -> Pointer? {
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
          let other = changes.counterpart(of: index, isForward: isForward)
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
  fileprivate func counterpart(of index: Int, isForward: Bool) -> Int? {
    let (from, to) = isForward ? (old, new) : (new, old)
    guard from.indices.contains(index) else { return nil }
    let pairs = moves.map { isForward ? ($0.old, $0.new) : ($0.new, $0.old) }
    guard !(isForward ? removed : added).contains(index) else { return nil }
    var other = pairs.first { $0.0 == index }?.1
    if other == nil {
      // The remaining elements keep their order.
      let gone = Set((isForward ? removed : added) + pairs.map(\.0))
      let come = Set((isForward ? added : removed) + pairs.map(\.1))
      let rank = index - gone.count { $0 < index }
      other = to.indices.lazy.filter { !come.contains($0) }.dropFirst(rank).first
    }
    let matching = ElementMatching.standard
    guard let other, matching.identity(of: from[index]) == matching.identity(of: to[other]) else {
      return nil
    }
    return other
  }
}
