import SessionFile
import TestSupport
import Testing
import ValueTree

@testable import Samples

@Suite("The counter sample")
struct CounterSampleTests {
  @Test("its demo is recorded with causes, reads, effects and states")
  func demo() async throws {
    let folder = try TemporaryFolder()
    let path = folder("demo.retcon")
    let statistics = await CounterSample.recordDemo(to: path)
    #expect(statistics.lostSteps == 0)
    let session = try SessionReader(path: path)
    #expect(session.stepCount == 34)
    #expect(session.header.tape == ["fact", "date", "uuid", "random"])

    #expect(try session.step(5).label == "factReceived")
    #expect(try session.step(5).cause == .effect(1))
    #expect(try session.step(6).reads.map(\.key) == ["random"])
    #expect(
      try session.step(26).action["factFailed"]?["_0"] == "The service gave no answer for 143.")
    let last = try session.state(after: 34)
    #expect(last["count"] == 147)
    #expect(last["isTimerOn"] == true)
  }

  @Test("its demo is the same every time")
  func sameEveryTime() async throws {
    let folder = try TemporaryFolder()
    var states: [[Value]] = []
    for path in [folder("first.retcon"), folder("second.retcon")] {
      await CounterSample.recordDemo(to: path)
      let session = try SessionReader(path: path)
      states.append(try (0...session.stepCount).map { try session.state(after: $0) })
    }
    #expect(states[0] == states[1])
  }
}
