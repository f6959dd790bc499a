import TestSupport
import Testing
import ValueTree

@testable import SessionImports

@Suite("Importing records")
struct RecordsImporterTests {
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

  @Test("a line that does not fit is skipped with its number, or is a damaged step")
  func badLine() throws {
    let fixture = try TemporaryFolder()
    let text = "{\"action\":1}\n{\"acton\":2}\n{\"action\":}\n{\"action\":3}\n{\"action\":"
    let session = try fixture.open(text, as: "log.jsonl")
    #expect(
      session.notices.map(\.sentence) == [
        "line 2 cannot be read: expected {\"action\": …, \"state\": …}, "
          + "found no \"action\".",
        "line 5 is incomplete and was left out; 3 steps are intact.",
      ])
    #expect(try session.step(2).damage == "the line of this step cannot be read")
    #expect(session.notices.map(\.line) == [2, 3, 5])
    #expect(
      session.notices[1].sentence.hasPrefix("line 3 cannot be read: it is not"))
    #expect(try session.step(3).action == 3)
  }

  @Test("a line of one brace is named, and breaks nothing")
  func braceAlone() throws {
    let fixture = try TemporaryFolder()
    let text =
      "{\"state\":{\"_0\":{\"n\":0}}}\u{1}\u{1},\n{\n"
      + #"{"state":{"n":1},"time":0,"action":{"n":1}}"# + "\n"
    let error = #expect(throws: ImportError.self) { try fixture.open(text, as: "log.jsonl") }
    #expect(error.map { "\($0)".contains("line 2, column 2") } == true)
  }

  @Test("Flipper: the states before and after, and a change that the log does not hold is a step")
  func flipper() throws {
    let text = """
      [{"id":1,"time":1700000000000,"took":2,"action":{"type":"add"},"before":{"n":0},"after":{"n":1}},
       {"id":2,"time":1700000000250,"took":1,"action":{"type":"add"},"before":{"n":5},"after":{"n":6}}]
      """
    #expect(
      try told(text) == [
        "Flipper", #"0 init {"n":0}"#, #"1 add 0.0 ms {"n":1}"#,
        #"2 ? {"n":5}"#, #"3 add 250.0 ms {"n":6}"#,
      ])
  }

  @Test("Fluxor: labels are the names of actions, times are of a clock")
  func fluxor() throws {
    let text = """
      {"action":{"name":"Add","payload":{"by":1}},"oldState":{"n":0},"newState":{"n":1},"date":700.5}
      {"action":{"name":"Reset"},"oldState":{"n":1},"newState":{"n":0},"date":702}
      """
    let wrapped = text.replacing(#"{"n":0}"#, with: #"{"_0":{"n":0}}"#)
      .replacing(#"{"n":1}"#, with: #"{"_0":{"n":1}}"#)
    for text in [text, wrapped] {
      #expect(
        try told(text) == [
          "Fluxor Explorer", #"0 init {"n":0}"#, #"1 Add 0.0 ms {"n":1}"#,
          #"2 Reset 1500.0 ms {"n":0}"#,
        ])
    }
  }

  @Test("redux-logger and Vuex: lines with the state before or only after")
  func loggers() throws {
    #expect(
      try told(
        #"{"action":{"type":"a"},"prevState":{"n":0},"nextState":{"n":1}}"#, as: "log.jsonl")
        == ["redux-logger", #"0 init {"n":0}"#, #"1 a {"n":1}"#])
    #expect(
      try told(#"{"mutation":{"type":"set","payload":3},"state":{"n":3}}"#, as: "log.jsonl")
        == ["Vuex, Pinia", "0 init –", #"1 set {"n":3}"#])
    #expect(
      try told(
        #"{"mutation":{"type":"patch object","storeId":"cart","payload":{}},"state":{"n":3}}"#,
        as: "log.jsonl") == ["Vuex, Pinia", "0 init –", #"1 cart: patch object {"n":3}"#])
  }

  @Test("Reactotron: actions, and what else stands in its timeline as steps")
  func reactotron() throws {
    let text = """
      [{"type":"client.intro","payload":{"name":"Cart"},"messageId":1,"deltaTime":0},
       {"type":"state.action.complete","messageId":2,"deltaTime":120,
        "payload":{"name":"cart/added","action":{"type":"cart/added","payload":3},"ms":1}},
       {"type":"state.action.complete","messageId":3,"deltaTime":80,
        "payload":{"action":{"type":"cart/cleared"}}}]
      """
    #expect(
      try told(text) == [
        "Reactotron", "0 init –", "1 Cart 0.0 ms –", "2 cart/added 120.0 ms –",
        "3 cart/cleared 200.0 ms –",
      ])
    let backup =
      #"{"type":"state.backup.response","payload":{"state":{"n":%},"name":null},"deltaTime":0}"#
    let action =
      #"{"type":"state.action.complete","payload":{"action":{"type":"a"}},"deltaTime":5}"#
    #expect(
      try told(
        "[\(backup.replacing("%", with: "0")),\(action),\(action),\(backup.replacing("%", with: "2"))]"
      )
        == ["Reactotron", #"0 init {"n":0}"#, "1 a 5.0 ms –", #"2 a 10.0 ms {"n":2}"#])
  }

  @Test("the log that Reactotron exports has its newest record first")
  func newestFirst() throws {
    let text = """
      [{"type":"state.backup.response","payload":{"state":{"n":2}},"messageId":4,"deltaTime":1},
       {"type":"state.action.complete","payload":{"action":{"type":"b"}},"messageId":3,"deltaTime":5},
       {"type":"state.action.complete","payload":{"action":{"type":"a"}},"messageId":2,"deltaTime":9},
       {"type":"client.intro","payload":{"name":"Cart"},"messageId":1,"deltaTime":0}]
      """
    #expect(
      try told(text) == [
        "Reactotron", "0 init –", "1 Cart 0.0 ms –", "2 a 9.0 ms –", #"3 b 14.0 ms {"n":2}"#,
      ])
  }

  @Test("times may be dates")
  func dates() throws {
    let text = """
      {"action":{"type":"a"},"prevState":0,"nextState":1,"startedTime":"2024-05-01T10:00:59.900Z"}
      {"action":{"type":"b"},"prevState":1,"nextState":2,"startedTime":"2024-05-01T10:01:00.150Z"}
      """
    #expect(
      try told(text, as: "log.jsonl") == [
        "redux-logger", "0 init 0", "1 a 0.0 ms 1", "2 b 250.0 ms 2",
      ])
  }

  @Test("Patches of MobX-State-Tree are applied where the state before them is known")
  func patches() throws {
    let patches = """
      [{"op":"replace","path":"/todos/0/done","value":true},
       {"op":"add","path":"/todos/1","value":{"done":false}}]
      """
    #expect(
      try told(#"{"snapshot":{"todos":[{"done":false}]},"patches":\#(patches)}"#) == [
        "MobX-State-Tree patches", #"0 init {"todos":[{"done":false}]}"#,
        #"1 replace {"todos":[{"done":true}]}"#,
        #"2 add {"todos":[{"done":true},{"done":false}]}"#,
      ])
    #expect(
      try told(#"{"op":"replace","path":"/n","value":1}"#, as: "log.jsonl")
        == ["MobX-State-Tree patches", "0 init –", "1 replace –"])
  }

  @Test("patches of MobX-State-Tree are read in place; one that does not apply is named")
  func patchesInPlace() throws {
    let fixture = try TemporaryFolder()
    let session = try fixture.open(
      """
      {"snapshot":{"n":0,"list":[]},"patches":[
        {"op":"replace","path":"/n","value":1},{"op":"add","path":"/list/0","value":"a"},
        {"op":"remove","path":"/m"},{"op":"replace","path":"/n","value":2}]}
      """, as: "patches.json")
    #expect(session.path.hasSuffix("patches.json"))
    #expect(try session.state(after: 2) == ["n": 1, "list": ["a"]])
    #expect(try session.state(after: 0) == ["n": 0, "list": []])
    #expect(try session.patch(at: 2)?[0]?["path"] == "/list/0")
    for step in [3, 4] {
      let error = #expect(throws: (any Error).self) { try session.state(after: step) }
      #expect(error.map { "\($0)".contains("step 3") } == true, "\(String(describing: error))")
    }
    #expect(try session.step(4).action["value"] == 2)
  }

  @Test("ReSwift-Recorder, Elm and lines of bare actions: actions alone, for a host to run")
  func actions() throws {
    #expect(
      try told(
        """
        [{"timestamp":600.5,"action":{"type":"Add","payload":"ReSwift_Null","isTypedAction":true}},
         {"timestamp":601,"action":{"type":"Reset","payload":"ReSwift_Null","isTypedAction":false}}]
        """) == ["ReSwift-Recorder", "0 init –", "1 Add 0.0 ms –", "2 Reset 500.0 ms –"])
    #expect(
      try told(
        """
        {"metadata":{"versions":{"elm":"0.19.1"},"types":{"message":"Main.Msg","aliases":{}}},
         "history":[{"$":"Increment"},{"$":"Set","a":5}]}
        """) == ["Elm 0.19", "0 init –", "1 Increment –", "2 Set –"])
    #expect(
      try told("{\"type\":\"a\"}\n{\"type\":\"b\",\"n\":1}\n", as: "log.jsonl")
        == ["JSON Lines", "0 init –", "1 a –", "2 b –"])
  }

  @Test("states stay, and time is told, whatever the time's member is called")
  func timeNames() throws {
    for name in ["time", "timestamp", "date"] {
      #expect(
        try told(
          """
          {"action":{"type":"a"},"state":{"n":0},"\(name)":1700000000000}
          {"action":{"type":"b"},"state":{"n":1},"\(name)":1700000002000}
          """, as: "log.jsonl")
          == ["JSON Lines", "0 init –", #"1 a 0.0 ms {"n":0}"#, #"2 b 2000.0 ms {"n":1}"#])
    }
    let dated = try TemporaryFolder()
    for (time, start) in [
      ("1700000000000", "2023-11-14T22:13:20.000Z"), ("1700000000", "2023-11-14T22:13:20.000Z"),
      (#""2024-05-01T10:00:00.25Z""#, "2024-05-01T10:00:00.250Z"), ("12.5", nil),
    ] {
      let line = #"{"action":{"type":"a"},"state":{"n":0},"time":\#(time)}"# + "\n"
      let session = try dated.open(line, as: "\(dated.names.count).jsonl")
      #expect(session.header.started == start)
    }
    // Only the first line decides.
    #expect(
      try told(
        """
        {"timestamp":1700000000000,"action":{"type":"a"}}
        {"timestamp":1700000002000,"action":{"type":"b"},"state":{"n":1}}
        """, as: "log.jsonl")
        == ["ReSwift-Recorder", "0 init –", "1 a 0.0 ms –", #"2 b 2000.0 ms {"n":1}"#])
    #expect(
      try told(#"{"action":{"type":"a"},"nextState":{"n":1}}"# + "\n", as: "log.jsonl")
        == ["redux-logger", "0 init –", #"1 a {"n":1}"#])
  }

  @Test("Elm 0.18 names its messages otherwise; actions of MobX-State-Tree have names")
  func others() throws {
    #expect(
      try told(
        """
        {"metadata":{"versions":{"elm":"0.18.0"},"types":{"message":"Main.Msg","aliases":{}}},
         "history":[{"ctor":"Increment"},{"ctor":"Set","_0":5}]}
        """) == ["Elm 0.18", "0 init –", "1 Increment –", "2 Set –"])
    #expect(
      try told(
        #"[{"name":"toggle","path":"/todos/0","args":[]},{"name":"add","path":"","args":[1]}]"#)
        == ["MobX-State-Tree actions", "0 init –", "1 toggle –", "2 add –"])
  }

  @Test(
    "Elm 0.19.0 puts a value of its own around the history, and loses the messages of some apps")
  func wrappedHistory() throws {
    func text(_ history: String) -> String {
      """
      {"$":0,"a":{"metadata":{"versions":{"elm":"0.19.0"},"types":{"message":"Main.Msg",
       "aliases":{},"unions":{"Main.Msg":{"args":[],"tags":{"Set":["Int.Int"]}}}}},
       "history":\(history)}}
      """
    }
    #expect(
      try told(text(#"[{"$":"Set","a":5},{"$":"Reset"}]"#)) == [
        "Elm 0.19", "0 init –", "1 Set –", "2 Reset –",
      ])
    let error = #expect(throws: ImportError.self) { try told(text("[null,null]")) }
    #expect(error?.what == "expected an object, one for each action; found null")
    #expect(
      error?.next
        == "Elm 0.19.0 loses the messages of some apps when it exports them: use 0.19.1")
  }

  @Test("redux-vcr: the state at the start, and delays that add up")
  func vcr() throws {
    let text = """
      {"timestamp":1,"data":{},"initialState":{"n":0},
       "actions":[{"type":"a","delay":100},{"type":"b","delay":250}]}
      """
    #expect(
      try told(text) == ["redux-vcr", #"0 init {"n":0}"#, "1 a 100.0 ms –", "2 b 350.0 ms –"])
  }

  @Test(
    "TCATestRecording: lines that end with commas, as Swift writes an enum; dependencies are notes")
  func testRecording() throws {
    let text = """
      {"state":{"_0":{"n":0}}},
      {"action":{"_0":{"add":{}}}},
      {"state":{"_0":{"n":1}}},
      {"action":{"_0":{"reset":{}}}},
      {"dependency":{"_0":{"setUUID":{"_0":"1"}}}},
      {"state":{"_0":{"n":0}}},
      """
    #expect(
      try told(text, as: "log.jsonl") == [
        "JSON Lines", #"0 init {"n":0}"#, #"1 add {"n":1}"#, #"2 reset {"n":0}"#,
      ])
    let fixture = try TemporaryFolder()
    let notes = try fixture.open(text, as: "log.jsonl").signposts(in: 1...2)
    #expect(
      notes.map { "\($0.step) \($0.text) \($0.value?.text() ?? "")" }
        == [#"2 dependency {"setUUID":{"_0":"1"}}"#])
  }

  @Test("breadcrumbs of Sentry: those that are no actions are steps that can be seen")
  func sentry() throws {
    let text = """
      {"event_id":"1","breadcrumbs":[
        {"timestamp":10,"category":"redux.action","data":{"type":"add"}},
        {"timestamp":12,"category":"navigation","data":{"to":"/cart"}}]}
      """
    #expect(try told(text) == ["Sentry", "0 init –", "1 add 0.0 ms –", "2 navigation 2000.0 ms –"])
  }

  private let crumb = #"{"timestamp":10,"category":"redux.action","data":{"type":"add"}}"#

  @Test(
    "an event of Sentry has the state after its last action, in itself or in the file beside it")
  func sentryState() throws {
    let state = #""contexts":{"state":{"state":{"type":"redux","value":{"n":1}}}}"#
    #expect(
      try told("{\"event_id\":\"1\",\"breadcrumbs\":{\"values\":[\(crumb),\(crumb)]},\(state)}")
        == ["Sentry", "0 init –", "1 add 0.0 ms –", #"2 add 0.0 ms {"n":1}"#])
    let fixture = try TemporaryFolder()
    try fixture.write(#"{"n":2}"#, to: "redux_state.json")
    let session = try fixture.open("{\"breadcrumbs\":[\(crumb)]}", as: "event.json")
    #expect(try session.state(after: 1) == ["n": 2])
    #expect(
      try session.signposts(in: 1...1).map(\.text)
        == ["the state is the one of redux_state.json, the file beside"])
  }

  @Test("what no tool writes names those that do")
  func unknown() throws {
    let error = #expect(throws: ImportError.self) {
      try told(#"{"history":[{"x":1,"y":2}]}"#)
    }
    #expect(
      error?.what
        == "expected {\"action\": …, \"state\": …}, or a record of Elm 0.18, Elm 0.19, Flipper, "
        + "Fluxor Explorer, MobX-State-Tree actions, MobX-State-Tree patches, ReSwift-Recorder, "
        + "Reactotron, Rozenite, Sentry, Vuex, Pinia, redux-logger, redux-vcr; found the members "
        + "\"x\", \"y\""
    )
  }

  @Test("the page on imports has a row for each tool, with the members it is told by")
  func page() throws {
    let file = try FileBytes(path: "\(Checkout.root)/docs/imports.md")
    let page = String(decoding: try file.bytes(0..<file.count), as: UTF8.self)
    for shape in RecordShape.all {
      let row = page.split(separator: "\n").first { $0.hasPrefix("| \(shape.tool) |") }
      let marks = shape.marks.union([shape.list].compactMap(\.self))
      #expect(row.map { row in marks.allSatisfy { row.contains("`\($0)`") } } == true, "\(shape)")
    }
  }
}
