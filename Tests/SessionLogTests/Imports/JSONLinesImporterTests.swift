import TestSupport
import Testing
import ValueTree

@testable import SessionLog

@Suite("JSON Lines import")
struct JSONLinesImporterTests {
  @Test("lines of actions and states open as a session")
  func lines() throws {
    let fixture = try TemporaryFolder()
    let session = try fixture.open(
      """
      {"state":{"n":0}}
      {"action":{"type":"add"},"state":{"n":1},"time":0.5}

      {"action":{"reset":{}},"state":{"n":0}}
      {"action":"beep","label":"noise","state":{"n":0}}
      """, as: "log.jsonl")
    #expect(session.header.state == ["n": 0])
    #expect(try (1...3).map { try session.step($0).label } == ["add", "reset", "noise"])
    #expect(try session.step(1).time == .milliseconds(500))
    #expect(try (0...3).map { try session.state(after: $0)["n"] } == [0, 1, 0, 0])
  }

  @Test("a line that does not fit is named with what to do")
  func badLine() throws {
    let fixture = try TemporaryFolder()
    let path = "\(fixture.path)/log.jsonl"
    let error = #expect(throws: ImportError.self) {
      try fixture.open("{\"action\":1}\n{\"acton\":2}\n", as: "log.jsonl")
    }
    #expect(
      error?.sentence
        == "\(path), line 2: expected {\"action\": …, \"state\": …}, found no \"action\". "
        + "Remove the line or give it an action.")
    let notJSON = #expect(throws: ImportError.self) {
      try fixture.open("{\"action\":1}\n{\"action\":}\n", as: "log.jsonl")
    }
    #expect(notJSON?.place == "\(path), line 2, column 11")
  }
}
