import Platform
import SessionWords
import ValueTree

/// The work of a ``HostChannel``'s thread: moves bytes, passes on plausible messages, and enforces
/// timeouts.
///
/// `@unchecked Sendable`: only that thread touches it.
final class HostWatch: @unchecked Sendable {
  private let channel: HostChannel
  private let wake: Int32
  private let limits: HostLimits
  private let redactor: Redactor
  private var splitter: LineSplitter
  private var errors = RecentBytes(limit: 65_536)
  private var errorsAreOpen = true
  private var unsent: [UInt8] = []
  private var failure: HostFailure?
  private var faultyLine: String?
  private var exit: HostExit?
  private var dying: (step: Int, words: String)?
  private var work = Work()
  private var quitDeadline: ContinuousClock.Instant?
  private var machine = BusyMachine()

  private struct Work {
    var request = 0
    var lastAdvance = ContinuousClock.now
    var step: Int?
    var nextQuestion = ContinuousClock.now
  }

  init(channel: HostChannel, wake: Int32, limits: HostLimits, _ redaction: Redaction) {
    redactor = Redactor(redaction)
    self.channel = channel
    self.wake = wake
    self.limits = limits
    splitter = LineSplitter(limit: limits.message)
  }

  func run() {
    var noSignals = sigset_t()
    sigfillset(&noSignals)
    pthread_sigmask(SIG_BLOCK, &noSignals, nil)
    while failure == nil {
      guard wait() else { break }
      takeOutgoing()
      if failure == nil { losePatience() }
      if let deadline = quitDeadline, ContinuousClock.now >= deadline { break }
    }
    end()
  }

  private func wait() -> Bool {
    var ends = [
      pollfd(fd: channel.process.output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errorsAreOpen ? channel.process.errors : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
      pollfd(fd: unsent.isEmpty ? -1 : channel.process.input, events: Int16(POLLOUT), revents: 0),
    ]
    _ = poll(&ends, nfds_t(ends.count), Int32(pause / .milliseconds(1)) + 1)
    if ends[1].revents != 0 { readErrors() }
    if ends[2].revents != 0 { drain(wake) }
    if ends[3].revents != 0 { send() }
    if ends[0].revents != 0 { return readMessages() }
    // Its child processes may keep the pipes open.
    if exit == nil { exit = channel.process.exitIfEnded() }
    return exit == nil
  }

  private var pause: Duration {
    if let quitDeadline { return max(.zero, quitDeadline - .now) }
    return min(.seconds(1), limits.patience / 4)
  }

  private func readMessages() -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      let count = read(channel.process.output, buffer.baseAddress, buffer.count)
      if count == 0 { return false }
      if count < 0 { return errno == EAGAIN || errno == EINTR }
      do throws(LineSplitter.TooLong) {
        try splitter.add(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { hear($0) }
      } catch {
        fail(.misspoke("a line of more than \(limits.message >> 20) MB"), nil)
      }
      return true
    }
  }

  private func fail(_ reason: HostFailure, _ line: UnsafeRawBufferPointer?) {
    guard failure == nil else { return }
    failure = reason
    guard redactor.redaction.isEmpty else {
      // A rule may miss a secret in it, because a host may say it in any form.
      if case .objected(var violation) = reason, violation.value != nil {
        violation.value = Redaction.marker()
        failure = .objected(violation)
      }
      return
    }
    faultyLine = line.map { String(decoding: $0.prefix(HostLimits.sentence), as: UTF8.self) }
  }

  // MARK: Messages

  private func hear(_ line: UnsafeRawBufferPointer) {
    guard failure == nil, quitDeadline == nil else { return }
    guard !limits.hasTooManyEntries(line) else {
      return fail(.misspoke("one of more than \(limits.entries) values"), line)
    }
    var value: Value
    do throws(ParseError) {
      value = try Value(parsing: line)
    } catch {
      // Behind the escapes of what is not JSON, no rule finds a secret.
      let start =
        redactor.redaction.isEmpty
        ? String(decoding: line.prefix(200), as: UTF8.self) : Redaction.marker()
      // A line that is not JSON is shown as it is; otherwise the problem comes first.
      let isJSON = start.hasPrefix("{") || start.hasPrefix("[")
      return fail(.misspoke((isJSON ? "\(error): " : "") + start), line)
    }
    if !redactor.redaction.isEmpty { value = redactor.message(value) }
    let message: HostMessage?
    do throws(ValueFieldError) {
      message = try HostMessage(value)
    } catch {
      return fail(.objected(violation(error, in: value)), line)
    }
    do throws(ProtocolViolation) {
      if let message { try hear(message, bytes: line.count) }
    } catch {
      fail(.objected(error), line)
    }
  }

