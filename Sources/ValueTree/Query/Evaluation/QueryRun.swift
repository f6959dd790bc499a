struct QueryRun {
  let root: Value
  let limits: QueryLimits
  let neighbours: ((Int) -> Bool?)?
  /// The text in values that stand for unknown ones.
  private let hidden: String?
  /// Whether what was found so far may depend on a hidden value.
  private var isUnsure = false
  private var work: Int

  init(
    root: Value, limits: QueryLimits, hidden: String? = nil, neighbours: ((Int) -> Bool?)? = nil
  ) {
    self.root = root
    self.limits = limits
    self.hidden = hidden
    self.neighbours = neighbours
    work = limits.work
  }

  mutating func spend(_ amount: Int = 1) throws(QueryRunError) {
    work -= amount
    guard work >= 0 else { throw .tooMuchWork(limit: limits.work) }
  }

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
      // A work list, because recursion could overflow on deep values.
      var waiting = [node]
      while let next = waiting.popLast() {
        guard try visit(selectors, rest, of: next, found: found) else { return false }
        for index in (0..<next.value.childCount).reversed() {
          waiting.append(next.child(index, next.childValue(index)))
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
    if node.value.hides(hidden) { isUnsure = true }
    for selector in selectors {
      switch (selector, node.value) {
      case (.name(let name), .object(let object)):
        guard let value = object[name] else { continue }
        guard try visit(rest, from: node.member(name, value), found: found) else { return false }
      case (.wildcard, _), (.filter, _):
        for index in 0..<node.value.childCount {
          let value = node.childValue(index)
          if case .filter(let filter) = selector {
            let answer = try answer(filter, for: value)
            if answer == nil { isUnsure = true }
            guard answer == true else { continue }
          }
          guard try visit(rest, from: node.child(index, value), found: found) else { return false }
        }
      case (.index(let index), .array(let array)):
        let place = index >= 0 ? index : array.count + index
        guard array.indices.contains(place) else { continue }
        guard try visit(rest, from: node.child(place, array[place]), found: found) else {
          return false
        }
      case (.slice(let slice), .array(let array)):
        for index in slice.places(count: array.count) {
          guard try visit(rest, from: node.child(index, array[index]), found: found) else {
            return false
          }
        }
      default: continue
      }
    }
    return true
  }
}

extension QueryRun {
  /// Whether an expression holds; nil if that depends on an unknown word of a step, an unknown
  /// neighbour or a hidden value.
  mutating func answer(
    _ expression: LogicalExpression, for current: Value, unknown: [String] = []
  ) throws(QueryRunError) -> Bool? {
    try spend()
    switch expression {
    case .any(let parts): return try answer(parts, decisive: true, for: current, unknown)
    case .all(let parts): return try answer(parts, decisive: false, for: current, unknown)
    case .not(let inner): return try answer(inner, for: current, unknown: unknown).map { !$0 }
    case .neighbour(let place):
      guard let neighbours else { throw .neighboursUnknown }
      return neighbours(place)
    default:
      guard !expression.depends(on: unknown) else { return nil }
      let outer = isUnsure
      isUnsure = false
      let holds = try holds(expression, for: current)
      defer { isUnsure = outer }
      return isUnsure ? nil : holds
    }
  }

  private mutating func answer(
    _ parts: [LogicalExpression], decisive: Bool, for current: Value, _ unknown: [String]
  ) throws(QueryRunError) -> Bool? {
    var isKnown = true
    for part in parts {
      switch try answer(part, for: current, unknown: unknown) {
      case decisive: return decisive
      case nil: isKnown = false
      default: break
      }
    }
    return isKnown ? !decisive : nil
  }

  private mutating func holds(
    _ expression: LogicalExpression, for current: Value
  ) throws(QueryRunError) -> Bool {
    switch expression {
    case .exists(let query): return try finds(query, for: current) { _ in true }
    case .isTrue(let query):
      let hidden = hidden
      var isMet = false
      let isFound = try finds(query, for: current) { value in
        if value.hides(hidden) {
          isMet = true
          return false
        }
        switch value {
        case .null, .bool(false): return false
        default: return true
        }
      }
      isUnsure = isUnsure || isMet && !isFound
      return isFound
    case .comparison(let left, let symbol, let right):
      let (first, second) = (
        try value(of: left, for: current), try value(of: right, for: current)
      )
      // A query may ask for the hidden values themselves.
      if hidden != nil, !left.hides(hidden), !right.hides(hidden), let first, let second,
        try isEqual(first, second) == nil
      {
        isUnsure = true
      }
      return symbol.holds(order(first, second))
    case .matches(let text, let source, let whole):
      return try matches(try value(of: text, for: current), source, whole, for: current)
    case .any, .all, .not, .neighbour: return false
    }
  }

  private mutating func finds(
    _ query: InnerQuery, for current: Value, wanted: (Value) -> Bool
  ) throws(QueryRunError) -> Bool {
    if let steps = query.single {
      return try single(steps, from: origin(query, current)).map(wanted) ?? false
    }
    let node = QueryNode(value: origin(query, current), place: nil)
    let isFound = try !visit(query.segments[...], from: node) { !wanted($0.value) }
    // One that is found is enough.
    if isFound { isUnsure = false }
    return isFound
  }

  private func origin(_ query: InnerQuery, _ current: Value) -> Value {
    switch query.origin {
    case .root: root
    case .current: current
    }
  }

  private mutating func single(
    _ steps: [QuerySelector], from origin: Value
  ) throws(QueryRunError) -> Value? {
    try spend(steps.count)
    var value = origin
    for step in steps {
      switch (step, value) {
      case (.name(let name), .object(let object)):
        guard let member = object[name] else { return nil }
        value = member
      case (.index(let index), .array(let array)):
        let place = index >= 0 ? index : array.count + index
        guard array.indices.contains(place) else { return nil }
        value = array[place]
      default:
        if value.hides(hidden) { isUnsure = true }
        return nil
      }
    }
    return value
  }

  private mutating func value(
    of comparand: Comparand, for current: Value
  ) throws(QueryRunError) -> Value? {
    switch comparand {
    case .literal(let value): return value
    case .single(let query): return try single(query.single ?? [], from: origin(query, current))
    case .length(let inner):
      let value = try value(of: inner, for: current)
      if value?.hides(hidden) == true { isUnsure = true }
      switch value {
      case .string(let text): return .number(Number(text.unicodeScalars.count))
      case .array(let array): return .number(Number(array.count))
      case .object(let object): return .number(Number(object.count))
      default: return nil
      }
    case .count(let query):
      var count = 0
      let node = QueryNode(value: origin(query, current), place: nil)
      _ = try visit(query.segments[...], from: node) { _ in
        count += 1
        return true
      }
      return .number(Number(count))
    case .value(let query):
      var values: [Value] = []
      let node = QueryNode(value: origin(query, current), place: nil)
      _ = try visit(query.segments[...], from: node) {
        values.append($0.value)
        return values.count < 2
      }
      guard values.count == 1 else { return nil }
      return values[0]
    }
  }

  /// The order of two numbers or two texts (by code points); nil for others.
  private func order(_ left: Value?, _ right: Value?) -> Ordering? {
    switch (left, right) {
    case (.number(let left), .number(let right)): left.compared(to: right)
    case (.string(let left), .string(let right)):
      left.isExactly(right) ? .equal : left.precedes(right) ? .less : .greater
    case (let left?, let right?): left.isNumericallyEqual(to: right) ? .equal : nil
    default: left == nil && right == nil ? .equal : nil
    }
  }

  /// Whether two values are equal; nil if that depends on hidden parts.
  private mutating func isEqual(
    _ left: Value, _ right: Value, levels: Int = 1_000
  ) throws(QueryRunError) -> Bool? {
    try spend()
    guard levels > 0, !left.hides(hidden), !right.hides(hidden) else { return nil }
    var pairs: [(Value, Value)] = []
    switch (left, right) {
    case (.array(let left), .array(let right)) where left.count == right.count:
      pairs = Array(zip(left, right))
    case (.object(let left), .object(let right)) where left.count == right.count:
      for (key, value) in left {
        guard let other = right[key] else { return Value.string(key).hides(hidden) ? nil : false }
        pairs.append((value, other))
      }
    default: return left.isNumericallyEqual(to: right)
    }
    var isKnown = true
    for (left, right) in pairs {
      switch try isEqual(left, right, levels: levels - 1) {
      case false?: return false
      case nil: isKnown = false
      default: break
      }
    }
    return isKnown ? true : nil
  }

  private mutating func matches(
    _ text: Value?, _ source: PatternSource, _ whole: Bool, for current: Value
  ) throws(QueryRunError) -> Bool {
    if text?.hides(hidden) == true { isUnsure = true }
    guard case .string(let text) = text else { return false }
    let pattern: TextPattern
    switch source {
    case .written(let written): pattern = written
    case .invalid: return false
    case .found(let comparand):
      guard case .string(let found) = try value(of: comparand, for: current),
        let read = try? TextPattern(found)
      else { return false }
      try spend(found.utf8.count)
      pattern = read
    }
    let isMatch = pattern.matches(text, whole: whole, work: &work)
    try spend(0)
    return isMatch
  }
}

extension Value {
  fileprivate func hides(_ hidden: String?) -> Bool {
    guard let hidden, case .string(let text) = self else { return false }
    return text.contains(hidden)
  }
}

extension Comparand {
  fileprivate func hides(_ hidden: String?) -> Bool {
    if case .literal(let value) = self { value.hides(hidden) } else { false }
  }
}
