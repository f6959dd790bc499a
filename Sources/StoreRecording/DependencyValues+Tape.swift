import Recorder
import StoreCore

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
