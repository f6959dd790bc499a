import StoreCore
import Testing

@testable import Replay

/// Random sessions of random users, with services that take their time, fail and are called off.
///
/// A session of one seed is run alone with `RETCON_SEED`.
@Suite struct PropertyTests {
  @Test("random sessions of the counter replay as recorded, and edits run as they would live")
  func counter() async throws { try await PropertyCheck(RandomApps.counter).run() }

  @Test("random sessions of Primes replay as recorded, and edits run as they would live")
  func primes() async throws { try await PropertyCheck(RandomApps.primes).run() }

  @Test("random sessions of Wishes replay as recorded, and edits run as they would live")
  func wishes() async throws { try await PropertyCheck(RandomApps.wishes).run() }

  @Test("random sessions of the shop replay as recorded, and edits run as they would live")
  func shop() async throws { try await PropertyCheck(RandomApps.shop).run() }

  @Test("random sessions at a desk replay as recorded, and edits run as they would live")
  func desk() async throws { try await PropertyCheck(RandomApps.desk).run() }

  @Test("random sessions with a stack replay as recorded, and edits run as they would live")
  func navigation() async throws { try await PropertyCheck(RandomApps.navigation).run() }

  @Test("random sessions of random apps replay as recorded, and edits run as they would live")
  func chance() async throws { try await PropertyCheck(RandomApps.chance).run() }

  @Test("pauses of random apps last in forks as long as they would live")
  func pauses() async throws { try await PropertyCheck(RandomApps.pauses).run() }
}

/// The same, with effects that are not the recorded ones run on the tape.
@Suite struct TapePropertyTests {
  @Test("what effects of the counter do on the tape, they do live")
  func counter() async throws {
    try await PropertyCheck(RandomApps.counter, effectsOnTape: true).run()
  }

  @Test("what effects of Primes do on the tape, they do live")
  func primes() async throws {
    try await PropertyCheck(RandomApps.primes, effectsOnTape: true).run()
  }

  @Test("what effects of Wishes do on the tape, they do live")
  func wishes() async throws {
    try await PropertyCheck(RandomApps.wishes, effectsOnTape: true).run()
  }

  @Test("what effects of the shop do on the tape, they do live")
  func shop() async throws {
    try await PropertyCheck(RandomApps.shop, effectsOnTape: true).run()
  }

  @Test("what effects at a desk do on the tape, they do live")
  func desk() async throws {
    try await PropertyCheck(RandomApps.desk, effectsOnTape: true).run()
  }

  @Test("what effects with a stack do on the tape, they do live")
  func navigation() async throws {
    try await PropertyCheck(RandomApps.navigation, effectsOnTape: true).run()
  }

  @Test("what effects of random apps do on the tape, they do live")
  func chance() async throws {
    try await PropertyCheck(RandomApps.chance, effectsOnTape: true).run()
  }

  @Test("pauses of random apps last on the tape as long as they would live")
  func pauses() async throws {
    try await PropertyCheck(RandomApps.pauses, effectsOnTape: true).run()
  }
}
