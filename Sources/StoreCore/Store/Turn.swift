import Platform
import Synchronization

/// Lets one thread at a time into a store.
final class Turn: Sendable {
  private let lock = Lock()
  private let owner = Atomic<UInt>(0)

  /// Whether the thread that asks is inside.
  var isMine: Bool { owner.load(ordering: .relaxed) == ThreadID.current }

  func begin() {
    lock.lock()
    owner.store(ThreadID.current, ordering: .relaxed)
  }

  func end() {
    owner.store(0, ordering: .relaxed)
    lock.unlock()
  }
}
