import Glibc
import Recorder
import SessionFile
import TestSupport
import Testing
import ValueTree

@Suite("Flushing") struct FlushPolicyTests {
  /// How many steps are in the file while the worker encodes the third of three.
  private func stepsOnDisk(_ policy: FlushPolicy) throws -> Int {
    let folder = try TemporaryFolder()
    let gate = Gate()
    var options = RecordingOptions()
    options.flush = policy
    let encoding = RecordingEncoding<Int, Int>(
      makeStateEncoder: { { .number(Number($0)) } },
      encodeAction: { action in
        if action == 3 { gate.wait() }
        return .number(Number(action))
      }, label: { "\($0)" })
    let recorder = SessionRecorder(to: folder("n.retcon"), options: options, encoding: encoding)
    recorder.start(with: 0)
    for number in 1...3 { recorder.step(number) { number } }
    gate.waitUntilReached()
    let count = try SessionReader(path: folder("n.retcon")).stepCount
    gate.open()
    recorder.flush()
    #expect(try SessionReader(path: folder("n.retcon")).stepCount == 3)
    recorder.finish()
    return count
  }

  @Test("Each step is in the file before the next is looked at, or only when it is asked for")
  func policies() throws {
    #expect(try stepsOnDisk(.eachStep) == 2)
    #expect(try stepsOnDisk(.never) == 0)
    #expect(try stepsOnDisk(.interval(.seconds(3_600))) == 0)
  }

  @Test("After the interval lines leave without a further step")
  func interval() throws {
    let folder = try TemporaryFolder()
    var options = RecordingOptions()
    options.flush = .interval(.milliseconds(5))
    let recorder = SessionRecorder<Int, Int>(to: folder("n.retcon"), options: options)
    recorder.start(with: 0)
    recorder.step(1) { 1 }
    while (try? SessionReader(path: folder("n.retcon")).stepCount) != 1 { sched_yield() }
    recorder.finish()
  }
}
