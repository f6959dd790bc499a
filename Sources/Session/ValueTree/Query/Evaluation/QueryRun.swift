struct QueryRun<View: QueryView> {
  /// Finds a value by the first names of a path from the root, and counts these names; throws if the
  /// value is unknown.
  typealias Root = (InnerQuery) throws(QueryRunError) -> (view: View?, names: Int)

  let limits: QueryLimits
  let neighbours: ((Int) -> Bool?)?
  /// The text in values that stand for unknown ones.
  private let hidden: String?
  /// Whether what was found so far may depend on a hidden value.
  private var isUnsure = false
  private var work: Int

  init(
    limits: QueryLimits, hidden: String? = nil, neighbours: ((Int) -> Bool?)? = nil
  ) {
    self.limits = limits
    self.hidden = hidden
    self.neighbours = neighbours
    work = limits.work
  }

  @inline(__always)
  mutating func spend(_ amount: Int = 1) throws(QueryRunError) {
    work -= amount
    guard work >= 0 else { throw .tooMuchWork(limit: limits.work) }
  }

  mutating func visit(
    _ segments: ArraySlice<QuerySegment>, from node: QueryNode<View>, _ root: Root,
    found: (QueryNode<View>) throws(QueryRunError) -> Bool
  ) throws(QueryRunError) -> Bool {
    try spend()
    guard let segment = segments.first else { return try found(node) }
    let rest = segments.dropFirst()
    switch segment {
    case .children(let selectors):
      return try visit(selectors, rest, of: node, root, found: found)
    case .descendants(let selectors):
      // A work list, because recursion could overflow on deep values.
      var waiting = [node]
      while let next = waiting.popLast() {
        guard try visit(selectors, rest, of: next, root, found: found) else { return false }
        waiting += try children(of: next).reversed()
        try spend()
      }
      return true
    }
  }

  private func children(
    of node: QueryNode<View>
  ) throws(QueryRunError) -> [QueryNode<View>] {
    var children: [QueryNode<View>] = []
    _ = try node.view.eachChild { (index, view) throws(QueryRunError) in
      children.append(node.child(index, view))
      return true
    }
    return children
  }

  private mutating func visit(
    _ selectors: [QuerySelector], _ rest: ArraySlice<QuerySegment>, of node: QueryNode<View>,
    _ root: Root, found: (QueryNode<View>) throws(QueryRunError) -> Bool
  ) throws(QueryRunError) -> Bool {
    if try hides(node.view) { isUnsure = true }
    for selector in selectors {
      switch selector {
      case .name(let name):
        guard let view = try node.view.member(name) else { continue }
        guard try visit(rest, from: node.member(name, view), root, found: found) else {
          return false
        }
      case .wildcard, .filter:
        let goesOn = try node.view.eachChild { (index, view) throws(QueryRunError) in
          if case .filter(let filter) = selector {
            let answer = try answer(filter, for: view, root)
            if answer == nil { isUnsure = true }
            guard answer == true else { return true }
          }
          return try visit(rest, from: node.child(index, view), root, found: found)
        }
        guard goesOn else { return false }
      case .index(let index):
        guard let view = try node.view.element(index) else { continue }
        let place = index >= 0 ? index : try (node.view.length ?? 0) + index
        guard try visit(rest, from: node.child(place, view), root, found: found) else {
          return false
        }
      case .slice(let slice):
        guard try node.view.kind == .array else { continue }
        let children = try children(of: node)
        for index in slice.places(count: children.count) {
          guard try visit(rest, from: children[index], root, found: found) else { return false }
        }
      }
    }
    return true
  }
}

