import Platform
import Recorder
import SessionFile
import SessionWords
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

  @Test("Of two recorders on one path each has a file of its own, whole, and says where")
  func samePath() throws {
    let folder = try TemporaryFolder()
    let told = Told()
    let recorders = (0..<2).map { place in
      var options = RecordingOptions()
      options.started = "2026-11-20T10:56:0\(place).000Z"
      options.report = { told.add($0.sentence.replacing(folder.path, with: "$")) }
      return SessionRecorder<Int, Int>(to: folder("a.retcon"), options: options)
    }
    for (place, recorder) in recorders.enumerated() {
      recorder.start(with: place)
      recorder.step(1) { place }
      recorder.flush()
    }
    for number in 2...50 {
      for (place, recorder) in recorders.enumerated() { recorder.step(number) { place } }
    }
    let statistics = recorders.map { $0.finish() }
    #expect(statistics.allSatisfy { $0.isComplete && $0.lostSteps == 0 })
    let second = "a.2026-11-20T10-56-01.000Z.retcon"
    #expect(statistics.map(\.path) == [folder("a.retcon"), folder(second)])
    #expect(folder.names == [second, "a.retcon"])
    #expect(
      told.all == [
        "$/a.retcon: another recorder writes into the file; "
          + "this session is in $/a.2026-11-20T10-56-01.000Z.retcon."
      ])
    for (place, name) in ["a.retcon", second].enumerated() {
      let session = try SessionReader(path: folder(name))
      #expect(session.steps == 0...50)
      #expect(session.isFinished)
      #expect(try session.state(after: 50) == .number(Number(place)))
      try session.examine()
      #expect(session.notices == [])
    }
  }

  @Test("Times never go down, also when the app's clock does; it is told once")
  func clockThatRunsBack() throws {
    let folder = try TemporaryFolder()
    let told = Told()
    let times = Locked([0, 5, 3, 4, 9, 2].map { Duration.seconds($0) }[...])
    var options = RecordingOptions()
    options.clock = { times.withLock { $0.popFirst() ?? .zero } }
    options.report = { told.add($0.what) }
    let recorder = SessionRecorder<Int, Int>(to: folder("a.retcon"), options: options)
    recorder.start(with: 0)
    recorder.step(1) { 1 }
    recorder.effectChanged(1, .started(EffectOrigin(step: 1, file: "a", line: 1)))
    recorder.signpost("note")
    recorder.step(2) { 2 }
    recorder.step(3) { 3 }
    recorder.step(4) { 4 }
    recorder.finish()
    let lines = folder.text("a.retcon").split(separator: "\n").dropFirst()
    let found = try lines.map { try Value(parsing: Array($0.utf8))["time"] }
    #expect(found.count == 7)
    var last = 0.0
    for time in found {
      let seconds = try #require(time.flatMap { Double($0.text()) })
      #expect(seconds >= last)
      last = seconds
    }
    #expect(told.all.count == 1)
    #expect(told.all[0].hasPrefix("the clock of the app tells an earlier time at step "))
  }

  @Test("A line that another one overtakes is not the clock's fault")
  func overtaken() throws {
    let folder = try TemporaryFolder()
    let told = Told()
    let toldTimes = Locked(0)
    let recorders = Locked<[SessionRecorder<Int, Int>]>([])
    var options = RecordingOptions()
    options.clock = {
      let time = toldTimes.withLock { time in (time, time += 1).0 }
      // Between asking for the time and writing it another thread does both.
      if time == 1 { recorders.withLock { $0 }.first?.signpost("overtakes") }
      return .seconds(time)
    }
    options.report = { told.add($0.what) }
    let recorder = SessionRecorder<Int, Int>(to: folder("a.retcon"), options: options)
    recorders.withLock { $0 = [recorder] }
    recorder.start(with: 0)
    recorder.step(1) { 1 }
    recorder.signpost("overtaken")
    #expect(recorder.finish().troubles.isEmpty)
    recorders.withLock { $0 = [] }
    #expect(told.all == [])
    let lines = folder.text("a.retcon").split(separator: "\n").suffix(3)
    #expect(
      lines == [
        #"{"signpost":"overtakes","after":1,"time":2}"#,
        #"{"signpost":"overtaken","after":1,"time":2}"#,
        #"{"end":1,"time":3}"#,
      ])
  }
}
