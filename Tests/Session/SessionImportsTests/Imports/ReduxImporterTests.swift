import TestSupport
import Testing
import ValueTree

@testable import SessionImports

@Suite("Redux import")
struct ReduxImporterTests {
  private let lifted = """
    {"monitorState":{},"nextActionId":4,"actionsById":{
      "0":{"type":"PERFORM_ACTION","action":{"type":"@@INIT"},"timestamp":1000},
      "1":{"type":"PERFORM_ACTION","action":{"type":"ADD","n":1},"timestamp":1500},
      "2":{"type":"PERFORM_ACTION","action":{"type":"ADD","n":2},"timestamp":2250},
      "3":{"type":"PERFORM_ACTION","action":{"type":"FAIL"},"timestamp":2000}},
    "stagedActionIds":[0,1,2,3],"skippedActionIds":[2],"currentStateIndex":1,
    "computedStates":[{"state":{"counter":0}},{"state":{"counter":1}},{"state":{"counter":1}},
      {"state":{"counter":1},"error":"TypeError: boom"}]}
    """

  @Test("members of an entry that are named like a line's own parts stay the entry's")
  func namedLikeParts() throws {
    let entry = ##"{"@event":{},"action":{"type":"a"},"@state":5,"@computed":{"state":6}}"##
    let session = try TemporaryFolder().open(
      ##"{"actionsById":{"0":{},"1":\##(entry)},"stagedActionIds":[0,1],"##
        + ##""computedStates":[{"state":1},{"state":2}]}"##, as: "members.json")
    #expect(session.steps == 0...1)
    #expect(try session.step(1).label == "a")
    #expect(try session.state(after: 1) == 2)
  }

  @Test("a lifted state becomes steps with times, skips and errors")
  func liftedState() throws {
    let fixture = try TemporaryFolder()
    let session = try fixture.open(lifted, as: "lifted.json")
    #expect(session.stepCount == 3)
    #expect(session.header.state == ["counter": 0])
    #expect(session.header.origin?.position == 1)
    let steps = try (1...3).map { try session.step($0) }
    #expect(steps.map(\.label) == ["ADD", "ADD", "FAIL"])
    #expect(steps.map(\.isSkipped) == [false, true, false])
    #expect(steps.map(\.time) == [.milliseconds(500), .milliseconds(1250), .milliseconds(1000)])
    #expect(steps.map(\.error) == [nil, nil, "TypeError: boom"])
    #expect(try session.state(after: 3) == ["counter": 1])
  }

  @Test("requests of Redux Toolkit are effects, as an app exports them")
  func requests() throws {
    func action(_ type: String, _ request: String, _ status: String = "pending") -> String {
      #"{"type":"\#(type)","meta":{"requestId":"\#(request)","requestStatus":"\#(status)"}}"#
    }
    let actions = [
      action("cart/save/pending", "a"), action("cart/save/pending", "b"), #"{"type":"added"}"#,
      action("cart/save/rejected", "b", "rejected"),
      action("cart/save/fulfilled", "a", "fulfilled"),
      action("cart/save/fulfilled", "unknown", "fulfilled"),
      #"{"type":"api/executeQuery/pending","meta":{"requestId":"c"}}"#,
      #"{"type":"api/executeQuery/fulfilled","meta":{"requestId":"c"}}"#,
    ]
    let payload = Value.string("[" + actions.joined(separator: ",") + "]")
    let fixture = try TemporaryFolder()
    let session = try fixture.open(
      Value.object(["payload": payload]).text(), as: "requests.json")
    #expect(
      try (1...8).map { try session.step($0).cause } == [
        .user, .user, .user, .effect(2), .effect(1), .user, .user, .effect(3),
      ])
    let events = try session.effectEvents(in: 0...8)
    #expect(events.map(\.step) == [1, 2, 4, 5, 7, 8])
    guard case .started(let origin) = events[0].kind else { throw TestFailure() }
    #expect((origin.step, origin.name) == (1, "cart/save"))
    #expect(!session.header.knowsCauses)
  }

