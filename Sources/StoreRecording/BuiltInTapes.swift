import Essentials
import Recorder
import SessionWords
import StoreCore
import Synchronization

extension Tape {
  /// Dates on tape, under the key `date`.
  public func date(_ live: DateGenerator) -> DateGenerator {
    register("date")
    return DateGenerator {
      value("date", substitute: { Date(timeIntervalSince1970: $0.secondsSince1970()) }) {
        live.now
      }
    }
  }

  /// Ids on tape, under the key `uuid`.
  public func uuid(_ live: UUIDGenerator) -> UUIDGenerator {
    register("uuid")
    return UUIDGenerator {
      value("uuid", substitute: { UUID($0.count()) }) { live() }
    }
  }

  /// Random numbers on tape, under the key `random`: every number that the generator is asked for.
  public func random(_ live: WithRandomNumberGenerator) -> WithRandomNumberGenerator {
    register("random")
    return WithRandomNumberGenerator(TapedRandomNumberGenerator(tape: self, live: live))
  }

  /// The ids that stacks make, under the key `stackID`: where a step was skipped that pushed
  /// something, a replay still knows what later ones pushed by the ids of the recording. The key is
  /// on tape from the first id on, because most apps have no stacks.
  package func stackIDs(_ live: StackIDSource = .counted) -> StackIDSource {
    let once = Once { register("stackID") }
    return .asked { counted in
      once.run()
      return value("stackID", substitute: { _ in nil }) { live.number(counted: counted) }
    }
  }

  /// The same for the stacks of another architecture, by their numbers. In a replay new elements get
  /// numbers that no recording uses.
  public func stackIDs(_ live: @escaping @Sendable () -> Int) -> @Sendable () -> Int {
    let once = Once { register("stackID") }
    return {
      once.run()
      return value("stackID", substitute: { 1_000_000_000 + Int($0.count()) }) { live() }
    }
  }

  /// The calendar, locale and time zone on tape, under these keys. They are on tape from the first
  /// read on, because most reducers ask for none.
  package func surroundings(_ live: Surroundings) -> Surroundings {
    func taped<Value: Codable & Sendable>(
      _ key: String, _ live: @escaping @Sendable () -> Value
    ) -> @Sendable () -> Value {
      let once = Once { register(key) }
      return {
        once.run()
        return value(key, substitute: { _ in live() }) { live() }
      }
    }
    return Surroundings(
      calendar: taped("calendar", live.calendar), locale: taped("locale", live.locale),
      timeZone: taped("timeZone", live.timeZone))
  }

  /// Reads of shared values in files, under the key `sharedFile`: the text of a file of this name, or
  /// nothing. They are on tape from the first read on, because most states share nothing in files.
  public func sharedStorage(_ live: SharedStorage) -> SharedStorage {
    let once = Once { register("sharedFile") }
    var storage = live
    storage.load = { path in
      once.run()
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return value("sharedFile", arguments: [name], substitute: { _ in nil }) { live.load(path) }
    }
    return storage
  }

  /// A clock whose time is on tape, under the key `clock`. It sleeps as the live one does.
  ///
  /// A ``TestClock`` and an ``ImmediateClock`` are given back as they are: their time is in the hands
  /// of the test.
  public func clock(_ live: any Clock<Duration>) -> any Clock<Duration> {
    guard !(live is TestClock), !(live is ImmediateClock) else { return live }
    register("clock")
    return ShiftedClock(live) { time in
      let seconds = value("clock", substitute: { $0.secondsSince1970() }) {
        let (seconds, attoseconds) = time().components
        return Double(seconds) + Double(attoseconds / 1_000_000_000) / 1e9
      }
      return ShiftedClock.duration(seconds)
    }
  }
}

private struct TapedRandomNumberGenerator: RandomNumberGenerator, Sendable {
  let tape: Tape
  let live: WithRandomNumberGenerator

  mutating func next() -> UInt64 {
    tape.value("random", substitute: { $0.random() }) { live { $0.next() } }
  }
}

/// Work that is done the first time only.
private final class Once: Sendable {
  private let isDone = Atomic(false)
  private let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }

  func run() { if !isDone.exchange(true, ordering: .relaxed) { work() } }
}

extension DependencyValues {
  /// Puts the built-in dependencies on tape: date, uuid, random numbers, the time of the clock, the
  /// ids that stacks make, the calendar, locale and time zone, and shared values in files. What a
  /// reducer replaces the first ones with is on tape, too.
  public mutating func putBuiltInsOnTape(_ tape: Tape = Tape()) {
    putOnTape(\.date) { $0 = tape.date($0) }
    putOnTape(\.uuid) { $0 = tape.uuid($0) }
    putOnTape(\.withRandomNumberGenerator) { $0 = tape.random($0) }
    putOnTape(\.continuousClock) { $0 = tape.clock($0) }
    stackIDSource = tape.stackIDs(stackIDSource)
    putOnTape(\.surroundings) { $0 = tape.surroundings($0) }
    sharedStorage = tape.sharedStorage(sharedStorage)
  }

  /// Puts a dependency on tape, here and wherever a reducer or an effect replaces it:
  ///
  /// ```swift
  /// $0.putOnTape(\.factClient) { $0.fact = tape.closure("fact", $0.fact) }
  /// ```
  public mutating func putOnTape<Value>(
    _ keyPath: any WritableKeyPath<DependencyValues, Value> & Sendable,
    _ change: @escaping @Sendable (inout Value) -> Void
  ) {
    keep(keyPath, change)
  }
}

/// A clock that counts from when it was made, with another idea of the time, or of how to wait for it.
package struct ShiftedClock: Clock {
  package typealias Time = @Sendable () -> Duration
  package typealias Sleep = @Sendable () async throws -> Void

  package struct Instant: InstantProtocol {
    var offset: Duration

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let time: Time
  private let sleep: @Sendable (Duration, Duration?) async throws -> Void
  package let minimumResolution: Duration

  /// Both are given the way of the live clock.
  package init<Live: Clock<Duration>>(
    _ live: Live, time: @escaping @Sendable (Time) -> Duration,
    sleep: @escaping @Sendable (_ deadline: Duration, Sleep) async throws -> Void = {
      try await $1()
    }
  ) {
    let start = TapeContext.with(nil) { live.now }
    self.time = { time { start.duration(to: live.now) } }
    self.sleep = { deadline, tolerance in
      try await sleep(deadline) {
        try await live.sleep(until: start.advanced(by: deadline), tolerance: tolerance)
      }
    }
    minimumResolution = live.minimumResolution
  }

  package var now: Instant { Instant(offset: time()) }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await sleep(deadline.offset, tolerance)
  }

  /// What a tape says may be any number: what no clock shows is the nearest that one can.
  static func duration(_ seconds: Double) -> Duration {
    let furthest = 9e9
    let shown = seconds.isNaN ? 0 : min(max(seconds, -furthest), furthest)
    return .nanoseconds(Int64((shown * 1e9).rounded()))
  }
}
