/// A value that several features hold and that is the same for all of them.
///
/// ```swift
/// struct State: Equatable {
///   @Shared var count: Int                                  // given by the parent
///   @Shared(.inMemory("filter")) var filter = Filter.all    // by name, in the whole store
///   @Shared(.fileStorage(.settings)) var settings = Settings()
/// }
///
/// state.child = Child.State(count: state.$count)
/// state.$count.withLock { $0 += 1 }
/// state.editor = Editor.State(name: state.$settings.name)   // a part of it
/// ```
///
/// It belongs to the store: two stores share nothing, a copy of the state is a copy of its shared
/// values, and a reducer alone changes them. When a step is over, everything in the state that shares a
/// value holds the same one; so it is compared, recorded, run again and tested like other state. A
/// value lives as long as something in the state holds it; one in a file is in the file.
@propertyWrapper
@dynamicMemberLookup
public struct Shared<Value: Sendable>: Sendable {
  var sharedID: SharedID
  /// As it was when the last step ended. While a reducer runs, the store knows better.
  var copy: Value
  /// How often it was changed, as far as this copy knows.
  var version = 0

  init(id: SharedID, copy: Value) {
    sharedID = id
    self.copy = copy
    if !SharedPlaces.isNeeded.load(ordering: .relaxed) {
      SharedPlaces.isNeeded.store(true, ordering: .relaxed)
    }
  }

  /// A value that the features share to which it is given: `Child.State(count: Shared(value: 0))`.
  public init(value: Value) {
    self.init(id: SharedID(name: SharedValues.newName()), copy: value)
    let id = sharedID
    SharedValues.current { $0.enter(id, value) }
  }

  /// The value of this key: the one that is shared already, or is in its file, or else this one.
  public init(wrappedValue: @autoclosure () -> Value, _ key: SharedKey<Value>) {
    self = key.shared(orElse: wrappedValue)
  }

  /// The value of this key. What stands at the property counts before the key's own default.
  public init(wrappedValue: @autoclosure () -> Value, _ key: SharedKey<Value>.Default) {
    self.init(wrappedValue: wrappedValue(), key.key)
  }

  /// The value of this key, which has a default.
  public init(_ key: SharedKey<Value>.Default) {
    self.init(wrappedValue: key.value(), key.key)
  }

  /// The value of this key, or nil.
  public init<Wrapped>(_ key: SharedKey<Value>) where Value == Wrapped? {
    self.init(wrappedValue: nil, key)
  }

  /// Shares what another shares.
  public init(projectedValue: Shared) { self = projectedValue }

  /// The value. Setting it is for reducers, and for what a test expects.
  public var wrappedValue: Value {
    get { (SharedValues.current { $0.value(of: sharedID, as: Value.self) } ?? nil) ?? copy }
    set {
      copy = newValue
      version += 1
      SharedValues.current { $0.set(newValue, of: sharedID) }
    }
  }

  /// What is passed to features that share the value.
  public var projectedValue: Shared {
    get { self }
    set { self = newValue }
  }

  /// Changes the value.
  public mutating func withLock<Result>(
    _ change: (inout Value) throws -> Result
  ) rethrows -> Result {
    var value = wrappedValue
    defer { wrappedValue = value }
    return try change(&value)
  }

  /// A stored property of the value, shared by itself: `state.$settings.name`. Of a computed one, what
  /// comes back shares nothing, and is an issue.
  public subscript<Part: Sendable>(
    dynamicMember keyPath: WritableKeyPath<Value, Part>
  ) -> Shared<Part> {
    let part = wrappedValue[keyPath: keyPath]
    guard
      let path = MemoryLayout<Value>.offset(of: keyPath).flatMap({
        SharedPart.names(of: Part.self, at: $0, in: Value.self)
      })
    else {
      reportIssue("\(keyPath) is no stored property: it cannot be shared by itself.")
      return Shared<Part>(value: part)
    }
    return Shared<Part>(id: sharedID.part(path), copy: part)
  }

  /// The element with this id, shared by itself: `Shared(state.$items[id: id])`; nil where there is
  /// none.
  public subscript<Element: Identifiable & Sendable>(
    id elementID: Element.ID
  ) -> Shared<Element>? where Value == IdentifiedArray<Element> {
    wrappedValue[id: elementID].map {
      Shared<Element>(id: sharedID.part(["[\(elementID)]"]), copy: $0)
    }
  }
}

extension Shared {
  /// What is there, shared by itself.
  public init?(_ found: Shared?) {
    guard let found else { return nil }
    self = found
  }
}

extension Shared: Equatable where Value: Equatable {
  /// By the values; who shares them does not matter.
  public static func == (left: Shared, right: Shared) -> Bool {
    left.wrappedValue == right.wrappedValue
  }
}

extension Shared: Hashable where Value: Hashable {
  /// Fits the equality: the value counts.
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension Shared: Identifiable where Value: Identifiable {
  /// The id of the value, so that a list can hold shared elements.
  public var id: Value.ID { wrappedValue.id }
}

private enum SharedField: String, CodingKey { case value, shared, part }

/// Encoded as the value, and the name under which it is shared: `{"value":3,"shared":"count"}`.
extension Shared: Encodable where Value: Encodable {
  /// Throws what the value throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: SharedField.self)
    try container.encode(wrappedValue, forKey: .value)
    try container.encode(sharedID.name, forKey: .shared)
    if !sharedID.part.isEmpty { try container.encode(sharedID.part, forKey: .part) }
  }
}

extension Shared: Decodable where Value: Decodable {
  /// Holds the decoded value as a copy; a store that starts with it shares it again.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SharedField.self)
    let id = SharedID(
      name: try container.decode(String.self, forKey: .shared),
      part: try container.decodeIfPresent([String].self, forKey: .part) ?? [])
    self.init(id: id, copy: try container.decode(Value.self, forKey: .value))
  }
}

/// Reflected as the value, so that it reads like any other state.
extension Shared: CustomReflectable {
  /// Shown as the value.
  public var customMirror: Mirror { Mirror(reflecting: Optional.some(wrappedValue) as Any) }
}

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
