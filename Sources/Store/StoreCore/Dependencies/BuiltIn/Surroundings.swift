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

/// The settings of the device; reads of them can be recorded.
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

  /// The same on every machine: Gregorian, no language, GMT.
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

  /// The calendar. In tests it is Gregorian, in GMT.
  public var calendar: Calendar {
    get { surroundings.calendar() }
    set { surroundings.calendar = { newValue } }
  }

  /// The language and region. In tests `en_US_POSIX`.
  public var locale: Locale {
    get { surroundings.locale() }
    set { surroundings.locale = { newValue } }
  }

  /// The time zone. In tests it is GMT.
  public var timeZone: TimeZone {
    get { surroundings.timeZone() }
    set { surroundings.timeZone = { newValue } }
  }
}

/// Gives the date. In tests always the first second of 2001.
public struct DateGenerator: Sendable {
  private var generate: @Sendable () -> Date

  /// Creates a generator from a closure.
  public init(_ generate: @escaping @Sendable () -> Date) { self.generate = generate }

  /// A generator of always the same date.
  public static func constant(_ date: Date) -> DateGenerator { DateGenerator { date } }

  /// The date. Setting it stops time there: `$0.date.now = …`.
  public var now: Date {
    get { generate() }
    set { generate = { newValue } }
  }

  /// The current date: `date()`.
  public func callAsFunction() -> Date { generate() }
}

extension DateGenerator: DependencyKey {
  /// The system's time.
  public static let liveValue = DateGenerator { Date() }
  /// Always the start of 2001 in UTC; a test that needs another time sets it.
  public static let testValue = DateGenerator.constant(Date(timeIntervalSinceReferenceDate: 0))
}

extension DependencyValues {
  /// Gives dates. In tests time does not move.
  public var date: DateGenerator {
    get { self[DateGenerator.self] }
    set { self[DateGenerator.self] = newValue }
  }
}
