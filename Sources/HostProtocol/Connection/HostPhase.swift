package enum HostPhase: Sendable, Hashable {
  case unused
  case starting
  case ready(HostGreeting)
  case ended(HostFailure)
}

struct KnownEnds: Sendable {
  var beside: Int?
  var parents: [BranchPath: Int] = [:]
}

/// The recording runs beside a fork, to compare effects. A crash there must not end the fork: the
/// host starts again and compares only earlier steps.
extension HostConnection {
  /// Whether the next host compares less, because this one crashed in the comparison.
  func comparesLess(than channel: HostChannel) -> Bool {
    guard let step = channel.endBeside else { return false }
    state.withLock { state in
      // After a second crash at another step, nothing is compared.
      state.ends.beside = state.ends.beside.map { step < $0 ? 1 : $0 } ?? step
    }
    return true
  }
}

/// A crash of the parent branch must not end the fork either: the parent ends there, and the fork
/// runs its own version of the step.
extension HostConnection {
  func stopsEarlier(than channel: HostChannel, _ ask: HostRequest.Ask) -> Bool {
    guard let end = channel.endOfParent, let path = ask.branch, end.depth < path.branches.count
    else {
      return false
    }
    let parent = BranchPath(Array(path.branches.prefix(end.depth)))
    return state.withLock { state in
      guard state.ends.parents[parent] == nil else { return false }
      state.ends.parents[parent] = end.step
      return true
    }
  }

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

/// A host that only reduces is started again, behind the engine that runs sessions with it.
extension HostConnection {
  /// Greets the host and gives it the session; false where it is to be started again behind its engine.
  typealias Opening = Task<Result<Bool, HostFailure>, Never>

  func goesBehindEngine(_ channel: HostChannel, _ greeting: HostGreeting) -> Bool {
    guard greeting.isThin, !command.engine.isEmpty else { return false }
    state.withLock { state in
      state.isThin = true
      if state.channel === channel { state.channel = nil }
    }
    channel.tell(.quit)
    return true
  }
}
