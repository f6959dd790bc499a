import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import SessionImports

@Suite("Rozenite's tap") struct TapTests {
  private func line(
    _ time: Int, _ request: Value, plugin: String = "@rozenite/redux-devtools-plugin"
  ) -> String {
    let message: Value = [
      "direction": "in", "timestamp": .number(Number(1_700_000_000_000 + time)),
      "pluginId": .string(plugin), "type": "runtime-message",
      "payload": ["type": "state-update", "connectionId": "c", "request": request],
    ]
    return message.text() + "\n"
  }

  private func action(_ type: String, _ state: String, store: Value = "s1") -> Value {
    [
      "type": "ACTION", "instanceId": store, "nextActionId": 2, "payload": .string(state),
      "action": .string(
        #"{"type":"PERFORM_ACTION","action":{"type":"\#(type)"},"stack":"at f"}"#),
    ]
  }

  private func snapshot(_ states: String, ids: String = "[0]", at index: Int = 0) -> Value {
    let lifted =
      #"{"stagedActionIds":\#(ids),"currentStateIndex":\#(index),"computedStates":[\#(states)]}"#
    return ["type": "PARTIAL_STATE", "instanceId": "s1", "payload": .string(lifted)]
  }

  private func others(_ count: Int) -> String {
    String(
      repeating: line(0, ["sql": "select 1", "instanceId": "s2"], plugin: "@acme/sqlite"),
      count: count)
  }

  @Test("Actions of one store are steps, its snapshots are states, the rest is noted")
  func oneStore() throws {
    let text =
      line(0, ["sql": "select 1"], plugin: "@acme/sqlite")
      + line(1, snapshot(#"{"state":{"n":0}}"#, ids: "[0]", at: 0))
      + line(1, snapshot(#"{"state":{"n":7}}"#, ids: "[0,1]", at: 0))
      + line(2, action("add", #"{"n":{"$jsan":"n"}}"#))
      + line(3, action("other", #"{"m":1}"#, store: "s2"))
      + line(502, action("add", #"{"n":2}"#))
      + line(503, snapshot(#"{"state":{"n":0}}"#, ids: "[0]", at: 0))
    #expect(
      try told(text) == [
        "Rozenite", #"0 init {"n":0}"#, #"1 add 0.0 ms {"n":"NaN"}"#, #"2 add 500.0 ms {"n":2}"#,
      ])
    let fixture = try TemporaryFolder()
    let session = try fixture.open(text, as: "tap.jsonl")
    #expect(session.isReadInPlace && session.notices.isEmpty)
    #expect(try session.signposts(in: session.steps).count == 4)
    #expect(try session.step(1).stack == "at f")
  }

  @Test("An action that is not JSON is a damaged step, and its state is known")
  func damaged() throws {
    var torn = action("add", #"{"n":2}"#)
    if case .object(var members) = torn {
      members["action"] = #"{"type":"PERFORM_ACTION","#
      torn = .object(members)
    }
    let fixture = try TemporaryFolder()
    let session = try fixture.open(
      line(1, action("add", #"{"n":1}"#)) + line(2, torn), as: "tap.jsonl")
    #expect(session.steps == 0...2)
    #expect(try session.step(2).damage == "its action is not JSON")
    #expect(try session.state(after: 2) == ["n": 2])
  }

  @Test("The first store is found behind any number of other messages")
  func late() throws {
    let text =
      others(2_000) + line(1, snapshot(#"{"state":{"n":0}}"#))
      + line(2, action("add", #"{"n":1}"#)) + line(3, action("add", #"{"n":2}"#))
    #expect(
      try told(text) == [
        "Rozenite", #"0 init {"n":0}"#, #"1 add 0.0 ms {"n":1}"#, #"2 add 1.0 ms {"n":2}"#,
      ])
  }

  @Test(
    "A tap that is followed ends as one that is opened whole",
    arguments: ["nothing", "other messages", "a snapshot"])
  func followed(start: String) throws {
    let fixture = try TemporaryFolder()
    let first = line(1, snapshot(#"{"state":{"n":0}}"#))
    let text = others(3) + (start == "a snapshot" ? first : "")
    let session = try fixture.open(start == "nothing" ? others(1) : text, as: "tap.jsonl")
    #expect(session.steps == 0...0)
    try fixture.append(
      (start == "a snapshot" ? "" : first) + line(2, action("add", #"{"n":1}"#))
        + line(3, snapshot(#"{"state":{"n":9}}"#))
        + line(4, action("other", #"{"n":7}"#, store: "s2")),
      to: "tap.jsonl")
    #expect(try session.refresh() == .steps(1...1))
    try fixture.append(
      line(5, snapshot(#"{"state":{"n":8}}"#)) + line(6, action("add", #"{"n":2}"#)),
      to: "tap.jsonl")
    #expect(try session.refresh() == .steps(2...2))
    for session in [session, try SessionOpener.standard.open(fixture("tap.jsonl"))] {
      let states = try session.steps.map { try session.state(after: $0) }
      #expect(states == [["n": 0], ["n": 1], ["n": 2]])
      #expect(
        try session.steps.map { try session.step($0).time } == [nil, .zero, .milliseconds(4)])
    }
  }
}
