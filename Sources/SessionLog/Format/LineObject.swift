import ValueTree

/// The members of a line in the order in which they are written.
struct LineObject {
  var members: [ValueObject.Element] = []

  mutating func add(_ key: String, _ value: Value?) {
    if let value { members.append((key, value)) }
  }

  mutating func add(_ key: String, _ value: Int?) { add(key, value.map { .number(Number($0)) }) }
  mutating func add(_ key: String, _ value: String?) { add(key, value.map { .string($0) }) }
  mutating func add(_ key: String, _ value: Duration?) {
    add(key, value.map { .number(.digits($0.decimalSeconds)) })
  }

  mutating func add(_ key: String, onlyIf value: Bool) { if value { add(key, .bool(true)) } }

  var value: Value { .object(ValueObject(members)) }

  /// With its line end.
  var bytes: [UInt8] {
    var bytes = value.bytes()
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}
