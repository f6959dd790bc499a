import Platform

// `Sharing`, which the library exports: a shared value is a reference, found by its key in the values of
// dependencies.

@_spi(References) public protocol Reference<Value>: AnyObject, CustomStringConvertible, Sendable {
  associatedtype Value

  var id: ObjectIdentifier { get }
  var wrappedValue: Value { get }
}

@_spi(References) public protocol MutableReference<Value>: Reference, Equatable {
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result
  func snapshot(in tracker: SharedChangeTracker) -> Value?
  func takeSnapshot(_ value: Value, in tracker: SharedChangeTracker)
}

extension MutableReference {
  @_spi(References) public func snapshot(in tracker: SharedChangeTracker) -> Value? {
    tracker[id] as? Value
  }

  @_spi(References) public func takeSnapshot(_ value: Value, in tracker: SharedChangeTracker) {
    tracker.take(value, of: self)
  }
}

final class _BoxReference<Value>: MutableReference, @unchecked Sendable {
  private let lock = Lock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  var id: ObjectIdentifier { ObjectIdentifier(self) }
  var wrappedValue: Value { lock.withLock { value } }
  var description: String { "value: \(String(reflecting: wrappedValue))" }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }

  static func == (left: _BoxReference, right: _BoxReference) -> Bool { left === right }
}

final class _PersistentReference<Key: SharedKey>: MutableReference, @unchecked Sendable {
  private let key: Key
  private let lock = Lock()
  private var value: Key.Value

  init(_ key: Key, _ initial: Key.Value) {
    (self.key, value) = (key, initial)
    key.load(
      context: .initialValue(initial),
      continuation: LoadContinuation { self.value = $0 ?? initial })
  }

  var id: ObjectIdentifier { ObjectIdentifier(self) }
  var wrappedValue: Key.Value { lock.withLock { value } }
  var description: String { String(reflecting: key) }

  func withLock<Result>(_ body: (inout Key.Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    defer { key.save(value, context: .didSet, continuation: SaveContinuation {}) }
    return try body(&value)
  }

  static func == (left: _PersistentReference, right: _PersistentReference) -> Bool {
    left === right
  }
}

final class _AppendKeyPathReference<Base: MutableReference, Value>: MutableReference,
  @unchecked Sendable
{
  private let base: Base
  private let keyPath: WritableKeyPath<Base.Value, Value>

  init(_ base: Base, _ keyPath: WritableKeyPath<Base.Value, Value>) {
    (self.base, self.keyPath) = (base, keyPath)
  }

  var id: ObjectIdentifier { base.id }
  var wrappedValue: Value { base.wrappedValue[keyPath: keyPath] }
  var description: String { "\(base)[dynamicMember: \(keyPath)]" }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try base.withLock { try body(&$0[keyPath: keyPath]) }
  }

  func snapshot(in tracker: SharedChangeTracker) -> Value? {
    base.snapshot(in: tracker)?[keyPath: keyPath]
  }

  func takeSnapshot(_ value: Value, in tracker: SharedChangeTracker) {
    var whole = base.snapshot(in: tracker) ?? base.wrappedValue
    whole[keyPath: keyPath] = value
    base.takeSnapshot(whole, in: tracker)
  }

  static func == (left: _AppendKeyPathReference, right: _AppendKeyPathReference) -> Bool {
    left.base == right.base && left.keyPath == right.keyPath
  }
}

/// Known as long as it has an owner.
struct WeakReference: @unchecked Sendable { weak var reference: AnyObject? }

public protocol SharedReaderKey<Value>: Sendable {
  associatedtype Value: Sendable
  associatedtype ID: Hashable = Self

  var id: ID { get }

  func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>)
  func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription
}

public protocol SharedKey<Value>: SharedReaderKey {
  func save(_ value: Value, context: SaveContext, continuation: SaveContinuation)
}

public enum LoadContext<Value> { case initialValue(Value), userInitiated }
public enum SaveContext: Sendable { case didSet, userInitiated }

public struct LoadContinuation<Value> {
  let resume: (Value?) -> Void

  public func resume(returning value: Value) { resume(value) }
  public func resumeReturningInitialValue() { resume(nil) }
}

public struct SaveContinuation {
  let done: () -> Void

  public func resume() { done() }
}

public struct SharedSubscriber<Value> {}

public struct SharedSubscription: Sendable {
  public init(_ cancel: @escaping @Sendable () -> Void) {}
}

@dynamicMemberLookup @propertyWrapper public struct Shared<Value> {
  final class Box: @unchecked Sendable {
    var reference: any MutableReference<Value>
    init(_ reference: any MutableReference<Value>) { self.reference = reference }
  }

  let box: Box

  @_spi(References) public var reference: any MutableReference<Value> { box.reference }

  init(_ reference: any MutableReference<Value>) { box = Box(reference) }

  public init(value: sending Value) { self.init(_BoxReference(value)) }

