import Platform

#if canImport(FoundationEssentials)
  public import struct FoundationEssentials.UUID
#else
  public import struct Foundation.UUID
#endif

/// Makes ids. In tests they count from 0.
public struct UUIDGenerator: Sendable {
  private let generate: @Sendable () -> UUID
  /// Makes a generator that continues like this one, and leaves this one unchanged.
  private let copy: (@Sendable () -> UUIDGenerator)?
}

extension UUIDGenerator {
  /// Creates a generator from a closure.
  public init(_ generate: @escaping @Sendable () -> UUID) {
    self.init(generate: generate, copy: nil)
  }

  package var copied: UUIDGenerator { copy?() ?? self }

  /// A generator of always the same id.
  public static func constant(_ id: UUID) -> UUIDGenerator { UUIDGenerator { id } }

  /// A generator of `00000000-0000-0000-0000-000000000000`, then `…01` and so on.
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
  /// Creates an id with this number in its last eight bytes, and zeros.
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
  /// Ids that count from 0 in each test.
  public static var testValue: UUIDGenerator { .incrementing }
}

extension DependencyValues {
  /// Makes ids. In tests they count from 0.
  public var uuid: UUIDGenerator {
    get { self[UUIDGenerator.self] }
    set { self[UUIDGenerator.self] = newValue }
  }
}

/// Lends a random number generator. In tests it starts from the seed 0.
///
/// ```swift
/// @Dependency(\.withRandomNumberGenerator) var withRandomNumberGenerator
///
/// let die = withRandomNumberGenerator { generator in
///   Int.random(in: 1...6, using: &generator)
/// }
/// ```
///
/// The work draws number by number, so nested work and other threads draw from the same generator
/// in between.
public struct WithRandomNumberGenerator: Sendable {
  private let generator: Locked<any RandomNumberGenerator & Sendable>

  /// Creates a lender of this generator.
  public init(_ generator: some RandomNumberGenerator & Sendable) {
    self.generator = Locked(generator)
  }

  package var copied: WithRandomNumberGenerator {
    WithRandomNumberGenerator(copying: generator.withLock { $0 })
  }

  private init(copying generator: any RandomNumberGenerator & Sendable) {
    self.generator = Locked(generator)
  }

  /// Lends the generator to `work`; others wait until it returns.
  public func callAsFunction<Result>(
    _ work: (inout any RandomNumberGenerator & Sendable) throws -> Result
  ) rethrows -> Result {
    var lent: any RandomNumberGenerator & Sendable = LentRandomNumberGenerator(owner: generator)
    defer {
      // If the work replaced the generator, all use the new one from now on.
      if !(lent is LentRandomNumberGenerator) { generator.withLock { $0 = lent } }
    }
    return try work(&lent)
  }
}

/// A shared generator, locked for one number at a time.
private struct LentRandomNumberGenerator: RandomNumberGenerator, Sendable {
  let owner: Locked<any RandomNumberGenerator & Sendable>

  func next() -> UInt64 { owner.withLock { $0.next() } }
}

/// A generator that gives the same numbers for the same seed, on every machine (SplitMix64).
public struct SeededRandomNumberGenerator: RandomNumberGenerator, Sendable, Hashable, Codable {
  private var state: UInt64

  /// Creates a generator from a seed.
  public init(seed: UInt64) { state = seed }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension WithRandomNumberGenerator: DependencyKey {
  /// The system's generator.
  public static var liveValue: WithRandomNumberGenerator { .init(SystemRandomNumberGenerator()) }
  /// A generator with the seed 0, so that tests repeat.
  public static var testValue: WithRandomNumberGenerator {
    .init(SeededRandomNumberGenerator(seed: 0))
  }
}

extension DependencyValues {
  /// Lends a random number generator. In tests it starts from the seed 0.
  public var withRandomNumberGenerator: WithRandomNumberGenerator {
    get { self[WithRandomNumberGenerator.self] }
    set { self[WithRandomNumberGenerator.self] = newValue }
  }
}
