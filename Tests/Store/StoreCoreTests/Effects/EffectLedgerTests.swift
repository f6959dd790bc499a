import Platform
import Testing

@testable import StoreCore

/// Random trees of effects, ended and cancelled in random order.
@Suite("The book of effects in flight")
struct EffectLedgerTests {
  typealias Random = SeededRandomNumberGenerator

  static var runs: Int { getenv("RETCON_LONG") == nil ? 2_000 : 200_000 }

  @Test("every effect that is started ends or is cancelled once, and nothing is left in the book")
  func balance() {
    for seed in 0..<UInt64(Self.runs) {
      var random = Random(seed: seed)
      var ledger = EffectLedger<Int>()
      var flying: Set<Int> = []
      func apply(_ commands: [EffectLedger<Int>.Command]) {
        for command in commands {
          switch command {
          case .send: break
          case .start(let effect, _):
            #expect(flying.insert(effect.number).inserted, "seed \(seed)")
          case .cancel(let effect):
            #expect(flying.remove(effect.number) != nil, "seed \(seed)")
          }
        }
        #expect(Set(ledger.inFlight.map(\.number)) == flying, "seed \(seed)")
      }
      for step in 1...4 {
        let tree = Self.tree(&random, depth: 4)
        apply(ledger.accept(Effect(operation: tree), from: .init(step: step, root: step)))
        if let number = flying.sorted().randomElement(using: &random) {
          flying.remove(number)
          apply(ledger.ended(number))
        }
      }
      if Bool.random(using: &random) { apply(ledger.cancel(root: 2)) }
      while let number = flying.sorted().randomElement(using: &random) {
        flying.remove(number)
        apply(ledger.ended(number))
      }
      #expect(ledger.isEmpty, "seed \(seed)")
    }
  }

  @Test("the parts of a chain never overlap, whatever stands in them")
  func chains() {
    for seed in 0..<UInt64(Self.runs) {
      var random = Random(seed: seed)
      var ledger = EffectLedger<Int>()
      let parts = (0..<4).map { part in
        Self.tree(&random, depth: 3, name: "\(part)", cancels: false)
      }
      var open: [Int: String] = [:]
      func apply(_ commands: [EffectLedger<Int>.Command]) {
        for case .start(let effect, _) in commands { open[effect.number] = effect.name }
        #expect(Set(open.values).count <= 1, "seed \(seed): \(open)")
      }
      apply(
        ledger.accept(Effect(operation: .concatenate(parts)), from: .init(step: 1, root: 1)))
      while let number = open.keys.sorted().randomElement(using: &random) {
        open[number] = nil
        apply(ledger.ended(number))
      }
      #expect(ledger.isEmpty, "seed \(seed)")
    }
  }

  private static func tree(
    _ random: inout Random, depth: Int, name: String? = nil, cancels: Bool = true
  ) -> EffectOperation<Int> {
    func inner() -> EffectOperation<Int> {
      tree(&random, depth: depth - 1, name: name, cancels: cancels)
    }
    let id = AnyID(Int.random(in: 0..<3, using: &random))
    let child = EffectPathElement(
      place: AnyID(Int.random(in: 0..<2, using: &random)), identity: AnyID(0))
    switch depth == 0 ? 9 : Int.random(in: 0..<12, using: &random) {
    case 0: return .none
    case 1: return .send(1)
    case 2, 3: return .merge((0..<3).map { _ in inner() })
    case 4, 5: return .concatenate((0..<3).map { _ in inner() })
    case 6: return .cancellable(inner(), id: id, cancelInFlight: cancels && depth.isMultiple(of: 2))
    case 7: return cancels ? .cancel(id: id) : .none
    case 8: return .inChild(child, inner())
    case 10: return cancels ? .cancelChild(child) : .none
    case 11 where cancels:
      return Effect(operation: inner()).throttle(id: id, for: .seconds(1), latest: true).operation
    default: return Effect<Int>.run(name: name) { _ in }.operation
    }
  }
}