extension QueryRun {
  /// Whether an expression holds for a filtered value, or for the root without one. Nil if that
  /// depends on an unknown word of a step, an unknown neighbour, a hidden value, or on text that is
  /// no JSON.
  mutating func answer(
    _ expression: LogicalExpression, for current: View?, unknown: [String] = [], _ root: Root
  ) throws(QueryRunError) -> Bool? {
    try spend()
    switch expression {
    case .any(let parts): return try answer(parts, decisive: true, for: current, unknown, root)
    case .all(let parts): return try answer(parts, decisive: false, for: current, unknown, root)
    case .not(let inner):
      return try answer(inner, for: current, unknown: unknown, root).map { !$0 }
    case .neighbour(let place):
      if let neighbours { return neighbours(place) }
      guard View.mayBeUnreadable else { throw .neighboursUnknown }
      return nil
    default:
      guard !expression.depends(on: unknown) else { return nil }
      let outer = isUnsure
      isUnsure = false
      defer { isUnsure = outer }
      do {
        let holds = try holds(expression, for: current, root)
        return isUnsure ? nil : holds
      } catch {
        guard View.mayBeUnreadable, error == .unreadable else { throw error }
        return nil
      }
    }
  }

  private mutating func answer(
    _ parts: [LogicalExpression], decisive: Bool, for current: View?, _ unknown: [String],
    _ root: Root
  ) throws(QueryRunError) -> Bool? {
    var isKnown = true
    for part in parts {
      switch try answer(part, for: current, unknown: unknown, root) {
      case decisive: return decisive
      case nil: isKnown = false
      default: break
      }
    }
    return isKnown ? !decisive : nil
  }

  private mutating func holds(
    _ expression: LogicalExpression, for current: View?, _ root: Root
  ) throws(QueryRunError) -> Bool {
    switch expression {
    case .exists(let query):
      return try finds(query, for: current, root) { (_) throws(QueryRunError) in true }
    case .isTrue(let query):
      let run = self
      var isMet = false
      let isFound = try finds(query, for: current, root) { (view) throws(QueryRunError) in
        if try run.hides(view) {
          isMet = true
          return false
        }
        let kind = try view.kind
        return kind != .null && kind != .no && !(kind == .string && query.isRule)
      }
      isUnsure = isUnsure || isMet && !isFound
      return isFound
    case .comparison(let left, let symbol, let right):
      let (first, second) = (
        try view(of: left, for: current, root), try view(of: right, for: current, root)
      )
      // A query may ask for the hidden values themselves.
      if hidden != nil, !left.hides(hidden), !right.hides(hidden), let first, let second,
        try isEqual(first.value, second.value) == nil
      {
        isUnsure = true
      }
      return symbol.holds(try order(first, second))
    case .matches(let text, let source, let whole):
      return try matches(try view(of: text, for: current, root), source, whole, for: current, root)
    case .elements(let test, let query):
      let views = try views(of: query, for: current, root)
      return try test == .unique ? areUnique(views) : areSorted(views)
    case .any, .all, .not, .neighbour: return false
    }
  }

  private mutating func finds(
    _ query: InnerQuery, for current: View?, _ root: Root,
    wanted: (View) throws(QueryRunError) -> Bool
  ) throws(QueryRunError) -> Bool {
    if let steps = query.single {
      guard let view = try single(query, steps, for: current, root) else { return false }
      return try wanted(view)
    }
    let isFound = try !visit(query, for: current, root) { (view) throws(QueryRunError) in
      try !wanted(view)
    }
    // One that is found is enough.
    if isFound { isUnsure = false }
    return isFound
  }

  private func origin(
    of query: InnerQuery, for current: View?, _ root: Root
  ) throws(QueryRunError) -> (view: View?, names: Int) {
    guard query.origin == .current, let current else { return try root(query) }
    return (current, 0)
  }

  private mutating func visit(
    _ query: InnerQuery, for current: View?, _ root: Root,
    found: (View) throws(QueryRunError) -> Bool
  ) throws(QueryRunError) -> Bool {
    let (view, names) = try origin(of: query, for: current, root)
    guard let view else { return true }
    return try visit(query.segments[names...], from: QueryNode(view: view), root) {
      (node) throws(QueryRunError) in try found(node.view)
    }
  }

  private mutating func single(
    _ query: InnerQuery, _ steps: [QuerySelector], for current: View?, _ root: Root
  ) throws(QueryRunError) -> View? {
    try spend(steps.count)
    let (origin, names) = try origin(of: query, for: current, root)
    guard var view = origin else { return nil }
    for index in names..<steps.count {
      let next: View?
      switch steps[index] {
      case .name(let name): next = try view.member(name)
      case .index(let index): next = try view.element(index)
      default: next = nil
      }
      guard let next else {
        if try hides(view) { isUnsure = true }
        return nil
      }
      view = next
    }
    return view
  }

