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
  private let pipes: HostPipes
  private var engine: (any HostEngine)?
  private var failure: HostFailure?
  private var faultyLine: String?
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

  init(channel: HostChannel, wake: Int32) {
    (self.channel, pipes, self.wake) = (channel, channel.pipes, wake)
    (limits, redactor) = (pipes.limits, Redactor(pipes.redaction))
  }

  func run() {
    var signals = sigset_t()
    sigfillset(&signals)
    // Of a fault of its own, the process says what it was.
    for signal in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
      sigdelset(&signals, signal)
    }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    while failure == nil, engine == nil {
      guard wait() else { break }
      pipes.send(channel.state.withLock { exchange(&$0.outgoing, with: []) })
      if failure == nil { losePatience() }
      if let deadline = quitDeadline, ContinuousClock.now >= deadline { break }
    }
    if let engine { serve(engine) } else { end() }
  }

  private func wait() -> Bool {
    do throws(LineSplitter.TooLong) {
      guard try pipes.move(within: pause, orUntil: wake, hear) else { return false }
    } catch {
      fail(.misspoke("a line of more than \(limits.message >> 20) MB"), nil)
    }
    // If the whole process is gone, that is the reason.
    if pipes.isDeaf, channel.state.withLock({ !$0.isQuitting }),
      !pipes.hasEnded(within: HostLimits.timeToEnd)
    {
      fail(.closed(.input, errors: pipes.errorText()), nil)
    }
    return true
  }

  private var pause: Duration {
    if let quitDeadline { return max(.zero, quitDeadline - .now) }
    return min(.seconds(1), limits.patience / 4)
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
      resume(message.id, .success(begun(answer)))
    case .refusal(let refusal):
      resume(message.id, .failure(refusal.failure))
    }
  }

  private func hear(whereabouts step: Int) throws(ProtocolViolation) {
    guard let pending = channel.state.withLock({ $0.pending[work.request] }) else { return }
    let isAdvance = try pending.check.withLock { check throws(ProtocolViolation) in
      try check.recordWhereabouts(step)
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
      pipes.processorWait
    }
    if silence - min(busy, silence * 0.9) > patience {
      guard silence > patience + HostLimits.timeToDie || !isDying else { return }
      failure =
        work.step.map { .timedOut(step: $0) } ?? .silent(request: ask.word, for: patience)
    } else if silence > patience / 2, now >= work.nextQuestion, !ask.isGreeting {
      work.nextQuestion = now + patience / 4
      channel.send(.whereabouts)
    }
  }

  /// A dying process that writes its backtrace is slow, but has not hung.
  private var isDying: Bool { dying != nil || pipes.tellsOfCrash }

  private func readPage() {
    guard let page = pipes.page, page.request == work.request, page.step > 0 else {
      return
    }
    do throws(ProtocolViolation) {
      try hear(whereabouts: page.step)
    } catch {
      fail(.objected(error), nil)
    }
  }

  // MARK: The end

  private func end() {
    let isQuitting = quitDeadline != nil || channel.state.withLock { $0.isQuitting }
    let isClosed =
      failure == nil && !isQuitting && !pipes.hasEnded(within: HostLimits.timeToEnd)
    let exit = pipes.end()
    let errors = pipes.errorText()
    if isClosed { failure = .closed(.output, errors: errors) }
    if case .closed(let stream, _)? = failure { failure = .closed(stream, errors: errors) }
    let trouble = HostTrouble(
      failure: failure ?? (isQuitting ? .cancelled : .died(death(exit, errors))),
      message: faultyLine, dyingWords: dying.map { "\($0.words) in step \($0.step)" },
      errors: errors)
    let beside = pipes.page?.runBeside
    pipes.close()
    channel.finish(trouble, endBeside: beside)
  }

  private func death(_ exit: HostExit, _ errors: String) -> HostDeath {
    let isAsked = channel.state.withLock { $0.oldest != nil }
    var step = dying.map(\.step) ?? work.step
    if dying == nil, let page = pipes.page, page.request > 0, page.step > 0 {
      step = page.step
    }
    return HostDeath(
      exit: exit, step: isAsked && step != 0 ? step : nil, words: dying?.words, errors: errors)
  }
}

/// A thin host: its engine runs on the watch's thread.
extension HostWatch {
  private func begun(_ answer: HostAnswer) -> HostAnswer {
    guard case .greeting(let greeting) = answer, greeting.isThin,
      let engine = channel.makeEngine?(
        pipes, greeting,
        { [self] end, step in if !channel.isOver { channel.onEnd(trouble(end, step)) } })
    else { return answer }
    self.engine = engine
    channel.state.withLock { state in
      state.engine = engine
      if state.isQuitting { channel.queue.close() }
    }
    var told = HostGreeting(name: greeting.name, seesEffects: greeting.can.effects)
    told.runsLive = !greeting.can.effects
    told.isThin = true
    return .greeting(told)
  }

  private func serve(_ engine: any HostEngine) {
    engine.serve(channel.queue) { [self] in say($0, $1) }
    engine.end()
    pipes.close()
    channel.finish(HostTrouble(failure: failure ?? .cancelled), endBeside: nil)
  }

  private func say(_ id: Int, _ content: HostMessage.Content) {
    var message = HostMessage(id: id, content)
    if !redactor.redaction.isEmpty {
      message =
        (try? HostMessage(redactor.message(message.value)))
        ?? HostMessage(id: id, .refusal(HostRefusal(.other, Redaction.marker())))
    }
    do throws(ProtocolViolation) {
      var weight = 0
      if case .news(.step(let step)) = content { weight = step.patch?.weight ?? 0 }
      try hear(message, bytes: weight)
    } catch {
      failure = .objected(error)
      channel.queue.close()
    }
  }

  private func trouble(_ end: HostPipes.End, _ step: Int) -> HostTrouble {
    var failure = HostFailure.timedOut(step: step)
    if let exit = end.exit {
      failure = .died(HostDeath(exit: exit, step: step, words: nil, errors: end.errors))
    } else if !end.isLate {
      failure = .misspoke(redactor.redaction.isEmpty ? end.description : Redaction.marker())
    }
    return HostTrouble(failure: failure, errors: end.errors)
  }
}
