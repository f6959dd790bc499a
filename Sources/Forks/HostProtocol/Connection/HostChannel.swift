import Platform
import SessionWords
import ValueTree

/// The conversation with one host process, from its start to its end.
///
/// Its own thread waits for a message, last words, a request to write, or a timeout. No other
/// thread waits for the host. For a host that only reduces, this thread runs an engine.
final class HostChannel: Sendable {
  typealias Listener = @Sendable (HostEvent) -> Void

  struct Pending: Sendable {
    var ask: HostRequest.Ask
    var continuation: CheckedContinuation<Result<HostAnswer, HostFailure>, Never>
    var listener: Listener
    /// Used only by the watch's thread.
    var check: Locked<ProtocolCheck>
    var isCancelled = false
  }

  struct State: Sendable {
    var outgoing: [UInt8] = []
    var pending: [Int: Pending] = [:]
    var cancelled: Set<Int> = []
    var nextID = 0
    var end: HostFailure?
    var engine: (any HostEngine)?
    var isQuitting = false
    var endBeside: StepPage.RunBeside?

    /// The longest-waiting request, which the host works on.
    var oldest: (id: Int, ask: HostRequest.Ask)? {
      pending.min { $0.key < $1.key }.map { ($0.key, $0.value.ask) }
    }
  }

  let pipes: HostPipes
  /// The requests for an engine.
  let queue = RequestQueue()
  let makeEngine: HostConnection.Engine?
  let state = Locked(State())
  /// Called once, when the process has ended and no request waits.
  let onEnd: @Sendable (HostTrouble) -> Void
  private let over = Latch()
  private let wake: (read: Int32, write: Int32)
  let comparesNothing: Bool

  init(
    _ command: HostCommand, limits: HostLimits, redaction: Redaction, comparesNothing: Bool = false,
    engine: HostConnection.Engine?, onEnd: @escaping @Sendable (HostTrouble) -> Void
  ) throws(HostFailure) {
    pipes = try HostPipes(
      command, limits: limits, redaction: redaction,
      page: command.isThin ? nil : StepPage.new(comparesNothing: comparesNothing))
    guard let wake = closingPipe() else { throw .couldNotStart(command, reason: errorText(errno)) }
    self.wake = wake
    self.comparesNothing = comparesNothing
    (makeEngine, self.onEnd) = (engine, onEnd)
    for end in [wake.read, wake.write] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    let watch = HostWatch(channel: self, wake: wake.read)
    do throws(SystemThread.StartError) {
      _ = try SystemThread.start(stackSize: 16 << 20) { watch.run() }
    } catch {
      close(wake.read)
      close(wake.write)
      throw .couldNotStart(command, reason: errorText(error.number))
    }
  }

  var isOver: Bool { state.withLock { $0.end != nil } }

  /// The run beside the requested branch in which the host crashed or hung.
  var endBeside: StepPage.RunBeside? { state.withLock { $0.endBeside } }

