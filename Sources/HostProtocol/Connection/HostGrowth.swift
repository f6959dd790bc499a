import SessionFile

extension HostConnection {
  /// Gives the session again to a host that has loaded fewer steps: an app that runs adds some.
  func takingGrowth(_ channel: HostChannel) async throws(HostFailure) -> HostChannel {
    let grown = state.withLock { state -> String? in
      guard let path = state.path, let steps = state.session?.steps.upperBound,
        steps > state.stepsOfHost
      else { return nil }
      state.stepsOfHost = steps
      return path
    }
    if let grown { _ = try await ask(.load(path: grown), channel) }
    return channel
  }
}
