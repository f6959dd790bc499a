import Platform
import SessionWords
import Testing
import ValueTree

@testable import HostProtocol

/// Hosts that do not see effects start, end and be cancelled.
@Suite struct UnseenEffectsTests {
  /// Tells steps 3 to 6, the fourth and the sixth emitted by effect 1, all recorded and equal.
  private func host(_ seesEffects: String, report: String = #""lastStep":6"#) -> HostConnection {
    let step =
      #"echo '{"id":2,"news":"step","step":{"step":'$n',"label":"a","action":1,"cause":'$c',"#
      + #""standing":["recorded","equal"]}}'"#
    return HostConnection(
      HostCommand(
        "/bin/sh",
        [
          "-c",
          """
          read l; echo '{"id":1,"answer":"greeting","version":[2,0],"name":"Toy"\(seesEffects)}'
          read l
          for n in 3 4 5 6; do
            c='"user"'; case $n in 4|6) c='{"effect":1}';; esac
            \(step)
          done
          echo '{"id":2,"answer":"ran","report":{\(report),"ending":"complete"}}'; read l
          """,
        ]), limits: HostLimits(patience: .seconds(60)))
  }

  private func run(
    _ host: HostConnection, from first: Int = 3, _ scripts: Script...
  ) async throws -> (standings: [String], remarks: [String], report: BranchReport) {
    let steps = Locked<[BranchStep]>([])
    let path = BranchPath(scripts.map { NamedScript(id: "fork", script: $0) })
    let report = try await host.run(RunRequest(branch: path, from: first)) { step in
      steps.withLock { $0.append(step) }
    }
    host.close()
    return (
      steps.withLock { $0 }.map { "\($0.step.number) \($0.standing.values.rawValue)" },
      steps.withLock { $0 }.flatMap { $0.standing.assumptions.map(\.sentence) }, report
    )
  }

  private static let blind = #","seesEffects":false"#

