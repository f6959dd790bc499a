/// The elements of a JSON array. Copies share their storage.
public struct ValueArray: Sendable, Hashable, RandomAccessCollection, ExpressibleByArrayLiteral {
  var elements: [Value]

  public init(_ elements: some Sequence<Value>) { self.elements = Array(elements) }
  public init(arrayLiteral elements: Value...) { self.elements = elements }

  public var startIndex: Int { 0 }
  public var endIndex: Int { elements.count }
  public subscript(position: Int) -> Value { elements[position] }

  /// Whether both have the same storage: equal without looking at the elements.
  public func isIdentical(to other: ValueArray) -> Bool {
    elements.withUnsafeBufferPointer { mine in
      other.elements.withUnsafeBufferPointer {
        mine.baseAddress == $0.baseAddress && mine.count == $0.count
      }
    }
  }
}
