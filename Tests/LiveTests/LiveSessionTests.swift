import Platform
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import Live

@Suite("A live session")
struct LiveSessionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func record(
    _ entries: [LiveSession.Entry], from state: Value = ["n": 0], time: Double? = 1_000
  ) throws -> SessionReader {
    let path = folder.path + "/live.retcon"
    let start = LiveSession.Start(name: "app", state: state, time: time, format: "live page")
    let session = try LiveSession(start, at: path, Redaction())
    for entry in entries { try session.add(entry) }
    try session.finish()
    return try SessionReader(path: path)
  }

  private func entry(_ patch: Value, time: Double? = nil) -> LiveSession.Entry {
    var entry = LiveSession.Entry(action: ["type": "a"], .patch(patch))
    entry.time = time
    return entry
  }

  @Test func aPatchThatDoesNotFitLeavesTheStateUnknown() throws {
    let reader = try record([
      entry([["op": "replace", "path": "/n", "value": 1]]), entry(7), entry([]),
    ])
    #expect(try reader.state(after: 1) == ["n": 1])
    #expect(throws: SessionError.self) { try reader.state(after: 2) }
    #expect(throws: SessionError.self) { try reader.state(after: 3) }
    #expect(
      try reader.signposts(in: 0...3).map(\.text) == ["the change of the state does not fit"])
  }

  @Test func copiesMakeNoStateWithoutABound() throws {
    let doubled: Value = .array(
      ValueArray((0..<64).map { ["op": "copy", "from": "/l", "path": .string("/l/\($0)")] }))
    let reader = try record([entry(doubled)], from: ["l": ["x"]])
    #expect(throws: SessionError.self) { try reader.state(after: 1) }
  }

  @Test(arguments: [-1e300, 1e300, -5, 0.0])
  func timesNeverGoBack(time: Double) throws {
    let reader = try record([entry([], time: 1_500), entry([], time: time)])
    #expect(try reader.step(1).time == .milliseconds(500))
    #expect(try reader.step(2).time == .milliseconds(500))
  }

  @Test func theNameOfAnAppIsRedacted() throws {
    var redaction = try Redaction(patterns: ["secret"])
    redaction.mustMatch = false
    let folder = folder.path
    let recorder = LiveRecorder(
      redaction: redaction, path: { name, _ in "\(folder)/\(LiveName.file(name)).retcon" })
    recorder.start("a", LiveSession.Start(name: "my secret shop", state: 0, format: "live page"))
    recorder.finish()
    let summary = try #require(recorder.summaries.first)
    #expect(summary.name == "<redacted>" && summary.path.hasSuffix("/redacted.retcon"))
    #expect(try SessionReader(path: summary.path).header.app?.name == "<redacted>")
  }

  @Test func namesOfFilesArePlain() {
    #expect(LiveName.file("Cart – page 1") == "Cart-page-1")
    #expect(LiveName.file("../../etc/passwd\n") == "etc-passwd")
    #expect(LiveName.file("\u{1B}[31m…") == "31m")
    #expect(LiveName.file("http://a.b:1/x?y") == "http-a.b-1-x-y")
    #expect(LiveName.file("") == "app" && LiveName.file("....") == "app")
    #expect(LiveName.file(String(repeating: "x", count: 999)).count == 60)
  }
}
