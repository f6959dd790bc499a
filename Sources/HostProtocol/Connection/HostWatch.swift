import Platform
import SessionLog
import ValueTree

/// What the thread of a ``HostTalk`` does: it moves bytes, hands messages on, and loses patience.
///
/// `@unchecked Sendable`: everything here is touched by that one thread only.
final class HostWatch: @unchecked Sendable {
  private let talk: HostTalk
  private let wake: Int32
  private let patience: Duration
  private var splitter: LineSplitter
  private var errors = RecentBytes(limit: 16_384)
  private var unsent: [UInt8] = []
  private var lastAdvance = ContinuousClock.now
  private var lastStep: Int?
  private var asked = false
  private var misspoken: String?

  init(talk: HostTalk, wake: Int32, patience: Duration, lineLimit: Int) {
    self.talk = talk
    self.wake = wake
    self.patience = patience
    splitter = LineSplitter(limit: lineLimit)
  }

  func run() {
    var noSignals = sigset_t()
    sigfillset(&noSignals)
    pthread_sigmask(SIG_BLOCK, &noSignals, nil)
    var failure: HostFailure?
    while failure == nil {
      guard wait() else { break }
      takeOutgoing()
      failure = losePatience()
      if let misspoken { failure = .misspoke(misspoken) }
    }
    end(failure)
  }

  /// Waits for news of any kind and reads them. False at the end of the host's output.
  private func wait() -> Bool {
    var ends = [
      pollfd(fd: talk.process.output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: talk.process.errors, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
      pollfd(fd: unsent.isEmpty ? -1 : talk.process.input, events: Int16(POLLOUT), revents: 0),
    ]
    _ = poll(&ends, nfds_t(ends.count), Int32(clamping: patience.milliseconds / 4 + 1))
    if ends[1].revents != 0, !readErrors() { usleep(1000) }
    if ends[2].revents != 0 { drain(wake) }
    if ends[3].revents != 0 { send() }
    return ends[0].revents == 0 || readMessages()
  }

  private func readMessages() -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      let count = read(talk.process.output, buffer.baseAddress, buffer.count)
      if count == 0 { return false }
      if count < 0 { return errno == EAGAIN || errno == EINTR }
      do throws(LineSplitter.TooLong) {
        try splitter.add(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { hear($0) }
      } catch {
        misspoken = "a line without an end"
      }
      return true
    }
  }

  private func hear(_ line: UnsafeRawBufferPointer) {
    guard misspoken == nil else { return }
    do {
      guard let message = try HostMessage(try Value(parsing: line)) else { return }
      hear(message)
    } catch {
      misspoken = "\(error): \(String(decoding: line.prefix(200), as: UTF8.self))"
    }
  }

  private func hear(_ message: HostMessage) {
    switch message.content {
    case .answer(.whereabouts(let step)) where message.id == 0:
      asked = false
      if step == nil || step != lastStep { advance(to: step) }
    case .news(let news):
      switch news {
      case .step(let step): advance(to: step.step.number)
      case .dying(let step, _): advance(to: step)
      case .progress, .divergence: advance(to: lastStep)
      }
      talk.state.withLock { $0.pending[message.id]?.listener }?(news)
    case .answer(let answer): resume(message.id, .success(answer))
    case .refusal(let refusal):
      resume(message.id, .failure(refusal.kind == .cancelled ? .cancelled : .refused(refusal)))
    }
  }

  private func resume(_ id: Int, _ result: Result<HostAnswer, HostFailure>) {
    advance(to: nil)
    let pending = talk.state.withLock { $0.pending.removeValue(forKey: id) }
    pending?.continuation.resume(returning: result)
  }

  private func advance(to step: Int?) {
    lastAdvance = .now
    lastStep = step
  }

  /// While something is asked, a host that is silent is asked where it is; one that does not answer,
  /// or stays at one step, is given up.
  private func losePatience() -> HostFailure? {
    let isWaiting = talk.state.withLock { !$0.pending.isEmpty }
    guard isWaiting else {
      advance(to: nil)
      return nil
    }
    let silence = ContinuousClock.now - lastAdvance
    if silence > patience { return .timedOut(step: lastStep) }
    if silence > patience / 2, !asked {
      asked = true
      talk.tell(.whereabouts)
    }
    return nil
  }

  private func takeOutgoing() {
    talk.state.withLock { state in
      unsent += state.outgoing
      state.outgoing = []
    }
    send()
  }

  private func send() {
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes {
        write(talk.process.input, $0.baseAddress, $0.count)
      }
      if count <= 0 { return }
      unsent.removeFirst(count)
    }
  }

  /// False at their end.
  @discardableResult private func readErrors() -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      let count = read(talk.process.errors, buffer.baseAddress, buffer.count)
      if count > 0 { errors.add(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      return count != 0
    }
  }

  private func drain(_ end: Int32) {
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      while read(end, buffer.baseAddress, buffer.count) > 0 {}
    }
  }

  private func end(_ failure: HostFailure?) {
    if failure != nil { talk.process.kill() }
    let exit = waitForExit()
    talk.process.kill()
    while poll(talk.process.errors), readErrors() {}
    talk.process.closePipes()
    talk.finish(
      failure
        ?? .died(HostDeath(exit: exit, step: lastStep, errors: errors.text)))
  }

  /// A host that closed its output but does not end is ended.
  private func waitForExit() -> HostExit {
    for _ in 0..<400 {
      if let exit = talk.process.exitIfEnded() { return exit }
      if poll(talk.process.errors) { readErrors() } else { usleep(5000) }
    }
    talk.process.kill()
    return talk.process.waitForExit()
  }

  private func poll(_ end: Int32) -> Bool {
    var ends = [pollfd(fd: end, events: Int16(POLLIN), revents: 0)]
    return Platform.poll(&ends, 1, 0) > 0
  }

  private func poll(_ ends: inout [pollfd], _ count: nfds_t, _ milliseconds: Int32) -> Int32 {
    Platform.poll(&ends, count, milliseconds)
  }
}

/// The last bytes of a stream.
struct RecentBytes {
  private var bytes: [UInt8] = []
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func add(_ more: UnsafeRawBufferPointer) {
    bytes += more
    if bytes.count > limit { bytes.removeFirst(bytes.count - limit) }
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension Duration {
  fileprivate var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
