import Glibc
import Recorder
import SessionFile
import TestSupport
import Testing

@Suite("A closed file") struct ClosedFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The number under which this process has a file open.
  private func descriptor(of path: String) -> Int32? {
    (0..<4096).first { number in
      var name = [CChar](repeating: 0, count: 4096)
      let length = readlink("/proc/self/fd/\(number)", &name, name.count)
      return length > 0
        && String(decoding: name[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self) == path
    }
  }

  @Test("An app that closes the file is told once, goes on, and gets nothing into files of its own")
  func closedByTheApp() throws {
    let told = Told()
    var options = RecordingOptions()
    options.report = { told.add($0.what) }
    let recorder = SessionRecorder<Int, String>(to: folder("a.retcon"), options: options)
    recorder.start(with: 0)
    recorder.step("a") { 1 }
    recorder.flush()
    let number = try #require(descriptor(of: folder("a.retcon")))
    try folder.write("mine", to: "other")
    let other = open(folder("other"), O_WRONLY | O_APPEND)
    #expect(dup2(other, number) == number)
    for step in 2...40 {
      recorder.step("a") { step }
      recorder.flush()
    }
    let statistics = recorder.finish()

    #expect(told.all == ["steps from 2 on are not recorded: the app has closed the file"])
    #expect(statistics.lostSteps == 39)
    #expect(folder.text("other") == "mine")
    #expect(fcntl(number, F_GETFD) >= 0, "a file of the app was closed")
    close(number)
    close(other)
    let session = try SessionReader(path: folder("a.retcon"))
    #expect(session.steps == 0...1)
    #expect(session.notices == [])
  }
}
