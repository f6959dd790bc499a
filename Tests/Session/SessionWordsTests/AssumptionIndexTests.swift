import TestSupport
import Testing

@testable import SessionWords

@Suite("What steps rest on, found by step")
struct AssumptionIndexTests {
  @Test("is what a look through all of it finds, in whatever order it was told")
  func random() {
    for seed in UInt64(1)...20 {
      var random = SeededGenerator(seed: seed)
      let all = (0..<60).map { number in
        Assumption(
          Assumption.Kind.allCases.randomElement(using: &random) ?? .stale,
          .effect(EffectID(number)),
          from: Int.random(in: 0...40, using: &random), "\(number)")
      }
      var index = AssumptionIndex()
      for start in stride(from: 0, to: all.count, by: 7) {
        index.add(Array(all[start..<min(start + 7, all.count)]))
      }
      for step in -1...42 {
        #expect(index.raised(at: step) == all.filter { $0.raisedAt == step })
        let standing = all.filter { $0.raisedAt <= step }
        #expect(Set(index.standing(after: step)) == Set(standing))
        #expect(index.isKnown(after: step) == standing.isEmpty)
        let own = all.filter { $0.step <= step }
        #expect(Set(index.assumptions(at: step)) == Set(own))
        #expect(index.kinds(at: step) == Set(own.map(\.kind)))
      }
    }
    #expect(AssumptionIndex().isEmpty && AssumptionIndex().isKnown(after: 9))
  }
}