  private func violation(_ error: ValueFieldError, in value: Value) -> ProtocolViolation {
    let id = value["id"].flatMap(ValueFields.int) ?? 0
    let request = channel.state.withLock { $0.pending[id]?.ask.word } ?? "request \(id)"
    let field = error.place.split(separator: ".").dropFirst().joined(separator: ".")
    var found: Value? = value
    for part in field.split(whereSeparator: { ".[".contains($0) }) {
      let name = part.last == "]" ? part.dropLast() : part
      found = part.last == "]" ? Int(name).flatMap { found?[$0] } : found?[String(name)]
    }
    return ProtocolViolation(request, field, found?.text(), "\(error.expected) was expected")
  }

  private func hear(_ message: HostMessage, bytes: Int) throws(ProtocolViolation) {
    guard message.id != 0 else {
      // An older host may refuse `whereabouts` and `cancel`.
      guard case .answer(.whereabouts(let step?)) = message.content else { return }
      return try hear(whereabouts: step)
    }
    guard let pending = channel.state.withLock({ $0.pending[message.id] }) else {
      throw ProtocolViolation("?", "id", "\(message.id)", "and no request with this id waits")
    }
    switch message.content {
    case .news(let news):
      if case .dying(let step, let words) = news {
        dying = (step, words)
        if step > 0 { work.step = step }
      }
      let isAdvance = try pending.check.withLock { check throws(ProtocolViolation) in
        try check.checkNews(news, bytes: bytes)
      }
      // The caller is gone, and the host was asked to stop.
      guard !pending.isCancelled else { return }
      if isAdvance, message.id == work.request { work.lastAdvance = .now }
      if case .step(let step) = news { work.step = step.step.number + 1 }
      pending.listener(news)
    case .answer(let answer):
      try pending.check.withLock { check throws(ProtocolViolation) in try check.checkAnswer(answer)
      }
      resume(message.id, .success(answer))
    case .refusal(let refusal):
      resume(message.id, .failure(refusal.kind == .cancelled ? .cancelled : .refused(refusal)))
    }
  }

  private func hear(whereabouts step: Int) throws(ProtocolViolation) {
    guard let pending = channel.state.withLock({ $0.pending[work.request] }) else { return }
    let isAdvance = try pending.check.withLock { check throws(ProtocolViolation) in
      try check.takeWhereabouts(step)
    }
    work.step = step
    if isAdvance, !pending.isCancelled { work.lastAdvance = .now }
  }

  private func resume(_ id: Int, _ result: Result<HostAnswer, HostFailure>) {
    let pending = channel.state.withLock { $0.pending.removeValue(forKey: id) }
    pending?.continuation.resume(returning: result)
  }

  // MARK: Patience

  /// Asks a host without progress where it is, and ends it if it stays there.
  private func losePatience() {
    let now = ContinuousClock.now
    let (oldest, isQuitting) = channel.state.withLock { ($0.oldest, $0.isQuitting) }
    if isQuitting, quitDeadline == nil { quitDeadline = now + HostLimits.timeToEnd }
    guard let (oldest, ask) = oldest, quitDeadline == nil else { return }
    let patience = limits.patience(with: ask)
    if work.request != oldest {
      work = Work(request: oldest)
      work.nextQuestion = now + patience / 2
    }
    readPage()
    guard failure == nil else { return }
    // A busy machine is not a hang. But a hung host may have threads that always wait.
    let silence = now - work.lastAdvance
    let busy = machine.wait(since: work.lastAdvance, now: now, interval: patience / 4) {
      ProcessorWait(of: channel.process.pid)
    }
    if silence - min(busy, silence * 0.9) > patience {
      guard silence > patience + HostLimits.timeToDie || !isDying else { return }
      failure =
        work.step.map { .timedOut(step: $0) } ?? .silent(request: ask.word, for: patience)
    } else if silence > patience / 2, now >= work.nextQuestion {
      work.nextQuestion = now + patience / 4
      channel.tell(.whereabouts)
    }
  }

