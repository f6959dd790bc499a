import Platform
import Recorder
import SessionFile
import TestSupport
import Testing

@Suite("Recording deep states")
struct SmallStackRecordingTests {
  final class Chain: Codable, Sendable {
    let next: Chain?

    init(length: Int) {
      next = length == 0 ? nil : Chain(length: length - 1)
    }
  }

  private func record(
    _ snapshots: RecordingOptions.Snapshots, stackSize: Int
  ) throws -> RecordingStatistics? {
    let folder = try TemporaryFolder()
    let found = Locked<RecordingStatistics?>(nil)
    try SystemThread.start(stackSize: stackSize) {
      var options = RecordingOptions()
      options.snapshots = snapshots
      options.report = { _ in }
      let recorder = SessionRecorder<Chain, Int>(to: folder("deep.retcon"), options: options)
      recorder.start(with: Chain(length: 0))
      recorder.step(1) { Chain(length: 300) }
      recorder.step(2) { Chain(length: 1) }
      let statistics = recorder.finish()
      found.withLock { $0 = statistics }
    }.join()
    return found.withLock { $0 }
  }

  @Test("the recorder's own thread has room for them")
  func copied() throws {
    let statistics = try #require(try record(.copied, stackSize: 256 << 10))
    #expect(statistics.isComplete)
    #expect(statistics.steps == 2)
  }

  @Test("a state too deep for the stack of the app's thread is left out, and the app goes on")
  func encoded() throws {
    let statistics = try #require(try record(.encoded, stackSize: 256 << 10))
    #expect(statistics.encodingFailures == 1)
    #expect(statistics.steps == 2)
    let trouble = try #require(statistics.troubles.first)
    guard case .cannotEncodeState(let reason, step: 1) = trouble.problem else {
      Issue.record("\(trouble)")
      return
    }
    #expect(reason.contains("fill the thread's stack"))
  }
}
