import TestSupport
import Testing

@testable import ValueTree

@Suite("Common order")
struct CommonOrderTests {
  @Test("the common order of random lists is as long as it can be")
  func longest() {
    let seed: UInt64 = 20_260_103
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let tokenCount = Int.random(in: 1...12, using: &generator)
      func list() -> [Int] {
        (0..<Int.random(in: 0...14, using: &generator)).map { _ in
          Int.random(in: 0..<tokenCount, using: &generator)
        }
      }
      let (old, new) = (list(), list())
      let pairs = CommonOrder.pairs(old, new, tokenCount: tokenCount)
      #expect(pairs.count == Self.length(old, new), "\(old) \(new), seed \(seed)")
      #expect(pairs.allSatisfy { old[$0.old] == new[$0.new] })
      #expect(zip(pairs, pairs.dropFirst()).allSatisfy { $0.old < $1.old && $0.new < $1.new })
    }
  }

  @Test("lists with too many differences for the best answer still get a good one")
  func beyondTheLimit() {
    // Every token comes twice, and the second list is the first one turned around in blocks of three.
    let old = (0..<6_000).map { $0 / 2 }
    let new = stride(from: 0, to: 6_000, by: 3).flatMap { start in
      (0..<3).map { old[start + 2 - $0] }
    }
    let pairs = CommonOrder.pairs(old, new, tokenCount: 3_000)
    #expect(pairs.count >= 2_000)
    #expect(zip(pairs, pairs.dropFirst()).allSatisfy { $0.old < $1.old && $0.new < $1.new })
  }

  /// The length of a longest common subsequence, by the plain table.
  private static func length(_ old: [Int], _ new: [Int]) -> Int {
    var row = Array(repeating: 0, count: new.count + 1)
    for token in old {
      var diagonal = 0
      for place in new.indices {
        let above = row[place + 1]
        row[place + 1] = token == new[place] ? diagonal + 1 : max(above, row[place])
        diagonal = above
      }
    }
    return row[new.count]
  }
}
