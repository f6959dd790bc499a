import Platform
import SessionFile

/// Shows that a command still works: once it has said nothing for three seconds, how far it has read and
/// how long it has run. Without a terminal it is a line every four seconds.
final class SilenceWatch: Sendable {
  private let state = Locked((silent: 0, total: 0))
  private let output: Output
  private let doing: String?
  private let percent: @Sendable () -> Int?
  private let ticker = SecondTicker()

  /// `doing` says what takes long: “waiting for 9229 to answer”.
  init(
    _ output: Output, doing: String? = nil,
    percent: @escaping @Sendable () -> Int? = ReadingPlace.percent
  ) {
    (self.output, self.doing, self.percent) = (output, doing, percent)
  }

  /// An output that ends the silence with all that it writes.
  func heard() -> Output {
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
    if output.isWatched { ticker.start { [self] in tick() } }
  }

  func end() {
    ticker.end()
    hear()
  }

  /// Another second has passed.
  func tick() {
    state.withLock { state in
      state = (state.silent + 1, state.total + 1)
      guard state.silent > 2 else { return }
      let far = percent().map { "\($0) % read; " } ?? ""
      let words = (doing.map { "\($0): " } ?? "") + far + "\(state.total) s; Ctrl-C stops it"
      if output.messagesAreTerminal {
        output.messages("\r\(words)\u{1B}[K")
      } else if state.silent.isMultiple(of: 4) {
        output.messages(words + "\n")
      }
    }
  }

  private func hear() {
    state.withLock { state in
      if state.silent > 2, output.messagesAreTerminal { output.messages("\r\u{1B}[K") }
      state.silent = 0
    }
  }
}
