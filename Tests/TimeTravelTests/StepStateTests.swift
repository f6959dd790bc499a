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
