import Platform
import SessionFile

/// What the worker does from the start of a recording to its end.
struct WorkerLoop<State: Sendable, Action: Sendable>: Sendable {
  let queue: EntryQueue
  let pipeline: Locked<RecordingPipeline<State, Action>>
  let policy: FlushPolicy
  let clock: RecordingClock

  func run() {
    var lastFlush = clock.now
    var entries: [RecordedEntry] = []
    entries.reserveCapacity(EntryQueue.room)
    var wasBusy = false
    while true {
      let batch = queue.takeAll(
        into: &entries, waitingAtMost: timeout(since: lastFlush), mayNap: wasBusy)
      wasBusy = !entries.isEmpty
      pipeline.withLock { pipeline in
        for entry in entries {
          pipeline.write(entry)
          if policy == .eachStep { pipeline.flush() }
        }
        if batch.flush != nil || isTime(since: lastFlush) {
          pipeline.flush()
          lastFlush = clock.now
        }
      }
      queue.finishedBatch(flush: batch.flush)
      if batch.isLast { return }
      entries.removeAll(keepingCapacity: entries.capacity <= 2 * EntryQueue.room)
    }
  }

  /// Does what there is to do by now, on the thread of the caller: for a system that had no thread for
  /// the worker.
  func drain() { pipeline.withLock { drain(into: $0) } }

  /// The same, for a caller that holds the pipeline.
  func drain(into pipeline: RecordingPipeline<State, Action>) {
    var entries: [RecordedEntry] = []
    let batch = queue.takeAll(into: &entries, waitingAtMost: .zero)
    for entry in entries { pipeline.write(entry) }
    pipeline.flush()
    queue.finishedBatch(flush: batch.flush)
  }

  private func isTime(since lastFlush: Duration) -> Bool {
    switch policy {
    case .eachStep, .never: false
    case .whenIdle: queue.isEmpty
    case .interval(let interval): clock.now - lastFlush >= interval
    }
  }

  /// How long the worker may sleep: lines that wait have to go when their time has come.
  private func timeout(since lastFlush: Duration) -> Duration? {
    guard case .interval(let interval) = policy,
      pipeline.withLock({ $0.bufferedBytes }) > 0
    else { return nil }
    return max(.zero, interval - (clock.now - lastFlush))
  }
}

/// The time since the start of a recording, in whole microseconds, or what the app's own clock tells.
struct RecordingClock: Sendable {
  private let start = Self.microseconds
  private let custom: Custom?

  init(_ custom: (@Sendable () -> Duration)?) {
    self.custom = custom.map(Custom.init)
  }

  var now: Duration { custom?.now ?? .microseconds(Self.microseconds - start) }

  /// Whether the app's clock told an earlier time than it had told before it was asked. Threads that
  /// tell what they did may overtake each other: their lines say nothing about the clock.
  var ranBack: Bool { custom?.told.withLock { $0.ranBack } ?? false }

  private final class Custom: Sendable {
    let clock: @Sendable () -> Duration
    let told = Locked((newest: Duration.zero, ranBack: false))

    init(_ clock: @escaping @Sendable () -> Duration) { self.clock = clock }

    var now: Duration {
      let before = told.withLock { $0.newest }
      let time = clock()
      told.withLock { $0 = (max($0.newest, time), $0.ranBack || time < before) }
      return time
    }
  }

  private static var microseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}
