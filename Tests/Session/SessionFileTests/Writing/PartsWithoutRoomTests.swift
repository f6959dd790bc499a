import Glibc
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@Suite("Parts without room") struct PartsWithoutRoomTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func writer(_ path: String) throws -> SessionWriter {
    var options = WritingOptions()
    options.partSize = 500
    var header = SessionHeader(state: 0)
    header.session = "abc"
    return try SessionWriter(path: path, header: header, options: options)
  }

  private func append(_ steps: ClosedRange<Int>, to writer: SessionWriter) {
    for number in steps {
      let step = Step(number: number, label: "s", action: .number(Number(number)))
      try? writer.append(step, state: .number(Number(number)))
      try? writer.flush()
    }
  }

  @Test("While the next part cannot be made the last one grows on, and nothing is lost")
  func nameIsTaken() throws {
    mkdir(folder("p.2.retcon"), 0o700)
    let writer = try writer(folder("p.retcon"))
    append(1...30, to: writer)
    #expect(folder.names == ["p.2.retcon", "p.retcon"])
    #expect(writer.header.part == 1)
    rmdir(folder("p.2.retcon"))
    append(31...60, to: writer)
    try writer.finish()

    #expect(writer.lostStepCount == 0)
    #expect(writer.header.part > 1)
    let session = try SessionReader(path: folder("p.retcon"))
    #expect(session.steps == 0...60)
    #expect(session.isFinished)
    for number in 0...60 {
      #expect(try session.state(after: number) == .number(Number(number)))
    }
    try session.examine()
    #expect(session.notices == [])
  }

  @Test("A part that begins on a full disk leaves no file; each lost step is counted and said")
  func fullDisk() throws {
    let status = try ChildProcess(
      running: "recordsPartsUnderALimit", task: folder("p.retcon")
    ).wait()
    #expect(status == 0)
    let session = try SessionReader(path: folder("p.retcon"))
    #expect(session.steps == 0...80)
    #expect(session.isFinished)
    try session.examine()
    let lost = session.notices.compactMap { notice -> ClosedRange<Int>? in
      guard case .lostSteps(let steps, "File too large") = notice.finding else { return nil }
      return steps
    }
    #expect(lost.count == 1)
    #expect(lost.first?.lowerBound == 41)
    #expect(folder.text("lost") == "\(lost.reduce(0) { $0 + $1.count })")
    for number in 0...80 where !lost.contains(where: { $0.contains(number) }) {
      #expect(try session.state(after: number) == .number(Number(number)))
    }
  }

  @Test("records parts under a limit", .enabled(if: ChildProcess.task != nil))
  func recordsPartsUnderALimit() throws {
    let path = try #require(ChildProcess.task)
    let writer = try writer(path)
    append(1...40, to: writer)
    let part = writer.header.part
    #expect(part > 1)
    let unlimited = limitFiles(to: 40)
    append(41...60, to: writer)
    #expect(writer.header.part == part)
    limitFiles(to: unlimited)
    append(61...80, to: writer)
    #expect(writer.header.part > part)
    try writer.finish()
    let file = try #require(fopen(path.dropLast("p.retcon".count) + "lost", "w"))
    fputs("\(writer.lostStepCount)", file)
    fclose(file)
  }

  @Test("What lies between the steps is told as soon as there is room, or counted and said")
  func linesBetween() throws {
    let status = try ChildProcess(
      running: "recordsLinesUnderALimit", task: folder("p.retcon")
    ).wait()
    #expect(status == 0)
    #expect(
      folder.text("p.retcon").split(separator: "\n").dropFirst().joined(separator: "\n") == """
        {"step":1,"label":"s","action":1,"cause":"user","patch":[{"op":"replace","path":"","value":1}]}
        {"effect":1,"event":"started","after":1,"from":1,"ordinal":0,"file":"a","line":1}
        {"lost":[],"lines":3,"because":"File too large"}
        {"tape":"late"}
        {"effect":1,"event":"finished","after":1}
        {"effect":2,"event":"started","after":1,"from":1,"ordinal":0,"file":"a","line":2}
        {"end":1}
        """)
    let session = try SessionReader(path: folder("p.retcon"))
    #expect(session.tape == ["late"])
    #expect(try session.effectsInFlight(after: 1).map(\.effect) == [2])
    #expect(session.notices.map(\.finding) == [.lostLines(count: 3, because: "File too large")])
  }

  @Test("records lines under a limit", .enabled(if: ChildProcess.task != nil))
  func recordsLinesUnderALimit() throws {
    let path = try #require(ChildProcess.task)
    let writer = try SessionWriter(path: path, header: SessionHeader(state: 0))
    func started(_ effect: EffectID) -> EffectEvent {
      let origin = EffectOrigin(step: 1, file: "a", line: effect.number)
      return EffectEvent(effect: effect, step: 1, kind: .started(origin))
    }
    try writer.append(Step(number: 1, label: "s", action: 1), state: 1)
    try writer.append(started(1))
    try writer.flush()
    let unlimited = limitFiles(to: 40)
    try writer.append(Signpost("waits", step: 1))
    try writer.append(LogLine.begin(Step(number: 2, label: "s", action: 2)))
    #expect(throws: SessionError.self) { try writer.flush() }
    try writer.append(EffectEvent(effect: 1, step: 1, kind: .finished))
    try writer.append(started(2))
    try writer.append(started(3))
    try writer.append(LogLine.tape(key: "late"))
    try writer.append(EffectEvent(effect: 3, step: 1, kind: .cancelled))
    #expect(writer.lostLineCount == 6)
    #expect(writer.lostStepCount == 0)
    limitFiles(to: unlimited)
    try writer.finish()
    #expect(writer.lostLineCount == 3)
  }

  @Test("After a loss no patch leads from a state that is not in the file")
  func patchesAfterALoss() throws {
    let status = try ChildProcess(
      running: "recordsFewStatesUnderALimit", task: folder("p.retcon")
    ).wait()
    #expect(status == 0)
    let session = try SessionReader(path: folder("p.retcon"))
    #expect(session.steps == 0...6)
    try session.examine()
    #expect(session.notices.count == 2)
    let states = session.steps.map { try? session.state(after: $0)["n"] }
    #expect(states == [0, 1, nil, nil, 4, nil, 6])
  }

  @Test("records few states under a limit", .enabled(if: ChildProcess.task != nil))
  func recordsFewStatesUnderALimit() throws {
    let path = try #require(ChildProcess.task)
    let header = SessionHeader(state: ["n": 0, "m": 0])
    let writer = try SessionWriter(path: path, header: header)
    func record(_ number: Int, _ state: Value?) {
      let step = Step(number: number, label: "s", action: .null)
      try? writer.append(step, state: state, isStateDropped: state == nil)
      try? writer.flush()
    }
    record(1, ["n": 1, "m": 0])
    let unlimited = limitFiles(to: 40)
    record(2, ["n": 2, "m": 2])
    limitFiles(to: unlimited)
    record(3, nil)
    record(4, ["n": 4, "m": 2])
    record(5, nil)
    record(6, ["n": 6, "m": 2])
    try writer.finish()
  }

  /// Returns the limit before.
  @discardableResult
  private func limitFiles(to size: rlim_t) -> rlim_t {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    let before = limit.rlim_cur
    limit.rlim_cur = size
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    return before
  }
}
