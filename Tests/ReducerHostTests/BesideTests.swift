import HostProtocol
import Platform
import SessionWords
import StoreCore
import Testing
import ValueTree

@testable import ReducerHost

/// Yesterday's reducer, which did not end the process.
private struct Tame: Reducer {
  let action: Trouble.Action

  func reduce(into state: inout Trouble.State, action: Trouble.Action) -> Effect<Trouble.Action> {
    action == self.action ? .none : Trouble().reduce(into: &state, action: action)
  }
}

@Suite(.enabled(if: !TestHost.isHost)) struct BesideTests {
  @Test(
    "rule 24: a fork does not end of a recorded step that it leaves out, and says what it does not know",
    arguments: [Trouble.Action.pick, .exit, .kill, .hang])
  func endBeside(_ action: Trouble.Action) async throws {
    let session = try await TroubleSession(
      "beside-\(action)", [.add(3), action, .wait, .add(1)], recordedBy: Tame(action: action),
      patience: action == .hang ? .milliseconds(1500) : .seconds(60))
    // The effect is started in another state, so it is compared with the recorded one.
    let script = Script(
      leavesAt: 1, edits: [.skip(step: 2), .insert(after: 1, action: ["add": ["_0": -1]])])
    let branch = BranchPath(name: "beside", script)
    for _ in 1...2 {
      let steps = Locked<[Int]>([])
      let report = try await session.host.run(RunRequest(branch: branch)) { step in
        steps.withLock { $0.append(step.step.number) }
      }
      #expect(report.ending == .complete)
      #expect(steps.withLock { $0 } == [2, 3, 4])
      #expect(report.assumptions.map(\.kind) == [.open])
      #expect(
        report.remarks == [
          "what effects ask was not compared from recorded step 2 on: "
            + "the recording ended its process when it was run beside a fork"
        ])
    }
    #expect(try await session.host.state(of: branch, after: 4) == ["total": 3, "note": ""])
    session.end()
  }
}
