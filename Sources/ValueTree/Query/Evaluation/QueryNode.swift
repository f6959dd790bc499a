/// A value on the way of a query.
struct QueryNode {
  var value: Value
  /// Nil where nobody asks for places.
  var place: QueryPlace?

  func member(_ key: String, _ value: Value) -> QueryNode {
    QueryNode(value: value, place: place.map { .member(key, of: $0) })
  }

  func element(_ index: Int, _ value: Value) -> QueryNode {
    QueryNode(value: value, place: place.map { .element(index, of: $0) })
  }

  var match: PathQuery.Match {
    let steps = place?.steps ?? []
    return PathQuery.Match(
      pointer: Pointer(tokens: steps.map(\.token)), value: value,
      path: "$" + steps.map(\.normalized).joined())
  }
}

/// A place as a chain to the root, so that one more step costs one link.
indirect enum QueryPlace {
  case root
  case member(String, of: QueryPlace)
  case element(Int, of: QueryPlace)

  /// From the root to the place.
  fileprivate var steps: [QueryPlace] {
    var steps: [QueryPlace] = []
    var place = self
    while true {
      switch place {
      case .root: return steps.reversed()
      case .member(_, let outer), .element(_, let outer):
        steps.append(place)
        place = outer
      }
    }
  }

  fileprivate var token: String {
    switch self {
    case .root: ""
    case .member(let key, _): key
    case .element(let index, _): String(index)
    }
  }

  /// The last step as a normalized path writes it.
  fileprivate var normalized: String {
    switch self {
    case .root: ""
    case .element(let index, _): "[\(index)]"
    case .member(let key, _): "['\(Self.escaped(key))']"
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
