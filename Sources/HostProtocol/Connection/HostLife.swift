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

/// What has ended hosts that ran it for another branch's sake.
struct KnownEnds: Sendable {
  /// The step of the session, which was run beside a fork.
  var beside: Int?
  /// The steps of branches that others leave.
  var parents: [BranchPath: Int] = [:]
}

/// To know what effects ask, the recording is run once more beside a fork. A fork does not end because of a
/// step that is none of its own: the host is started again, and compares only what comes before.
extension HostConnection {
  /// Whether the next host compares less than this one, which ended of it.
  func comparesLess(than talk: HostTalk) -> Bool {
    guard let step = talk.endBeside else { return false }
    state.withLock { state in
      // Where another one has ended at another step, nothing is compared any more.
      state.ends.beside = state.ends.beside.map { step < $0 ? 1 : $0 } ?? step
    }
    return true
  }
}

/// Nor does it end because of a step of the branch that it leaves: that one ends there, and what the fork
/// itself makes of the step is seen.
extension HostConnection {
  /// Whether the next host knows of a step that this one has ended in.
  func stopsEarlier(than talk: HostTalk, _ ask: HostRequest.Ask) -> Bool {
    guard let end = talk.endOfParent, let path = ask.branch, end.depth < path.branches.count else {
      return false
    }
    let parent = BranchPath(Array(path.branches.prefix(end.depth)))
    return state.withLock { state in
      guard state.ends.parents[parent] == nil else { return false }
      state.ends.parents[parent] = end.step
      return true
    }
  }

  /// The same, with what is known of the branches that its own one leaves.
  func knowingEnds(of ask: HostRequest.Ask) -> HostRequest.Ask {
    let ends = state.withLock { $0.ends.parents }
    guard !ends.isEmpty, let path = ask.branch else { return ask }
    var known = path
    for depth in 1..<max(1, path.branches.count) {
      known.branches[depth - 1].endsAt = ends[BranchPath(Array(path.branches.prefix(depth)))]
    }
    var ask = ask
    ask.branch = known
    return ask
  }
}
