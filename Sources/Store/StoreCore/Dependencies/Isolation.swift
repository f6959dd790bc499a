import Platform

/// A value behind a lock, for tests that record how dependencies are called.
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

  /// Creates a locked value.
  public init(_ value: Value) { locked = Locked(value) }

  /// The current value.
  public var value: Value { locked.withLock { $0 } }

  /// Changes the value; others wait.
  public func withValue<Result: Sendable>(
    _ change: (inout Value) throws -> Result
  ) rethrows -> Result {
    try locked.withLock { try change(&$0) }
  }

  /// Replaces the value.
  public func setValue(_ value: Value) { locked.withLock { $0 = value } }

  /// A part of the current value.
  public subscript<Part>(dynamicMember keyPath: KeyPath<Value, Part>) -> Part {
    value[keyPath: keyPath]
  }
}

/// A value that you declare safe to share.
///
/// `@unchecked Sendable`: the creator promises that no two threads use the value at once.
@propertyWrapper
public struct UncheckedSendable<Value>: @unchecked Sendable {
  /// The value.
  public var value: Value

  /// Wraps a value that is safe to share.
  public init(_ value: Value) { self.value = value }

  /// Wraps a value that is safe to share.
  public init(wrappedValue: Value) { value = wrappedValue }

  /// The value.
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }
}