  private mutating func view(
    of comparand: Comparand, for current: View?, _ root: Root
  ) throws(QueryRunError) -> View? {
    switch comparand {
    case .literal(let literal): return View(literal)
    case .single(let query): return try single(query, query.single ?? [], for: current, root)
    case .length(let inner):
      guard let view = try view(of: inner, for: current, root) else { return nil }
      if try hides(view) { isUnsure = true }
      return try view.length.map(View.init(count:))
    case .count(let query):
      var count = 0
      _ = try visit(query, for: current, root) { (_) throws(QueryRunError) in
        count += 1
        return true
      }
      return View(count: count)
    case .value(let query):
      var views: [View] = []
      _ = try visit(query, for: current, root) { (view) throws(QueryRunError) in
        views.append(view)
        return views.count < 2
      }
      return views.count == 1 ? views[0] : nil
    case .sum(let query):
      var sum = 0.0
      for view in try views(of: query, for: current, root) {
        if try hides(view) { isUnsure = true }
        guard try view.kind == .number else { return nil }
        sum += try view.number.doubleValue
      }
      return View(sum: sum)
    }
  }

  private mutating func views(
    of query: InnerQuery, for current: View?, _ root: Root
  ) throws(QueryRunError) -> [View] {
    var views: [View] = []
    _ = try visit(query, for: current, root) { (view) throws(QueryRunError) in
      views.append(view)
      return true
    }
    try spend(views.count)
    return views
  }

  private mutating func areUnique(_ views: [View]) throws(QueryRunError) -> Bool {
    var seen: [String: [Value]] = [:]
    for view in views {
      let value = try view.value
      if value.hides(hidden) { isUnsure = true }
      // Numbers that are written otherwise may be equal.
      let key =
        if case .number(let number) = value { "\(number.doubleValue)" } else { value.text() }
      let isOld = seen[key, default: []].contains { $0.isNumericallyEqual(to: value) }
      if isOld { return false }
      seen[key, default: []].append(value)
    }
    return true
  }

  private mutating func areSorted(_ views: [View]) throws(QueryRunError) -> Bool {
    for (index, view) in views.enumerated() {
      if try hides(view) { isUnsure = true }
      guard index > 0 else { continue }
      guard let order = try order(views[index - 1], view), order != .greater else { return false }
    }
    return true
  }

  /// The order of two numbers or two texts (by code points); nil for others.
  private func order(_ left: View?, _ right: View?) throws(QueryRunError) -> Ordering? {
    guard let left, let right else { return left == nil && right == nil ? .equal : nil }
    switch (try left.kind, try right.kind) {
    case (.number, .number): return try left.number.compared(to: right.number)
    case (.string, .string): return try left.order(toText: right)
    case (.array, .array), (.object, .object):
      return try left.value.isNumericallyEqual(to: right.value) ? .equal : nil
    case (let left, let right): return left == right ? .equal : nil
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
    _ view: View?, _ source: PatternSource, _ whole: Bool, for current: View?, _ root: Root
  ) throws(QueryRunError) -> Bool {
    guard let view, try view.kind == .string, let text = try view.string else { return false }
    if try hides(view) { isUnsure = true }
    let pattern: TextPattern
    switch source {
    case .written(let written): pattern = written
    case .invalid: return false
    case .found(let comparand):
      guard let found = try self.view(of: comparand, for: current, root)?.string,
        let read = try? TextPattern(found)
      else { return false }
      try spend(found.utf8.count)
      pattern = read
    }
    let isMatch = pattern.matches(text, whole: whole, work: &work)
    try spend(0)
    return isMatch
  }

  private func hides(_ view: View) throws(QueryRunError) -> Bool {
    guard let hidden, try view.kind == .string else { return false }
    return try view.contains(hidden)
  }
}

extension Value {
  fileprivate func hides(_ hidden: String?) -> Bool { hidden.map(contains) == true }
}

extension Comparand {
  fileprivate func hides(_ hidden: String?) -> Bool {
    if case .literal(let literal) = self { literal.value.hides(hidden) } else { false }
  }
}
