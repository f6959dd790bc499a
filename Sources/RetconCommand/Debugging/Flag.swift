import Synchronization

/// Something that is up or down, for any thread.
final class Flag: Sendable {
  private let isUp = Atomic(false)

  /// Whether it was down before.
  func raise() -> Bool { !isUp.exchange(true, ordering: .acquiringAndReleasing) }

  /// Whether it was up before.
  func lower() -> Bool { isUp.exchange(false, ordering: .acquiringAndReleasing) }
}
