import Essentials
import Platform
import Recorder
import SessionFile
import StoreCore
import StoreRecording
import TestSupport
import Testing
import ValueTree

@Suite struct StoreRecorderTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("A recorded store that waits on a test clock which nobody advances says so")
  func nobodyAdvances() async {
    let issues = Locked<[String]>([])
    let recording = StoreRecorder<Int, Int>(to: folder("clock.retcon"), options: .steady)
    let store = Store(initialState: 0, hooks: recording) {
      Reduce<Int, Int> { _, _ in
        .run(name: "tick") { _ in
          @Dependency(\.continuousClock) var clock
          try await clock.sleep(for: .seconds(3))
        }
      }
    } withDependencies: {
      $0.continuousClock = recording.tape.clock(TestClock())
      $0.issueReporter = IssueReporter { issue in issues.withLock { $0.append(issue.message) } }
    }
    let waiting = Task { await store.send(1).finish() }
    while issues.withLock({ $0.isEmpty }) { await Task.yield() }
    #expect(
      issues.withLock { $0[0] }.contains("It sleeps on a test clock until 3.0 seconds")
        && issues.withLock { $0[0] }.contains("Advance it"))
    waiting.cancel()
    await waiting.value
    recording.finish()
  }

  @Test(
    "A value that is kept in a file and read before the first step leaves the state to start with",
    arguments: [false, true])
  func sharedFile(isWriteAhead: Bool) async throws {
    var options = RecordingOptions.steady
    options.isWriteAhead = isWriteAhead
    let recording = StoreRecorder<Visits.State, Int>(to: folder("visits.retcon"), options: options)
    let store = Store(initialState: Visits.State(), hooks: recording) {
      Visits()
    } withDependencies: {
      $0.sharedStorage = .inMemory(["/visits.json": "3"])
    }
    await store.send(2).finish()
    #expect(recording.finish().isComplete)
    let session = try SessionReader(path: folder("visits.retcon"))
    #expect(session.header.state?["visits"]?["value"] == 3)
    #expect(try session.state(after: 1)["visits"]?["value"] == 5)
  }

  private struct Visits: Reducer {
    struct State: Codable, Sendable {
      @Shared(.fileStorage(URL(filePath: "/visits.json"))) var visits = 0
    }

    func reduce(into state: inout State, action: Int) -> Effect<Int> {
      state.$visits.withLock { $0 += action }
      return .none
    }
  }

  @Test("The device's own calendar, locale and time zone are recorded as they are, not as current")
  func settings() async throws {
    let recording = StoreRecorder<[String], Int>(
      to: folder("settings.retcon"), options: .steady)
    let store = Store(initialState: [], hooks: recording) {
      Reduce<[String], Int> { state, _ in
        @Dependency(\.calendar) var calendar
        @Dependency(\.locale) var locale
        @Dependency(\.timeZone) var timeZone
        state = ["\(calendar.identifier)", locale.identifier, timeZone.identifier]
        return .none
      }
    } withDependencies: {
      $0.calendar = .autoupdatingCurrent
      $0.locale = .autoupdatingCurrent
      $0.timeZone = .autoupdatingCurrent
    }
    await store.send(1).finish()
    recording.finish()
    let reads = try SessionReader(path: folder("settings.retcon")).step(1).reads
    #expect(reads.map(\.key) == ["calendar", "locale", "timeZone"])
    let values = reads.compactMap { if case .value(let value) = $0.outcome { value } else { nil } }
    #expect(values[0]["current"] == 0 && values[0]["locale"]?["current"] == 0)
    #expect(values[1]["current"] == 0)
    #expect(values[2]["autoupdating"] == false)
    #expect(values[2]["identifier"]?.string == TimeZone.current.identifier)
  }

  @Test("A store is recorded in one line: steps, causes, reads, effects")
  func recordsAStore() async throws {
    let recording = StoreRecorder<Dice.State, Dice.Action>(
      to: folder("dice.retcon"), options: .steady)
    let store = Store(initialState: Dice.State(), hooks: recording) {
      Dice(luck: recording.tape.closure("luck") { (_: Int) async throws -> Int in 7 })
    } withDependencies: {
      $0.withRandomNumberGenerator = .init(SeededRandomNumberGenerator(seed: 1))
    }
    await store.send(.rolled).finish()
    await store.send(.failed).finish()
    let statistics = recording.finish()

    let lines = folder.text("dice.retcon").split(separator: "\n").map(String.init)
    #expect(
      lines.dropFirst().joined(separator: "\n").replacing(#/"line":\d+/#, with: #""line":0"#)
        == """
        {"step":1,"time":0,"label":"rolled","action":{"rolled":{}},"cause":"user","reads":[{"key":"random","value":10451216379200822465}],"patch":[{"op":"replace","path":"/eyes","value":6}]}
        {"effect":1,"event":"started","after":1,"time":0,"from":1,"ordinal":1,"name":"luck","file":"StoreRecordingTests/Dice.swift","line":0}
        {"read":"luck","effect":1,"after":1,"time":0,"took":0,"arguments":[6],"value":7}
        {"step":2,"time":0,"label":"lucky","action":{"lucky":{"_0":7}},"cause":{"effect":1},"patch":[{"op":"replace","path":"/luck","value":7}]}
        {"effect":1,"event":"finished","after":2,"time":0}
        {"step":3,"time":0,"label":"failed","action":{"failed":{}},"cause":"user","patch":[]}
        {"step":4,"time":0,"label":"lucky","action":{"lucky":{"_0":0}},"cause":{"output":3},"patch":[{"op":"replace","path":"/luck","value":0}]}
        {"end":4,"time":0}
        """)
    let session = try SessionReader(path: folder("dice.retcon"))
    #expect(session.header.tape == ["date", "uuid", "random", "luck"])
    #expect(session.header.state == ["eyes": 1, "luck": 0])
    #expect(session.header.snapshots == .copied)
    #expect(statistics.isComplete)
    #expect(statistics.steps == 4)
    #expect(try session.state(after: 4) == ["eyes": 6, "luck": 0])
  }
}

extension RecordingOptions {
  /// Without the date and the time of the run.
  static var steady: RecordingOptions {
    var options = RecordingOptions(app: .init("Dice"))
    options.clock = { .zero }
    options.started = "2026-11-20T10:56:00.000Z"
    return options
  }
}