  private struct TestFailure: Error {}

  @Test("a trace that names a saga is no proof: a middleware stands in the stack of all actions")
  func sagas() throws {
    let traced = lifted.replacing(
      #""n":2},"timestamp":2250"#,
      with: #""n":2},"timestamp":2250,"stack":"at put (node_modules/@redux-saga/core/dist/a.js:1)""#
    )
    let fixture = try TemporaryFolder()
    let session = try fixture.open(traced, as: "saga.json")
    #expect(try (1...3).map { try session.step($0).cause } == [.user, .user, .user])
    #expect(try session.effectEvents(in: 0...3).isEmpty)
    #expect(!session.header.knowsCauses)
  }

  @Test("the export of an app may hold a whole lifted state as text")
  func nestedLiftedState() throws {
    let fixture = try TemporaryFolder()
    let text = Value.object(["payload": .string(lifted)]).text()
    #expect(try fixture.open(text, as: "nested.json").stepCount == 3)
  }

  @Test("what the extension sends to a server opens: members as texts, and others before them")
  func reports() throws {
    let fixture = try TemporaryFolder()
    guard case .object(let object) = try Value(parsing: lifted) else { return }
    var state = object
    for key in ["actionsById", "computedStates"] {
      state[key] = .string(try #require(object[key]).text())
    }
    let text = Value.object(ValueObject([("type", "STATE")] + state.map { ($0.key, $0.value) }))
      .text(.pretty)
    let session = try fixture.open(text, as: "state.json")
    #expect(try (0...3).map { try session.state(after: $0)["counter"] } == [0, 1, 1, 1])
    #expect(session.header.origin?.format == "Redux DevTools")
    let report = """
      {
        "id": "1", "type": "ACTIONS", "title": "Lost total", "payload": "[{\\"type\\":\\"a\\"}]",
        "preloadedState": "{\\"n\\":1}"
      }
      """
    let actions = try fixture.open(report, as: "report.json")
    #expect(try actions.step(1).label == "a")
    #expect(actions.header.state == ["n": 1])
    let lines = try fixture.open(
      #"{"type":"noted","title":"Hi","payload":{"n":1}}"#, as: "actions.jsonl")
    #expect(lines.header.origin?.format == "JSON Lines")
  }

  @Test("texts inside texts keep their escapes, surrogates and line ends")
  func escapes() throws {
    let fixture = try TemporaryFolder()
    let action: Value = ["type": "typed", "value": "\"quoted\"\n\\ 😀 \u{1}"]
    let inner = Value.array([action]).text()
    let ascii = #"{"payload":"[{\"type\":\"a\",\"value\":\"\ud83d\ude00 \\ud83d\\ude00 \\n\"}]"}"#
    let outer = Value.object(["payload": .string(inner), "preloadedState": "{\"a\":1}"]).text()
    let session = try fixture.open(outer, as: "outer.json")
    #expect(try session.step(1).action == action)
    #expect(session.header.state == ["a": 1])
    #expect(try fixture.open(ascii, as: "ascii.json").step(1).action["value"] == "😀 😀 \n")
  }

  @Test("long texts inside texts are unescaped across the pieces they are read in")
  func longTexts() throws {
    let fixture = try TemporaryFolder()
    let unit = #"\ud83d\ude00é😀\\n"#
    let expected = String(repeating: "😀é😀\n", count: 3_200)
    for shift in 0..<unit.utf8.count {
      let head = String(repeating: "x", count: shift)
      let value = head + String(repeating: unit, count: 3_200)
      let text = #"{"payload":"[{\"type\":\"a\",\"value\":\"\#(value)\"}]"}"#
      let session = try fixture.open(text, as: "long-\(shift).json")
      let read = try session.step(1).action["value"]
      #expect(read == .string(head + expected), "shifted by \(shift)")
    }
  }

  @Test("importing tells how far it is, and ends at once when the one who listens throws")
  func progress() throws {
    let fixture = try TemporaryFolder()
    let note = String(repeating: "x", count: 4_000)
    let entries = (0...2_000).map {
      #""\#($0)":{"action":{"type":"A","note":"\#(note)"},"timestamp":\#($0)}"#
    }
    let ids = (0...2_000).map(String.init).joined(separator: ",")
    let text = """
      {"actionsById":{\(entries.joined(separator: ","))},"stagedActionIds":[\(ids)]}
      """
    let path = try fixture.write(Array(text.utf8), to: "long.json")
    var shares: [Double] = []
    _ = try SessionOpener.standard.open(path) { shares.append($0) }
    #expect(shares.count > 5)
    #expect(shares == shares.sorted())
    #expect(shares.allSatisfy { (0...1).contains($0) })
    #expect(throws: CancellationError.self) {
      try SessionOpener.standard.open(path) { _ in throw CancellationError() }
    }
  }

  @Test("a plain list of actions is enough")
  func list() throws {
    let fixture = try TemporaryFolder()
    let session = try fixture.open(#"[{"type":"a"},{"kind":7}]"#, as: "list.json")
    #expect(session.stepCount == 2)
    #expect(try session.step(1).label == "a")
    #expect(try session.step(2).label == "(no type)")
  }

  private func state(_ json: String) throws -> Value? {
    let fixture = try TemporaryFolder()
    let session = try fixture.open(
      """
      {"actionsById":{"0":{"action":{"type":"@@INIT"}}},"stagedActionIds":[0],
      "computedStates":[{"state":\(json)}]}
      """, as: "state.json")
    return session.header.state
  }

  @Test(
    "values that JSON does not have become what a person reads as them",
    arguments: [
      (#"{"a":{"$jsan":"d1461248785265"}}"#, ["a": "2016-04-21T14:26:25.265Z"]),
      (#"{"a":{"$jsan":"rgi,a+b"}}"#, ["a": "/a+b/gi"]),
      (#"{"a":{"$jsan":"u"},"b":[{"$jsan":"u"}]}"#, ["b": [.null]]),
      (
        #"[{"$jsan":"n"},{"$jsan":"i"},{"$jsan":"y"}]"#, ["NaN", "Infinity", "-Infinity"]
      ),
      (#"{"$jsan":"m[[\"a\",1],[\"b\",{\"$jsan\":\"n\"}]]"}"#, ["a": 1, "b": "NaN"]),
      (#"{"$jsan":"m[[1,2]]"}"#, [[1, 2]]),
      (#"{"$jsan":"l[1,2]"}"#, [1, 2]),
      (#"[{"$jsan":"eboom"},{"$jsan":"sname"}]"#, ["Error: boom", "Symbol(name)"]),
      (
        #"{"data":{"a":{"data":[1],"__serializedType__":"ImmutableList"}},"__serializedType__":"ImmutableMap"}"#,
        ["a": [1]]
      ),
    ] as [(String, Value)])
  func javaScriptValues(json: String, expected: Value) throws {
    #expect(try state(json) == expected)
  }

  @Test("references name other places of the document, also with quoted names")
  func references() throws {
    #expect(
      try state(
        #"{"a b":[{"x":1}],"c":{"$jsan":"$.computedStates[0].state[\"a b\"][0]"},"d":{"$jsan":"$.nowhere"}}"#
      ) == ["a b": [["x": 1]], "c": ["x": 1], "d": "[Reference $.nowhere]"])
  }

  @Test("a cycle of references ends, and references that multiply are turned away")
  func hostileReferences() throws {
    #expect(try state(#"{"me":{"$jsan":"$.computedStates[0].state"}}"#)?["me"] != nil)
    var actions = [#""0":{"action":{"type":"@@INIT"}}"#, #""1":{"action":["0123456789"]}"#]
    for id in 2...40 {
      let reference = #"{"$jsan":"$.actionsById.\#(id - 1).action"}"#
      actions.append(#""\#(id)":{"action":[\#(reference),\#(reference)]}"#)
    }
    let text = """
      {"actionsById":{\(actions.joined(separator: ","))},"stagedActionIds":[0,40]}
      """
    let fixture = try TemporaryFolder()
    let session = try fixture.open(text, as: "bomb.json")
    #expect(try session.step(1).damage == "the line of this step cannot be read")
    #expect(
      session.notices.map(\.sentence) == [
        "line 1 cannot be read: the references in this file stand for more than 64 MB."
      ])
  }

  @Test("payloads inside one another open, and are turned away if they are many")
  func payloads() throws {
    let fixture = try TemporaryFolder()
    func text(_ depth: Int) -> String {
      String(repeating: #"{"payload":"#, count: depth) + #"[{"type":"a"}]"#
        + String(repeating: "}", count: depth)
    }
    #expect(try fixture.open(text(3), as: "few.json").step(1).label == "a")
    let error = #expect(throws: ImportError.self) {
      try fixture.open(text(30_000), as: "many.json")
    }
    #expect(error?.what == "more than 8 payloads inside one another")
  }

  @Test(
    "a timestamp that no calendar has is no time, and no trap",
    arguments: ["-9223372036854775808", "9223372036854775807", "1e300", "null", "\"x\""])
  func timestamps(time: String) throws {
    let fixture = try TemporaryFolder()
    let session = try fixture.open(
      lifted.replacing("1000}", with: "\(time)}").replacing("2000}", with: "\(time)}"),
      as: "lifted.json")
    #expect(session.stepCount == 3)
  }

  @Test("a lifted state that stands as a string opens, and one whose states and actions do")
  func strings() throws {
    let fixture = try TemporaryFolder()
    let plain = try fixture.open(lifted, as: "plain.json")
    let texts = lifted.replacing("{\"counter\":1}", with: #""{\"counter\":1}""#)
      .replacing(#"{"type":"ADD","n":1}"#, with: #""{\"type\":\"ADD\",\"n\":1}""#)
    for text in [Value.string(lifted).text(), texts] {
      let session = try fixture.open(text, as: "text.json")
      for number in 1...3 {
        #expect(try session.step(number) == plain.step(number))
        #expect(try session.state(after: number) == plain.state(after: number))
      }
    }
  }

  @Test(
    "a damaged or foreign file is turned away with what was expected and found",
    arguments: [
      (
        #"{"actionsById":{"0":"#,
        "state.json, byte 20: expected the end of an object or array, found the end of the file. The file is damaged or was cut off; export it again."
      ),
      (
        #"{"payload":"[{\"type\":\"a\"}"}"#,
        "state.json, byte 13: expected ',' or ']', found the end of the file. The file is damaged or was cut off; export it again."
      ),
      (
        #"{"monitorState":{},"other":1}"#,
        #"state.json: expected an export of Redux DevTools with "payload" or "actionsById", found the keys "monitorState", "other". Export the session again with "Export" in Redux DevTools."#
      ),
    ])
  func damaged(text: String, sentence: String) throws {
    let fixture = try TemporaryFolder()
    let error = #expect(throws: ImportError.self) { try fixture.open(text, as: "state.json") }
    #expect(error?.sentence == "\(fixture.path)/\(sentence)")
  }

  @Test("every file that is cut somewhere gives an error, never a trap", arguments: [7, 31, 64])
  func cutEverywhere(stride: Int) throws {
    let fixture = try TemporaryFolder()
    for length in Swift.stride(from: 1, to: lifted.utf8.count - 1, by: stride) {
      let text = String(decoding: lifted.utf8.prefix(length), as: UTF8.self)
      #expect(throws: (any Error).self) { try fixture.open(text, as: "cut.json") }
    }
  }
}
