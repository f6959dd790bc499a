import Platform

/// A clock that moves only when a test advances it.
///
/// ```swift
/// let clock = TestClock()
/// let store = Store(initialState: Timer.State()) {
///   Timer()
/// } withDependencies: {
///   $0.continuousClock = clock
/// }
/// store.send(.started)
/// await clock.advance(by: .seconds(3))
/// ```
///
/// Even a sleep of zero waits for the next advance. Sleepers wake by deadline, then in the order
/// they fell asleep. After each, the clock waits until the woken effect cannot continue by itself.
public final class TestClock: Clock, Sendable {
  /// A time on the clock.
  public struct Instant: InstantProtocol {
    /// The time since the clock began.
    public var offset: Duration

    /// Creates an instant this long after the beginning.
    public init(offset: Duration = .zero) { self.offset = offset }

    /// The time this much later.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// The time until `other`; negative if that is earlier.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether this time is earlier.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let sleepers: Locked<Sleepers>

  /// Creates a clock that begins at this time.
  public init(now: Instant = Instant()) {
    sleepers = Locked(Sleepers(now: now))
  }

  /// The current time.
  public var now: Instant { sleepers.withLock { $0.now } }
  /// Zero.
  public var minimumResolution: Duration { .zero }

  /// Waits until the test reaches `deadline`; throws if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let number = sleepers.withLock { $0.addSleeper() }
    let watch = EffectWatch.current
    watch?.begin(number, on: self, until: deadline)
    defer { watch?.end(number) }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = sleepers.withLock { $0.add(number, until: deadline, continuation) }
        if let isOver { continuation.resume(with: isOver) }
      }
    } onCancel: {
      let continuation = sleepers.withLock { $0.cancel(number) }
      continuation?.resume(throwing: CancellationError())
    }
  }

  /// Moves the clock forward.
  public func advance(by duration: Duration = .zero) async {
    await advance(to: now.advanced(by: duration))
  }

  /// Moves the clock to a time.
  public func advance(to deadline: Instant) async {
    await wakeAll(until: deadline)
    sleepers.withLock { $0.now = max($0.now, deadline) }
    await settle()
  }

  /// Moves the clock until all sleepers have woken.
  public func run() async { await wakeAll(until: nil) }

  private func wakeAll(until deadline: Instant?) async {
    await settle()
    while let continuation = sleepers.withLock({ $0.wakeNext(until: deadline) }) {
      continuation.resume()
      await settle()
    }
  }

  package var sleeperCount: Int { sleepers.withLock { $0.count } }

  package func observe(_ executor: SerialEffectExecutor) {
    sleepers.withLock { $0.executors[ObjectIdentifier(executor)] = WeakExecutor(executor) }
  }

  private func settle() async {
    let executors = sleepers.withLock { sleepers in
      sleepers.executors = sleepers.executors.filter { $0.value.executor != nil }
      return sleepers.executors.values.compactMap(\.executor)
    }
    for executor in executors { await executor.settle() }
    guard executors.isEmpty else { return }
    // A sleeper outside of stores may still be on its way.
    for _ in 0..<20 {
      await Task<Void, Never>.detached(priority: .background) { await Task.yield() }.value
    }
  }
}

/// `@unchecked Sendable`: used only inside the clock's lock.
private struct WeakExecutor: @unchecked Sendable {
  weak var executor: SerialEffectExecutor?

  init(_ executor: SerialEffectExecutor) { self.executor = executor }
}

private struct Sleepers {
  struct Sleeper {
    var number: Int
    var deadline: TestClock.Instant
    var continuation: CheckedContinuation<Void, any Error>
  }

  var now: TestClock.Instant
  var executors: [ObjectIdentifier: WeakExecutor] = [:]
  private var nextNumber = 0
  private var asleep: [Sleeper] = []
  private var lyingDown: [Int: Bool] = [:]

  init(now: TestClock.Instant) { self.now = now }

  var count: Int { asleep.count + lyingDown.count }

  mutating func addSleeper() -> Int {
    defer { nextNumber += 1 }
    lyingDown[nextNumber] = false
    return nextNumber
  }

  /// How the sleep ended already; nil if it begins.
  mutating func add(
    _ number: Int, until deadline: TestClock.Instant,
    _ continuation: CheckedContinuation<Void, any Error>
  ) -> Result<Void, any Error>? {
    if lyingDown.removeValue(forKey: number) == true { return .failure(CancellationError()) }
    if deadline < now { return .success(()) }
    let index = asleep.firstIndex { deadline < $0.deadline } ?? asleep.endIndex
    asleep.insert(
      Sleeper(number: number, deadline: deadline, continuation: continuation), at: index)
    return nil
  }

  mutating func cancel(_ number: Int) -> CheckedContinuation<Void, any Error>? {
    if let index = asleep.firstIndex(where: { $0.number == number }) {
      return asleep.remove(at: index).continuation
    }
    if lyingDown[number] != nil { lyingDown[number] = true }
    return nil
  }

  mutating func wakeNext(until deadline: TestClock.Instant?)
    -> CheckedContinuation<Void, any Error>?
  {
    guard let first = asleep.first else { return nil }
    if let deadline, deadline < first.deadline { return nil }
    asleep.removeFirst()
    now = max(now, first.deadline)
    return first.continuation
  }
}
