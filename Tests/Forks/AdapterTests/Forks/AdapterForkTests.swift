import Replay
import SessionLog
import StoreCore
import Testing
import ValueTree

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Forks of an app of the Composable Architecture, with its effects on the tape. Each is compared with the app
/// that ran so live.
@Suite("Forks of a Composable Architecture app", .serialized) struct AdapterForkTests {
  private let app: LiveTimers

  init() throws { app = try LiveTimers() }

  /// At a time, in milliseconds.
  private typealias Happening = (time: Int, action: Timers.Action)

  private func fork(
    _ happenings: [Happening], _ script: Script, live other: [Happening], until end: Int = 9_000
  ) async throws -> (lines: [String], doubts: [String]) {
    func inMicroseconds(_ happenings: [Happening]) -> [TimersHappening] {
      happenings.map { ($0.time * 1_000, $0.action) }
    }
    let session = try await app.run(
      inMicroseconds(happenings), until: end * 1_000, as: "session")
    #expect(try await app.verify(session))
    return try await app.fork(
      of: session, script, live: inMicroseconds(other), until: end * 1_000)
  }

  /// Random actions of a user.
  private static func happenings(
    _ random: inout SeededRandomNumberGenerator
  ) -> [TimersHappening] {
    var time = 0
    return (0..<16).map { _ in
      time += Int.random(in: 1...1_500_000, using: &random)
      let text = String("abcd".prefix(Int.random(in: 1...4, using: &random)))
      let actions: [Timers.Action] = [
        .queryChanged(text), .queryChanged(text), .factTapped, .factTapped, .factTapped,
        .runTapped, .runTapped, .stopTapped, .likeTapped, .likeTapped, .soundTapped, .ringTapped,
        .sheetTapped, .sheet(.presented(.typed(text))), .sheet(.presented(.typed(text))),
        .sheet(.dismiss),
      ]
      return (time, actions.randomElement(using: &random) ?? .likeTapped)
    }
  }

  @Test(
    "of 200 random skips four in five leave no doubt, and none lies",
    .enabled(if: getenv("RETCON_LONG") != nil))
  func random() async throws {
    var (forks, free) = (0, 0)
    var reasons: [String: Int] = [:]
    for seed in 1...UInt64(20) {
      var random = SeededRandomNumberGenerator(seed: seed)
      let happenings = Self.happenings(&random)
      let end = (happenings.last?.time ?? 0) + 1_500_000
      let session = try await app.run(happenings, until: end, as: "session")
      #expect(try await app.verify(session))
      let replay = try app.replay(of: session)
      let steps = try session.steps.dropFirst().filter { try session.step($0).cause == .user }
      #expect(steps.count == happenings.count)
      for index in steps.indices.shuffled(using: &random).prefix(10) {
        var live = happenings
        live.remove(at: index)
        let script = Script(leavesAt: steps[index] - 1, edits: [.skip(step: steps[index])])
        let fork = try await app.fork(of: session, in: replay, script, live: live, until: end)
        forks += 1
        if fork.doubts.isEmpty { free += 1 }
        if let doubt = fork.doubts.first {
          reasons[String(doubt.drop { $0 != "”" }.filter { !$0.isNumber }), default: 0] += 1
        }
      }
    }
    print("a Composable Architecture app: \(free) of \(forks) skips leave no doubt: \(reasons)")
    #expect(free * 100 >= forks * 80)
  }

