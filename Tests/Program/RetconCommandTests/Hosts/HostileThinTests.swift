import HostProtocol
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

/// The host of the page, with one thing wrong.
@Suite("Hosts with effects that misbehave", .needs(.python))
struct HostileThinTests {
  struct Fault: Sendable, CustomTestStringConvertible {
    var right: String
    var wrong: String
    /// The words of the step or the body.
    var words: String
    var testDescription: String { words }

    init(_ right: String, _ wrong: String, _ words: String) {
      (self.right, self.wrong, self.words) = (right, wrong, words)
    }
  }

  private static let asking: Value = ["type": "asked", "item": "tea"]
  private static let effects = #"answer["effects"].append(effects)"#
  private static let told = #"return {"sends": sends, **told}"#

  /// Wrong from the third action on, so that the steps before it run.
  private static func late(_ value: String) -> String {
    #"answer["effects"].append(effects if action["type"] != "late" else \#(value))"#
  }

  private static let steps = [
    Fault(effects, late("7"), "“effects” is no list"),
    Fault(
      "    return answer\n\n\ndef resume",
      "    return {**answer, 'effects': 7} if action['type'] == 'late' else answer\n\n\ndef resume",
      "“effects” has no entry for each step"),
    Fault(effects, late("[7]"), "effects: expected an object"),
    Fault(effects, late("[{}]"), "effects.work: expected what the effect works with"),
    Fault(effects, late(#"[{"cancel": 3}]"#), "effects.cancel: expected a string"),
    Fault(effects, late(#"[{"pause": "soon"}]"#), "effects.pause: expected seconds"),
    Fault(effects, late(#"[{"work": 1, "name": "x" * 2000}]"#), "effects.name: expected at most"),
    Fault(effects, late(#"[{"work": "x" * (2 << 20)}]"#), "effects.work: expected at most 1 MB"),
    Fault(
      effects, late(#"[{"cancel": "x"}] * 10001"#),
      "the step starts, cancels and sends more than 10000"),
    Fault(
      effects, late(#"[{"send": {"type": "late"}}]"#),
      "its reducers send more than 10000 actions at once"),
    Fault(
      effects, late(#"[{"send": {"type": "late"}}] * 9000"#),
      "its reducers send more than 10000 actions at once"),
    Fault(
      effects, late(#"[{"work": 1}] * 9000 + [{"send": {"type": "late"}}]"#),
      "more than 10000 effects run at once"),
    Fault(
      #"answer["asked"].append(asked)"#,
      #"answer["asked"].append(asked if action["type"] != "late" else 7)"#, "asked is no list"),
    Fault(
      #"answer["asked"].append(asked)"#,
      #"answer["asked"].append(asked if action["type"] != "late" else [{"key": "no"}])"#,
      "the host was given no answer to no"),
    Fault(
      "        try:\n            state, effects",
      "        if action['type'] == 'late':\n            answer['asks'] = 7\n            break\n"
        + "        try:\n            state, effects", "asks: expected an object"),
    Fault(
      "        try:\n            state, effects",
      "        if action['type'] == 'late':\n            answer['asks'] = {'key': str(id(asked))}\n"
        + "            break\n        try:\n            state, effects",
      "the reducer asks other questions when it runs again"),
  ]

  @Test("nonsense about a step ends that step, with its words, and no other", arguments: steps)
  func step(_ fault: Fault) async throws {
    let shop = try ShopHost()
    try shop.change(fault.right, to: fault.wrong)
    let connection = shop.connection()
    defer { connection.end() }
    let fork = try await shop.fork([.insert(after: 3, action: ["type": "late"])], on: connection)
    let reason = fork.ending?.reason ?? ""
    #expect(reason.contains(fault.words), "\(fork)")
    #expect(fork.ending?.outcome == .crashed)
    let next = try await shop.fork([.skip(step: 3)], on: connection)
    #expect(next.ending == nil && !next.lines.isEmpty, "\(next)")
  }

  private static let bodies = [
    Fault(told, #"return {"id": 0}"#, "the host wrote no answer"),
    Fault(told, #"return {"sends": 7, **told}"#, "resume.sends: expected an array"),
    Fault(told, #"return {"sends": [1] * 10001, **told}"#, "resume.sends: expected at most 10000"),
    Fault(told, #"return {"sends": sends}"#, "a body must tell one of"),
    Fault(told, #"return {**told, "waits": 1, "ends": 1}"#, "a body must tell one of"),
    Fault(told, #"return {"waits": "soon"}"#, "resume.waits: expected seconds"),
    Fault(told, #"return {"asks": 7}"#, "asks: expected an object"),
    Fault(told, #"return {"failed": 7}"#, "resume.failed: expected a string"),
    Fault(told, #"return {"error": "no such body"}"#, "no such body"),
    Fault(told, #"return {"waits": 0}"#, "does not come to an end"),
    Fault(told, #"return {"sends": [{"type": "saved"}] * 9000, "waits": 0.001}"#, "sends too much"),
    Fault(told, "sys.exit(3)", "the reducer ended its process with exit status 3"),
    Fault(told, "sys.stdin.readline()", "the host did not answer in time"),
  ]

  @Test(
    "a body that does wrong is a doubt, with its words, and the fork goes on", arguments: bodies)
  func body(_ fault: Fault) async throws {
    let shop = try ShopHost()
    try shop.change(fault.right, to: fault.wrong)
    // Only the one that hangs may use it up.
    let connection = shop.connection(
      patience: fault.wrong.contains("readline") ? .seconds(3) : .seconds(300))
    defer { connection.end() }
    let fork = try await shop.fork([.replace(step: 9, action: Self.asking)], on: connection)
    #expect(fork.lines.first == "9 asked ←9 edited/equal" && fork.ending == nil, "\(fork)")
    #expect(fork.doubts.contains { $0.contains(fault.words) }, "\(fork)")
    let next = try await shop.fork([.skip(step: 1)], on: connection)
    #expect(next.ending == nil && next.lines.count == 8, "\(next)")
  }
}

extension ShopHost {
  func change(_ right: String, to wrong: String) throws {
    #expect(host.contains(right))
    try useHost(host.replacing(right, with: wrong))
  }

  func connection(patience: Duration = .seconds(300)) -> HostConnection {
    HostConnection(
      HostCommand("python3", ["\(runner.folder)/host.py"]),
      limits: HostLimits(patience: patience, timeToStart: .seconds(300)), engine: ThinHost.engine)
  }
}
