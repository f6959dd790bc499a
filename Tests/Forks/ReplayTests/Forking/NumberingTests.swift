import SessionFile
import SessionWords
import StoreCore
import TestSupport
import Testing
import ValueTree

@testable import Replay

/// A reducer that sends other actions than the recorded one.
@Suite struct NumberingTests {
  private struct Talkative: Reducer {
    var sends: Int

    func reduce(into state: inout Value, action: Value) -> Effect<Value> {
      state = ["last": action]
      guard action == "one" else { return .none }
      return .concatenate((0..<sends).map { .send(.string("sent \($0)")) })
    }
  }

  private static let session = """
    {"retcon":"1.0","state":{}}
    {"step":1,"label":"one","action":"one","patch":[{"op":"add","path":"/last","value":"one"}]}
    {"step":2,"label":"sent","action":"sent 0","cause":{"output":1},"patch":[{"op":"add","path":"/last","value":"sent 0"}]}
    {"step":3,"label":"two","action":"two","patch":[{"op":"add","path":"/last","value":"two"}]}
    {"step":4,"label":"three","action":"three","patch":[{"op":"add","path":"/last","value":"three"}]}
    {"end":4}

    """

  @Test(
    "a fork counts on from the place that it leaves, whatever reducers send on the way there",
    arguments: [0, 1, 2])
  func fork(sends: Int) throws {
    let folder = try TemporaryFolder()
    let session = try SessionReader(path: folder.write(Self.session, to: "session.retcon"))
    let replay = try SessionReplay(session, ReplaySetup(Talkative(sends: sends)))
    var told: [String] = []
    let script = Script(leavesAt: 3, edits: [.insert(after: 3, action: "new")])
    let report = try replay.run([script]) {
      told.append("\($0.step.number) ←\($0.descendsFrom.map(String.init) ?? "new")")
    }
    #expect(told == ["4 ←new", "5 ←4"])
    #expect(report.lastStep == 5)
  }
}
