import Essentials
import Recorder
import SessionWords
import StoreCore
import Synchronization
import ValueTree

extension Tape {
  /// Records dates, under the key `date`.
  public func date(_ live: DateGenerator) -> DateGenerator {
    register("date")
    return DateGenerator {
      value("date", substitute: { Date(timeIntervalSince1970: $0.secondsSince1970()) }) {
        live.now
      }
    }
  }

  /// Records ids, under the key `uuid`.
  public func uuid(_ live: UUIDGenerator) -> UUIDGenerator {
    register("uuid")
    return UUIDGenerator {
      value("uuid", substitute: { UUID($0.count()) }) { live() }
    }
  }

  /// Records random numbers one by one, under the key `random`.
  public func random(_ live: WithRandomNumberGenerator) -> WithRandomNumberGenerator {
    register("random")
    return WithRandomNumberGenerator(TapedRandomNumberGenerator(tape: self, live: live))
  }

  /// Records the ids of stacks, under the key `stackID`, so that after a skipped push a replay
  /// still recognises later elements. Registers the key with the first id, because most apps have
  /// no stacks.
  package func stackIDs(_ live: StackIDSource = .counted) -> StackIDSource {
    let once = Once { register("stackID") }
    return .asked { counted in
      once.run()
      return value("stackID", substitute: { _ in nil }) { live.number(counted: counted) }
    }
  }

  /// Records the stack ids of another architecture, as numbers. In a replay new elements get
  /// numbers that no recording uses.
  public func stackIDs(_ live: @escaping @Sendable () -> Int) -> @Sendable () -> Int {
    let once = Once { register("stackID") }
    return {
      once.run()
      return value("stackID", substitute: { 1_000_000_000 + Int($0.count()) }) { live() }
    }
  }

  /// Records the calendar, locale and time zone under these keys. Registers the keys with the first
  /// read, because most reducers need none.
  package func surroundings(_ live: Surroundings) -> Surroundings {
    func taped<Value: Codable & Sendable>(
      _ key: String, _ live: @escaping @Sendable () -> Value
    ) -> @Sendable () -> Value {
      let once = Once { register(key) }
      return {
        once.run()
        return value(key, substitute: { _ in Fixed(value: live()) }) { Fixed(value: live()) }.value
      }
    }
    return Surroundings(
      calendar: taped("calendar", live.calendar), locale: taped("locale", live.locale),
      timeZone: taped("timeZone", live.timeZone))
  }

  /// Records reads of shared values in files, under the key `sharedFile`: the text of a file of
  /// this name, or nothing. Registers the key with the first read, because most states share no
  /// files.
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

  /// Records a clock's time, under the key `clock`. It sleeps like the live one.
  ///
  /// Returns a ``TestClock`` or an ``ImmediateClock`` unchanged: the test controls their time.
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

/// A setting of the device as it was. Its own `Codable` writes “current”, and each machine reads its own.
private struct Fixed<Setting: Codable & Sendable>: Codable, Sendable {
  let value: Setting

  init(value: Setting) { self.value = value }

  init(from decoder: any Decoder) throws {
    value = try ValueDecoder().decode(Setting.self, from: Self.fixed(Value(from: decoder)))
  }

  func encode(to encoder: any Encoder) throws {
    try Self.fixed(ValueEncoder().encode(value)).encode(to: encoder)
  }

  private static func fixed(_ coded: Value) -> Value {
    var coded = coded
    for (key, given) in ["current": 0, "autoupdating": false] as [String: Value]
    where coded[key] != nil { coded[key] = given }
    for key in ["locale", "timeZone"] { coded[key] = coded[key].map(fixed) }
    return coded
  }
}

private struct TapedRandomNumberGenerator: RandomNumberGenerator, Sendable {
  let tape: Tape
  let live: WithRandomNumberGenerator

  mutating func next() -> UInt64 {
    tape.value("random", substitute: { $0.random() }) { live { $0.next() } }
  }
}

private final class Once: Sendable {
  private let isDone = Atomic(false)
  private let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }

  func run() { if !isDone.exchange(true, ordering: .relaxed) { work() } }
}

extension DependencyValues {
  /// Records the built-in dependencies: date, uuid, random numbers, the clock's time, stack ids,
  /// the calendar, locale and time zone, and shared values in files. Replacements by reducers are
  /// recorded, too.
  public mutating func putBuiltInsOnTape(_ tape: Tape = Tape()) {
    putOnTape(\.date) { $0 = tape.date($0) }
    putOnTape(\.uuid) { $0 = tape.uuid($0) }
    putOnTape(\.withRandomNumberGenerator) { $0 = tape.random($0) }
    putOnTape(\.continuousClock) { $0 = tape.clock($0) }
    stackIDSource = tape.stackIDs(stackIDSource)
    putOnTape(\.surroundings) { $0 = tape.surroundings($0) }
    sharedStorage = tape.sharedStorage(sharedStorage)
  }

  /// Records a dependency, here and wherever a reducer or an effect replaces it:
  ///
  /// ```swift
  /// $0.putOnTape(\.factClient) { $0.fact = tape.closure("fact", $0.fact) }
  /// ```
  public mutating func putOnTape<Value>(
    _ keyPath: any WritableKeyPath<DependencyValues, Value> & Sendable,
    _ change: @escaping @Sendable (inout Value) -> Void
  ) {
    changeEverywhere(keyPath, change)
  }
}

/// A clock that counts from its creation, with another time or another way to wait.
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

  /// Both closures get the live clock.
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

  /// A tape may contain any number: the nearest possible duration.
  static func duration(_ seconds: Double) -> Duration {
    let furthest = 9e9
    let shown = seconds.isNaN ? 0 : min(max(seconds, -furthest), furthest)
    return .nanoseconds(Int64((shown * 1e9).rounded()))
  }
}
