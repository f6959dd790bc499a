import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import SessionImports

@Suite("Damaged and unusual records")
struct DamagedRecordsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ lines: String...) throws -> SessionReader {
    try folder.open(lines.map { $0 + "\n" }.joined(), as: "log.jsonl")
  }

  /// The steps with their times and states. A walk must tell the same states.
  private func told(_ session: SessionReader) throws -> [String] {
    var walk = session.walk([["n"]], from: 0)
    var walked: [Value?] = []
    try walk.advance(through: session.steps.upperBound) {
      walked.append($0.isStateKnown ? $0.value(at: ["n"]) : nil)
      return true
    }
    return try session.steps.map { number in
      let step = try session.step(number)
      let state = try? session.state(after: number)
      #expect(walked[number] == state?["n"], "step \(number)")
      let time = step.time.map { " \($0 / .milliseconds(1)) ms" } ?? ""
      return "\(step.label)\(time) \(state?.text() ?? "–")"
    }
  }

  @Test("a record with a type or a label beside its state is a step")
  func namedStates() throws {
    let session = try open(
      #"{"state":{"n":0}}"#, #"{"type":"inc","by":1,"time":0.5,"state":{"n":1}}"#,
      #"{"label":"dec","state":{"n":0}}"#, #"{"type":"inc"}"#,
      #"{"action":{"type":"inc"},"state":{"n":2}}"#)
    #expect(
      try told(session) == [
        #"init {"n":0}"#, #"inc 500.0 ms {"n":1}"#, #"dec {"n":0}"#, "inc –", #"inc {"n":2}"#,
      ])
    #expect(try session.step(1).action == ["type": "inc", "by": 1, "time": 0.5])
    var actions: [Value?] = []
    var walk = session.walk(nil, from: 1)
    try walk.advance(through: 2) {
      actions.append(try? $0.step(.init(.label, actionPlaces: [["by"]])).action["by"])
      return true
    }
    #expect(actions == [1, nil])
    #expect(
      try told(open(#"{"type":"a","state":{"n":1}}"#, #"{"type":"b","state":{"n":2}}"#))
        == ["init –", #"a {"n":1}"#, #"b {"n":2}"#])
  }

  @Test(
    "a list with a null, or cut off, shows what can be read and says what is lost",
    arguments: [
      (
        #"[{"action":{"type":"a"},"state":{"n":1}},null,{"action":{"type":"b"},"state":{"n":2}}]"#,
        [#"a {"n":1}"#, "record 2 of the list is null", #"b {"n":2}"#]
      ),
      (
        #"[{"action":{"type":"a"},"state":{"n":1}},{"action":{"type":"b"},"state":{"n":2}},{"ac"#,
        [#"a {"n":1}"#, #"b {"n":2}"#, "the file is cut off here"]
      ),
      (
        #"[{"type":"a"},7,{"type":"b"}]"#,
        ["a –", "action 2 of the list is a number", "b –"]
      ),
      (
        #"[null,{"type":"a"},{"type":"b"},{"type":"#,
        ["action 1 of the list is null", "a –", "b –", "the file is cut off here"]
      ),
      (#"[{"type":"a"},{"type":"b"},"#, ["a –", "b –", "the file is cut off here"]),
    ])
  func lists(text: String, steps: [String]) throws {
    let session = try folder.open(text, as: "list.json")
    let shown = try session.steps.dropFirst().map { number in
      let step = try session.step(number)
      let state = try? session.state(after: number)
      return step.damage ?? "\(step.label) \(state?.text() ?? "–")"
    }
    #expect(shown.count == steps.count, "\(shown)")
    for (one, other) in zip(shown, steps) { #expect(one.hasPrefix(other)) }
  }

  @Test("a number, as of an enum in TypeScript, is a type, too")
  func numberedTypes() throws {
    #expect(
      try told(
        open(
          #"{"type":"add","state":{"n":1}}"#, #"{"type":7,"state":{"n":2}}"#,
          #"{"type":-1,"by":2,"state":{"n":3}}"#))
        == ["init –", #"add {"n":1}"#, #"type {"n":2}"#, #"(no type) {"n":3}"#])
    let session = try open(#"{"state":{"n":1},"type":0}"#, #"{"type":1,"state":{"n":2}}"#)
    #expect(try told(session) == ["init –", #"type {"n":1}"#, #"type {"n":2}"#])
    #expect(try session.step(1).action == ["type": 0])
    #expect(try told(open(#"{"type":null,"state":{"n":1}}"#)) == [#"init {"n":1}"#])
  }

  @Test(
    "a torn line stays as a damaged step, wherever it is torn",
    arguments: [
      #"{"action":{"type":"b"},"state":{"n":2}"#, #"{"action":{"type":"b"},"state":{"n":"#,
      #"{"action":{"ty"#, #"{"state":{"n":2},"act"#, "{", #"e":"b"},"state":{"n":2}}"#, "}",
    ])
  func torn(line: String) throws {
    func action(_ n: Int) -> String { #"{"action":{"type":"a"},"state":{"n":\#(n)}}"# }
    let session = try open(action(1), line, action(3))
    #expect(try told(session) == ["init –", #"a {"n":1}"#, "? –", #"a {"n":3}"#])
    #expect(session.notices.map(\.line) == [2])
    #expect(try session.step(2).damage != nil)
    let bare = try open(#"{"type":"a"}"#, line, #"{"type":"b"}"#)
    #expect(try bare.steps.map { try bare.step($0).label } == ["init", "a", "?", "b"])
  }

  @Test(
    "a log whose first line is torn opens without it",
    arguments: [#"{"action":{"ty"#, "\":1}}"])
  func tornStart(line: String) throws {
    let session = try open(
      line, #"{"action":{"type":"a"},"prevState":{"n":1},"nextState":{"n":2}}"#)
    #expect(session.header.origin?.format == "redux-logger")
    #expect(session.notices.map(\.line) == [1])
    #expect(try told(session).suffix(1) == [#"a {"n":2}"#])
    #expect(session.header.state == nil)
  }

  @Test(
    "a log opens behind lines of another program, and behind zero bytes",
    arguments: [
      [#"{"level":30,"msg":"started"}"#], ["# a log", "# of 2026"],
      ["started", #"{"pid":1}"#],
      [String(repeating: "\0", count: 4_096)],
    ])
  func foreignStart(lines: [String]) throws {
    let record = #"{"action":{"type":"a"},"state":{"n":1}}"#
    let start = lines.joined(separator: "\n") + (lines[0].hasPrefix("\0") ? "" : "\n")
    let session = try folder.open(start + record + "\n" + record + "\n", as: "log.jsonl")
    #expect(try told(session).suffix(2) == [#"a {"n":1}"#, #"a {"n":1}"#])
    #expect(!session.notices.isEmpty)
  }

  @Test(
    "what only looks like a log at places is none",
    arguments: [
      "{\n\"a\":\n{\"action\":1}\n}\n", "{\"pid\":1}\n{\"type\":\"a\"}\n",
      String(repeating: "text\n", count: 17) + "{\"action\":1}\n",
    ])
  func noLog(text: String) {
    #expect(throws: (any Error).self) { try folder.open(text, as: "log.jsonl") }
  }

  @Test("a byte order mark means nothing")
  func byteOrderMark() throws {
    let session = try open(
      "\u{FEFF}" + #"{"action":{"type":"a"},"state":{"n":1}}"#, #"{"action":{"type":"b"}}"#)
    #expect(try told(session) == ["init –", #"a {"n":1}"#, "b –"])
    #expect(session.notices.isEmpty)
  }

  @Test("no gap is made up where the state after a line was not written")
  func unwrittenState() throws {
    let session = try open(
      #"{"action":{"type":"a"},"prevState":{"n":0},"nextState":{"n":1}}"#,
      #"{"action":{"type":"b"},"prevState":{"n":1}}"#,
      #"{"action":{"type":"c"},"prevState":{"n":2},"nextState":{"n":3}}"#)
    #expect(try told(session) == [#"init {"n":0}"#, #"a {"n":1}"#, "b –", #"c {"n":3}"#])
  }

  @Test("a walk does not know the state of a line that cannot be read")
  func unreadable() throws {
    let good = Array((#"{"action":{"type":"a"},"state":{"n":1}}"# + "\n").utf8)
    let deep = String(repeating: "[", count: 2_000) + String(repeating: "]", count: 2_000)
    for bad in [
      Array(#"{"action":{"type":""#.utf8) + [0xFF] + Array(#""},"state":{"n":2}}"#.utf8),
      Array(#"{"action":{"type":"b"},"state":{"n":2,"deep":\#(deep)}}"#.utf8),
    ] {
      try folder.write(good + bad + [0x0A] + good, to: "bad.jsonl")
      let session = try SessionOpener.standard.open(folder("bad.jsonl"))
      #expect(try told(session) == ["init –", #"a {"n":1}"#, "? –", #"a {"n":1}"#])
    }
  }

  @Test(
    "times of JSON Lines may be of a clock, or dates",
    arguments: [
      ["0.5", "0.75"], ["1700000000.5", "1700000000.75"], ["1700000000500", "1700000000750"],
      [#""2024-05-01T10:00:00.500Z""#, #""2024-05-01T10:00:00.750Z""#],
    ])
  func times(times: [String]) throws {
    let session = try open(
      #"{"state":{"n":0}}"#, #"{"action":{"type":"a"},"time":\#(times[0])}"#,
      #"{"action":{"type":"b"},"time":\#(times[1])}"#)
    let start = times[0] == "0.5" ? 500.0 : 0
    #expect(
      try told(session) == [#"init {"n":0}"#, "a \(start) ms –", "b \(start + 250) ms –"])
  }
}
