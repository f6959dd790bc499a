import ValueTree

extension Value {
  package init(_ number: Int) { self = .number(Number(number)) }

  package static func list<Elements: Sequence>(
    _ elements: Elements, _ value: (Elements.Element) throws -> Value
  ) rethrows -> Value {
    .array(ValueArray(try elements.map(value)))
  }
}
