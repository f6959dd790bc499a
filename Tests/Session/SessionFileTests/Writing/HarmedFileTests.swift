import Glibc
import Recorder
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

/// Another program changes the file while it is recorded: the recorder must not call a file with a
/// loss complete.
@Suite("A file that is taken away") struct HarmedFileTests {
  let folder: TemporaryFolder
  let told = Told()

  init() throws { folder = try TemporaryFolder() }

  private func recorder(_ isWriteAhead: Bool = false) -> SessionRecorder<Int, Int> {
    var options = RecordingOptions()
    options.isWriteAhead = isWriteAhead
    options.started = "2026-11-20T10:56:00.000Z"
    options.report = { [told, folder] in
      told.add($0.sentence.replacing(folder.path, with: "$"))
    }
    let recorder = SessionRecorder<Int, Int>(to: folder("cart.retcon"), options: options)
    recorder.start(with: 0)
    return recorder
  }

  private func record(_ steps: ClosedRange<Int>, _ recorder: SessionRecorder<Int, Int>) {
    for number in steps {
      recorder.step(number) { number }
      recorder.flush()
    }
  }

  enum Harm: CaseIterable, Sendable { case removed, replaced, moved, shortened, emptied }

  private func harm(_ kind: Harm) throws {
    switch kind {
    case .removed: unlink(folder("cart.retcon"))
    case .replaced:
      try folder.write("mine", to: "mine")
      try folder.move("mine", to: "cart.retcon")
    case .moved: try folder.move("cart.retcon", to: "elsewhere.retcon")
    case .shortened: try folder.shorten("cart.retcon", to: folder.bytes("cart.retcon").count - 5)
    case .emptied: try folder.shorten("cart.retcon", to: 0)
    }
  }

  private func words(_ kind: Harm) -> String {
    switch kind {
    case .removed, .moved: "the file was removed while it was written"
    case .replaced: "another file took its place while it was written"
    case .shortened, .emptied: "the file was shortened while it was written"
    }
  }

