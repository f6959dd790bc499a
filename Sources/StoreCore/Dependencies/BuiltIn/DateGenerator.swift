#if canImport(FoundationEssentials)
  public import struct FoundationEssentials.Date
#else
  public import struct Foundation.Date
#endif

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
