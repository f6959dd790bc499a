import Glibc
import Replay
import SessionFile
import SessionWords
import StoreCore
import ValueTree

private let folder = FuzzFolder()

/// A reducer that takes whatever a file says: an action that is a patch changes the state, any other
/// one is kept in it.
private struct Anything: Reducer {
  func reduce(into state: inout Value, action: Value) -> Effect<Value> {
    if case .array = action, let patch = try? Patch(action),
      let changed = try? patch.applied(to: state)
    {
      state = changed
    } else {
      state = ["last": action]
    }
    return .none
  }
}

private let setup = ReplaySetup(Anything())

/// Called by libFuzzer with one file after another, under a limit of memory and of time. It opens a
/// session, goes to a random step, forks there, verifies and trims.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSessions(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: start, count: count)
  var numbers = InputNumbers(input)
  var bytes = Array(input)
  // Without a header nothing behind it would be reached: a first byte that is even gives one.
  if let first = input.first, first.isMultiple(of: 2) {
    bytes = Array("{\"retcon\":\"1.0\",\"state\":{\"a\":[1,2,3]}}\n".utf8) + bytes
  }
  folder.write(bytes, to: "whole.retcon")
  guard let session = try? SessionReader(path: folder("whole.retcon")) else { return 0 }
  let steps = session.steps
  let step = numbers.next(in: steps)
  let recorded = try? session.state(after: step)
  fork(session, at: step, recorded, &numbers)
  trim(session, from: step, &numbers)
  return 0
}

private func fork(
  _ session: SessionReader, at step: Int, _ recorded: Value?, _ numbers: inout InputNumbers
) {
  guard let replay = try? SessionReplay(session, setup) else { return }
  let steps = session.steps
  let edits: [Edit] =
    step < steps.upperBound
    ? [.skip(step: numbers.next(in: step + 1...steps.upperBound))]
    : [.insert(after: step, action: "new")]
  var last = step
  let script = Script(leavesAt: step, edits: edits)
  let report = try? replay.run([script]) { told in
    require(told.step.number == last + 1, "step \(told.step.number) comes after step \(last)")
    last = told.step.number
  }
  if let report, report.rejoining == nil {
    require(report.lastStep == last, "\(report.lastStep) is the last step, \(last) was told last")
    _ = try? replay.state(of: [script], after: last)
  }
  if let verified = try? replay.verify(.all) {
    require(
      verified.steps >= 0 && verified.steps < steps.count, "\(verified.steps) steps of \(steps)")
    require(!verified.text(title: "fuzz").isEmpty, "a report without words")
  }
  if let recorded, let again = try? session.state(after: step) {
    require(recorded.isExactlyEqual(to: again), "state \(step) is another after a fork")
  }
}

private func trim(
  _ session: SessionReader, from step: Int, _ numbers: inout InputNumbers
) {
  let steps = step...numbers.next(in: step...session.steps.upperBound)
  let path = folder("trim.retcon")
  guard (try? SessionTrimmer(session).trim(steps, to: path, replacing: true)) != nil else { return }
  require((try? SessionReader(path: path)) != nil, "the trim of \(steps) does not open")
}
