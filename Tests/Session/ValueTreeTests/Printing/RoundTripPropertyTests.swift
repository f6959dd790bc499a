import TestSupport
import Testing

@testable import ValueTree

@Suite struct RoundTripPropertyTests {
  @Test("what is printed in any style parses back to the same value, and prints the same again")
  func roundTrip() throws {
    var random = WildValues(generator: SeededGenerator(seed: RandomRuns.seed))
    for run in 0..<RandomRuns.count {
      let value = random.value(depth: run % 6)
      let bytes = value.bytes()
      let parsed = try Value(parsing: bytes)
      let isSame = parsed.isExactlyEqual(to: value) && parsed.bytes() == bytes
      try #require(isSame, "seed \(RandomRuns.seed), run \(run): \(value.text())")
      for style in [PrintStyle.pretty, .sorted, .prettySorted] {
        let isEqual = try Value(parsing: value.text(style)).isExactlyEqual(to: value)
        try #require(isEqual, "seed \(RandomRuns.seed), run \(run): \(value.text())")
      }
      let isHashedAlike = parsed == value && parsed.hashValue == value.hashValue
      try #require(isHashedAlike, "seed \(RandomRuns.seed), run \(run): \(value.text())")
    }
  }

  @Test("a damaged text gives a value or an error with its place, never anything else")
  func damage() {
    var random = WildValues(generator: SeededGenerator(seed: RandomRuns.seed))
    for _ in 0..<RandomRuns.count {
      var bytes = random.value(depth: 3).bytes()
      for _ in 0..<random.pick(1..<4) {
        let place = random.pick(0..<bytes.count)
        switch random.pick(0..<3) {
        case 0: bytes[place] = UInt8(random.pick(0..<256))
        case 1: bytes.insert(UInt8(random.pick(0..<256)), at: place)
        default: if bytes.count > 1 { bytes.remove(at: place) }
        }
      }
      do throws(ParseError) {
        let value = try Value(parsing: bytes)
        #expect((try? Value(parsing: value.bytes())) == value)
      } catch {
        #expect(error.offset <= bytes.count && error.line > 0 && error.column > 0)
      }
    }
  }
}
