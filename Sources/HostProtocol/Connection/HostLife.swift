/// Whether a host is there.
package enum HostLife: Sendable, Hashable {
  /// Nobody has asked it anything.
  case unused
  /// It was not greeted yet, or has not got the session yet.
  case starting
  case ready(HostGreeting)
  /// The next request starts it again.
  case ended(HostFailure)
}

/// To know what effects ask, the recording is run once more beside a fork. A fork does not end because of a
/// step that is none of its own: the host is started again, and compares only what comes before.
extension HostConnection {
  /// Whether the next host compares less than this one, which ended of it.
  func comparesLess(than talk: HostTalk) -> Bool {
    guard let step = talk.endBeside else { return false }
    state.withLock { state in
      // Where another one has ended at another step, nothing is compared any more.
      state.endBeside = state.endBeside.map { step < $0 ? 1 : $0 } ?? step
    }
    return true
  }
}
