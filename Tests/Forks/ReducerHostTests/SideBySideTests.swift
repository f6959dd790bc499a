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

@Suite(.enabled(if: !TestHost.isHost)) struct SideBySideTests {
  @Test(
    "runs/crash: a crash in a skipped recorded step does not end the fork",
    arguments: [Trouble.Action.pick, .exit, .kill, .hang])
  func endBeside(_ action: Trouble.Action) async throws {
    let session = try await TroubleSession(
      "beside-\(action)", [.add(3), action, .wait, .add(1)], recordedBy: Tame(action: action),
      patience: action == .hang ? .seconds(6) : .seconds(60))
    // The effect is started in another state, so it is compared with the recorded one.
    let script = Script(
      leavesAt: 1, edits: [.skip(step: 2), .insert(after: 1, action: ["add": ["_0": -1]])])
    let branch = BranchPath("beside", script)
    for _ in 1...2 {
      let steps = Locked<[Int]>([])
      let report = try await session.host.run(RunRequest(branch: branch)) { step in
        steps.withLock { $0.append(step.step.number) }
      }
      #expect(report.ending == nil)
      #expect(steps.withLock { $0 } == [2, 3, 4])
      #expect(report.assumptions.map(\.kind) == [.open])
      #expect(
        report.remarks == [
          "what effects ask could not be compared: running the recording beside the fork crashed"
        ])
    }
    #expect(try await session.host.state(of: branch, after: 4) == ["total": 3, "note": ""])
    session.end()
  }

  @Test(
    "runs/crash: a crash in the rest of the parent fork does not end the fork",
    arguments: [Trouble.Action.pick, .exit, .kill, .hang])
  func endOfParent(_ action: Trouble.Action) async throws {
    let session = try await TroubleSession(
      "parent-\(action)", [.add(3), .add(1), .add(1)],
      patience: action == .hang ? .seconds(6) : .seconds(60))
    func path(_ scripts: Script...) -> BranchPath {
      BranchPath(
        scripts.enumerated().map {
          NamedScript(id: BranchID("fork \($0.offset)"), script: $0.element)
        })
    }
    func run(_ path: BranchPath) async throws -> (report: BranchReport, steps: [Int]) {
      let steps = Locked<[Int]>([])
      let report = try await session.host.run(RunRequest(branch: path)) { step in
        steps.withLock { $0.append(step.step.number) }
      }
      return (report, steps.withLock { $0 })
    }
    func isEnd(_ ending: BranchReport.Ending?, at place: Int) -> Bool {
      ending?.step == place && ending?.outcome == (action == .hang ? .timedOut : .crashed)
    }
    let trouble = try ValueEncoder().encode(action)
    let add: Value = ["add": ["_0": 4]]
    let parent = Script(leavesAt: 1, edits: [.replace(step: 2, action: trouble)])
    let unknown = [
      "its parent crashed at step 2: what would follow there is unknown"
    ]

    let without = try await run(path(parent, Script(leavesAt: 1, edits: [.skip(step: 2)])))
    #expect(without.report.ending == nil)
    #expect(without.report.lastStep == 1)
    #expect(without.report.leftOut.map(\.recordedStep) == [2])
    #expect(without.report.remarks == unknown)

    let instead = path(parent, Script(leavesAt: 1, edits: [.replace(step: 2, action: add)]))
    let replaced = try await run(instead)
    #expect(replaced.report.ending == nil)
    #expect(replaced.steps == [2])
    #expect(replaced.report.remarks == unknown)
    #expect(try await session.host.state(of: instead, after: 2) == ["total": 7, "note": ""])

    // The step is one of this fork, too, where it does not leave it out.
    let itself = try await run(
      path(parent, Script(leavesAt: 1, edits: [.insert(after: 1, action: add)])))
    // The last answer of a process that was killed may be lost.
    #expect(itself.steps == [2] || action == .kill)
    #expect(isEnd(itself.report.ending, at: 3))
    let behind = try await run(
      path(
        parent, Script(leavesAt: 1, edits: [.insert(after: 1, action: add)]),
        Script(leavesAt: 2, edits: [.skip(step: 3)])))
    #expect(behind.report.ending == nil)
    #expect(behind.report.remarks.map { $0.contains("at step 3:") } == [true, false])
    #expect(isEnd(try await run(path(parent)).report.ending, at: 2))

    let grandchild = try await run(
      path(
        parent, Script(leavesAt: 1, edits: [.replace(step: 2, action: add)]),
        Script(leavesAt: 2, edits: [.insert(after: 2, action: add)])))
    #expect(grandchild.report.ending == nil)
    #expect(grandchild.steps == [3])
    #expect(grandchild.report.remarks == unknown)
    session.end()
  }
}
