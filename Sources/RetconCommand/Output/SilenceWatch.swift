import Platform

/// Shows at a terminal that a command still works: once it has said nothing for three seconds, how long it
/// has run.
final class SilenceWatch: Sendable {
  private let state = Locked((silent: 0, total: 0))
  private let show: @Sendable (String) -> Void
  private let lock = Lock()
  private let ended = ThreadSignal()
  private let isOver = Locked(false)

  init(_ show: @escaping @Sendable (String) -> Void) { self.show = show }

  /// An output that ends the silence with all that it writes.
  func heard(through output: Output) -> Output {
    var heard = output
    heard.data = { [self] in
      hear()
      output.data($0)
    }
    heard.messages = { [self] in
      hear()
      output.messages($0)
    }
    heard.bytes = { [self] in
      hear()
      return output.bytes($0)
    }
    return heard
  }

  func start() {
    _ = try? SystemThread.start { [self] in
      lock.withLock {
        while !isOver.withLock({ $0 }) {
          if !ended.wait(in: lock, until: ThreadDeadline(in: .seconds(1))) { tick() }
        }
      }
    }
  }

  func end() {
    isOver.withLock { $0 = true }
    lock.withLock { ended.wakeAll() }
    hear()
  }

  /// Another second has passed.
  func tick() {
    state.withLock { state in
      state = (state.silent + 1, state.total + 1)
      if state.silent > 2 { show("\r\(state.total) s; Ctrl-C stops it\u{1B}[K") }
    }
  }

  private func hear() {
    state.withLock { state in
      if state.silent > 2 { show("\r\u{1B}[K") }
      state.silent = 0
    }
  }
}
