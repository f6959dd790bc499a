import Platform
import Recorder
import SessionFile
import TestSupport
import Testing

@Suite("A folder of recordings")
struct RecordingFolderTests {
  private func record(to path: String, steps: Int) -> RecordingStatistics {
    var options = RecordingOptions()
    options.writing.existing = .keep(1)
    let recorder = SessionRecorder<Int, Int>(to: path, options: options)
    recorder.start(with: 0)
    for number in 0..<steps { recorder.step(number) { number } }
    return recorder.finish()
  }

  @Test("the first session makes it, and the newest file comes first")
  func sessions() throws {
    let folder = try TemporaryFolder()
    let recordings = RecordingFolder(folder("App/Recordings"))
    #expect(recordings.files == [])
    let path = recordings.session("cart")
    #expect(path == folder("App/Recordings/cart.retcon"))
    #expect(record(to: path, steps: 3).isComplete)
    try folder.write("notes", to: "App/Recordings/notes.txt")
    var times = [timespec(tv_sec: 9, tv_nsec: 0), timespec(tv_sec: 9, tv_nsec: 0)]
    #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
    #expect(record(to: recordings.session("shop"), steps: 3).isComplete)
    #expect(recordings.files == [recordings.session("shop"), path])
  }

  @Test("an app that starts again and again keeps as many sessions as it was told")
  func rotation() throws {
    let folder = try TemporaryFolder()
    let recordings = RecordingFolder(folder.path)
    for steps in 1...4 {
      let statistics = record(to: recordings.session("cart"), steps: steps)
      #expect(statistics.path == recordings.session("cart"))
    }
    #expect(recordings.files.count == 2)
    let newest = try SessionReader(path: recordings.session("cart"))
    #expect(newest.steps == 0...4)
  }

  @Test("the folder of the app's documents is an absolute path")
  func documents() {
    #expect(RecordingFolder.documents.path.hasPrefix("/"))
    #expect(RecordingFolder.documents.path.hasSuffix("Documents/Recordings"))
  }
}
