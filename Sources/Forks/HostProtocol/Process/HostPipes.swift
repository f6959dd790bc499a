import Platform
import SessionWords

/// A host's process with its pipes.
///
/// `@unchecked Sendable`: one thread talks; any may end it, under a lock.
package final class HostPipes: @unchecked Sendable {
  /// Why nothing more can be had of it.
  package struct End: Error, CustomStringConvertible {
    package let description: String
    package fileprivate(set) var isLate = false
    fileprivate(set) var exit: HostExit?
    /// The end of its standard error.
    fileprivate(set) var errors = ""

    package init(_ words: String) { description = words }
  }

  /// Hears of a step that ended the host.
  package typealias Report = @Sendable (End, _ step: Int) -> Void

  package let command: HostCommand
  package let limits: HostLimits
  package let redaction: Redaction
  /// The page for its progress; nil if the system has no room.
  private(set) var page: StepPage?
  private let pid: pid_t
  private var input: Int32
  private let output: Int32
  private let errorOutput: Int32
  private var splitter: LineSplitter
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
  private var lines: [[UInt8]] = []
  private var unsent: ArraySlice<UInt8> = []
  private var errors = RecentBytes()
  private var errorsAreOpen = true
  private var isClosed = false
  /// It does not listen any more.
  private(set) var isDeaf = false
  private let life = Locked<(exit: HostExit?, isOver: Bool)>((nil, false))

  /// Starts the command in its own process group, so the debugger's terminal keys do not reach it.
  package init(
    _ command: HostCommand, limits: HostLimits = HostLimits(), redaction: Redaction = Redaction(),
    page: (page: StepPage, descriptor: Int32)? = nil
  ) throws(HostFailure) {
    (self.command, self.limits, self.redaction) = (command, limits, redaction)
    splitter = LineSplitter(limit: limits.message)
    let pipes = (0..<3).compactMap { _ in closingPipe() }
    let reason = Platform.errorText(errno)
    var opened = pipes.flatMap { [$0.read, $0.write] }
    defer { for end in opened { Platform.close(end) } }
    if let page { opened.append(page.descriptor) }
    guard pipes.count == 3 else { throw .couldNotStart(command, reason: reason) }
    var start = ChildStart(command.program, command.arguments)
    start.environment = Self.environment(command)
    start.files = [
      0: .descriptor(pipes[0].read), 1: .descriptor(pipes[1].write), 2: .descriptor(pipes[2].write),
    ]
    if let page {
      start.files[StepPage.number] = .descriptor(page.descriptor)
      start.environment?[StepPage.variable] = "\(StepPage.number)"
    }
    start.isApart = true
    do throws(ChildStart.Failure) {
      pid = try start.run()
    } catch {
      page?.page.unmap()
      throw .couldNotStart(command, reason: command.missingInterpreter ?? error.reason)
    }
    EndWatcher.send(.end(pid))
    self.page = page?.page
    let own = [pipes[0].write, pipes[1].read, pipes[2].read]
    (input, output, errorOutput) = (own[0], own[1], own[2])
    opened.removeAll(where: own.contains)
    for end in own { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
  }

  private static func environment(_ command: HostCommand) -> [String: String] {
    var variables = currentEnvironment()
    // Only the crashed thread, in a machine-readable form.
    variables["SWIFT_BACKTRACE"] =
      variables["SWIFT_BACKTRACE"]
      ?? "enable=yes,interactive=no,color=no,threads=crashed,images=none,registers=none,"
      + "limit=64,top=0,timeout=none,output-to=stderr,sanitize=no"
    variables.merge(command.environment) { $1 }
    return variables
  }

  deinit {
    close()
    buffer.deallocate()
  }

  /// How long its threads have waited for a processor.
  var processorWait: ProcessorWait? { ProcessorWait(of: pid) }

  /// Ends its process group. Any thread may call it.
  @discardableResult
  package func end() -> HostExit {
    life.withLock { life in
      let known = life.exit
      if life.isOver, let known { return known }
      kill(-pid, SIGKILL)
      let exit = known ?? status(0) ?? .status(0)
      kill(-pid, SIGKILL)
      life = (exit, true)
      return exit
    }
  }

  /// Whether it ends by itself within some time.
  package func hasEnded(within time: Duration = .zero) -> Bool {
    let deadline = ContinuousClock.now + time
    while true {
      let hasEnded = life.withLock { life in
        life.exit = life.exit ?? status(WNOHANG)
        return life.exit != nil
      }
      if hasEnded || ContinuousClock.now >= deadline { return hasEnded }
      if !readErrors() { usleep(2000) }
    }
  }

  private func status(_ options: Int32) -> HostExit? {
    var status: Int32 = 0
    let child = retryingInterrupted { waitpid(pid, &status, options) }
    return child == pid ? HostExit(waitStatus: status) : nil
  }

  package func close() {
    guard !isClosed else { return }
    isClosed = true
    end()
    EndWatcher.send(.spare(pid))
    for end in [input, output, errorOutput] { Platform.close(end) }
    page?.unmap()
    page = nil
  }

  package func closeInput() {
    Platform.close(input)
    input = -1
  }

  package func send(_ bytes: some Sequence<UInt8>) {
    unsent += bytes
    write()
  }

  private func write() {
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes {
        Platform.write(input, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      if count <= 0 { isDeaf = true }
      unsent = count > 0 ? unsent.dropFirst(count) : []
    }
  }

  /// Moves bytes, and passes each finished line. False at the end of its output.
  func move(
    within pause: Duration, orUntil wake: Int32 = -1, _ line: (UnsafeRawBufferPointer) -> Void
  ) throws(LineSplitter.TooLong) -> Bool {
    var ends = [
      pollfd(fd: output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errorsAreOpen ? errorOutput : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
      pollfd(fd: unsent.isEmpty ? -1 : input, events: Int16(POLLOUT), revents: 0),
    ]
    _ = poll(&ends, nfds_t(ends.count), Int32(pause / .milliseconds(1)) + 1)
    if ends[1].revents != 0 { readErrors() }
    if ends[2].revents != 0 { while read(wake, buffer.baseAddress, buffer.count) > 0 {} }
    if ends[3].revents != 0 { write() }
    // Its child processes may keep the pipes open.
    if ends[0].revents == 0 { return !hasEnded() }
    let count = read(output, buffer.baseAddress, buffer.count)
    guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
    try splitter.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]), line: line)
    return true
  }

  /// False if there is nothing now.
  @discardableResult
  private func readErrors() -> Bool {
    let count = errorsAreOpen ? read(errorOutput, buffer.baseAddress, buffer.count) : 0
    if count > 0 { errors.add(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
    if count == 0 { errorsAreOpen = false }
    return count > 0
  }

  var tellsOfCrash: Bool { CrashText.tellsOfCrash(errors.text) }

  /// The end of its standard error. Whole lines, as half of a secret would match nothing.
  func errorText() -> String {
    for _ in 0..<64 where !readErrors() { break }
    guard !redaction.isEmpty, !errors.text.isEmpty else { return errors.text }
    if redaction.hidesWords { return Redaction.marker() }
    let redactor = Redactor(redaction)
    let lines = errors.text.split(separator: "\n", omittingEmptySubsequences: false)
      .dropFirst(errors.isCut ? 1 : 0).map { redactor.text(String($0), .message) }
    return redactor.text(lines.joined(separator: "\n"), .message)
  }
}

/// Asks one question at a time.
extension HostPipes {
  /// Nil at the end of its output. Time in which other programs kept it from running does not count.
  package func nextLine(within limit: Duration) throws(End) -> [UInt8]? {
    let start = ContinuousClock.now
    var machine = BusyMachine()
    while lines.isEmpty {
      do throws(LineSplitter.TooLong) {
        let pause = min(.seconds(1), limit / 4)
        if try !move(within: pause, { lines.append(Array($0)) }), lines.isEmpty { return nil }
      } catch {
        throw failure(
          "the host wrote a line of more than \(limits.message >> 20) MB; "
            + "--message-limit allows longer ones")
      }
      let now = ContinuousClock.now
      let silence = now - start
      guard lines.isEmpty, silence > limit / 4 else { continue }
      let busy = machine.wait(since: start, now: now, interval: limit / 4) { processorWait }
      if silence - min(busy, silence * 0.9) > limit {
        throw failure("the host did not answer in time", isLate: true)
      }
    }
    return lines.removeFirst()
  }

  package func failure(
    _ words: String, isLate: Bool = false, exit: HostExit? = nil
  ) -> End {
    var end = End(words)
    (end.isLate, end.exit, end.errors) = (isLate, exit, errorText())
    return end
  }
}

struct RecentBytes {
  private var bytes: [UInt8] = []
  private let limit = 65_536

  mutating func add(_ more: UnsafeRawBufferPointer) {
    bytes += more
    // Rarely, because cutting moves the rest.
    if bytes.count > 2 * limit { bytes.removeFirst(bytes.count - limit) }
  }

  var isCut: Bool { bytes.count > limit }
  var text: String { String(decoding: bytes.suffix(limit), as: UTF8.self) }
}
