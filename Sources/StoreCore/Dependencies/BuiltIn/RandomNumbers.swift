import Platform

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
/// What the work is given draws from the generator number by number, so work inside such work, and
/// work of other threads, draws from the same one in between.
public struct WithRandomNumberGenerator: Sendable {
  private let generator: Locked<any RandomNumberGenerator & Sendable>

  /// Lends this generator.
  public init(_ generator: some RandomNumberGenerator & Sendable) {
    self.generator = Locked(generator)
  }

  /// One that goes on as this one would now, and leaves this one as it is.
  package var copied: WithRandomNumberGenerator {
    WithRandomNumberGenerator(copying: generator.withLock { $0 })
  }

  private init(copying generator: any RandomNumberGenerator & Sendable) {
    self.generator = Locked(generator)
  }

  /// Lends the generator to `work`; others wait until it is given back.
  public func callAsFunction<Result>(
    _ work: (inout any RandomNumberGenerator & Sendable) throws -> Result
  ) rethrows -> Result {
    var lent: any RandomNumberGenerator & Sendable = LentRandomNumberGenerator(owner: generator)
    defer {
      // The work may have put another one there, from which everybody draws from now on.
      if !(lent is LentRandomNumberGenerator) { generator.withLock { $0 = lent } }
    }
    return try work(&lent)
  }
}

/// Draws from a generator that others draw from too, and holds it for one number at a time.
private struct LentRandomNumberGenerator: RandomNumberGenerator, Sendable {
  let owner: Locked<any RandomNumberGenerator & Sendable>

  func next() -> UInt64 { owner.withLock { $0.next() } }
}

/// The same numbers for the same seed, on every machine (SplitMix64).
public struct SeededRandomNumberGenerator: RandomNumberGenerator, Sendable, Hashable, Codable {
  private var state: UInt64

  /// Begins with this seed.
  public init(seed: UInt64) { state = seed }

  /// The next number; the same seed gives the same ones on every system.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension WithRandomNumberGenerator: DependencyKey {
  /// Draws from the system.
  public static var liveValue: WithRandomNumberGenerator { .init(SystemRandomNumberGenerator()) }
  /// Draws from the seed 0, so that a test sees the same numbers every time.
  public static var testValue: WithRandomNumberGenerator {
    .init(SeededRandomNumberGenerator(seed: 0))
  }
}

extension DependencyValues {
  /// Lends a generator of random numbers. In tests it begins with the seed 0.
  public var withRandomNumberGenerator: WithRandomNumberGenerator {
    get { self[WithRandomNumberGenerator.self] }
    set { self[WithRandomNumberGenerator.self] = newValue }
  }
}
