/// A value that a query reads: a parsed one, or JSON text, read only as far as the query asks.
///
/// ``QueryRun`` answers questions about both; the compiler specialises it for each.
protocol QueryView {
  /// Whether it may turn out not to be JSON. Then one part of a condition has no answer, but another
  /// may decide.
  static var mayBeUnreadable: Bool { get }

  init(_ literal: QueryLiteral)
  init(count: Int)
  init(sum: Double)

  var kind: QueryKind { get throws(QueryRunError) }
  func member(_ name: String) throws(QueryRunError) -> Self?
  /// Below 0 it counts from the end.
  func element(_ index: Int) throws(QueryRunError) -> Self?
  /// Visits the members or elements until false, and returns the last answer.
  func eachChild(
    _ visit: (Int, Self) throws(QueryRunError) -> Bool
  ) throws(QueryRunError) -> Bool
  /// The place of a child in results.
  func step(to index: Int) -> QueryPlace.Step
  /// The number of characters, elements or members; nil for other kinds.
  var length: Int? { get throws(QueryRunError) }
  var number: Number { get throws(QueryRunError) }
  var string: String? { get throws(QueryRunError) }
  var value: Value { get throws(QueryRunError) }
  /// The order of two texts by code points.
  func order(toText other: Self) throws(QueryRunError) -> Ordering
  /// Whether a text contains another.
  func contains(_ text: String) throws(QueryRunError) -> Bool
}

enum QueryKind {
  case null, no, yes, number, string, array, object
}

/// A value that a query was written with, also as text.
final class QueryLiteral: Sendable {
  let value: Value
  let text: JSONText

  init(_ value: Value) {
    self.value = value
    text = JSONText(copying: value.bytes())
  }

  deinit { text.deallocate() }
}

extension Value: QueryView {
  static var mayBeUnreadable: Bool { false }

  init(_ literal: QueryLiteral) { self = literal.value }
  init(count: Int) { self = .number(Number(count)) }
  init(sum: Double) { self = .number(Number(sum)) }

  var kind: QueryKind {
    switch self {
    case .null: .null
    case .bool(let isTrue): isTrue ? .yes : .no
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  func member(_ name: String) -> Value? {
    if case .object(let object) = self { object[name] } else { nil }
  }

  func element(_ index: Int) -> Value? {
    guard case .array(let array) = self else { return nil }
    let place = index >= 0 ? index : array.count + index
    return array.indices.contains(place) ? array[place] : nil
  }

  func eachChild(
    _ visit: (Int, Value) throws(QueryRunError) -> Bool
  ) throws(QueryRunError) -> Bool {
    for index in 0..<childCount {
      let child = node?.read { _, elements in elements[index] } ?? .null
      guard try visit(index, child) else { return false }
    }
    return true
  }

  func step(to index: Int) -> QueryPlace.Step {
    if case .object(let object) = self { .member(object[index].key) } else { .element(index) }
  }

  var length: Int? {
    switch self {
    case .string(let text): text.unicodeScalars.count
    case .array, .object: childCount
    default: nil
    }
  }

  var number: Number { if case .number(let number) = self { number } else { .integer(0) } }
  var value: Value { self }

  func order(toText other: Value) -> Ordering {
    guard case (let left?, let right?) = (string, other.string) else { return .equal }
    return left.isExactly(right) ? .equal : left.precedes(right) ? .less : .greater
  }

  func contains(_ text: String) -> Bool { string?.contains(text) == true }
}
