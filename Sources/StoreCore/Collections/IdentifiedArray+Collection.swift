/// `@unchecked`: the keys are only changed while this value alone holds them.
extension IdentifiedArray: @unchecked Sendable where Element: Sendable, ID: Sendable {}

extension IdentifiedArray: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { elements.count }
  /// The element at an index from 0; one outside is an error of the program.
  public subscript(index: Int) -> Element { elements[index] }
}

extension IdentifiedArray: ExpressibleByArrayLiteral {
  /// Of several elements with one id, the first stays.
  public init(arrayLiteral elements: Element...) { self.init(uniqueElements: elements) }
}

extension IdentifiedArray: Equatable where Element: Equatable {
  /// The same elements in the same order.
  public static func == (left: Self, right: Self) -> Bool { left.elements == right.elements }
}

extension IdentifiedArray: Hashable where Element: Hashable {
  /// Fits the equality: elements in order.
  public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

extension IdentifiedArray: Encodable where Element: Encodable {
  /// Encoded as an array of the elements.
  public func encode(to encoder: any Encoder) throws { try elements.encode(to: encoder) }
}

extension IdentifiedArray: Decodable where Element: Decodable {
  /// Decoded from an array of the elements.
  public init(from decoder: any Decoder) throws {
    self.init(uniqueElements: try [Element](from: decoder))
  }
}

extension IdentifiedArray: CustomReflectable {
  /// Shown as the array of its elements.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: elements, displayStyle: .collection)
  }
}
