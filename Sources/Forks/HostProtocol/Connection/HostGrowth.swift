import SessionFile

extension HostConnection {
  /// Gives the session again to a host that has loaded fewer steps: an app that runs adds some.
  func takingGrowth(_ channel: HostChannel) async throws(HostFailure) -> HostChannel {
    let growth = state.withLock { state -> Task<HostFailure?, Never>? in
      guard let path = state.path, let steps = state.session?.steps.upperBound,
        steps > state.stepsOfHost
      else { return nil }
      // A task of its own: a request that is cancelled would leave the host without a session.
      let task = state.growth ?? Task { await self.grow(path, to: steps, channel) }
      state.growth = task
      return task
    }
    if let failure = await growth?.value { throw failure }
    return channel
  }

  private func grow(_ path: String, to steps: Int, _ channel: HostChannel) async -> HostFailure? {
    var failure: HostFailure?
    do throws(HostFailure) {
      _ = try await channel.ask(.load(path: path))
    } catch {
      failure = error
    }
    state.withLock { state in
      state.growth = nil
      if failure == nil { state.stepsOfHost = max(state.stepsOfHost, steps) }
    }
    return failure
  }
}