  @Test("a setting that an effect captures and does not read leaves a timer and an answer known")
  func unread() async throws {
    let base: [Happening] = [
      (100, .likeTapped), (200, .queryChanged("ab")), (300, .runTapped), (400, .factTapped),
      (2_700, .stopTapped), (3_000, .likeTapped),
    ]
    let fork = try await fork(
      base, Script(leavesAt: 0, edits: [.skip(step: 1)]), live: Array(base.dropFirst()))
    #expect(
      fork.lines == [
        "queryChanged recorded", "runTapped recorded", "factTapped recorded", "ticked recorded",
        "factCame recorded", "ticked recorded", "stopTapped recorded", "likeTapped recorded",
      ])
    #expect(fork.doubts == [])
  }

  @Test("a changed step cancels what the library cancels, and nothing else")
  func cancelled() async throws {
    let base: [Happening] = [
      (100, .likeTapped), (300, .runTapped), (400, .factTapped), (3_000, .likeTapped),
    ]
    var live = base
    live.insert((400, .stopTapped), at: 3)
    let stop = Edit.insert(after: 3, action: try ValueEncoder().encode(Timers.Action.stopTapped))
    let fork = try await fork(base, Script(leavesAt: 3, edits: [stop]), live: live)
    #expect(fork.lines == ["stopTapped edited", "factCame recorded", "likeTapped recorded"])
    #expect(fork.doubts == [])
    let again = Edit.insert(after: 3, action: try ValueEncoder().encode(Timers.Action.factTapped))
    let started = try await self.fork(
      Array(base.prefix(2)) + [(500, .likeTapped), (3_100, .stopTapped)],
      Script(leavesAt: 2, edits: [.skip(step: 3), again]),
      live: [base[0], base[1], (500, .factTapped), (3_100, .stopTapped)])
    #expect(started.doubts.contains { $0.contains("waits for fact(0)") }, "\(started.doubts)")
  }

  @Test("a sheet's effect on the tape sends through its parent, and ends with the sheet")
  func sheet() async throws {
    let base: [Happening] = [
      (100, .likeTapped), (200, .sheetTapped), (300, .sheet(.presented(.typed("a")))),
      (600, .sheet(.presented(.typed("ab")))), (2_000, .sheet(.presented(.typed("abc")))),
      (2_500, .sheet(.dismiss)), (3_000, .likeTapped),
    ]
    let skipped = try await fork(
      base, Script(leavesAt: 3, edits: [.skip(step: 4)]),
      live: base.filter { $0.time != 600 })
    #expect(
      skipped.lines == [
        "sheet.presented.counted recorded", "sheet.presented.typed recorded",
        "sheet.dismiss recorded", "likeTapped recorded",
      ])
    #expect(skipped.doubts == [])
    let open = try await fork(
      base, Script(leavesAt: 0, edits: [.skip(step: 1), .skip(step: 7)]),
      live: base.filter { $0.time != 100 && $0.time != 2_500 })
    #expect(open.doubts == [])
  }

  @Test("an effect that may read a shared value is in doubt where that is another one")
  func shared() async throws {
    let base: [Happening] = [
      (100, .soundTapped), (200, .likeTapped), (300, .ringTapped), (1_000, .soundTapped),
      (3_000, .likeTapped),
    ]
    let words = "may read a shared value, which is another one here"
    // In flight where the fork leaves.
    let skipped = try await fork(
      base, Script(leavesAt: 3, edits: [.skip(step: 4)]), live: base.filter { $0.time != 1_000 })
    #expect(skipped.lines == ["rang open", "likeTapped open"])
    #expect(skipped.doubts.contains { $0.contains(words) }, "\(skipped.doubts)")
    // On the tape.
    let later = try await fork(
      base, Script(leavesAt: 1, edits: [.skip(step: 2)]), live: base.filter { $0.time != 200 })
    #expect(
      later.lines == [
        "ringTapped recorded", "soundTapped recorded", "rang open", "likeTapped open",
      ])
    #expect(later.doubts.contains { $0.contains(words) }, "\(later.doubts)")
    // It changes one itself.
    let muted = try await fork(
      [(100, .likeTapped), (200, .muteTapped), (300, .likeTapped)],
      Script(leavesAt: 0, edits: [.skip(step: 1)]),
      live: [(200, .muteTapped), (300, .likeTapped)])
    #expect(muted.doubts.contains { $0.contains("changes a shared value") }, "\(muted)")
  }
}
