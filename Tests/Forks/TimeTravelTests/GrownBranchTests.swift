import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import TimeTravel

@Suite("What a branch that was written as a session rests on")
struct GrownBranchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func guess(_ step: Int, _ kind: Assumption.Kind = .stale) -> Assumption {
    Assumption(kind, .read(key: "rate", index: 0), from: step, "what is read at \(step)")
  }

  private func line(_ number: Int, _ assumptions: [Assumption]) -> String {
    var step = Step(number: number, label: "added", action: ["added": .number(Number(number))])
    step.standing = Standing(.assumed, .different, assumptions)
    return String(decoding: LogLine.step(StepLine(step)).bytes, as: UTF8.self)
  }

  private func session(_ lines: [String]) throws -> OpenSession {
    let header = String(decoding: SessionHeader(state: 0).bytes, as: UTF8.self)
    let path = try folder.write(header + lines.joined(), to: "more.retcon")
    return OpenSession(SessionRecording(try SessionReader(path: path)))
  }

  private func steps(_ session: OpenSession, at step: Int) -> [Int] {
    session.assumptions(at: Position(step: step)).map(\.step)
  }

  @Test("is known of new steps, too, as soon as they are in the file")
  func growth() throws {
    let session = try session([line(1, [guess(1)]), line(2, [])])
    #expect(steps(session, at: 2) == [1])
    try folder.append(line(3, [guess(3)]) + line(4, []), to: "more.retcon")
    #expect(try session.recording.refresh()?.change == .grew)
    #expect(steps(session, at: 4) == [1, 3] && steps(session, at: 2) == [1])
    try folder.append(line(5, [guess(5, .substituted)]), to: "more.retcon")
    _ = try session.recording.refresh()
    #expect(steps(session, at: 5) == [1, 3, 5])
    #expect(session.assumptionKinds(at: Position(step: 4)) == [.stale])
    #expect(session.assumptionKinds(at: Position(step: 5)) == [.stale, .substituted])
  }

  @Test("is known of a file that only begins to tell what its steps rest on")
  func beginning() throws {
    var shared = Step(number: 1, label: "added", action: ["added": 1])
    shared.time = .seconds(1)
    let first = String(decoding: LogLine.step(StepLine(shared)).bytes, as: UTF8.self)
    let session = try session([first])
    #expect(!session.summary.wasBranch && steps(session, at: 1) == [])
    try folder.append(line(2, [guess(2)]), to: "more.retcon")
    #expect(try session.recording.refresh()?.summary.wasBranch == true)
    #expect(steps(session, at: 2) == [2] && steps(session, at: 1) == [])
  }

  @Test("is read once: of a file that has grown only what is new")
  func readOnce() throws {
    let session = try session((1...50).map { line($0, [guess($0)]) })
    #expect(steps(session, at: 50) == Array(1...50))
    // The beginning of the line is unreadable now.
    let text = folder.text("more.retcon")
    _ = try folder.write(
      text.replacing("what is read at 1\"", with: "what is read at 1\u{7}"), to: "more.retcon")
    try folder.append(line(51, [guess(51)]), to: "more.retcon")
    #expect(try session.recording.refresh()?.change == .grew)
    #expect(steps(session, at: 51) == Array(1...51))
    #expect(try session.recording.step(1).damage != nil)
  }

  @Test("is not lost with the last line: one that cannot be read says nothing of what it was")
  func damagedEnd() throws {
    let lines = [
      line(1, [guess(1)]), line(2, []), line(3, []).replacing("added", with: "ad\u{7}ed"),
    ]
    let session = try session(lines)
    #expect(session.summary.wasBranch)
    #expect(steps(session, at: 3) == [1])
  }
}