  /// A dying process that writes its backtrace is slow, but has not hung.
  private var isDying: Bool { dying != nil || CrashText.tellsOfCrash(errors.text) }

  private func readPage() {
    guard let page = channel.process.page, page.request == work.request, page.step > 0 else {
      return
    }
    do throws(ProtocolViolation) {
      try hear(whereabouts: page.step)
    } catch {
      fail(.objected(error), nil)
    }
  }

  // MARK: Bytes

  private func takeOutgoing() {
    unsent += channel.state.withLock { exchange(&$0.outgoing, with: []) }
    send()
  }

  private func send() {
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes {
        write(channel.process.input, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      guard count > 0 else {
        unsent = []
        // If the whole process is gone, that is the reason.
        if channel.state.withLock({ !$0.isQuitting }), !hasEnded(within: HostLimits.timeToEnd) {
          fail(.closed(.input, errors: errorText), nil)
        }
        return
      }
      unsent.removeFirst(count)
    }
  }

  private func readErrors() {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
      let count = read(channel.process.errors, buffer.baseAddress, buffer.count)
      if count > 0 { errors.add(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      if count == 0 { errorsAreOpen = false }
    }
  }

  private func hidden(_ words: String) -> String {
    redactor.redaction.hidesWords ? Redaction.marker() : redactor.text(words, .message)
  }

  /// Whole lines, as half of a secret would match nothing.
  private var errorText: String {
    guard !redactor.redaction.isEmpty, !errors.text.isEmpty else { return errors.text }
    let lines = errors.text.split(separator: "\n", omittingEmptySubsequences: false)
    return hidden(
      lines.dropFirst(errors.isCut ? 1 : 0).map { redactor.text(String($0), .message) }
        .joined(separator: "\n"))
  }

  private func drain(_ end: Int32) {
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      while read(end, buffer.baseAddress, buffer.count) > 0 {}
    }
  }

  // MARK: The end

  private func end() {
    let isQuitting = quitDeadline != nil || channel.state.withLock { $0.isQuitting }
    if failure == nil, !isQuitting, !hasEnded(within: HostLimits.timeToEnd) {
      failure = .closed(.output, errors: errorText)
    }
    channel.process.kill()
    let exit = exit ?? channel.process.waitForExit()
    channel.process.kill()
    for _ in 0..<64 where errorsAreOpen && hasErrors { readErrors() }
    if case .closed(let stream, _)? = failure { failure = .closed(stream, errors: errorText) }
    let trouble = HostTrouble(
      failure: failure ?? (isQuitting ? .cancelled : .died(death(exit))), message: faultyLine,
      dyingWords: dying.map { "\($0.words) in step \($0.step)" }, errors: errorText)
    let beside = channel.process.page?.runBeside
    channel.process.close()
    channel.finish(trouble, endBeside: beside)
  }

  private func death(_ exit: HostExit) -> HostDeath {
    let isAsked = channel.state.withLock { $0.oldest != nil }
    var step = dying.map(\.step) ?? work.step
    if dying == nil, let page = channel.process.page, page.request > 0, page.step > 0 {
      step = page.step
    }
    return HostDeath(
      exit: exit, step: isAsked && step != 0 ? step : nil, words: dying?.words,
      errors: errorText)
  }

  private func hasEnded(within time: Duration) -> Bool {
    let deadline = ContinuousClock.now + time
    while exit == nil {
      exit = channel.process.exitIfEnded()
      if exit != nil || ContinuousClock.now >= deadline { break }
      if errorsAreOpen, hasErrors { readErrors() } else { usleep(2000) }
    }
    return exit != nil
  }

  private var hasErrors: Bool {
    var ends = [pollfd(fd: channel.process.errors, events: Int16(POLLIN), revents: 0)]
    return poll(&ends, 1, 0) > 0
  }
}

struct RecentBytes {
  private var bytes: [UInt8] = []
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  mutating func add(_ more: UnsafeRawBufferPointer) {
    bytes += more
    // Rarely, because cutting moves the rest.
    if bytes.count > 2 * limit { bytes.removeFirst(bytes.count - limit) }
  }

  var isCut: Bool { bytes.count > limit }
  var text: String { String(decoding: bytes.suffix(limit), as: UTF8.self) }
}
