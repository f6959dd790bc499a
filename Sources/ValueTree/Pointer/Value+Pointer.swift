extension Value {
  /// What lies at a place; nil when the pointer leads nowhere.
  public subscript(pointer: Pointer) -> Value? { try? resolve(pointer) }

  /// What lies at a place, or the first thing that is missing on the way.
  public func resolve(_ pointer: Pointer) throws(PointerError) -> Value {
    try resolve(pointer, in: nil)
  }

  /// The same where some arrays may lie in blocks.
  func resolve(_ pointer: Pointer, in arrays: LongArrays?) throws(PointerError) -> Value {
    var value = self
    for (depth, token) in pointer.tokens.enumerated() {
      let place = { Pointer(tokens: pointer.tokens.prefix(depth)) }
      switch value {
      case .object(let object):
        guard let member = object[token] else { throw .noMember(token, at: place()) }
        value = member
      case .array(let array):
        let long = arrays?[array]
        let count = long?.count ?? array.count
        guard let index = Pointer.index(token) else {
          guard token != "-" else { throw .noElement(count, at: place(), count: count) }
          throw .noIndex(token, at: place())
        }
        guard index < count else { throw .noElement(index, at: place(), count: count) }
        value = long?[index] ?? array[index]
      default: throw .noContainer(place(), kind: value.kindInWords)
      }
    }
    return value
  }

  /// What kind of value this is, in words for messages.
  var kindInWords: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
