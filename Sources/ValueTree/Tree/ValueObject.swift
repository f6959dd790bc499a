/// The members of a JSON object, in the order they were written. Copies share their storage.
public struct ValueObject: Sendable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
  public typealias Element = (key: String, value: Value)
  var members: [Element]

  /// The last value wins where a key comes twice; it keeps the place of the first.
  public init(_ members: some Sequence<Element>) {
    self.members = []
    for member in members { self[member.key] = member.value }
  }

  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(elements.map { (key: $0.0, value: $0.1) })
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { members.count }
  public subscript(position: Int) -> Element { members[position] }
  public var keys: [String] { members.map(\.key) }

  /// Setting an absent key adds it at the end; setting nil removes it.
  public subscript(key: String) -> Value? {
    get { members.first { $0.key == key }?.value }
    set {
      let index = members.firstIndex { $0.key == key }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append((key, value))
      case (nil, nil): break
      }
    }
  }

  /// Whether both have the same storage: equal without looking at the members.
  public func isIdentical(to other: ValueObject) -> Bool {
    members.withUnsafeBufferPointer { mine in
      other.members.withUnsafeBufferPointer {
        mine.baseAddress == $0.baseAddress && mine.count == $0.count
      }
    }
  }
}

extension ValueObject: Hashable {
  /// Equal members in any order.
  public static func == (left: Self, right: Self) -> Bool {
    left.count == right.count && left.allSatisfy { right[$0.key] == $0.value }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    var sum = 0
    for member in members {
      var inner = Hasher()
      inner.combine(member.key)
      inner.combine(member.value)
      sum &+= inner.finalize()
    }
    hasher.combine(sum)
  }
}
