import Platform
import Synchronization

/// The process groups of running hosts: none survives this process.
package enum HostProcessGroups {
  private static let count = 64
  /// Read in a signal handler, so made before one is set, and never freed.
  nonisolated(unsafe) private static let slots = {
    let slots = UnsafeMutablePointer<Atomic<Int32>>.allocate(capacity: count)
    for index in 0..<count { (slots + index).initialize(to: Atomic(0)) }
    return slots
  }()
  private static let isWatched = Atomic(false)

  /// Ends all hosts when this process ends by `exit` or a catchable signal. A later handler must
  /// pass the signal on.
  package static func endWithThisProcess() {
    guard !isWatched.exchange(true, ordering: .acquiringAndReleasing) else { return }
    _ = slots
    atexit { HostProcessGroups.killAll() }
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      var old = sigaction()
      guard sigaction(signal, nil, &old) == 0, old.isDefault else { continue }
      var action = sigaction()
      action.handle { signal in
        HostProcessGroups.killAll()
        Platform.signal(signal, SIG_DFL)
        raise(signal)
      }
      sigaction(signal, &action, nil)
    }
  }

  static func add(_ group: pid_t) {
    EndWatcher.tell(.end(group))
    for index in 0..<count
    where slots[index].compareExchange(expected: 0, desired: group, ordering: .relaxed).exchanged {
      return
    }
  }

  static func remove(_ group: pid_t) {
    EndWatcher.tell(.spare(group))
    for index in 0..<count {
      _ = slots[index].compareExchange(expected: group, desired: 0, ordering: .relaxed)
    }
  }

  private static func killAll() {
    for index in 0..<count {
      let group = slots[index].load(ordering: .relaxed)
      if group > 0 { _ = kill(-group, SIGKILL) }
    }
  }
}

extension sigaction {
  #if os(macOS)
    fileprivate var isDefault: Bool { __sigaction_u.__sa_handler == nil }
    fileprivate mutating func handle(_ handler: @escaping @convention(c) (Int32) -> Void) {
      __sigaction_u.__sa_handler = handler
    }
  #else
    fileprivate var isDefault: Bool {
      unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == 0
    }
    fileprivate mutating func handle(_ handler: @escaping @convention(c) (Int32) -> Void) {
      __sigaction_handler.sa_handler = handler
    }
  #endif
}
