import Glibc
import Recorder
import SessionFile
import TestSupport
import Testing
import ValueTree

/// A child of `fork` has the recorder of its parent without its thread: it must neither hang nor write
/// into the parent's file.
@Suite("A forked process") struct ForkedProcessTests {
  @Test(
    "The child goes on unrecorded, and says so; the parent's file is whole",
    arguments: ["queue", "ahead"])
  func forks(mode: String) throws {
    let folder = try TemporaryFolder()
    let status = try ChildProcess(
      running: "recordsAndForks", task: "\(mode):\(folder.path)"
    ).wait()
    #expect(status == 0)
    #expect(
      folder.text("child") == """
        ran 60, steps 10, lost 10, complete false
        this process was forked from the recording one; it is not recorded

        """)
    #expect(folder.text("parent") == "steps 60, lost 0, complete true\n")
    let session = try SessionReader(path: folder("a.retcon"))
    try session.examine()
    #expect(session.steps == 0...60)
    #expect(session.isFinished)
    #expect(session.notices == [])
    #expect(try session.state(after: 60) == 60)
    #expect(folder.names == ["a.retcon", "child", "own.retcon", "parent"])
    #expect(try SessionReader(path: folder("own.retcon")).steps == 0...3)
  }

  @Test("records and forks", .enabled(if: ChildProcess.task != nil))
  func recordsAndForks() throws {
    let words = try #require(ChildProcess.task).split(separator: ":", maxSplits: 1)
    let folder = String(words[1])
    let told = Told()
    var options = RecordingOptions()
    options.isWriteAhead = words[0] == "ahead"
    options.report = { told.add($0.what) }
    var recorder: SessionRecorder<Int, Int>? = SessionRecorder(
      to: folder + "/a.retcon", options: options)
    recorder?.start(with: 0)
    var state = 0
    func record(_ count: Int) {
      for _ in 0..<count {
        recorder?.step(1) {
          state += 1
          return state
        }
      }
    }
    record(50)
    // A thread that works while its process forks may hold a lock of Swift's runtime. The child
    // could never unlock it.
    recorder?.flush()
    let child = Self.fork()
    record(10)
    recorder?.signpost("note")
    recorder?.flush()
    let statistics = recorder?.finish()
    guard child == 0 else {
      Self.say(
        "steps \(statistics?.steps ?? -1), lost \(statistics?.lostSteps ?? -1), "
          + "complete \(statistics?.isComplete ?? false)\n", folder + "/parent")
      var status: Int32 = 0
      waitpid(child, &status, 0)
      _exit(status)
    }
    Self.say(
      "ran \(state), steps \(statistics?.steps ?? -1), lost \(statistics?.lostSteps ?? -1), "
        + "complete \(statistics?.isComplete ?? true)\n" + told.all.joined(separator: "\n") + "\n",
      folder + "/child")
    recorder = nil
    // A recorder that the child makes for itself works.
    options.isWriteAhead = true
    let own = SessionRecorder<Int, Int>(to: folder + "/own.retcon", options: options)
    own.start(with: 0)
    for number in 1...3 { own.step(number) { number } }
    _exit(own.finish().isComplete ? 0 : 1)
  }

  private static func say(_ text: String, _ path: String) {
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    _ = text.withCString { write(file, $0, strlen($0)) }
    close(file)
  }

  /// Swift hides it, and C libraries that apps link call it all the same.
  static func fork() -> pid_t {
    typealias Fork = @convention(c) () -> pid_t
    let symbol = dlsym(nil, "fork")
    return unsafeBitCast(symbol, to: Fork.self)()
  }
}
