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

  public func callAsFunction() -> Date { generate() }
}

extension DateGenerator: DependencyKey {
  public static let liveValue = DateGenerator { Date() }
  public static let testValue = DateGenerator.constant(Date(timeIntervalSinceReferenceDate: 0))
}

extension DependencyValues {
  /// Gives dates. In tests time stands still.
  public var date: DateGenerator {
    get { self[DateGenerator.self] }
    set { self[DateGenerator.self] = newValue }
  }
}