  /// Checks the host's messages about the request against `facts` before passing them on.
  func ask(
    _ ask: HostRequest.Ask, ends: [Int: Int] = [:], facts: SessionFacts = SessionFacts(),
    listener: @escaping Listener = { _ in }
  ) async throws(HostFailure) -> HostAnswer {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let end = state.withLock { state -> HostFailure? in
          if let end = state.end { return end }
          if state.cancelled.remove(id) != nil { return .cancelled }
          var check = ProtocolCheck(ask, facts, pipes.limits)
          check.trusts = state.engine != nil
          state.pending[id] = Pending(
            ask: ask, continuation: continuation, listener: listener, check: Locked(check))
          send(HostRequest(id: id, ask: ask, ends: ends), &state)
          return nil
        }
        if let end { continuation.resume(returning: .failure(end)) }
      }
    } onCancel: {
      state.withLock { state in
        guard state.end == nil else { return }
        if state.pending[id] == nil {
          state.cancelled.insert(id)
        } else {
          state.pending[id]?.isCancelled = true
          send(HostRequest(id: 0, ask: .cancel(request: id)), &state)
        }
      }
    }
    return try result.get()
  }

  func send(_ ask: HostRequest.Ask) {
    let engine = state.withLock { state -> (any HostEngine)? in
      guard state.end == nil else { return nil }
      if ask == .quit { state.isQuitting = true }
      send(HostRequest(id: 0, ask: ask), &state)
      return ask == .quit ? state.engine : nil
    }
    engine?.end()
  }

  func kill() {
    send(.quit)
    pipes.end()
  }

  /// Returns when the process is gone: after a request to quit, within ``HostLimits/timeToEnd``.
  func waitForEnd() { over.wait() }

  func finish(_ trouble: HostTrouble, endBeside: StepPage.RunBeside?) {
    let pending = state.withLock { state in
      (state.end, state.engine) = (trouble.failure, nil)
      switch trouble.failure {
      case .died, .timedOut, .silent: state.endBeside = endBeside
      default: break
      }
      close(wake.read)
      close(wake.write)
      return exchange(&state.pending, with: [:]).values
    }
    onEnd(trouble)
    for pending in pending { pending.continuation.resume(returning: .failure(trouble.failure)) }
    over.open()
  }

  private func send(_ request: HostRequest, _ state: inout State) {
    guard state.engine == nil else { return queue.receive(request) }
    state.outgoing += request.value.bytes() + [10]
    var byte: UInt8 = 0
    _ = write(wake.write, &byte, 1)
  }
}

package struct HostLimits: Sendable, Hashable {
  package var patience: Duration
  package var timeToStart: Duration
  package var message: Int
  package var entries: Int { max(1, message / 64) }

  /// The bytes of a run's reported steps that must be kept.
  var toldSteps: Int { message * 4 }

  static let sentence = 4096
  /// The most steps of a branch beyond the recording's.
  package static let ownSteps = 1_000_000
  package static let timeToEnd = Duration.milliseconds(500)
  /// The extra time for a crashed host to write its backtrace, which takes five seconds of a free
  /// processor.
  static let timeToDie = Duration.seconds(60)

  package init(
    patience: Duration = .seconds(5), timeToStart: Duration = .seconds(60),
    message: Int = 64 << 20
  ) {
    self.patience = patience
    self.timeToStart = timeToStart
    self.message = message
  }

  func patience(with ask: HostRequest.Ask) -> Duration {
    switch ask {
    case .greet, .load: timeToStart
    case .live(let live): patience + live.limits.time
    default: patience
    }
  }

  /// Whether a message has too many values; only a long one can.
  package func hasTooManyEntries(_ line: UnsafeRawBufferPointer) -> Bool {
    guard line.count > entries else { return false }
    let scanner = ValueScanner(line.bindMemory(to: UInt8.self))
    let commasAndStarts = scanner.countOutsideTexts {
      $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{")
    }
    return commasAndStarts >= entries
  }
}

package struct LineSplitter {
  private var rest: [UInt8] = []
  private var searched = 0
  package let limit: Int

  package init(limit: Int) { self.limit = limit }

  package struct TooLong: Error {}

  /// Passes each finished line without its end, and keeps the rest.
  package mutating func add(
    _ bytes: UnsafeRawBufferPointer, line: (UnsafeRawBufferPointer) -> Void
  ) throws(TooLong) {
    rest.append(contentsOf: bytes)
    var start = 0
    rest.withUnsafeBytes { all in
      guard let base = all.baseAddress else { return }
      var position = searched
      while position < all.count,
        let end = memchr(base + position, 10, all.count - position)
      {
        let length = UnsafeRawPointer(end) - (base + start)
        if length > 0 { line(UnsafeRawBufferPointer(start: base + start, count: length)) }
        start += length + 1
        position = start
      }
    }
    if start > 0 { rest.removeFirst(start) }
    searched = rest.count
    if rest.count > limit { throw TooLong() }
  }
}
