import Glibc
import SessionLog
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
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    let unlimited = limit.rlim_cur
    limit.rlim_cur = 40
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    append(41...60, to: writer)
    #expect(writer.header.part == part)
    limit.rlim_cur = unlimited
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    append(61...80, to: writer)
    #expect(writer.header.part > part)
    try writer.finish()
    let file = try #require(fopen(path.dropLast("p.retcon".count) + "lost", "w"))
    fputs("\(writer.lostStepCount)", file)
    fclose(file)
  }

  @Test("What lies between the steps is counted too when it cannot be written")
  func linesBetween() throws {
    let status = try ChildProcess(
      running: "recordsSignpostsUnderALimit", task: folder("p.retcon")
    ).wait()
    #expect(status == 0)
    #expect(try SessionReader(path: folder("p.retcon")).steps == 0...1)
  }

  @Test("records signposts under a limit", .enabled(if: ChildProcess.task != nil))
  func recordsSignpostsUnderALimit() throws {
    let path = try #require(ChildProcess.task)
    let writer = try SessionWriter(path: path, header: SessionHeader(state: 0))
    try writer.append(Step(number: 1, label: "s", action: 1), state: 1)
    try writer.flush()
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    let unlimited = limit.rlim_cur
    limit.rlim_cur = 40
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    try writer.append(Signpost("waits", step: 1))
    #expect(throws: SessionError.self) { try writer.flush() }
    try writer.append(Signpost("comes while there is no room", step: 1))
    #expect(writer.lostLineCount == 2)
    #expect(writer.lostStepCount == 0)
    limit.rlim_cur = unlimited
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    try writer.finish()
  }
}
