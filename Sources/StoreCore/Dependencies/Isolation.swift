import Platform

/// A value behind a lock, for tests whose dependencies note how they were called.
///
/// ```swift
/// let saved = LockIsolated<[String]>([])
/// let save: @Sendable (String) -> Void = { text in saved.withValue { $0.append(text) } }
/// save("milk")
/// print(saved.value)
/// ```
@dynamicMemberLookup
public final class LockIsolated<Value: Sendable>: Sendable {
  private let locked: Locked<Value>

  /// Holds this value at first.
  public init(_ value: Value) { locked = Locked(value) }

  /// The value as it is now.
  public var value: Value { locked.withLock { $0 } }

  /// Changes the value; nobody else reads or changes it meanwhile.
  public func withValue<Result: Sendable>(
    _ change: (inout Value) throws -> Result
  ) rethrows -> Result {
    try locked.withLock { try change(&$0) }
  }

  /// Replaces the value.
  public func setValue(_ value: Value) { locked.withLock { $0 = value } }

  /// A part of the value as it is now.
  public subscript<Part>(dynamicMember keyPath: KeyPath<Value, Part>) -> Part {
    value[keyPath: keyPath]
  }
}

/// A value that the compiler takes for safe to share because you say so.
///
/// `@unchecked Sendable`: whoever makes one promises that no two threads use the value at once.
@propertyWrapper
public struct UncheckedSendable<Value>: @unchecked Sendable {
  /// The value.
  public var value: Value

  /// Wraps a value of which you know that it is safe to share.
  public init(_ value: Value) { self.value = value }

  /// Wraps a value of which you know that it is safe to share.
  public init(wrappedValue: Value) { value = wrappedValue }

  /// The value.
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }
}
