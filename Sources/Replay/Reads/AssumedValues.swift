/// Values for reads that were not recorded: from deterministic sources only.
struct AssumedValues: Sendable, Hashable {
  private var random: UInt64
  /// Ids that stores and generators count come from a range that no recording uses.
  private var count: UInt64 = 1 << 40
  /// How many values were taken.
  private(set) var position = 0

  init(seed: UInt64) { random = seed }

  mutating func nextRandom() -> UInt64 {
    position += 1
    random &+= 0x9E37_79B9_7F4A_7C15
    var mixed = random
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func nextCount() -> UInt64 {
    position += 1
    defer { count += 1 }
    return count
  }
}
