/// A shared value for who only reads it.
///
/// ```swift
/// @SharedReader(.inMemory("filter")) var filter = Filter.all
/// ```
@propertyWrapper
@dynamicMemberLookup
public struct SharedReader<Value: Sendable>: Sendable {
  private var shared: Shared<Value>

  /// Reads what is shared here.
  public init(_ shared: Shared<Value>) { self.shared = shared }

  /// Reads a value that nobody changes.
  public init(value: Value) { shared = Shared(value: value) }

  /// Reads the value of this key, or else this one.
  public init(wrappedValue: @autoclosure () -> Value, _ key: SharedKey<Value>) {
    shared = Shared(wrappedValue: wrappedValue(), key)
  }

  /// Reads the value of this key, which has a default.
  public init(_ key: SharedKey<Value>.Default) { shared = Shared(key) }

  /// The value.
  public var wrappedValue: Value { shared.wrappedValue }

  /// What is passed to features that read the value, too.
  public var projectedValue: SharedReader {
    get { self }
    set { self = newValue }
  }

  /// A stored property of the value.
  public subscript<Part: Sendable>(
    dynamicMember keyPath: WritableKeyPath<Value, Part>
  ) -> SharedReader<Part> {
    SharedReader<Part>(shared[dynamicMember: keyPath])
  }
}

extension SharedReader: Equatable where Value: Equatable {}
extension SharedReader: Hashable where Value: Hashable {}

extension SharedReader: Encodable where Value: Encodable {
  /// Encoded as the ``Shared`` that it reads.
  public func encode(to encoder: any Encoder) throws { try shared.encode(to: encoder) }
}

extension SharedReader: Decodable where Value: Decodable {
  /// Decoded as the ``Shared`` that it reads.
  public init(from decoder: any Decoder) throws { shared = try Shared(from: decoder) }
}

extension SharedReader: CustomReflectable {
  /// Shown as the value.
  public var customMirror: Mirror { shared.customMirror }
}
