/// A path query of RFC 9535 (JSONPath): parsed once, run on many values.
///
/// ```swift
/// let cheap = try PathQuery("$.items[?@.price < 10].title")
/// let cart: Value = ["items": [["title": "Tea", "price": 4], ["title": "Pot", "price": 30]]]
/// try cheap.values(in: cart)  // ["Tea"]
/// try cheap.matches(in: cart).map(\.path)  // ["$['items'][0]['title']"]
/// ```
public struct PathQuery: Sendable {
  /// The text as written.
  public let text: String
  private let segments: [QuerySegment]

  /// Parses the text; an error names the offending character.
  public init(_ text: String) throws(QueryError) {
    var parser = QueryParser(text)
    segments = try parser.parseQuery()
    self.text = text
  }

  /// A value that the query found, and its place.
  public struct Match: Sendable, Hashable {
    /// The place of the value.
    public var pointer: Pointer
    /// The value.
    public var value: Value
    /// The normalized path of RFC 9535: `$['items'][0]`.
    public var path: String
  }

  /// The found values with their places, in the query's order, duplicates included.
  public func matches(
    in value: Value, limits: QueryLimits = .standard
  ) throws(QueryRunError) -> [Match] {
    var matches: [Match] = []
    // In very deep values, places would fill the memory long before the matches do.
    var stepCount = 0
    let stepLimit = min(limits.matches, Int.max / 20 - 1) * 20
    try run(in: value, limits: limits, tracksPlaces: true) { node in
      stepCount += node.place?.depth ?? 0
      guard stepCount <= stepLimit, matches.count < limits.matches else {
        stepCount = .max
        return false
      }
      matches.append(node.match)
      return true
    }
    guard stepCount <= stepLimit else { throw .tooManyMatches(limit: limits.matches) }
    return matches
  }

  /// The found values, in the query's order.
  public func values(
    in value: Value, limits: QueryLimits = .standard
  ) throws(QueryRunError) -> [Value] {
    var values: [Value] = []
    try run(in: value, limits: limits, tracksPlaces: false) { node in
      values.append(node.view)
      return values.count <= limits.matches
    }
    guard values.count <= limits.matches else {
      throw .tooManyMatches(limit: limits.matches)
    }
    return values
  }

  /// The first value found.
  public func first(
    in value: Value, limits: QueryLimits = .standard
  ) throws(QueryRunError) -> Match? {
    var first: Match?
    try run(in: value, limits: limits, tracksPlaces: true) { node in
      first = node.match
      return false
    }
    return first
  }

  package var singlePlace: Pointer? {
    var place = Pointer()
    for step in InnerQuery(origin: .root, segments: segments).single ?? [.wildcard] {
      switch step {
      case .name(let name): place = place.appending(name)
      case .index(let index) where index >= 0: place = place.appending(index)
      default: return nil
      }
    }
    return place
  }

  private func run(
    in value: Value, limits: QueryLimits, tracksPlaces: Bool, found: (QueryNode<Value>) -> Bool
  ) throws(QueryRunError) {
    var run = QueryRun<Value>(limits: limits)
    let node = QueryNode(view: value, place: tracksPlaces ? QueryPlace() : nil)
    _ = try run.visit(segments[...], from: node, { _ in (value, 0) }, found: found)
  }
}

extension Pointer {
  /// A place of the state as it is typed: a pointer, `/cart/items/3`, or a path, `cart.items[3]` or
  /// `state.cart.items[3]`.
  package init?(place text: String) {
    let path =
      text == "state"
      ? "$"
      : text.hasPrefix("state.") || text.hasPrefix("state[")
        ? "$" + text.dropFirst(5) : text.hasPrefix("[") ? "$" + text : "$." + text
    let isPointer = text.isEmpty || text.hasPrefix("/")
    guard let place = isPointer ? try? Pointer(text) : (try? PathQuery(path))?.singlePlace else {
      return nil
    }
    self = place
  }
}

extension PathQuery: Hashable, CustomStringConvertible {
  /// Compares the texts character by character.
  public static func == (left: Self, right: Self) -> Bool { left.text.isExactly(right.text) }
  /// Hashes the text character by character.
  public func hash(into hasher: inout Hasher) { text.hashExactly(into: &hasher) }
  /// The text as written.
  public var description: String { text }
}
