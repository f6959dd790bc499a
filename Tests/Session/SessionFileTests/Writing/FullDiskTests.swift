import Glibc
import Platform
import Recorder
import SessionFile
import TestSupport
import Testing
import ValueTree

@Suite("Full disk") struct FullDiskTests {
  @Test("A write that fails is told once; what is missing is said when there is room again")
  func fullDisk() throws {
    let folder = try TemporaryFolder()
    let status = try ChildProcess(
      running: "recordsUnderALimit", task: folder("full.retcon")
    ).wait()
    #expect(status == 0)
    #expect(
      folder.text("troubles") == """
        full.retcon: steps from 4 on are not recorded: File too large. The app is not affected; free some space and recording continues.

        """)
    let session = try SessionReader(path: folder("full.retcon"))
    #expect(session.steps == 0...20)
    #expect(session.isFinished)
    #expect(try session.state(after: 3) == 3)
    #expect(try session.step(4).damage == "the file has no line for this step")
    #expect(try session.state(after: 20) == 20)
    let lost = session.notices.compactMap { notice -> ClosedRange<Int>? in
      guard case .lostSteps(let steps, "File too large") = notice.finding else { return nil }
      return steps
    }
    #expect(lost == [4...6])
  }

  /// The file of a child that records 40 steps while its file may not get larger.
  private func recordOnFullDisk(
    _ folder: TemporaryFolder, limit: Int, isWriteAhead: Bool, end: String
  ) throws -> SessionReader {
    let task = "\(limit):\(isWriteAhead):\(end):\(folder("full.retcon"))"
    let child = try ChildProcess(running: "recordsOnAFullDisk", task: task)
    let status = child.wait()
    #expect(end == "finish" ? status == 0 : status & 0x7F == SIGKILL)
    return try SessionReader(path: folder("full.retcon"))
  }

  @Test(
    "On a disk that stays full the last line says which steps are missing",
    arguments: [6_000, 6_001, 6_037, 6_500, 7_003], [false, true])
  func staysFull(limit: Int, isWriteAhead: Bool) throws {
    let folder = try TemporaryFolder()
    let session = try recordOnFullDisk(
      folder, limit: limit, isWriteAhead: isWriteAhead, end: "finish")
    #expect(session.isFinished)
    let lost = session.notices.compactMap { notice -> ClosedRange<Int>? in
      guard case .lostSteps(let steps, "File too large") = notice.finding else { return nil }
      return steps
    }
    #expect(lost.last?.upperBound == 200)
    let last = try #require(lost.first?.lowerBound) - 1
    #expect(session.steps == 0...last)
    #expect(Set(lost.flatMap(\.self)) == Set(last + 1...200))
    #expect(try session.state(after: last) == .number(Number(last)))
    #expect(folder.text("statistics") == "200 \(200 - last)")
  }

  @Test("A killed app whose disk was full is not said to have stopped inside its reducer")
  func fullAndKilled() throws {
    let folder = try TemporaryFolder()
    let session = try recordOnFullDisk(folder, limit: 6_100, isWriteAhead: true, end: "kill")
    #expect(!session.isFinished)
    #expect(!session.notices.isEmpty)
    for notice in session.notices {
      guard case .lostSteps(_, "File too large") = notice.finding else {
        Issue.record("\(notice)")
        continue
      }
    }
  }

  @Test("records on a full disk", .enabled(if: ChildProcess.task != nil))
  func recordsOnAFullDisk() throws {
    let words = try #require(ChildProcess.task).split(separator: ":")
    let path = String(words[3])
    var options = RecordingOptions()
    options.isWriteAhead = words[1] == "true"
    options.report = { _ in }
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    let unlimited = limit.rlim_cur
    limit.rlim_cur = try #require(rlim_t(words[0]))
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    let recorder = SessionRecorder<Int, String>(to: path, options: options)
    recorder.start(with: 0)
    for number in 1...200 {
      recorder.step("a") { number }
      recorder.flush()
    }
    if words[2] == "kill" { raise(SIGKILL) }
    let statistics = recorder.finish()
    limit.rlim_cur = unlimited
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    let file = try #require(fopen(path.dropLast("full.retcon".count) + "statistics", "w"))
    fputs("\(statistics.steps) \(statistics.lostSteps)", file)
    fclose(file)
  }

  @Test("A file that cannot be made is told once, and the app goes on")
  func noFolder() throws {
    let told = Told()
    var options = RecordingOptions()
    options.report = { told.add($0.sentence) }
    let recorder = SessionRecorder<Int, String>(
      to: "/nowhere/at/all.retcon", options: options)
    recorder.start(with: 0)
    for number in 1...3 { recorder.step("a") { number } }
    let statistics = recorder.finish()
    #expect(statistics.lostSteps == 3)
    #expect(!statistics.isComplete)
    #expect(statistics.path == nil)
    #expect(
      told.all == [
        "/nowhere/at/all.retcon: nothing is recorded: no such folder or file; make the folder first. "
          + "The app is not affected; choose another file."
      ])
  }

  @Test("records under a limit", .enabled(if: ChildProcess.task != nil))
  func recordsUnderALimit() throws {
    let path = try #require(ChildProcess.task)
    let folder = path.dropLast("/full.retcon".count)
    var options = RecordingOptions()
    options.report = { trouble in
      guard let file = fopen("\(folder)/troubles", "a") else { return }
      fputs(trouble.sentence.dropFirst(folder.count + 1) + "\n", file)
      fclose(file)
    }
    let recorder = SessionRecorder<Int, String>(to: path, options: options)
    recorder.start(with: 0)
    func record(_ steps: ClosedRange<Int>) {
      for number in steps {
        recorder.step("a") { number }
        recorder.flush()
      }
    }
    record(1...3)
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    var status = stat()
    stat(path, &status)
    let unlimited = limit.rlim_cur
    limit.rlim_cur = rlim_t(status.st_size + 30)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    record(4...5)
    limit.rlim_cur = unlimited
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    record(6...20)
    recorder.finish()
  }
}