  @Test(
    "What is gone is said at the next flush, and the recording goes on in another file",
    arguments: Harm.allCases, [false, true])
  func midway(kind: Harm, isWriteAhead: Bool) throws {
    let recorder = recorder(isWriteAhead)
    record(1...10, recorder)
    try harm(kind)
    record(11...20, recorder)
    let statistics = recorder.finish()
    #expect(!statistics.isComplete)
    let isFree = kind == .removed || kind == .moved
    let name = isFree ? "cart.retcon" : "cart.2026-11-20T10-56-00.000Z.retcon"
    #expect(statistics.path == folder(name))
    #expect(told.all.first?.hasPrefix("$/cart.retcon: \(words(kind)); ") == true)
    #expect(told.all.count == (isFree ? 1 : 2))

    let session = try SessionReader(path: folder(name))
    try session.examine()
    #expect(session.isFinished)
    #expect(session.steps.upperBound == 20)
    let first = session.steps.lowerBound
    for number in first...20 {
      #expect(try session.state(after: number) == .number(Number(number)))
    }
    let lost = session.notices.compactMap { notice -> ClosedRange<Int>? in
      guard case .lostSteps(let steps, words(kind)) = notice.finding else { return nil }
      return steps
    }
    #expect(lost.count == 1 && session.notices.count == 1)
    // Every step is in this file, or said to be gone, or still in what is left of the first file.
    #expect(lost[0].upperBound == first)
    #expect(lost[0].lowerBound == (kind == .shortened ? 10 : 1))
    #expect(statistics.lostSteps == lost[0].count)
    if kind == .replaced { #expect(folder.text("cart.retcon") == "mine") }
    if kind == .moved {
      #expect(try SessionReader(path: folder("elsewhere.retcon")).steps == 0...10)
    }
  }

  @Test(
    "What is left of a file that was cut is watched until another is begun",
    arguments: Harm.allCases, [false, true])
  func twice(kind: Harm, isWriteAhead: Bool) throws {
    let recorder = recorder(isWriteAhead)
    record(1...6, recorder)
    let size = folder.bytes("cart.retcon").count
    record(7...10, recorder)
    try folder.shorten("cart.retcon", to: size)
    recorder.flush()
    try harm(kind)
    record(11...20, recorder)
    let statistics = recorder.finish()
    let first = kind == .shortened ? 6 : 1
    #expect(statistics.lostSteps == 11 - first)
    #expect(told.all.first?.contains("was shortened while it was written; 4 steps are") == true)

    let session = try SessionReader(path: #require(statistics.path))
    try session.examine()
    #expect(session.steps == 10...20)
    #expect(
      session.notices.map(\.finding) == [
        .lostSteps(first...10, because: "the file was shortened while it was written")
      ])
  }

  @Test("finish says what is gone when it was the last to look", arguments: Harm.allCases)
  func atTheEnd(kind: Harm) throws {
    let recorder = recorder()
    record(1...10, recorder)
    try harm(kind)
    let statistics = recorder.finish()
    #expect(statistics.lostSteps == (kind == .shortened ? 1 : 10))
    #expect(!statistics.isComplete)
    #expect(told.all.first?.hasPrefix("$/cart.retcon: \(words(kind)); ") == true)
  }

  @Test("An app that goes to another folder has not lost its file")
  func anotherFolder() throws {
    let status = try ChildProcess(running: "recordsAndGoesAway", task: folder.path).wait()
    #expect(status == 0)
    #expect(folder.names == ["a.2.retcon", "a.retcon"])
    #expect(try SessionReader(path: folder("a.retcon")).steps == 0...20)
  }

  @Test("records and goes away", .enabled(if: ChildProcess.task != nil))
  func recordsAndGoesAway() throws {
    try #require(chdir(#require(ChildProcess.task)) == 0)
    var options = RecordingOptions()
    options.writing.partSize = 1_500
    let recorder = SessionRecorder<Int, Int>(to: "a.retcon", options: options)
    try #require(chdir("/") == 0)
    recorder.start(with: 0)
    for number in 1...20 { recorder.step(number) { number } }
    recorder.flush()
    #expect(recorder.finish().isComplete)
  }

  @Test("A part that is gone at the end is said")
  func parts() throws {
    var options = WritingOptions()
    options.partSize = 500
    var header = SessionHeader(state: 0)
    header.session = "abc"
    let writer = try SessionWriter(path: folder("p.retcon"), header: header, options: options)
    for number in 1...40 {
      try writer.append(Step(number: number, label: "s", action: 1), state: .number(Number(number)))
      try writer.flush()
    }
    #expect(writer.header.part > 2)
    let steps = folder.text("p.retcon").split(separator: "\n").count - 1
    #expect(steps > 1)
    unlink(folder("p.retcon"))
    #expect(throws: SessionError(.harmed(.removed), path: folder("p.retcon"))) {
      try writer.finish()
    }
    #expect(writer.lostStepCount == steps)
  }

  @Test("A part that begins after a state was left out does not claim to know it")
  func partAfterADroppedState() throws {
    var options = WritingOptions()
    options.partSize = 400
    var header = SessionHeader(state: 0)
    header.session = "abc"
    let writer = try SessionWriter(path: folder("p.retcon"), header: header, options: options)
    for number in 1...30 {
      let isDropped = !number.isMultiple(of: 3)
      try writer.append(
        Step(number: number, label: "s", action: 1),
        state: isDropped ? nil : .number(Number(number)), isStateDropped: isDropped)
      try writer.flush()
    }
    try writer.finish()
    #expect(writer.header.part > 2)
    let session = try SessionReader(path: folder("p.retcon"))
    for number in 1...30 {
      let isDropped = !number.isMultiple(of: 3)
      #expect((try? session.state(after: number)) == (isDropped ? nil : .number(Number(number))))
    }
    try session.examine()
    #expect(session.notices == [])
  }
}
