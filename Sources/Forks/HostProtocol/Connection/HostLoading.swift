import SessionFile

extension HostConnection {
  /// Gives the host a session. `session` is the debugger's view of the same file, to check the
  /// host's messages.
  @discardableResult
  package func load(
    _ path: String, as session: SessionReader? = nil,
    progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in }
  ) async throws(HostFailure) -> LoadReport {
    let loading = state.withLock { state in
      state.use(session)
      let loading = Task { await self.loading(path, progress) }
      state.loading = loading
      return loading
    }
    return try await withTaskCancellationHandler {
      await loading.value
    } onCancel: {
      loading.cancel()
    }.get()
  }

  /// The same, before the first question about the session; if none is asked, it costs nothing.
  package func loadLater(_ path: String, as session: SessionReader?) {
    state.withLock { state in
      state.use(session)
      state.unloaded = path
    }
  }

  package func copySession(to other: HostConnection) async {
    _ = await state.withLock { $0.loading }?.value
    let (path, session) = state.withLock { ($0.path ?? $0.unloaded, $0.session) }
    if let path { other.loadLater(path, as: session) }
  }

  /// The session in this file has the states that the host has just computed.
  package func computed(_ path: String) {
    state.withLock { $0.computed = (path, $0.build) }
  }

  func loading(
    _ path: String, _ progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in }
  ) async -> Result<LoadReport, HostFailure> {
    do throws(HostFailure) {
      let channel = try await living()
      let isComputed = state.withLock { state in
        state.computed.map { $0 == (path, state.build) } ?? false
      }
      let answer = try await ask(.load(path: path, isComputed: isComputed), channel) { news in
        if case .progress(let done, let total) = news { progress(done, total) }
      }
      guard case .loaded(let report) = answer else { throw unexpected(answer) }
      change { state in
        state.path = path
        state.notes = report.notes
        if state.loaded != report.files {
          state.loaded = report.files
          state.files = HostBuild(command, report.files)
        }
        if state.channel === channel, !channel.isOver, let greeting = state.greeting {
          state.life = .ready(greeting)
        }
      }
      return .success(report)
    } catch {
      // It lives, but not for this session.
      if case .refused = error { change { $0.life = .ended(error) } }
      return .failure(error)
    }
  }
}
