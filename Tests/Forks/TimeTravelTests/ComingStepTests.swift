import HostProtocol
import RecordingSupport
import SessionWords
import Testing
import ValueTree

@testable import TimeTravel

@Suite("A step at which the process ended is the one that comes there")
struct ComingStepTests {
  /// Tells these steps, and ends in the next one.
  private struct Ending: BranchHost {
    var told: [BranchStep]
    var place: Int
    var name: String { "Ending" }

    func run(
      _ branch: BranchPath, from step: Int, onStep: @escaping @Sendable (BranchStep) -> Void
    ) async throws -> BranchReport {
      for step in told { onStep(step) }
      return BranchReport(
        lastStep: place - 1, ending: .init(place, .crashed, "Index out of range"))
    }

    func state(of branch: BranchPath, after step: Int) async throws -> Value { .null }
  }

  private static let origin = EffectOrigin(step: 2, name: "fetch", file: "Shop.swift", line: 3)

  /// Step 2 starts an effect, which sends 3; 4 is sent at once.
  private static let recording = MemoryRecording(
    name: "shop.retcon", app: "Shop",
    steps: [
      Step(number: 0, label: "", action: .null), Step(number: 1, label: "added", action: "added"),
      Step(number: 2, label: "tapped", action: "tapped"),
      Step(number: 3, label: "response", action: "response", cause: .effect(1)),
      Step(number: 4, label: "applied", action: "applied", cause: .output(of: 3)),
      Step(number: 5, label: "noted", action: "noted"),
    ], states: Array(repeating: .null, count: 6),
    events: [EffectEvent(effect: 1, step: 2, time: .zero, kind: .started(origin))])

  private func label(_ told: [BranchStep] = [], from step: Int, _ edits: Edit...) async throws
    -> String
  {
    let place = step + told.count + 1
    let host = Ending(told: told, place: place)
    let session = OpenSession(Self.recording, host: host)
    for await _ in try session.fork("more", Script(leavesAt: step, edits: edits)) {}
    let step = try session.step(at: Position(branch: "more", step: place))
    #expect(step.step.error == "Index out of range")
    return step.step.label
  }

  @Test("of the parent: what was left out, or moved away, is not it")
  func parents() async throws {
    #expect(
      try await label(from: 1, .read(step: 2, key: "now", index: 0, outcome: .value(1))) == "tapped"
    )
    #expect(try await label(from: 0, .skip(step: 1)) == "tapped")
    #expect(try await label(from: 0, .skip(step: 1), .skip(step: 2)) == "noted")
    #expect(try await label(from: 0, .move(step: 1, after: 5)) == "tapped")
    #expect(try await label(from: 2, .skip(step: 3)) == "noted")
    #expect(try await label(from: 4, .skip(step: 5)) == "?")
  }

  @Test(
    "not the answer of an effect that the fork did not start, and not what that had sent at once")
  func effects() async throws {
    #expect(try await label(from: 1, .skip(step: 2)) == "noted")
    #expect(try await label(from: 1, .move(step: 2, after: 5)) == "noted")
    var tapped = BranchStep(
      step: Step(number: 2, label: "tapped", action: "tapped"), descendsFrom: 2,
      standing: Standing(.edited, .different))
    let other = Edit.replace(step: 2, action: "other")
    #expect(try await label([tapped], from: 1, other) == "noted")
    tapped.effects = [EffectEvent(effect: 1, step: 2, time: .zero, kind: .started(Self.origin))]
    #expect(try await label([tapped], from: 1, other) == "response")
    tapped.effects.append(EffectEvent(effect: 1, step: 2, time: .zero, kind: .cancelled))
    #expect(try await label([tapped], from: 1, other) == "noted")
    let answer = EffectAnswer(effect: 1, after: 5, outcome: .finish)
    #expect(try await label(from: 2, .answer(answer)) == "noted")
  }

  @Test("of an edit, where that is what comes there")
  func own() async throws {
    #expect(try await label(from: 1, .set(step: 1, pointer: [], value: 1)) == "state set by hand")
    #expect(try await label(from: 1, .replace(step: 2, action: "other")) == "other")
    #expect(try await label(from: 1, .skip(step: 2), .insert(after: 2, action: "other")) == "other")
    #expect(try await label(from: 1, .insert(after: 5, action: "later"), .skip(step: 2)) == "noted")
    #expect(try await label(from: 4, .skip(step: 5), .insert(after: 5, action: "other")) == "other")
    #expect(try await label(from: 1, .move(step: 5, after: 1)) == "noted")
    let answer = EffectAnswer(effect: 1, after: 2, outcome: .emit(action: "other"))
    #expect(try await label(from: 2, .answer(answer)) == "other")
  }

  @Test("unknown behind a step of the fork's own, and behind one that was moved")
  func unknown() async throws {
    let own = BranchStep(
      step: Step(number: 2, label: "other", action: "other"), standing: Standing(.edited, .new))
    #expect(try await label([own], from: 1, .insert(after: 1, action: "other")) == "?")
    let moved = BranchStep(
      step: Step(number: 2, label: "noted", action: "noted"), descendsFrom: 5,
      standing: Standing(.recorded, .equal))
    #expect(try await label([moved], from: 1, .move(step: 5, after: 1)) == "?")
  }
}
