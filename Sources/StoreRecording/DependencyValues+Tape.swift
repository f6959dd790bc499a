import SessionLog
import StoreCore

extension DependencyValues {
  /// Puts the built-in dependencies on tape: date, uuid, random numbers, the time of the clock, the
  /// ids that stacks make, the calendar, locale and time zone, and shared values in files.
  public mutating func putBuiltInsOnTape(_ tape: Tape = Tape()) {
    date = tape.date(date)
    uuid = tape.uuid(uuid)
    withRandomNumberGenerator = tape.random(withRandomNumberGenerator)
    continuousClock = tape.clock(continuousClock)
    stackIDSource = tape.stackIDs(stackIDSource)
    surroundings = tape.surroundings(surroundings)
    sharedStorage = tape.sharedStorage(sharedStorage)
  }
}
