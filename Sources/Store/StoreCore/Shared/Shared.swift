import Platform
import Synchronization

/// A value that several features share.
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
/// It belongs to the store: two stores share nothing, a copy of the state copies its shared values,
/// and only reducers change them. After a step, all holders in the state have the same value; so it
/// is compared, recorded, replayed and tested like other state. It lives as long as the state holds
/// it; a value in a file is in the file.
@propertyWrapper
@dynamicMemberLookup
public struct Shared<Value: Sendable>: Sendable {
  /// A value, and how often it was changed.
  struct Known: Sendable {
    var value: Value
    var version = 0
  }

  var sharedID: SharedID
  /// The value at the end of the last step. While a reducer runs, the store has a newer one.
  private var settled: Known
  /// Changes by ``withLock(_:)`` before a store has the value. Copies have them, too. Nil in stores.
  private var draft: Locked<Known?>?

  init(id: SharedID, copy: Value, isPart: Bool = false) {
    sharedID = id
    settled = Known(value: copy)
    if !isPart, SharedValues.current({ _ in }) == nil { draft = Locked(nil) }
    if !SharedPlaces.isNeeded.load(ordering: .relaxed) {
      SharedPlaces.isNeeded.store(true, ordering: .relaxed)
    }
  }

  /// Creates a value for the features that get it: `Child.State(count: Shared(value: 0))`.
  public init(value: Value) {
    self.init(id: SharedID(name: SharedValues.newName()), copy: value)
    let id = sharedID
    SharedValues.current { $0.enter(id, value) }
  }

  /// Uses the key's value: the shared one, the one in its file, or else this one.
  public init(wrappedValue: @autoclosure () -> Value, _ key: SharedKey<Value>) {
    self = key.shared(orElse: wrappedValue)
  }

  /// Uses the key's value. The property's value has priority over the key's default.
  public init(wrappedValue: @autoclosure () -> Value, _ key: SharedKey<Value>.Default) {
    self.init(wrappedValue: wrappedValue(), key.key)
  }

  /// Uses the key's value or its default.
  public init(_ key: SharedKey<Value>.Default) {
    self.init(wrappedValue: key.value(), key.key)
  }

  /// Uses the key's value, or nil.
  public init<Wrapped>(_ key: SharedKey<Value>) where Value == Wrapped? {
    self.init(wrappedValue: nil, key)
  }

  /// Shares another one's value.
  public init(projectedValue: Shared) { self = projectedValue }

  /// The value. Only reducers and test expectations set it.
  public var wrappedValue: Value {
    get { (SharedValues.current { $0.value(of: sharedID, as: Value.self) } ?? nil) ?? known.value }
    set {
      known = Known(value: newValue, version: known.version + 1)
      SharedValues.current { $0.set(newValue, of: sharedID) }
    }
  }

  /// The value of this copy.
  var known: Known {
    get { draft?.withLock { $0 } ?? settled }
    set {
      settled = newValue
      if draft != nil { draft = Locked(nil) }
    }
  }

  var hasDraft: Bool { draft != nil }

  /// Leaves all further changes to the store.
  mutating func settle(as known: Known) {
    settled = known
    draft = nil
  }

  /// The reference to pass to other features.
  public var projectedValue: Shared {
    get { self }
    set { self = newValue }
  }

  /// Changes the value: in a reducer, in a test expectation, or before a store has the value. Elsewhere
  /// it changes nothing and reports an issue.
  public func withLock<Result>(
    _ change: (inout Value) throws -> Result
  ) rethrows -> Result {
    var value = wrappedValue
    defer { replace(by: value) }
    return try change(&value)
  }

  private func replace(by value: Value) {
    if SharedValues.current({ $0.set(value, of: sharedID) }) != nil { return }
    guard let draft else {
      return reportIssue(
        """
        The shared value \(sharedID.alone) was not changed, because no reducer runs here. Send an \
        action, and change it in the reducer.
        """)
    }
    draft.withLock { $0 = Known(value: value, version: ($0 ?? settled).version + 1) }
  }

  /// A stored property of the value, shared by itself: `state.$settings.name`. A computed
  /// property's result is not shared, and is an issue.
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
    return Shared<Part>(id: sharedID.part(path), copy: part, isPart: true)
  }

  /// The element with this id, shared by itself: `Shared(state.$items[id: id])`; nil if missing.
  public subscript<Element: Identifiable & Sendable>(
    id elementID: Element.ID
  ) -> Shared<Element>? where Value == IdentifiedArray<Element> {
    wrappedValue[id: elementID].map {
      Shared<Element>(id: sharedID.part(["[\(elementID)]"]), copy: $0, isPart: true)
    }
  }
}

extension Shared {
  /// Unwraps a shared optional.
  public init?(_ found: Shared?) {
    guard let found else { return nil }
    self = found
  }
}

extension Shared: Equatable where Value: Equatable {
  /// Compares the values.
  public static func == (left: Shared, right: Shared) -> Bool {
    left.wrappedValue == right.wrappedValue
  }
}

extension Shared: Hashable where Value: Hashable {
  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension Shared: Identifiable where Value: Identifiable {
  /// The value's id, so that a list can hold shared elements.
  public var id: Value.ID { wrappedValue.id }
}

private enum SharedField: String, CodingKey { case value, shared, part }

/// Encodes as the value and its shared name: `{"value":3,"shared":"count"}`.
extension Shared: Encodable where Value: Encodable {
  /// Encodes the value and its name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: SharedField.self)
    try container.encode(wrappedValue, forKey: .value)
    try container.encode(sharedID.name, forKey: .shared)
    if !sharedID.part.isEmpty { try container.encode(sharedID.part, forKey: .part) }
  }
}

extension Shared: Decodable where Value: Decodable {
  /// Decodes a copy; a store that starts with it shares it again.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SharedField.self)
    let id = SharedID(
      name: try container.decode(String.self, forKey: .shared),
      part: try container.decodeIfPresent([String].self, forKey: .part) ?? [])
    self.init(id: id, copy: try container.decode(Value.self, forKey: .value))
  }
}

extension Shared: CustomReflectable {
  /// The value's mirror.
  public var customMirror: Mirror { Mirror(reflecting: Optional.some(wrappedValue) as Any) }
}

/// A read-only shared value.
///
/// ```swift
/// @SharedReader(.inMemory("filter")) var filter = Filter.all
/// ```
@propertyWrapper
@dynamicMemberLookup
public struct SharedReader<Value: Sendable>: Sendable {
  private var shared: Shared<Value>

  /// Reads this shared value.
  public init(_ shared: Shared<Value>) { self.shared = shared }

  /// Reads a constant value.
  public init(value: Value) { shared = Shared(value: value) }

  /// Reads the key's value, or else this one.
  public init(wrappedValue: @autoclosure () -> Value, _ key: SharedKey<Value>) {
    shared = Shared(wrappedValue: wrappedValue(), key)
  }

  /// Reads the key's value or its default.
  public init(_ key: SharedKey<Value>.Default) { shared = Shared(key) }

  /// The value.
  public var wrappedValue: Value { shared.wrappedValue }

  /// The reader to pass to other features.
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
  /// Encodes the ``Shared`` that it reads.
  public func encode(to encoder: any Encoder) throws { try shared.encode(to: encoder) }
}

extension SharedReader: Decodable where Value: Decodable {
  /// Decodes the ``Shared`` that it reads.
  public init(from decoder: any Decoder) throws { shared = try Shared(from: decoder) }
}

extension SharedReader: CustomReflectable {
  /// The value's mirror.
  public var customMirror: Mirror { shared.customMirror }
}
