import Platform
import SessionFile

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
      let batch = queue.moveAll(
        into: &entries, waitingAtMost: timeout(since: lastFlush), mayNap: wasBusy)
      wasBusy = !entries.isEmpty
      pipeline.withLock { pipeline in
        for entry in entries {
          pipeline.write(entry)
          if policy == .eachStep { pipeline.flush() }
          queue.handledEntry()
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

  /// Handles all entries on the caller's thread: for a system without a free thread.
  func drain() { pipeline.withLock { drain(into: $0) } }

  func drain(into pipeline: RecordingPipeline<State, Action>) {
    var entries: [RecordedEntry] = []
    let batch = queue.moveAll(into: &entries, waitingAtMost: .zero)
    for entry in entries {
      pipeline.write(entry)
      queue.handledEntry()
    }
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

  /// The longest sleep before waiting lines must be flushed.
  private func timeout(since lastFlush: Duration) -> Duration? {
    guard case .interval(let interval) = policy,
      pipeline.withLock({ $0.bufferedBytes }) > 0
    else { return nil }
    return max(.zero, interval - (clock.now - lastFlush))
  }
}

/// The time since the recording's start in whole microseconds, or the app's own.
struct RecordingClock: Sendable {
  private let start = Self.microseconds
  private let custom: Custom?

  init(_ custom: (@Sendable () -> Duration)?) {
    self.custom = custom.map(Custom.init)
  }

  var now: Duration { custom?.now ?? .microseconds(Self.microseconds - start) }

  /// Whether the app's clock went back between two questions. Threads may overtake each other, so
  /// the lines' order proves nothing.
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