  public init(projectedValue: Self) { self = projectedValue }

  public init<Key: SharedKey<Value>>(wrappedValue: @autoclosure () -> Value, _ key: Key) {
    self.init(DependencyValues._current.cachedValues.reference(key, wrappedValue()))
  }

  public init?(_ base: Shared<Value?>) { nil }

  public var wrappedValue: Value {
    SharedChangeTracker.asserting.flatMap { reference.snapshot(in: $0) } ?? reference.wrappedValue
  }

  public var projectedValue: Self {
    get { self }
    nonmutating set { box.reference = newValue.reference }
  }

  public func withLock<Result>(_ operation: (inout Value) throws -> Result) rethrows -> Result {
    let reference = reference
    if let tracker = SharedChangeTracker.asserting {
      var snapshot = reference.snapshot(in: tracker) ?? reference.wrappedValue
      defer { reference.takeSnapshot(snapshot, in: tracker) }
      return try operation(&snapshot)
    }
    if let tracker = DependencyValues._current.sharedChanges {
      reference.takeSnapshot(reference.wrappedValue, in: tracker)
    }
    return try reference.withLock(operation)
  }

  public subscript<Member>(
    dynamicMember keyPath: WritableKeyPath<Value, Member>
  ) -> Shared<Member> {
    func open(_ base: some MutableReference<Value>) -> Shared<Member> {
      Shared<Member>(_AppendKeyPathReference(base, keyPath))
    }
    return open(reference)
  }
}

extension Shared: Sendable {}

extension Shared: Equatable where Value: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    func isSame(_ reference: some MutableReference<Value>) -> Bool {
      func isSame<Other: MutableReference<Value>>(_ other: Other) -> Bool {
        other == reference as? Other
      }
      return isSame(right.reference)
    }
    return SharedChangeTracker.asserting != nil && isSame(left.reference)
      ? left.wrappedValue == right.reference.wrappedValue
      : left.wrappedValue == right.wrappedValue
  }
}

/// `SharedChangeTracker.swift`: the values that a test expects, beside those that the reducer made. At
/// first it has the value before the reducer's last change.
@_spi(References) public final class SharedChangeTracker: Sendable {
  @TaskLocal static var asserting: SharedChangeTracker?

  private struct Snapshot: @unchecked Sendable {
    let reference: any Reference
    let value: Any
  }

  private let snapshots = Locked<[ObjectIdentifier: Snapshot]>([:])

  var hasChanges: Bool { snapshots.withLock { !$0.isEmpty } }

  subscript(id: ObjectIdentifier) -> Any? { snapshots.withLock { $0[id] }?.value }

  func take(_ value: Any, of reference: some Reference) {
    let snapshot = Snapshot(reference: reference, value: value)
    snapshots.withLock { $0[reference.id] = snapshot }
  }

  func reset() { snapshots.withLock { $0 = [:] } }
}

extension Shared: CustomReflectable {
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension CachedValues {
  func reference<Key: SharedKey>(_ key: Key, _ initial: Key.Value) -> _PersistentReference<Key> {
    let id = AnyHashable(key.id)
    if let known = references.withLock({ $0[id]?.reference as? _PersistentReference<Key> }) {
      return known
    }
    let new = _PersistentReference(key, initial)
    references.withLock { $0[id] = WeakReference(reference: new) }
    return new
  }
}

public struct InMemoryStorage: Hashable, Sendable {
  let values = Locked<[String: any Sendable]>([:])

  public init() {}

  public static func == (left: Self, right: Self) -> Bool { left.values === right.values }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(values)) }
}

extension DependencyValues {
  public var defaultInMemoryStorage: InMemoryStorage {
    get { value(cachedValues.inMemory, hasTestValue: true) }
    set { override(newValue) }
  }
}

extension SharedReaderKey {
  public static func inMemory<Value>(_ key: String) -> Self where Self == InMemoryKey<Value> {
    InMemoryKey(key: key, store: DependencyValues._current.defaultInMemoryStorage)
  }
}

public struct InMemoryKey<Value: Sendable>: SharedKey, CustomStringConvertible {
  public struct ID: Hashable {
    let key: String
    let store: InMemoryStorage
  }

  let key: String
  let store: InMemoryStorage

  public var id: ID { ID(key: key, store: store) }
  public var description: String { ".inMemory(\(String(reflecting: key)))" }

  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    guard case .initialValue(let initial) = context else {
      return continuation.resumeReturningInitialValue()
    }
    continuation.resume(
      returning: store.values.withLock { values in
        if let known = values[key] as? Value { return known }
        values[key] = initial
        return initial
      })
  }

  public func subscribe(
    context _: LoadContext<Value>, subscriber _: SharedSubscriber<Value>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  public func save(_ value: Value, context _: SaveContext, continuation: SaveContinuation) {
    store.values.withLock { $0[key] = value }
    continuation.resume()
  }
}