  @Test("recordings/unseen-effects: what a host that sees effects says of emissions stands")
  func sees() async throws {
    let run = try await run(
      host(#","seesEffects":true"#), Script(leavesAt: 2, edits: [.skip(step: 3)]))
    #expect(run.standings == ["3 recorded", "4 recorded", "5 recorded", "6 recorded"])
    #expect(run.remarks == [])
  }

  @Test(
    "recordings/unseen-effects: else everything from an edit on is assumed",
    arguments: [
      (Edit.skip(step: 3), 3), (.replace(step: 3, action: 1), 3), (.insert(after: 2, action: 1), 3),
      (.read(step: 4, key: "k", index: 0, outcome: .value(1)), 4), (.move(step: 6, after: 2), 3),
      (.set(step: 4, pointer: [], value: 1), 5), (.skip(step: 5), 5), (.skip(step: 6), 6),
      (.answer(EffectAnswer(effect: 1, after: 3, outcome: .finish)), 4),
      (.insert(after: 6, action: 1), 7),
    ])
  func assumed(edit: Edit, from first: Int) async throws {
    let run = try await run(host(Self.blind), Script(leavesAt: 2, edits: [edit]))
    #expect(run.standings == (3...6).map { "\($0) \($0 < first ? "recorded" : "assumed")" })
    #expect(run.remarks.count == [4, 6].filter { $0 >= first }.count)
  }

  @Test(
    "recordings/unseen-effects: without middleware, actions from outside are known until an emission",
    arguments: [(Cause.user, "recorded"), (.outside("venue"), "recorded"), (.unknown, "assumed")])
  func noMiddleware(cause: Cause, values: String) {
    let path = BranchPath([
      NamedScript(id: "fork", script: Script(leavesAt: 2, edits: [.skip(step: 3)]))
    ])
    var unseen = UnseenEffects(
      RunRequest(branch: path, from: 3), seesEffects: false, knowsCauses: true, mayMiss: false)
    func judged(_ number: Int, _ cause: Cause) -> String {
      let told = BranchStep(
        step: Step(number: number, label: "a", action: 1, cause: cause), descendsFrom: number + 1,
        standing: Standing(.recorded, .equal))
      return unseen.judged(told).standing.values.rawValue
    }
    #expect(judged(3, cause) == values)
    #expect(judged(4, .effect(1)) == "assumed")
    #expect(judged(5, .user) == "assumed")
  }

  @Test("recordings/unseen-effects: a fork that ends with its edit says that it is in doubt")
  func noSteps() {
    let path = BranchPath([
      NamedScript(id: "fork", script: Script(leavesAt: 5, edits: [.skip(step: 6)]))
    ])
    let unseen = [true, false].map {
      UnseenEffects(
        RunRequest(branch: path, from: 6), seesEffects: false, knowsCauses: true, mayMiss: $0)
    }
    let remarks = unseen.map { $0.judged(BranchReport(lastStep: 5)).remarks }
    #expect(remarks[0].count == 1 && remarks[0][0].hasPrefix("the reducer runs alone"))
    #expect(remarks[1].isEmpty)
  }

  @Test("recordings/unseen-effects: an unknown sender casts doubt on a host that sees effects, too")
  func unknownSender() {
    let path = BranchPath([
      NamedScript(id: "fork", script: Script(leavesAt: 2, edits: [.skip(step: 3)]))
    ])
    var unseen = UnseenEffects(
      RunRequest(branch: path, from: 3), seesEffects: true, knowsCauses: true)
    let values = [(3, Cause.user), (4, .unknown), (5, .user)].map { number, cause in
      let told = BranchStep(
        step: Step(number: number, label: "a", action: 1, cause: cause), descendsFrom: number + 1,
        standing: Standing(.recorded, .equal))
      return unseen.judged(told).standing.values.rawValue
    }
    #expect(values == ["recorded", "assumed", "assumed"])
  }

  @Test(
    "recordings/unseen-effects: an edited payload does not make an action without a cause yours",
    arguments: [
      ([Edit.skip(step: 3), .replace(step: 4, action: 1)], (3, 4), "assumed"),
      ([.skip(step: 3), .replace(step: 5, action: 1)], (4, 5), "assumed"),
      ([.set(step: 3, pointer: [], value: 1)], (5, 4), "assumed"),
      ([.read(step: 3, key: "k", index: 0, outcome: .value(1))], (4, 4), "assumed"),
      ([.replace(step: 4, action: 1)], (4, 4), "edited"),
    ])
  func unknownCauses(
    edits: [Edit], step: (number: Int, descendsFrom: Int), values: String
  ) {
    let script = Script(leavesAt: 2, edits: edits)
    let path = BranchPath([NamedScript(id: "fork", script: script)])
    var unseen = UnseenEffects(
      RunRequest(branch: path, from: 3), seesEffects: true, knowsCauses: false)
    let told = BranchStep(
      step: Step(number: step.number, label: "a", action: 1), descendsFrom: step.descendsFrom,
      standing: Standing(.edited, .equal))
    #expect(unseen.judged(told).standing.values.rawValue == values)
  }

  @Test(
    "recordings/unseen-effects: a greeting that does not say it is of a host that does not see effects"
  )
  func silent() async throws {
    let run = try await run(host(""), Script(leavesAt: 2, edits: [.skip(step: 3)]))
    #expect(run.standings == ["3 assumed", "4 assumed", "5 assumed", "6 assumed"])
  }

  @Test("recordings/unseen-effects: without an edit nothing is in doubt")
  func unedited() async throws {
    let run = try await run(host(Self.blind), Script(leavesAt: 2))
    #expect(run.standings == ["3 recorded", "4 recorded", "5 recorded", "6 recorded"])
  }

  @Test("recordings/unseen-effects, forks/inherited-doubt: a fork of an edited fork is in doubt")
  func nested() async throws {
    let run = try await run(
      host(Self.blind), Script(leavesAt: 0, edits: [.skip(step: 1)]),
      Script(parent: "fork", leavesAt: 2))
    #expect(run.standings == ["3 assumed", "4 assumed", "5 assumed", "6 assumed"])
  }

  @Test("recordings/unseen-effects, forks/rejoin: such a host rejoins nothing")
  func rejoining() async throws {
    let meets = #""lastStep":6,"rejoining":{"step":6,"parentStep":7}"#
    let edited = try await run(
      host(Self.blind, report: meets), Script(leavesAt: 2, edits: [.skip(step: 3)]))
    #expect(edited.report.rejoining == nil)
    #expect(edited.report.lastStep == 6)
    #expect(
      edited.report.remarks == [
        "after step 6 the state is the parent's again, but later steps may differ: "
          + "the host does not track effects"
      ])
    let seen = try await run(
      host(#","seesEffects":true"#, report: meets), Script(leavesAt: 2, edits: [.skip(step: 3)]))
    #expect(seen.report.rejoining == Rejoining(step: 6, parentStep: 7))
  }
}
