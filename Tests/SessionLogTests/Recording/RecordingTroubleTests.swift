import SessionLog
import TestSupport
import Testing
import ValueTree

@Suite("Trouble while recording") struct RecordingTroubleTests {
  @Test("A file that cannot be made is told once; the app goes on", arguments: [false, true])
  func missingFolder(isWriteAhead: Bool) throws {
    let folder = try TemporaryFolder()
    let told = Told()
    var options = RecordingOptions()
    options.isWriteAhead = isWriteAhead
    options.report = { told.add($0.sentence) }
    let recorder = SessionRecorder<Int, Int>(to: folder("none/a.retcon"), options: options)
    recorder.start(with: 0)
    var ran = 0
    for number in 1...20 {
      recorder.step(number) {
        ran += 1
        return number
      }
    }
    recorder.signpost("note")
    recorder.flush()
    #expect(recorder.finish().bytes == 0)
    #expect(recorder.finish().bytes == 0)
    #expect(ran == 20)
    #expect(told.all.count == 1)
    #expect(told.all.first?.contains("nothing is recorded") == true)
  }

  @Test("A recorder that is let go without an end has written everything")
  func released() throws {
    let folder = try TemporaryFolder()
    do {
      let recorder = SessionRecorder<Int, Int>(to: folder("a.retcon"))
      recorder.start(with: 0)
      for number in 1...500 { recorder.step(number) { number } }
    }
    let session = try SessionReader(path: folder("a.retcon"))
    #expect(session.steps == 0...500)
    #expect(session.isFinished)
  }

  @Test("Of two recorders on one path the later one has the file, whole")
  func samePath() throws {
    let folder = try TemporaryFolder()
    let recorders = (0..<2).map { _ in SessionRecorder<Int, Int>(to: folder("a.retcon")) }
    for (place, recorder) in recorders.enumerated() {
      recorder.start(with: place)
      recorder.step(1) { place }
      recorder.flush()
    }
    for number in 2...50 {
      for (place, recorder) in recorders.enumerated() { recorder.step(number) { place } }
    }
    for recorder in recorders { recorder.finish() }
    let session = try SessionReader(path: folder("a.retcon"))
    #expect(session.steps == 0...50)
    #expect(try session.state(after: 50) == 1)
    try session.examine()
    #expect(session.notices == [])
  }
}
