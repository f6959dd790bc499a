import Platform
import Recorder
import SessionWords
import StoreCore
import ValueTree

/// The body of one effect of a branch, with live dependencies, ready to run once.
struct LiveBody: Sendable {
  let effect: EffectID
  let body: any EffectBody

  /// Runs it until it ends or reaches its limit. A body that ignores cancellation is abandoned;
  /// what it sends then is dropped.
  func run(
    _ limits: LiveLimits, isCancelled: @escaping @Sendable () -> Bool
  ) async throws -> LiveRun {
    let (ends, end) = AsyncStream.makeStream(of: LiveRun.End?.self)
    let time = body.dependencies.continuousClock.stopwatch()
    let capture = LiveCapture(limit: limits.emissions, time: time) {
      _ = end.yield(.stopped(.emissions))
    }
    let running = Task {
      let outcome = await TapeContext.with(capture) {
        await body.perform { capture.recordEmission($0) }
      }
      end.yield(outcome)
    }
    let watch = Task {
      let clock = ContinuousClock()
      let deadline = clock.now.advanced(by: limits.time)
      while clock.now < deadline {
        guard !isCancelled() else { break }
        let pause = min(.milliseconds(20), clock.now.duration(to: deadline))
        do { try await clock.sleep(for: pause) } catch { return }
      }
      end.yield(isCancelled() ? nil : .stopped(.time))
    }
    let outcome: LiveRun.End? = await withTaskCancellationHandler {
      for await outcome in ends { return outcome }
      return nil
    } onCancel: {
      end.yield(nil)
    }
    watch.cancel()
    let taken = capture.close()
    running.cancel()
    guard let outcome else { throw ReplayError.cancelled }
    return LiveRun(
      effect: effect, emissions: try taken.emissions.map { try $0() },
      end: taken.isFull ? .stopped(.emissions) : outcome, duration: taken.duration,
      reads: taken.reads.map { $0() })
  }
}

extension Clock where Duration == Swift.Duration {
  /// Counts from now on the effect's own clock, which may not be the real one.
  func stopwatch() -> @Sendable () -> Duration {
    let start = TapeContext.with(nil) { now }
    return { TapeContext.with(nil) { start.duration(to: now) } }
  }
}

/// Records what an effect sends and reads during a live run.
///
/// `@unchecked Sendable`: the lock guards everything that changes.
final class LiveCapture: TapeSource, @unchecked Sendable {
  struct Taken {
    /// Each encodes its action, which takes time.
    var emissions: [@Sendable () throws -> LiveRun.Emission] = []
    var reads: [PendingRead] = []
    var duration = Duration.zero
    var isFull = false
  }

  private let limit: Int
  private let isFull: @Sendable () -> Void
  private let time: @Sendable () -> Duration
  private let lock = Lock()
  private var taken = Taken()
  private var isClosed = false

  init(
    limit: Int, time: @escaping @Sendable () -> Duration, isFull: @escaping @Sendable () -> Void
  ) {
    self.limit = max(1, limit)
    self.time = time
    self.isFull = isFull
  }

  func recordEmission(_ action: any MachineAction) {
    let delay = time()
    let isLast = lock.withLock {
      guard !isClosed, taken.emissions.count < limit else { return false }
      let readCount = taken.reads.count
      taken.emissions.append {
        LiveRun.Emission(
          delay: delay, action: try action.value(), readCount: readCount)
      }
      taken.isFull = taken.emissions.count == limit
      return taken.isFull
    }
    if isLast { isFull() }
  }

  func close() -> Taken {
    let duration = time()
    return lock.withLock {
      isClosed = true
      taken.duration = duration
      return taken
    }
  }

  var answers: Bool { false }

  func record(_ read: @escaping PendingRead, askedAt: Duration?) {
    lock.withLock { if !isClosed { taken.reads.append(read) } }
  }
}
