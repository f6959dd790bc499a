import ValueTree

/// Reads an object from another program: ignores unknown members, and reports missing or wrong ones
/// with their place.
package struct ValueFields {
  let value: Value
  let place: String

  package init(_ value: Value, at place: String) throws(ValueFieldError) {
    guard case .object = value else {
      throw ValueFieldError(place: place, expected: "an object")
    }
    self.value = value
    self.place = place
  }

  package func wrong(_ key: String, _ expected: String) -> ValueFieldError {
    ValueFieldError(place: "\(place).\(key)", expected: expected)
  }

  package func unknown(_ key: String, _ word: String) -> ValueFieldError {
    wrong(key, "a known word, not \"\(word)\"")
  }

  package func value(_ key: String) throws(ValueFieldError) -> Value {
    guard let member = value[key] else { throw wrong(key, "a value") }
    return member
  }

  package func value<Member>(
    _ key: String, _ read: (Value, String) throws(ValueFieldError) -> Member
  ) throws(ValueFieldError) -> Member {
    try read(try value(key), "\(place).\(key)")
  }

  /// The same; nil if absent or null.
  package func optional<Member>(
    _ key: String, _ read: (Value, String) throws(ValueFieldError) -> Member
  ) throws(ValueFieldError) -> Member? {
    optional(key) == nil ? nil : try value(key, read)
  }

  /// Nil only if absent: null is a value.
  package func member(_ key: String) -> Value? { value[key] }

  package func others(than keys: Set<String>) -> ValueObject {
    guard case .object(let object) = value else { return [:] }
    return ValueObject(object.filter { !keys.contains($0.key) })
  }

  /// Nil if absent or null.
  package func optional(_ key: String) -> Value? {
    guard let member = value[key], member != .null else { return nil }
    return member
  }

  package func string(_ key: String) throws(ValueFieldError) -> String {
    guard let text = try value(key).string else { throw wrong(key, "a string") }
    return text
  }

  package func pointer(_ key: String) throws(ValueFieldError) -> Pointer {
    guard let pointer = try? Pointer(try string(key)) else { throw wrong(key, "a JSON Pointer") }
    return pointer
  }

  package func int(_ key: String) throws(ValueFieldError) -> Int {
    guard let number = ValueFields.int(try value(key)) else { throw wrong(key, "a whole number") }
    return number
  }

  package func optionalInt(_ key: String) throws(ValueFieldError) -> Int? {
    optional(key) == nil ? nil : try int(key)
  }

  package func number(_ key: String) throws(ValueFieldError) -> Int {
    let number = try int(key)
    guard number >= 0 else { throw wrong(key, "a number from 0 on") }
    return number
  }

  package func optionalNumber(_ key: String) throws(ValueFieldError) -> Int? {
    optional(key) == nil ? nil : try number(key)
  }

  package func optionalString(_ key: String) throws(ValueFieldError) -> String? {
    optional(key) == nil ? nil : try string(key)
  }

  package func bool(_ key: String) -> Bool { value[key] == .bool(true) }

  package func part<Part: LineCoded>(
    _ key: String, as _: Part.Type = Part.self
  ) throws(ValueFieldError) -> Part {
    try value(key, Part.init)
  }

  package func optionalPart<Part: LineCoded>(
    _ key: String, as _: Part.Type = Part.self
  ) throws(ValueFieldError) -> Part? {
    try optional(key, Part.init)
  }

  /// The elements of an array, each read by `read`; none if absent.
  package func list<Element>(
    _ key: String, _ read: (Value, String) throws(ValueFieldError) -> Element
  ) throws(ValueFieldError) -> [Element] {
    guard let member = optional(key) else { return [] }
    guard case .array(let array) = member else { throw wrong(key, "an array") }
    var elements: [Element] = []
    for (index, element) in array.enumerated() {
      elements.append(try read(element, "\(place).\(key)[\(index)]"))
    }
    return elements
  }

  package func list<Element: LineCoded>(_ key: String) throws(ValueFieldError) -> [Element] {
    try list(key, Element.init)
  }

  package func effects(_ key: String) throws(ValueFieldError) -> [EffectID] {
    try list(key) { (value, place) throws(ValueFieldError) -> EffectID in
      guard let number = ValueFields.number(value) else {
        throw ValueFieldError(place: place, expected: "the number of an effect")
      }
      return EffectID(number)
    }
  }

  /// The elements of an array; nil if absent.
  package func optionalValues(_ key: String) throws(ValueFieldError) -> [Value]? {
    guard optional(key) != nil else { return nil }
    return try list(key) { value, _ in value }
  }

  package func strings(_ key: String) throws(ValueFieldError) -> [String] {
    try list(key) { (value, place) throws(ValueFieldError) -> String in
      guard let text = value.string else {
        throw ValueFieldError(place: place, expected: "a string")
      }
      return text
    }
  }

  package func word<Word: RawRepresentable<String>>(
    _ key: String, as _: Word.Type = Word.self
  ) throws(ValueFieldError) -> Word {
    let text = try string(key)
    guard let word = Word(rawValue: text) else { throw unknown(key, text) }
    return word
  }

  /// Decimal seconds; nil if absent.
  package func duration(_ key: String) throws(ValueFieldError) -> Duration? {
    let time = time(key)
    guard time != nil || optional(key) == nil else { throw wrong(key, "seconds") }
    return time
  }

  /// The same; nil also if invalid.
  package func time(_ key: String) -> Duration? { Duration(decimalSeconds: value[key]) }

  /// Nil beyond 17 digits, so that sums cannot overflow. Accepts `1.0`, which some languages write.
  package static func int(_ value: Value) -> Int? {
    guard case .number(let number) = value else { return nil }
    switch number {
    case .integer(let integer):
      return integer.magnitude <= UInt64(largest) ? Int(integer) : nil
    case .double, .digits:
      let double = number.doubleValue
      return double.magnitude < 0x1p53 ? Int(exactly: double) : nil
    case .unsigned: return nil
    }
  }

  package static func number(_ value: Value) -> Int? {
    int(value).flatMap { $0 < 0 ? nil : $0 }
  }

  package static let largest = 99_999_999_999_999_999
}

package struct ValueFieldError: Error, Hashable, CustomStringConvertible {
  package var place: String
  package var expected: String

  package init(place: String, expected: String) {
    self.place = place
    self.expected = expected
  }

  package var description: String { "\(place): expected \(expected)" }
}
