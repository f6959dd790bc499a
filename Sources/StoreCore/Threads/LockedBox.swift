/// A value that several threads share.
///
/// `@unchecked Sendable`: the value is only touched while the lock is held.
package final class LockedBox<Value>: @unchecked Sendable {
  private let lock = Lock()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  package func withValue<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&value) }
  }
}
