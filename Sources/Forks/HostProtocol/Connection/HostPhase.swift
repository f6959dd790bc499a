package enum HostPhase: Sendable, Hashable {
  case unused
  case starting
  case ready(HostGreeting)
  case ended(HostFailure)
}

extension HostConnection {
  /// Notes the step of the recording or of a parent that crashed a host beside a fork. True if the
  /// next host runs less: it compares nothing, or the parent ends at that step, of which the fork runs
  /// its own version.
  func runsLess(than channel: HostChannel, _ ask: HostRequest.Ask) -> Bool {
    let path = ask.branch?.branches ?? []
    guard let end = channel.endBeside, end.depth == 0 || end.depth < path.count else {
      return false
    }
    let crashed = BranchPath(Array(path.prefix(end.depth)))
    return state.withLock { state in
      let isNews = end.depth == 0 ? !channel.comparesNothing : state.ends[crashed] == nil
      if isNews { state.ends[crashed] = end.step }
      return isNews
    }
  }

  func ends(of ask: HostRequest.Ask) -> [Int: Int] {
    let (ends, path) = (state.withLock { $0.ends }, ask.branch?.branches ?? [])
    return path.indices.dropLast().reduce(into: [:]) { known, index in
      known[index] = ends[BranchPath(Array(path[...index]))]
    }
  }
}
