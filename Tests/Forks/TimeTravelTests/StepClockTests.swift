import SessionFile
import TestSupport
import Testing

@testable import TimeTravel

@Suite("Sessions of one app have one clock")
struct StepClockTests {
  /// `times` are seconds.
  private func session(started: String, times: [Double]) throws -> (OpenSession, TemporaryFolder) {
    let folder = try TemporaryFolder()
    try folder.append(
      #"{"retcon":"1.0","started":"\#(started)","state":0}"# + "\n", to: "one.retcon")
    for (index, time) in times.enumerated() {
      try folder.append(
        #"{"step":\#(index + 1),"time":\#(time),"label":"a","action":{},"state":0}"# + "\n",
        to: "one.retcon")
    }
    let reader = try SessionReader(path: folder.path + "/one.retcon")
    return (OpenSession(SessionRecording(reader)), folder)
  }

  @Test("a step has a moment, and a moment has the last step before it")
  func clock() throws {
    let (one, first) = try session(started: "2026-01-01T00:00:00.000Z", times: [0, 1, 2])
    let (other, second) = try session(
      started: "2026-01-01T00:00:01.500Z", times: [0, 0.4, 0.6])
    defer { withExtendedLifetime((first, second)) {} }
    let clock = try #require(try one.clock(at: Position(step: 3)))
    #expect(try other.step(byClock: clock) == 2)
    #expect(try other.step(byClock: clock + 100) == 3)
    #expect(try other.step(byClock: clock - 10_000) == 0)
    #expect(try one.step(byClock: try #require(try other.clock(at: Position(step: 1)))) == 2)
    // The first state has no time of its own.
    #expect(try one.step(byClock: try #require(try other.clock(at: Position(step: 0)))) == 2)
    #expect(try other.step(byClock: try #require(try one.clock(at: Position(step: 0)))) == 0)
  }
}
