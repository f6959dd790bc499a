/// A value as a key in a table: the same key exactly when both values print the same, but for the order
/// of members.
struct ContentKey: Hashable {
  var value: Value
  private var digest: Int

  init(_ value: Value) {
    self.value = value
    var hasher = Hasher()
    Self.combine(value, into: &hasher, depth: 0)
    digest = hasher.finalize()
  }

  static func == (left: Self, right: Self) -> Bool {
    left.digest == right.digest && left.value.isExactlyEqual(to: right.value)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(digest) }

  /// Deeper parts do not count towards the digest, only towards equality.
  private static let depthLimit = 64

  private static func combine(_ value: Value, into hasher: inout Hasher, depth: Int) {
    switch value {
    case .null: hasher.combine(0 as UInt8)
    case .bool(let value): hasher.combine(value ? 1 as UInt8 : 2)
    case .number(let number):
      hasher.combine(3 as UInt8)
      switch number {
      case .integer(let value): hasher.combine(value)
      case .unsigned(let value): hasher.combine(value)
      case .double(let value): hasher.combine(value.bitPattern)
      case .digits(let text): text.hashExactly(into: &hasher)
      }
    case .string(let text):
      hasher.combine(4 as UInt8)
      text.hashExactly(into: &hasher)
    case .array(let array):
      hasher.combine(5 as UInt8)
      hasher.combine(array.count)
      guard depth < depthLimit else { return }
      for element in array { combine(element, into: &hasher, depth: depth + 1) }
    case .object(let object):
      hasher.combine(6 as UInt8)
      hasher.combine(object.count)
      guard depth < depthLimit else { return }
      var sum = 0
      for (key, member) in object {
        var inner = Hasher()
        key.hashExactly(into: &inner)
        combine(member, into: &inner, depth: depth + 1)
        sum &+= inner.finalize()
      }
      hasher.combine(sum)
    }
  }
}
