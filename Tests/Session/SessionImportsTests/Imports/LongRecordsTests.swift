import SessionFile
import TestSupport
import Testing

@testable import SessionImports

@Suite("Records of any length") struct LongRecordsTests {
  private static let files = [
    #"""
    {"prevState":{"p":"PAD"},"action":{"type":"a"},"nextState":{"n":1}}
    {"prevState":{"n":1},"action":{"type":"b"},"nextState":{"n":2}}
    """#,
    #"""
    {"mutation":{"type":"a","payload":"PAD"},"state":{"n":1}}
    {"mutation":{"type":"b"},"state":{"n":2}}
    """#,
    #"{"initialState":{"p":"PAD"},"actions":[{"type":"a","delay":1},{"type":"b","delay":2}]}"#,
    #"{"snapshot":{"p":"PAD"},"patches":[{"op":"add","path":"/n","value":1}]}"#,
    #"{"metadata":{"p":"PAD"},"history":[{"$":"A"},{"$":"B"}]}"#,
    #"{"contexts":{"p":"PAD"},"breadcrumbs":[{"category":"redux.action","data":{"type":"a"}}]}"#,
    #"[{"before":{"p":"PAD"},"after":{"n":1},"action":{"type":"a"}}]"#,
    #"[{"type":"state.backup.response","payload":{"state":{"p":"PAD"}},"deltaTime":0},"#
      + #"{"type":"state.action.complete","payload":{"action":{"type":"a"}},"deltaTime":1}]"#,
    #"{"title":"t","x":"PAD","payload":"[{\"type\":\"a\"}]"}"#,
    #"[{"type":"a","payload":"PAD"},{"type":"b"}]"#,
  ]

  @Test("The tool is told by members that come behind a large state", arguments: files)
  func long(text: String) throws {
    func steps(_ length: Int) throws -> [String] {
      let pad = String(repeating: "x", count: length)
      return try told(text.replacing("PAD", with: pad)).map { $0.replacing(pad, with: "PAD") }
    }
    let short = try steps(10)
    #expect(short.count > 2)
    #expect(try steps(70_000) == short)
    #expect(try steps(700_000) == short)
  }

  @Test("A file that no tool wrote is none, however its first record goes on")
  func unknown() throws {
    let many = String(repeating: #""x":[],"#, count: 100_000)
    for text in [
      #"{"x":{"p":"PAD"},"y":1}"#, #"{"x":{"p":"PAD"#, #"{"x":[[[PAD"#, "{\(many)}",
      "{\"a\":{\(many)}}",
    ] {
      let text = text.replacing("PAD", with: String(repeating: "[", count: 700_000))
      let fixture = try TemporaryFolder()
      #expect(throws: (any Error).self) { try fixture.open(text, as: "file") }
      #expect(try SessionOpener.standard.importer(of: fixture("file")) == nil)
    }
  }

  @Test(
    "The first time tells the unit, wherever it stands", arguments: ["", "000"], [false, true])
  func lateTime(zeros: String, isList: Bool) throws {
    let lines = (0..<300).map { number in
      let time = number < 200 ? "" : ",\"time\":1700000\(number)\(zeros)"
      return "{\"action\":{\"type\":\"a\"},\"state\":{\"time\":5}\(time)}"
    }
    let text = isList ? "[\(lines.joined(separator: ","))]" : lines.joined(separator: "\n")
    let session = try TemporaryFolder().open(text, as: "log.json")
    #expect(try session.step(200).time == nil)
    #expect(try session.step(201).time == .zero)
    #expect(try session.step(300).time == .seconds(99))
  }
}
