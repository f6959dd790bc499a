@_spi(Internals) import ComposableArchitecture
import SessionLog
import StoreCore
import StoreRecording

/// The library's dependencies that go on tape automatically.
struct TapedDependencies: Sendable {
  private let date: ComposableArchitecture.DateGenerator
  private let uuid: ComposableArchitecture.UUIDGenerator
  private let random: ComposableArchitecture.WithRandomNumberGenerator
  var clock: any Clock<Duration>
  private let stackIDs: StackElementIDGenerator

  init(_ tape: Tape) {
    @ComposableArchitecture.Dependency(\.self) var live
    let (liveDate, liveUUID) = (live.date, live.uuid)
    let liveRandom = live.withRandomNumberGenerator
    let date = tape.date(StoreCore.DateGenerator { liveDate.now })
    let uuid = tape.uuid(StoreCore.UUIDGenerator { liveUUID() })
    let random = tape.random(
      StoreCore.WithRandomNumberGenerator(Numbers { liveRandom { $0.next() } }))
    self.date = ComposableArchitecture.DateGenerator { date.now }
    self.uuid = ComposableArchitecture.UUIDGenerator { uuid() }
    self.random = ComposableArchitecture.WithRandomNumberGenerator(
      Numbers { random { $0.next() } })
    clock = tape.clock(live.continuousClock)
    stackIDs = live.stackElementID.onTape(tape)
  }

  func put(into values: inout ComposableArchitecture.DependencyValues) {
    values.date = date
    values.uuid = uuid
    values.withRandomNumberGenerator = random
    values.continuousClock = clock
    values.stackElementID = stackIDs
  }
}

/// A generator that asks another for each number.
private struct Numbers: RandomNumberGenerator, Sendable {
  let ask: @Sendable () -> UInt64

  init(_ ask: @escaping @Sendable () -> UInt64) { self.ask = ask }

  func next() -> UInt64 { ask() }
}

extension StackElementIDGenerator {
  /// A generator on tape. The library has no public initializer for one, so this rebuilds it from
  /// the same two closures. If its layout differs, ids are not on tape.
  func onTape(_ tape: Tape) -> Self {
    typealias ID = ComposableArchitecture.StackElementID
    struct Closures {
      let next: @Sendable () -> ID
      let peek: @Sendable () -> ID
    }
    guard MemoryLayout<Self>.size == MemoryLayout<Closures>.size else { return self }
    let ids = tape.stackIDs { [next] in next().generation }
    let closures = Closures(next: { ID(generation: ids()) }, peek: peek)
    return unsafeBitCast(closures, to: Self.self)
  }
}
