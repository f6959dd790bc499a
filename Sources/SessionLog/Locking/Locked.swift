/// A value behind a lock.
///
/// `@unchecked Sendable`: the value is touched only inside `withLock`, while the lock is held.
package final class Locked<Value>: @unchecked Sendable {
  private var value: Value
  private let lock = ThreadLock()

  package init(_ value: sending Value) { self.value = value }

  package func withLock<Result, Failure: Error>(
    _ work: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try work(&value)
  }
}
