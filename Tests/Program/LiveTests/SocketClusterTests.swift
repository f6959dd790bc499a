import SessionFile
import SessionWords
import Testing
import ValueTree

@testable import Live
@testable import Sockets

@Suite("listen: apps with @redux-devtools/remote")
struct SocketClusterTests {
  private let support: ListenSupport

  init() throws { support = try ListenSupport() }

  private func greet() throws -> WebSocket {
    let socket = try support.connect("/socketcluster/")
    let hello = try socket.ask("#handshake", ["authToken": .null], id: 1)
    #expect(hello["data"]?["isAuthenticated"] == false)
    return socket
  }

  private func log(_ socket: WebSocket, _ message: Value, id: Int) throws {
    try socket.ask("log", message, id: id)
  }

  private static func lifted(_ states: [Int], from first: Int = 0) -> Value {
    let numbers = states.indices.map { Value.number(Number($0 + first)) }
    let actions = states.indices.map { index in
      (
        key: "\(index + first)",
        value: [
          "type": "PERFORM_ACTION", "timestamp": .number(Number(1_000 + index)),
          "action": ["type": .string("up\(index + first)")],
        ] as Value
      )
    }
    let lifted: Value = [
      "actionsById": .object(ValueObject(actions)), "stagedActionIds": .array(ValueArray(numbers)),
      "computedStates": .array(
        ValueArray(states.map { ["state": ["n": .number(Number($0))]] as Value })),
    ]
    return .string(lifted.text())
  }

  private func action(_ number: Int, instance: String = "i") -> Value {
    [
      "type": "ACTION", "instanceId": .string(instance), "name": "shop",
      "nextActionId": .number(Number(number + 1)),
      "action": .string(
        #"{"type":"PERFORM_ACTION","timestamp":\#(1_000 + number),"action":{"type":"up\#(number)"}}"#
      ),
      "payload": .string(#"{"n":\#(number)}"#),
    ]
  }

  @Test func theFirstStateThenEveryActionIsRecorded() throws {
    let socket = try greet()
    #expect(try socket.ask("login", "master", id: 2)["data"] == "respond")
    try socket.send(##"{"event":"#subscribe","data":{"channel":"respond"},"cid":3}"##)
    #expect(try socket.hear() == #"{"rid":3}"#)
    #expect(
      try socket.hear()
        == ##"{"event":"#publish","data":{"channel":"respond","data":{"type":"START"}}}"##)
    let state: Value = [
      "type": "STATE", "instanceId": "i", "name": "shop", "payload": Self.lifted([0, 1, 2]),
    ]
    try log(socket, state, id: 4)
    for number in 2...200 { try log(socket, action(number), id: number + 10) }
    let reader = try support.session()
    #expect(reader.header.app?.name == "shop" && reader.stepCount == 200)
    #expect(try reader.state(after: 200) == ["n": 200])
    #expect(try reader.step(2).label == "up2" && reader.step(2).time == .milliseconds(2))
  }

  @Test func aLostConnectionGoesOnWithItsSession() throws {
    let first = try greet()
    try log(
      first, ["type": "STATE", "instanceId": "i", "payload": Self.lifted([0, 1])], id: 2)
    try log(first, action(2), id: 3)
    first.endNow()
    let second = try greet()
    try log(
      second, ["type": "STATE", "instanceId": "i", "payload": Self.lifted([2, 3, 4], from: 2)],
      id: 2)
    try log(second, action(5), id: 3)
    let third = try greet()
    try log(
      third, ["type": "STATE", "instanceId": "i", "payload": Self.lifted([8, 9], from: 8)], id: 2)
    let reader = try support.session()
    #expect(support.recorder.summaries.count == 1)
    #expect(try (1...6).map { try reader.step($0).label } == (1...5).map { "up\($0)" } + ["up9"])
    #expect(
      try reader.signposts(in: 5...5).map(\.text).contains(
        "actions that the app no longer has are missing here"))
  }

  @Test func aBusyClientIsPinged() throws {
    let support = try ListenSupport(pause: .milliseconds(50))
    let socket = try support.connect("/socketcluster/")
    let deadline = ContinuousClock.now + .seconds(20)
    var heard: [UInt8]?
    while heard != Array("#1".utf8), .now < deadline {
      try socket.send("#2")
      heard = try socket.receive(until: .now + .milliseconds(1)) ?? heard
    }
    #expect(heard == Array("#1".utf8))
    support.listener.end()
  }

  @Test func whatAReplacedConnectionStillSaysStartsNoSession() throws {
    let (old, new) = (try greet(), try greet())
    for socket in [old, new] {
      let state: Value = [
        "type": "STATE", "instanceId": "i", "name": "shop", "payload": Self.lifted([0, 1]),
      ]
      try log(socket, state, id: 2)
    }
    try log(old, action(2), id: 3)
    try log(new, action(3), id: 3)
    #expect(support.recorder.summaries.map(\.steps) == [2])
    _ = try support.session()
  }

  @Test func theDialectOfSwiftHasNoLoginAndActionsAsObjects() throws {
    let first = try greet()
    try log(
      first, ["type": "INIT", "instanceId": "a", "name": "Swift", "payload": #"{"n":0}"#], id: 2)
    let action: Value = [
      "type": "ACTION", "instanceId": "a", "action": ["type": "up", "payload": 1],
      "payload": #"{"n":1}"#,
    ]
    try log(first, action, id: 3)
    first.endNow()
    // The session has to be left before the store of the same state comes back.
    try support.wait { support.recorder.with("1:a", { $0.isLeft }) == true }
    let second = try greet()
    try log(
      second, ["type": "INIT", "instanceId": "b", "name": "Swift", "payload": #"{"n":1}"#], id: 2)
    #expect(support.recorder.summaries.map(\.name) == ["Swift"])
    let reader = try support.session()
    #expect(try reader.step(1).action == ["type": "up", "payload": 1])
    #expect(try reader.state(after: 1) == ["n": 1])
  }

  @Test func valuesWithoutJSONAndErrorsSurvive() throws {
    let socket = try greet()
    let lifted = #"""
      {"stagedActionIds":[0,1],"actionsById":{"0":{"action":{"type":"@@INIT"}},"1":{"type":"PERFORM_ACTION","action":{"type":"a","at":{"$jsan":"d0"}}}},
      "computedStates":[{"state":{"d":{"$jsan":"d0"},"same":{"x":1}}},{"state":{"n":{"$jsan":"n"},"same":{"$jsan":"$.computedStates[0].state.same"},"me":{"$jsan":"$.computedStates[1].state"}},"error":"Error: no"}]}
      """#
    try log(
      socket, ["type": "STATE", "instanceId": "i", "payload": .string(lifted)], id: 2)
    let reader = try support.session()
    #expect(try reader.state(after: 0)["d"] == "1970-01-01T00:00:00.000Z")
    #expect(try reader.step(1).error == "Error: no")
    let state = try reader.state(after: 1)
    #expect(state["n"] == "NaN" && state["same"] == ["x": 1] && state["me"]?["me"] == "[Circular]")
  }
}
