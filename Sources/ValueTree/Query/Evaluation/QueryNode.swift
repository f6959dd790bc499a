/// A value on the way of a query.
struct QueryNode {
  var value: Value
  /// Nil where nobody asks for places.
  var place: QueryPlace?

  func member(_ key: String, _ value: Value) -> QueryNode {
    QueryNode(value: value, place: place.map { QueryPlace(.member(key), in: $0) })
  }

  func element(_ index: Int, _ value: Value) -> QueryNode {
    QueryNode(value: value, place: place.map { QueryPlace(.element(index), in: $0) })
  }

  var match: PathQuery.Match {
    let steps = place?.steps ?? []
    return PathQuery.Match(
      pointer: Pointer(tokens: steps.map(\.token)), value: value,
      path: "$" + steps.map(\.normalized).joined())
  }
}

/// A place as a chain to the root, so that one more step costs one link.
final class QueryPlace {
  enum Step {
    case member(String)
    case element(Int)
  }

  /// Nil at the root.
  private let step: Step?
  private var outer: QueryPlace?
  /// How many steps there are from the root to here.
  let depth: Int

  /// The root.
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
    // Link by link: a chain as deep as the value would be freed by recursion.
    var next = outer
    outer = nil
    while next != nil, isKnownUniquelyReferenced(&next) {
      let following = next?.outer
      next?.outer = nil
      next = following
    }
  }

  /// From the root to the place.
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

  /// The last step as a normalized path writes it.
  fileprivate var normalized: String {
    switch self {
    case .element(let index): "[\(index)]"
    case .member(let key): "['\(Self.escaped(key))']"
    }
  }

  private static func escaped(_ key: String) -> String {
    var text = String.UnicodeScalarView()
    for scalar in key.unicodeScalars {
      switch scalar {
      case "'", "\\": text += ["\\", scalar]
      case "\u{8}": text += ["\\", "b"]
      case "\t": text += ["\\", "t"]
      case "\n": text += ["\\", "n"]
      case "\u{C}": text += ["\\", "f"]
      case "\r": text += ["\\", "r"]
      case ..<" ":
        let digits = String(scalar.value, radix: 16)
        text += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars
      default: text.append(scalar)
      }
    }
    return String(text)
  }
}
