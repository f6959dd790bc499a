/// One part of a query: from each value to its children, or to all values inside it.
enum QuerySegment: Sendable {
  case children([QuerySelector])
  case descendants([QuerySelector])

  var selectors: [QuerySelector] {
    switch self {
    case .children(let selectors), .descendants(let selectors): selectors
    }
  }

  var onlyChild: QuerySelector? {
    if case .children(let selectors) = self, selectors.count == 1 { selectors[0] } else { nil }
  }

  /// The way to at most one value.
  fileprivate var onlyStep: QuerySelector? {
    switch onlyChild {
    case .name?, .index?: onlyChild
    default: nil
    }
  }
}

enum QuerySelector: Sendable {
  case name(String)
  case wildcard
  case index(Int)
  case slice(QuerySlice)
  case filter(LogicalExpression)
}

/// `start:end:step`; missing ends depend on the direction.
struct QuerySlice: Sendable, Hashable {
  var start: Int?
  var end: Int?
  var step = 1

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

/// A class, because each use of a struct would count the references to all its arrays.
final class InnerQuery: Sendable {
  enum Origin: Sendable {
    /// `$`: the whole value.
    case root
    /// `@`: the filtered value.
    case current
  }

  let origin: Origin
  let segments: [QuerySegment]
  /// The steps of a singular query; nil if it can find more than one value.
  let single: [QuerySelector]?
  /// The names with which it begins.
  let names: [String]
  /// Whether it is a function alone, whose text says why a rule does not hold.
  var isRule: Bool { isCode && segments.count == 2 }
  /// Whether it begins with a function's name as conditions write it. Quoted names do not count.
  let isCode: Bool

  init(origin: Origin, segments: [QuerySegment], mayBeSingle: Bool = true, isCode: Bool = false) {
    self.isCode = isCode
    self.origin = origin
    self.segments = segments
    names = segments.names()
    let steps = segments.compactMap(\.onlyStep)
    single = mayBeSingle && steps.count == segments.count ? steps : nil
  }
}

indirect enum LogicalExpression: Sendable {
  case any([LogicalExpression])
  case all([LogicalExpression])
  case not(LogicalExpression)
  case exists(InnerQuery)
  /// Whether the query finds neither false nor null: a condition's path on its own.
  case isTrue(InnerQuery)
  case comparison(Comparand, ComparisonOperator, Comparand)
  case matches(Comparand, PatternSource, whole: Bool)
  case elements(ElementTest, InnerQuery)
  case neighbour(Int)
}

indirect enum Comparand: Sendable {
  case literal(QueryLiteral)
  case single(InnerQuery)
  case length(Comparand)
  case count(InnerQuery)
  case value(InnerQuery)
  case sum(InnerQuery)
}

/// A question of a condition about all values that a path finds.
enum ElementTest: String, Sendable { case unique, sorted }

enum ComparisonOperator: String, Sendable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="

  func holds(_ ordering: Ordering?) -> Bool {
    switch self {
    case .equal: ordering == .equal
    case .notEqual: ordering != .equal
    case .less: ordering == .less
    case .lessOrEqual: ordering == .less || ordering == .equal
    case .greater: ordering == .greater
    case .greaterOrEqual: ordering == .greater || ordering == .equal
    }
  }
}

/// A pattern from the query, parsed once, or one from the value.
enum PatternSource: Sendable {
  case written(TextPattern)
  case invalid
  case found(Comparand)
}
