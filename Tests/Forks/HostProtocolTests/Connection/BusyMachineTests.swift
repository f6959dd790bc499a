import Platform
import Testing

@testable import HostProtocol

@Suite("A busy machine is no hang")
struct BusyMachineTests {
  private let begin = ContinuousClock.now

  private func wait(_ seconds: [String: UInt64]) -> ProcessorWait {
    ProcessorWait(threads: seconds.mapValues { $0 * 1_000_000_000 })
  }

  @Test("the wait of the thread that waited longest counts, from the look before the last advance")
  func longest() {
    var machine = BusyMachine()
    func waited(at second: Int, since advance: Int, _ threads: [String: UInt64]) -> Duration {
      machine.wait(
        since: begin + .seconds(advance), now: begin + .seconds(second), interval: .seconds(1)
      ) { wait(threads) }
    }
    #expect(waited(at: 1, since: 0, ["1": 7]) == .zero)
    #expect(waited(at: 3, since: 0, ["1": 8, "2": 1]) == .seconds(1))
    #expect(waited(at: 5, since: 0, ["1": 8, "2": 3]) == .seconds(3))
    // It got on: what was before counts no more.
    #expect(waited(at: 6, since: 5, ["1": 8, "2": 4]) == .seconds(1))
    #expect(waited(at: 8, since: 7, ["1": 8, "2": 5]) == .seconds(1))
  }

  @Test("between two looks nothing is asked, but after an advance nothing is known")
  func seldom() {
    var machine = BusyMachine()
    var looks = 0
    func waited(atMilliseconds now: Int, since advance: Int) -> Duration {
      machine.wait(
        since: begin + .milliseconds(advance), now: begin + .milliseconds(now),
        interval: .seconds(1)
      ) {
        looks += 1
        return wait(["1": UInt64(looks)])
      }
    }
    #expect(waited(atMilliseconds: 10, since: 0) == .zero)
    #expect(waited(atMilliseconds: 500, since: 0) == .zero)
    #expect(looks == 1)
    #expect(waited(atMilliseconds: 1_500, since: 0) == .seconds(1))
    #expect(waited(atMilliseconds: 1_700, since: 1_600) == .zero)
    #expect(looks == 2)
  }

  @Test("where the system says nothing, nothing is taken off")
  func unknown() {
    var machine = BusyMachine()
    #expect(machine.wait(since: begin, now: begin, interval: .seconds(1)) { nil } == .zero)
  }

  #if os(Linux)
    @Test("Linux says how long the threads of a process have waited")
    func ownProcess() throws {
      let wait = try #require(ProcessorWait(of: getpid()))
      #expect(wait.longest(since: wait) == .zero)
      #expect(ProcessorWait(of: -1) == nil)
    }
  #endif
}
