import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import SessionFile

@Suite("Effects in flight") struct FlightTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func origin(_ step: Int) -> EffectOrigin { EffectOrigin(step: step, file: "a", line: 1) }

  /// Each step starts an effect, which runs for a hundred steps; every 1,000th never ends.
  private func write(_ steps: Int) throws -> String {
    var header = SessionHeader(state: 0)
    header.effects = [EffectInFlight(effect: 0, origin: origin(0))]
    let writer = try SessionWriter(path: folder("long.retcon"), header: header)
    for number in 1...steps {
      try writer.append(Step(number: number, label: "s", action: 1), state: 0)
      try writer.append(
        EffectEvent(effect: EffectID(number), step: number, kind: .started(origin(number))))
      let old = number - 100
      guard old > 0, !old.isMultiple(of: 1_000) else { continue }
      try writer.append(EffectEvent(effect: EffectID(old), step: number, kind: .finished))
    }
    try writer.finish()
    return folder("long.retcon")
  }

  private func expected(after step: Int) -> [Int] {
    (0...step).filter { $0.isMultiple(of: 1_000) || $0 > step - 100 }
  }

  @Test("What runs is the same from whichever side a step is come to")
  func anyOrder() throws {
    let session = try SessionReader(path: write(10_000))
    for step in [0, 1, 5_000, 10_000, 9_999, 37, 4_999, 5_001, 101, 10_000, 250, 7_777] {
      let running = try session.effectsInFlight(after: step)
      #expect(running.map(\.effect.number) == expected(after: step), "after \(step)")
      #expect(running.allSatisfy { $0.origin == origin($0.effect.number) })
    }
  }

  @Test("A question about a far step is answered from a place near it, and places are few")
  func bounded() throws {
    let session = try SessionReader(path: write(10_000))
    _ = try session.effectsInFlight(after: 10_000)
    let flights = session.snapshot.flights
    #expect(flights.places.count < 64)
    let positions = flights.places.map(\.position) + [session.snapshot.index.others.count]
    #expect(zip(positions, positions.dropFirst()).allSatisfy { $1 - $0 <= flights.distance })
  }

  @Test("However many there are, a cache keeps a bounded number of places all over the file")
  func capacity() {
    var cache = FlightCache(header: SessionHeader())
    for position in 1...1_000_000 where position.isMultiple(of: cache.distance) {
      cache.keep(FlightCache.Place(position: position, running: [:]))
    }
    #expect(cache.places.count <= 256)
    let gaps = zip(cache.places, cache.places.dropFirst()).map { $1.position - $0.position }
    #expect(gaps.allSatisfy { $0 <= 2 * cache.distance })
    #expect(cache.place(before: 999_999).position > 990_000)
  }
}
