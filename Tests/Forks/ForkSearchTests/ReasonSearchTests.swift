import Platform
import SessionWords
import TestSupport
import Testing
import TimeTravel
import ValueTree

@testable import ForkSearch

@Suite("The search for a reason")
struct ReasonSearchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let count = 60
  private static let needed = 20
  /// The one among the needed steps without which it never happens.
  private static let key = 47

  /// A session of which any 20 actions are enough, if the key is among them.
  private func search() async throws -> HostTrials {
    let moves = (1..<Self.count).map { (100, Notes.Action.typed("\($0)")) }
    return try await NotesSample.search(
      moves + [(100, .typed("end"))], for: "state.text == 'end'", in: folder)
  }

  private static func verdict(on script: Script) -> Verdict {
    let gone = Set(script.edits.compactMap(\.step))
    let isEnough = count - gone.count >= needed && !gone.contains(key) && !gone.contains(count)
    return Verdict(isEnough ? .happens : .doesNot, step: count - gone.count)
  }

  @Test("of many needed actions, the one without which it never happens is found by halving")
  func halves() async throws {
    let search = try await search()
    let alone = Trials { script, _ in Self.verdict(on: script) }
    _ = try await Minimizer(search.base, search.goal, alone).minimum(.untried)
    let (runs, last) = (Locked(0), Locked(0))
    let trials = Trials { script, _ in
      runs.withLock { $0 += 1 }
      return Self.verdict(on: script)
    }
    let reason = try await Reasoner(search.base, search.goal, trials) { _ in
      last.withLock { $0 = runs.withLock { $0 } }
    }.reason()
    let minimum = try #require(reason.minimum)
    let kept = Set(minimum.actions.map(\.step))
    #expect(kept.count == Self.needed && kept.contains(Self.key))
    let necessary = reason.links.filter { $0.mark == .necessary }.map(\.step)
    #expect(Set(necessary) == [Self.key, Self.count])
    #expect(reason.links.count { $0.mark == .contributing } == Self.needed - 2)
    // Beside the search for the smallest session: one by one, each of the twenty would take a run.
    let tests = await last.withLock { $0 } - alone.runs
    #expect(tests <= 3 + 2 * 5, "\(tests)")
  }

  @Test("what was tested is said at once, and its mark as soon as it is certain")
  func streams() async throws {
    let search = try await search()
    let (told, runs) = (Locked<[(line: String, runs: Int)]>([]), Locked(0))
    let trials = Trials { script, _ in
      runs.withLock { $0 += 1 }
      // Without the last action, an earlier one does the same.
      guard script.edits.compactMap(\.step) != [Self.count] else {
        return Verdict(.happens, step: Self.count - 1)
      }
      return Self.verdict(on: script)
    }
    let reason = try await Reasoner(search.base, search.goal, trials) { line in
      told.withLock { told in told.append((line, runs.withLock { $0 })) }
    }.reason()
    let lines = told.withLock { $0 }
    let first = try #require(lines.first)
    #expect(first.line == "Without 60 typed alone, it also happens, at step 59 of that fork.")
    #expect(first.runs == 1)
    let marked = lines.map(\.line).filter { !$0.hasPrefix("Without ") }
    #expect(marked.count == Set(marked).count)
    #expect(Set(marked).isSubset(of: reason.lines), "\(marked)")
    #expect(marked.contains { $0.contains("60 typed") && $0.hasSuffix("contributing") })
    // The search reports the necessary action before it ends.
    let key = try #require(lines.first { $0.line.contains("\(Self.key) typed") })
    #expect(key.line.hasSuffix("necessary") && key.runs < reason.runs, "\(key)")
  }

  @Test("by the clock of its budget, it ends in time, and what was tested stays")
  func keepsTime() async throws {
    let search = try await search()
    let now = Locked(Duration.zero)
    let budget = Trials.Budget(time: .seconds(3), clock: { now.withLock { $0 } })
    let trials = Trials(budget: budget) { script, _ in
      now.withLock { $0 += .seconds(1) }
      return Self.verdict(on: script)
    }
    let reason = try await Reasoner(search.base, search.goal, trials).reason()
    #expect(reason.stopped == .time)
    #expect(reason.runs <= 3)
    #expect(reason.links.first { $0.step == Self.count }?.mark == .necessary)
    #expect(reason.sentences.contains("The search was stopped (time) before it tested all."))
  }
}
