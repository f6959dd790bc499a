struct QueryNode<View: QueryView> {
  var view: View
  var place: QueryPlace?

  func member(_ key: String, _ view: View) -> QueryNode {
    QueryNode(view: view, place: place.map { QueryPlace(.member(key), in: $0) })
  }

  func child(_ index: Int, _ child: View) -> QueryNode {
    QueryNode(view: child, place: place.map { QueryPlace(view.step(to: index), in: $0) })
  }
}

extension QueryNode<Value> {
  var match: PathQuery.Match {
    let steps = place?.steps ?? []
    return PathQuery.Match(
      pointer: Pointer(tokens: steps.map(\.token)), value: view,
      path: "$" + steps.map(\.normalized).joined())
  }
}

/// A place as a chain to the root, so that a step down costs one link.
final class QueryPlace {
  enum Step {
    case member(String)
    case element(Int)
  }

  private let step: Step?
  private var outer: QueryPlace?
  let depth: Int

  init() {
    step = nil
    depth = 0
  }

  init(_ step: Step, in outer: QueryPlace) {
    self.step = step
    self.outer = outer
    depth = outer.depth + 1
  }

  deinit {
    // Link by link, because freeing a deep chain recurses.
    var next = outer
    outer = nil
    while next != nil, isKnownUniquelyReferenced(&next) {
      let following = next?.outer
      next?.outer = nil
      next = following
    }
  }

  fileprivate var steps: [Step] {
    var steps: [Step] = []
    var place: QueryPlace? = self
    while let current = place {
      if let step = current.step { steps.append(step) }
      place = current.outer
    }
    return steps.reversed()
  }
}

extension QueryPlace.Step {
  fileprivate var token: String {
    switch self {
    case .member(let key): key
    case .element(let index): String(index)
    }
  }

  fileprivate var normalized: String {
    switch self {
    case .element(let index): "[\(index)]"
    case .member(let key):
      "['"
        + Value.string(key).text().dropFirst().dropLast().replacing("\\\"", with: "\"")
        .replacing("'", with: "\\'") + "']"
    }
  }
}
