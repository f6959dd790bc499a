import SessionFile
import SessionWords
import StoreCore
import TestSupport
import Testing
import ValueTree

@testable import Replay

/// Files with a step that sets a part of the state, and files of an app with an action that looks like it.
@Suite struct SetStateTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Last: Reducer {
    func reduce(into state: inout Value, action: Value) -> Effect<Value> {
      state = ["last": action]
      return .none
    }
  }

  static let action = #"{"pointer":"/last","value":5}"#

  private func replay(
    _ header: String, member: String = "", last: String, _ upgrade: SessionUpgrade? = nil
  ) throws -> SessionReplay {
    let text = """
      {"retcon":\(header),"state":{"last":0}}
      {"step":1,"label":"one","action":"one","patch":[{"op":"replace","path":"/last","value":"one"}]}
      {"step":2,"label":"state set by hand","action":\(Self.action)\(member),"patch":[{"op":"replace","path":"/last","value":\(last)}]}
      {"step":3,"label":"three","action":"three","patch":[{"op":"replace","path":"/last","value":"three"}]}
      {"end":3}

      """
    let reader = try SessionReader(path: folder.write(text, to: "set.retcon"))
    return try SessionReplay(reader, ReplaySetup(Last(), upgrade: upgrade))
  }

  private func check(_ replay: SessionReplay, last: Value) throws {
    let script = Script(leavesAt: 0, edits: [.skip(step: 1), .skip(step: 3)])
    for _ in 0..<2 {
      #expect(try replay.verify().isEqual)
      var told: [Value?] = []
      _ = try replay.run([script]) { told.append($0.step.action) }
      #expect(told == [["pointer": "/last", "value": 5]])
      #expect(try replay.state(of: [script], after: 1)["last"] == last)
      // The second time it comes by the short way, where there is one.
      while try replay.decodeAhead() {}
    }
  }

  @Test(
    "an action that is called so is reduced like any other",
    arguments: [
      #""1.0""#, #""1.0","origin":{"format":"Redux DevTools"}"#, #""1.1""#,
      #""1.1","origin":{"format":"trim"}"#, #""1.1","origin":{"format":"branch more"}"#,
    ])
  func action(header: String) throws {
    try check(
      replay(header, last: Self.action), last: ["pointer": "/last", "value": 5])
  }

  @Test(
    "a step with `set` sets the state, and so does the label in Retcon's own files of format 1.0",
    arguments: [
      (#""1.1""#, #","set":{"pointer":"/last","value":5}"#),
      (#""1.1","origin":{"format":"branch more"}"#, #","set":{"pointer":"/last","value":5}"#),
      (#""1.0","origin":{"format":"trim"}"#, ""),
      (#""1.0","origin":{"format":"branch more"}"#, ""),
    ])
  func set(header: String, member: String) throws {
    try check(replay(header, member: member, last: "5"), last: 5)
  }

  @Test("a `set` that is none is ignored")
  func noSet() throws {
    for member in [
      #""set":5"#, #""set":{"pointer":1,"value":5}"#, #""set":{"pointer":"/last"}"#,
    ] {
      let replay = try replay(#""1.1""#, member: "," + member, last: Self.action)
      #expect(try replay.state(of: [], after: 2)["last"] == ["pointer": "/last", "value": 5])
    }
  }

  @Test("an upgrade is asked for actions, and a part that was set is none")
  func upgrade() throws {
    let upgrade = SessionUpgrade(action: { action, _ in action["pointer"] == nil ? action : "old" })
    let member = #","set":{"pointer":"/last","value":5}"#
    try check(replay(#""1.1""#, member: member, last: "5", upgrade), last: 5)
  }
}
