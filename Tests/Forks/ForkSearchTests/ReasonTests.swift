import Platform
import SessionWords
import TestSupport
import Testing
import TimeTravel
import ValueTree

@testable import ForkSearch

@Suite("The reason")
struct ReasonTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func reason(_ search: HostTrials) async throws -> Reason {
    let trials = Trials { try await search.tries($0, lane: $1) }
    return try await Reasoner(search.base, search.goal, trials).reason()
  }

  private static let varied =
    "Retcon changed answers or reads after a step. "
    + "It still happened in this share of the forks: "

  @Test("two coins that have to fall one way are avoided in 75, then 50, then 0 of 100 variations")
  func coins() async throws {
    let search = try await NotesSample.search(
      [(100, .look), (100, .flip), (100, .typed("a")), (100, .flip)],
      for: "state.flips[0] == true && state.flips[1] == true", in: folder)
    let reason = try await reason(search)
    #expect(
      reason.curve == [
        CurvePoint(after: 0, happened: 1, tried: 4),
        CurvePoint(after: 2, label: "flip", happened: 1, tried: 2),
        CurvePoint(after: 4, label: "flip", happened: 1, tried: 1),
      ])
    #expect(reason.sealed?.after == 4)
    #expect(
      reason.sentences.prefix(5) == [
        "Necessary: 4 flip, 2 flip.",
        "If flip gives false at 4 flip it does not happen.",
        Self.varied
          + "25 % after step 0, 50 % after step 2, 100 % after step 4.",
        "The turning point is 4 flip: 50 % before, 100 % after it.",
        "After step 4, none of them avoids it.",
      ])
    #expect(reason.links.map(\.step) == [4, 2])
    #expect(reason.links.allSatisfy { $0.mark == .necessary })
  }

  @Test("steps with one share are told as one, and of many shares the first and the last")
  func curveWords() {
    func sentence(_ shares: [Int]) -> String {
      let curve = shares.enumerated().map { CurvePoint(after: $0, happened: $1, tried: 100) }
      return Reason(links: [], curve: curve, verdict: Verdict(.happens)).sentences[1]
    }
    #expect(
      sentence([25, 25, 25, 50, 100, 100])
        == Self.varied
        + "25 % after steps 0 to 2, 50 % after step 3, 100 % after steps 4 to 5.")
    #expect(
      sentence([5, 10, 15, 20, 40, 60, 80, 100])
        == Self.varied
        + "5 % after step 0, 10 % after step 1, 15 % after step 2, …, 80 % after step 6, 100 % after step 7."
    )
  }

  @Test(
    "goes from the answer over its effect to the user's action, and leaves out what has no part")
  func chain() async throws {
    let search = try await NotesSample.search(
      [(100, .typed("a")), (100, .look), (100, .save), (900, .typed("b")), (10, .look)],
      for: "state.saved == 'a'", in: folder)
    let reason = try await reason(search)
    #expect(
      reason.links.map { "\($0.step) \($0.label): \($0.mark.words)" } == [
        "4 saved: necessary", "3 save: necessary",
      ])
    #expect(reason.links.map(\.parent) == [nil, 4])
    let avoided = try #require(reason.avoided)
    #expect(try await !search.tries(avoided.script, lane: 0).happens)
  }

  @Test("the curve names what it varies: no other answer avoids what a user's action did")
  func userBesideEffects() async throws {
    let search = try await NotesSample.search(
      [(100, .typed("a")), (100, .save), (900, .typed("b")), (100, .look)],
      for: "state.text == 'b'", in: folder)
    #expect(
      try await reason(search).sentences.prefix(3) == [
        "Necessary: 4 typed.", "Without 4 typed it does not happen.",
        Self.varied
          + "100 % after steps 0 to 3.",
      ])
  }

  @Test("names the planted cause first in nine of ten bugs, and what it calls necessary is")
  func planted() async throws {
    let isLong = getenv("RETCON_LONG") != nil
    let bugs = try await PlantedBug.all(isLong ? 50 : 10, in: folder)
    var missed: [String] = []
    for (bug, search) in bugs {
      let reason = try await reason(search)
      let first = reason.links.first { search.base[$0.step]?.step.cause == .user }
      if let first, bug.causes.contains(first.label),
        try await !happens(without: first.step, search)
      {
      } else {
        missed.append("\(bug.name): \(reason.lines)")
      }
      for link in reason.links where link.mark == .necessary {
        #expect(try await !happens(without: link.step, search), "\(bug.name)")
      }
    }
    if isLong {
      print("the planted cause first: \(bugs.count - missed.count) of \(bugs.count)", missed)
    }
    #expect(missed.count * 10 <= bugs.count, "\(missed)")
  }

  /// Leaves the step out, with all steps that it caused.
  private func happens(without step: Int, _ search: HostTrials) async throws -> Bool {
    let edits = search.base.entries.filter { entry in
      (entry.root == step || entry.step.number == step) && !entry.isOutput
    }.map { Edit.skip(step: $0.step.number) }
    return try await search.tries(search.base.script(edits), lane: 0).happens
  }
}
