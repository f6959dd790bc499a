import HostProtocol
import Platform
import SessionWords
import Testing
import ValueTree

@testable import ReducerHost

/// Effects that a host runs live because the user asked for them.
@Suite(.enabled(if: !TestHost.isHost)) struct LiveRunTests {
  private func waiting(
    _ name: String, _ action: String
  ) async throws -> (session: TroubleSession, script: Script, effect: EffectID) {
    let session = try await TroubleSession(name, [.add(1), .add(2)])
    let script = Script(leavesAt: 1, edits: [.insert(after: 1, action: [action: [:]])])
    let report = try await session.host.run(RunRequest(branch: BranchPath("live", script)))
    let pending = try #require(report.pending.first)
    #expect(pending.isUnanswered)
    return (session, script, pending.effect)
  }

  @Test("effects/unanswered: a host runs one effect live, and the branch keeps the answer")
  func live() async throws {
    var (session, script, effect) = try await waiting("live", "call")
    let run = try await session.host.runLive(
      LiveRequest(branch: BranchPath("live", script), effect: effect))
    #expect(run.emissions.map(\.action) == [["add": ["_0": 7]]])
    #expect(run.end == .finished)
    script.edits += run.edits(after: 1)
    let branch = BranchPath("live", script)
    let steps = Locked<[String]>([])
    let report = try await session.host.run(RunRequest(branch: branch)) { step in
      steps.withLock {
        $0.append("\(step.step.action.text()) \(step.standing.values.rawValue)")
      }
    }
    #expect(report.pending == [])
    // When it comes among the other steps follows from how long it took.
    let told = steps.withLock { $0 }
    #expect(told.count == 3)
    #expect(told.first == #"{"call":{}} edited"#)
    #expect(told.contains(#"{"add":{"_0":7}} edited"#))
    session.end()
  }

  @Test("effects/unanswered: an effect that does not end is stopped, and the host goes on")
  func limit() async throws {
    let (session, script, effect) = try await waiting("limit", "wait")
    let run = try await session.host.runLive(
      LiveRequest(
        branch: BranchPath("live", script), effect: effect,
        limits: LiveLimits(time: .milliseconds(20))))
    #expect(run.end == .stopped(.time))
    #expect(run.edits(after: 1) == [])
    #expect(try await session.host.verify() == VerifyReport(steps: 2))
    session.end()
  }

  @Test("effects/unanswered: an effect that the branch does not start is refused with the reason")
  func refused() async throws {
    let (session, script, _) = try await waiting("refused", "call")
    await #expect(
      throws: HostFailure.refused(
        HostRefusal(
          .noSuchStep, "effect 77 cannot be run live: the branch does not start it."))
    ) {
      try await session.host.runLive(
        LiveRequest(branch: BranchPath("live", script), effect: 77))
    }
    session.end()
  }

  @Test("effects/unanswered, recordings/unseen-effects: such a host refuses live runs")
  func blind() async throws {
    let (session, script, effect) = try await waiting("blind", "call")
    let host = TestHost.connection(isBlind: true)
    try await host.load(session.path)
    let greeting = try #require(host.greeting)
    #expect(!greeting.seesEffects && !greeting.runsLive)
    await #expect(
      throws: HostFailure.refused(
        HostRefusal(.unknownRequest, "this host does not run effects live"))
    ) {
      try await host.runLive(
        LiveRequest(branch: BranchPath("live", script), effect: effect))
    }
    host.close()
    session.end()
  }

  @Test("runs/crash, effects/unanswered: a body that traps ends only its host")
  func trap() async throws {
    let (session, script, effect) = try await waiting("blowUp", "blowUp")
    let branch = BranchPath("live", script)
    let failure = await #expect(throws: HostFailure.self) {
      try await session.host.runLive(LiveRequest(branch: branch, effect: effect))
    }
    #expect(failure?.what.contains("the body of an effect") == true)
    #expect(try await session.host.run(RunRequest(branch: branch)).lastStep == 3)
    session.end()
  }
}
