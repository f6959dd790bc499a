import Glibc
import Platform
import SessionLog
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
        full.retcon: steps from 4 on are not recorded: File too large. The app goes on; free some space, and recording goes on too.

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

  @Test("A file that cannot be made is told once, and the app goes on")
  func noFolder() throws {
    let told = Told()
    var options = RecordingOptions()
    options.report = { told.add($0.sentence) }
    let recorder = SessionRecorder<Int, String>(
      to: "/nowhere/at/all.retcon", options: options)
    recorder.start(with: 0)
    for number in 1...3 { recorder.step("a") { number } }
    #expect(recorder.finish().steps == 0)
    #expect(
      told.all == [
        "/nowhere/at/all.retcon: nothing is recorded: No such file or directory. "
          + "The app goes on; choose another file."
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

/// What was told, by whichever thread.
final class Told: Sendable {
  private let texts = Locked<[String]>([])
  var all: [String] { texts.withLock { $0 } }
  func add(_ text: String) { texts.withLock { $0.append(text) } }
}
