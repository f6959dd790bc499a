package enum HostPhase: Sendable, Hashable {
  case unused
  case starting
  case ready(HostGreeting)
  case ended(HostFailure)
}

/// The runs beside a fork that crashed a host: of the recording, to compare effects, and of the
/// fork's parents. A crash there must not end the fork. The next host compares nothing, and a parent
/// ends at that step, of which the fork runs its own version.
struct KnownEnds: Sendable {
  var isBeside = false
  var parents: [BranchPath: Int] = [:]
}

extension HostConnection {
  /// Whether the next host runs less beside the fork than this one, which crashed there.
  func runsLess(than channel: HostChannel, _ ask: HostRequest.Ask) -> Bool {
    guard let end = channel.endBeside, end.depth > 0 || !channel.comparesNothing else {
      return false
    }
    if end.depth == 0 {
      state.withLock { $0.ends.isBeside = true }
      return true
    }
    guard let path = ask.branch, end.depth < path.branches.count else { return false }
    let parent = BranchPath(Array(path.branches.prefix(end.depth)))
    return state.withLock { state in
      guard state.ends.parents[parent] == nil else { return false }
      state.ends.parents[parent] = end.step
      return true
    }
  }

  func ends(of ask: HostRequest.Ask) -> [Int: Int] {
    let (ends, path) = (state.withLock { $0.ends.parents }, ask.branch?.branches ?? [])
    return path.indices.dropLast().reduce(into: [:]) { known, index in
      known[index] = ends[BranchPath(Array(path[...index]))]
    }
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
