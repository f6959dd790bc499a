#if canImport(FoundationEssentials)
  public import struct FoundationEssentials.Calendar
  public import struct FoundationEssentials.Date
  public import struct FoundationEssentials.Locale
  public import struct FoundationEssentials.TimeZone
#else
  public import struct Foundation.Calendar
  public import struct Foundation.Date
  public import struct Foundation.Locale
  public import struct Foundation.TimeZone
#endif

/// Where the program runs: what a device is set to. A read of it can be put on tape.
package struct Surroundings: Sendable {
  package var calendar: @Sendable () -> Calendar
  package var locale: @Sendable () -> Locale
  package var timeZone: @Sendable () -> TimeZone

  package init(
    calendar: @escaping @Sendable () -> Calendar, locale: @escaping @Sendable () -> Locale,
    timeZone: @escaping @Sendable () -> TimeZone
  ) {
    self.calendar = calendar
    self.locale = locale
    self.timeZone = timeZone
  }
}

private enum SurroundingsKey: DependencyKey {
  static let liveValue = Surroundings(
    calendar: { .current }, locale: { .current }, timeZone: { .current })

  /// The same on every machine: Gregorian, without a language, in the time of Greenwich.
  static var testValue: Surroundings {
    let zone = TimeZone(secondsFromGMT: 0) ?? .current
    let locale = Locale(identifier: "en_US_POSIX")
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    calendar.locale = locale
    return Surroundings(
      calendar: { [calendar] in calendar }, locale: { locale }, timeZone: { zone })
  }
}

extension DependencyValues {
  package var surroundings: Surroundings {
    get { self[SurroundingsKey.self] }
    set { self[SurroundingsKey.self] = newValue }
  }

  /// The calendar. In tests it is Gregorian, in the time of Greenwich.
  public var calendar: Calendar {
    get { surroundings.calendar() }
    set { surroundings.calendar = { newValue } }
  }

  /// The language and region. In tests they are those of no country (`en_US_POSIX`).
  public var locale: Locale {
    get { surroundings.locale() }
    set { surroundings.locale = { newValue } }
  }

  /// The time zone. In tests it is that of Greenwich.
  public var timeZone: TimeZone {
    get { surroundings.timeZone() }
    set { surroundings.timeZone = { newValue } }
  }
}

/// Gives the date. In tests it stands still, at the first second of 2001.
public struct DateGenerator: Sendable {
  private var generate: @Sendable () -> Date

  /// Asks this for every date.
  public init(_ generate: @escaping @Sendable () -> Date) { self.generate = generate }

  /// Always the same date.
  public static func constant(_ date: Date) -> DateGenerator { DateGenerator { date } }

  /// The date. Setting it makes time stand still there: `$0.date.now = …`.
  public var now: Date {
    get { generate() }
    set { generate = { newValue } }
  }

  /// The time now: `date()`.
  public func callAsFunction() -> Date { generate() }
}

extension DateGenerator: DependencyKey {
  /// The time of the system.
  public static let liveValue = DateGenerator { Date() }
  /// Always the beginning of 2001, in UTC; a test that means a time says which.
  public static let testValue = DateGenerator.constant(Date(timeIntervalSinceReferenceDate: 0))
}

extension DependencyValues {
  /// Gives dates. In tests time stands still.
  public var date: DateGenerator {
    get { self[DateGenerator.self] }
    set { self[DateGenerator.self] = newValue }
  }
}
