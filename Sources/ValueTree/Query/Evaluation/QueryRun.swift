/// One run of a query or a condition over a value.
struct QueryRun {
  let root: Value
  let limits: QueryLimits
  let neighbours: ((Int) -> Bool)?
  private var work: Int

  init(root: Value, limits: QueryLimits, neighbours: ((Int) -> Bool)? = nil) {
    self.root = root
    self.limits = limits
    self.neighbours = neighbours
    work = limits.work
  }

  mutating func spend(_ amount: Int = 1) throws(QueryRunError) {
    work -= amount
    guard work >= 0 else { throw .tooMuchWork(limit: limits.work) }
  }

  /// What work is left, for a part that counts its own.
  mutating func withWork<Result>(_ body: (inout Int) -> Result) throws(QueryRunError) -> Result {
    let result = body(&work)
    guard work >= 0 else { throw .tooMuchWork(limit: limits.work) }
    return result
  }

  /// Calls `found` for what the segments find, in order, until it says false. Gives false when it did.
  mutating func visit(
    _ segments: ArraySlice<QuerySegment>, from node: QueryNode, found: (QueryNode) -> Bool
  ) throws(QueryRunError) -> Bool {
    try spend()
    guard let segment = segments.first else { return found(node) }
    let rest = segments.dropFirst()
    switch segment {
    case .children(let selectors):
      return try visit(selectors, rest, of: node, found: found)
    case .descendants(let selectors):
      // A list of what is still to be visited: recursion would follow a deep value down.
      var waiting = [node]
      while let next = waiting.popLast() {
        guard try visit(selectors, rest, of: next, found: found) else { return false }
        switch next.value {
        case .array(let array):
          for index in array.indices.reversed() {
            waiting.append(next.element(index, array[index]))
          }
        case .object(let object):
          for (key, value) in object.reversed() { waiting.append(next.member(key, value)) }
        default: break
        }
        try spend()
      }
      return true
    }
  }

  private mutating func visit(
    _ selectors: [QuerySelector], _ rest: ArraySlice<QuerySegment>, of node: QueryNode,
    found: (QueryNode) -> Bool
  ) throws(QueryRunError) -> Bool {
    for selector in selectors {
      let goesOn =
        switch node.value {
        case .object(let object):
          try visit(selector, rest, in: object, of: node, found: found)
        case .array(let array):
          try visit(selector, rest, in: array, of: node, found: found)
        default: true
        }
      guard goesOn else { return false }
    }
    return true
  }

  private mutating func visit(
    _ selector: QuerySelector, _ rest: ArraySlice<QuerySegment>, in object: ValueObject,
    of node: QueryNode, found: (QueryNode) -> Bool
  ) throws(QueryRunError) -> Bool {
    switch selector {
    case .name(let name):
      guard let value = object[name] else { return true }
      return try visit(rest, from: node.member(name, value), found: found)
    case .wildcard, .filter:
      for (key, value) in object {
        if case .filter(let filter) = selector, try !holds(filter, for: value) { continue }
        guard try visit(rest, from: node.member(key, value), found: found) else { return false }
      }
      return true
    case .index, .slice: return true
    }
  }

  private mutating func visit(
    _ selector: QuerySelector, _ rest: ArraySlice<QuerySegment>, in array: ValueArray,
    of node: QueryNode, found: (QueryNode) -> Bool
  ) throws(QueryRunError) -> Bool {
    switch selector {
    case .name: return true
    case .index(let index):
      let place = index >= 0 ? index : array.count + index
      guard array.indices.contains(place) else { return true }
      return try visit(rest, from: node.element(place, array[place]), found: found)
    case .wildcard, .filter:
      for index in array.indices {
        let value = array[index]
        if case .filter(let filter) = selector, try !holds(filter, for: value) { continue }
        guard try visit(rest, from: node.element(index, value), found: found) else { return false }
      }
      return true
    case .slice(let slice):
      for index in slice.places(count: array.count) {
        guard try visit(rest, from: node.element(index, array[index]), found: found) else {
          return false
        }
      }
      return true
    }
  }
}
