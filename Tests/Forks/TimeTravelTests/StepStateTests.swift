import HostProtocol
import RecordingSupport
import SessionFile
import SessionWords
import Synchronization
import TestSupport
import Testing
import TimeTravel
import ValueTree

@Suite("The state of a step")
struct StepStateTests {
  /// Does not return from step 2.
  private final class Hanging: BranchHost {
    let name = "Hanging"
    let asked = Mutex<[Int]>([])

    func run(
      _ branch: BranchPath, from step: Int, onStep: @escaping @Sendable (BranchStep) -> Void
    ) async throws -> BranchReport { BranchReport(lastStep: step) }

    func state(of branch: BranchPath, after step: Int) async throws -> Value {
      asked.withLock { $0.append(step) }
      guard step < 2 else { throw HostFailure.timedOut(step: 2) }
      return .number(Number(step))
    }
  }

  /// A fork of two steps, which counts.
  private final class Counting: BranchHost {
    let name = "Counting"
    let asked = Mutex<[Int]>([])

    func run(
      _ branch: BranchPath, from step: Int, onStep: @escaping @Sendable (BranchStep) -> Void
    ) async throws -> BranchReport {
      for number in step...step + 1 {
        onStep(
          BranchStep(
            step: Step(number: number, label: "a", action: 2), descendsFrom: number,
            standing: Standing(.recorded, .different)))
      }
      return BranchReport(lastStep: step + 1)
    }

    func state(of branch: BranchPath, after step: Int) async throws -> Value {
      asked.withLock { $0.append(step) }
      return .number(Number(10 * step))
    }
  }

  @Test("a step of a fork asks the host for its state and the one before, once each")
  func askedOnce() async throws {
    let recording = MemoryRecording(
      name: "a.retcon", app: nil,
      steps: (0...3).map { Step(number: $0, label: "a", action: 1) }, states: [0, 1, 2, 3])
    let host = Counting()
    let open = OpenSession(recording, host: host)
    for await _ in try open.fork("b", Script(leavesAt: 1, edits: [.replace(step: 2, action: 2)])) {}
    host.asked.withLock { $0 = [] }
    let moment = try await open.moment(at: Position(branch: "b", step: 3))
    #expect(moment.difference?.changes.map(\.kind) == [.changed(from: 20, to: 30)])
    #expect(moment.comparison?.difference?.changes.map(\.kind) == [.changed(from: 3, to: 30)])
    #expect(host.asked.withLock { $0 } == [3, 2])
  }

  @Test("a step that ended the host is not asked for again, before a reload")
  func ended() async throws {
    let folder = try TemporaryFolder()
    var text = #"{"retcon":"1.1","can":"replay","states":9,"state":0}"# + "\n"
    for step in 1...5 { text += #"{"step":\#(step),"label":"a","action":1,"cause":"user"}"# + "\n" }
    let reader = try SessionReader(path: folder.write(text, to: "s.retcon"))
    let host = Hanging()
    let open = OpenSession(SessionRecording(reader), host: host)
    var known: [Value?] = []
    for step in [0, 4, 3, 2, 1, 5] {
      known.append(try await open.knownState(at: Position(step: step)))
    }
    #expect(known == [0, nil, nil, nil, 1, nil])
    await #expect(throws: HostFailure.timedOut(step: 2)) {
      try await open.state(at: Position(step: 4))
    }
    #expect(host.asked.withLock { $0 } == [4, 1])
    open.forgetRuns()
    _ = try await open.knownState(at: Position(step: 5))
    #expect(host.asked.withLock { $0 } == [4, 1, 5])
  }
}
