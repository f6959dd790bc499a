import Platform

#if canImport(FoundationEssentials)
  public import struct FoundationEssentials.UUID
#else
  public import struct Foundation.UUID
#endif

/// Makes ids. In tests they count from 0.
public struct UUIDGenerator: Sendable {
  private let generate: @Sendable () -> UUID
  /// A generator that goes on as this one would now, and leaves this one as it is.
  private let copy: (@Sendable () -> UUIDGenerator)?

  /// Asks this for every id.
  public init(_ generate: @escaping @Sendable () -> UUID) { self.init(generate, copy: nil) }

  private init(
    _ generate: @escaping @Sendable () -> UUID, copy: (@Sendable () -> UUIDGenerator)?
  ) {
    self.generate = generate
    self.copy = copy
  }

  /// Itself, where it cannot be copied.
  package var copied: UUIDGenerator { copy?() ?? self }

  /// Always the same id.
  public static func constant(_ id: UUID) -> UUIDGenerator { UUIDGenerator { id } }

  /// `00000000-0000-0000-0000-000000000000`, then `…01` and so on.
  public static var incrementing: UUIDGenerator { incrementing(from: 0) }

  private static func incrementing(from start: UInt64) -> UUIDGenerator {
    let next = Locked(start)
    return UUIDGenerator {
      UUID(
        next.withLock { number in
          defer { number += 1 }
          return number
        })
    } copy: {
      incrementing(from: next.withLock { $0 })
    }
  }

  /// The next id: `uuid()`.
  public func callAsFunction() -> UUID { generate() }
}

extension UUID {
  /// The id with this number in its last eight bytes and nothing else.
  public init(_ number: UInt64) {
    func byte(_ place: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: number >> (place * 8)) }
    self.init(
      uuid: (
        0, 0, 0, 0, 0, 0, 0, 0,
        byte(7), byte(6), byte(5), byte(4), byte(3), byte(2), byte(1), byte(0)
      ))
  }
}

extension UUIDGenerator: DependencyKey {
  /// Random ids.
  public static let liveValue = UUIDGenerator { UUID() }
  /// Ids that count from 0, anew for each test.
  public static var testValue: UUIDGenerator { .incrementing }
}

extension DependencyValues {
  /// Makes ids. In tests they count from 0.
  public var uuid: UUIDGenerator {
    get { self[UUIDGenerator.self] }
    set { self[UUIDGenerator.self] = newValue }
  }
}
