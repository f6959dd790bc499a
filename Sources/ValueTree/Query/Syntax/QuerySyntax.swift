/// One part of a query: from each value so far to its children, or to all values inside of it.
enum QuerySegment: Sendable {
  case children([QuerySelector])
  case descendants([QuerySelector])

  var selectors: [QuerySelector] {
    switch self {
    case .children(let selectors), .descendants(let selectors): selectors
    }
  }

  /// The selector of a segment that takes at most one thing of a value.
  var onlyChild: QuerySelector? {
    if case .children(let selectors) = self, selectors.count == 1 { selectors[0] } else { nil }
  }
}

/// What a segment takes of a value.
enum QuerySelector: Sendable {
  case name(String)
  case wildcard
  case index(Int)
  case slice(QuerySlice)
  case filter(LogicalExpression)
}

/// `start:end:step`, where absent ends depend on the direction.
struct QuerySlice: Sendable, Hashable {
  var start: Int?
  var end: Int?
  var step = 1

  /// The places that the slice takes of an array, in its order.
  func places(count: Int) -> StrideTo<Int> {
    func reach(_ place: Int) -> Int { place >= 0 ? place : count + place }
    if step > 0 {
      let lower = min(max(reach(start ?? 0), 0), count)
      let upper = min(max(reach(end ?? count), 0), count)
      return stride(from: lower, to: upper, by: min(step, count + 1))
    }
    if step < 0 {
      let upper = min(max(reach(start ?? count - 1), -1), count - 1)
      let lower = end.map { min(max(reach($0), -1), count - 1) } ?? -1
      return stride(from: upper, to: lower, by: max(step, -count - 1))
    }
    return stride(from: 0, to: 0, by: 1)
  }
}

/// A query inside of an expression.
struct InnerQuery: Sendable {
  enum Origin: Sendable {
    /// `$`: the whole value that is asked about.
    case root
    /// `@`: the value that the filter is looking at.
    case current
  }

  var origin: Origin
  var segments: [QuerySegment]
  /// The steps of a query that finds at most one value; nil for one that can find more.
  var single: [QuerySelector]?

  init(origin: Origin, segments: [QuerySegment]) {
    self.origin = origin
    self.segments = segments
    var steps: [QuerySelector] = []
    for segment in segments {
      switch segment.onlyChild {
      case .name?, .index?: steps += segment.selectors
      default: return
      }
    }
    single = steps
  }
}

/// Something that is true or false of a value.
indirect enum LogicalExpression: Sendable {
  case any([LogicalExpression])
  case all([LogicalExpression])
  case not(LogicalExpression)
  /// The query finds something.
  case exists(InnerQuery)
  /// The query finds something other than false and null: a path of a condition that stands alone.
  case isTrue(InnerQuery)
  case comparison(Comparand, ComparisonOperator, Comparand)
  /// The text matches the pattern: as a whole, or some part of it.
  case matches(Comparand, PatternSource, whole: Bool)
  /// The answer to one of the condition's questions about other steps, by its place.
  case neighbour(Int)
}

/// One side of a comparison: a value, or nothing at all.
indirect enum Comparand: Sendable {
  case literal(Value)
  case single(InnerQuery)
  case length(Comparand)
  case count(InnerQuery)
  case value(InnerQuery)
}

enum ComparisonOperator: String, Sendable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
}

/// A pattern that is written in the query, read once, or one that the value holds.
enum PatternSource: Sendable {
  case written(TextPattern)
  /// A text that is no pattern, and so matches nothing.
  case invalid
  case found(Comparand)
}
