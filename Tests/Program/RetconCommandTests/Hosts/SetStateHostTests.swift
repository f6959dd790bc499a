import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

/// The hosts that come with Retcon, on a step that sets the state and on an action that looks like it.
@Suite("A part of the state that was set, in hosts for other languages")
struct SetStateHostTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  static let hosts = [
    (
      ShippedHost.node, "node", "last.mjs",
      "export default (state, action) => ({ last: action });\n"
    ),
    (.python, "python3", "last.py", "def reducer(state, action):\n    return {\"last\": action}\n"),
  ]

  /// The command of a host, where its program is there.
  private func host(_ host: ShippedHost) async throws -> String? {
    guard (host == .node ? Need.node : .python).isMet else { return nil }
    _ = await runner.run("host", "--write", host.rawValue, "-o", "$/\(host.fileName)")
    let (_, program, name, text) = try #require(Self.hosts.first { $0.0 == host })
    _ = try runner.write(text, as: name)
    return "\(program) $/\(host.fileName) $/\(name)".replacing("$", with: runner.folder)
  }

  private func write(_ header: String, member: String, last: String) throws {
    _ = try runner.write(
      """
      {"retcon":\(header),"state":{"last":0}}
      {"step":1,"label":"state set by hand","action":{"type":"state set by hand","pointer":"/last","value":5}\(member),"patch":[{"op":"replace","path":"/last","value":\(last)}]}
      {"step":2,"label":"two","action":{"type":"two"},"patch":[{"op":"replace","path":"/last","value":{"type":"two"}}]}
      {"end":2}

      """, as: "set.retcon")
  }

  private static let action = #"{"type":"state set by hand","pointer":"/last","value":5}"#
  private static let member = #","set":{"pointer":"/last","value":5}"#

  @Test(
    "it is set, and the action is reduced", arguments: [ShippedHost.node, .python],
    [
      (#""1.0""#, "", action), (#""1.0","origin":{"format":"Redux DevTools"}"#, "", action),
      (#""1.1","origin":{"format":"trim"}"#, "", action),
      (#""1.1","origin":{"format":"branch a"}"#, "", action),
      (#""1.1""#, #","set":{"pointer":"/last"}"#, action),
      (#""1.0","origin":{"format":"trim"}"#, "", "5"),
      (#""1.0","origin":{"format":"branch a"}"#, "", "5"), (#""1.1""#, member, "5"),
    ])
  func verify(_ shipped: ShippedHost, _ file: (header: String, member: String, last: String))
    async throws
  {
    guard let host = try await host(shipped) else { return }
    try write(file.header, member: file.member, last: file.last)
    let answer = await runner.run("verify", "$/set.retcon", "--host", host)
    #expect(answer.status == .yes, "\(answer)")
    // Once more as a session that a fork was written as.
    let fork = await runner.run(
      "fork", "$/set.retcon@2", "--skip", "--host", host, "-o", "$/fork.retcon")
    #expect(fork.status != .trouble, "\(fork)")
    let again = await runner.run("verify", "$/fork.retcon", "--host", host)
    #expect(again.status == .yes, "\(again)")
    let set = try SessionReader(path: runner.folder + "/fork.retcon").step(1).set
    #expect(set == (file.last == "5" ? SetPart(["last"], value: 5) : nil))
  }

  @Test("no action sets it, so there is no test of actions", .needs(.node))
  func test() async throws {
    _ = try #require(try await host(.node))
    try write(#""1.1""#, member: Self.member, last: "5")
    let test = ["test", "$/set.retcon", "--reducer", "$/last.mjs", "-o", "$/set.test.mjs"]
    let answer = await runner.run(test)
    #expect(
      answer.messages
        == "retcon: step 1 sets a part of the state, which no action does. "
        + "Name steps before or behind it.\n")
    let rest = await runner.run(test + ["--range", "2..2"])
    #expect(rest.status == .yes, "\(rest)")
  }

  @Test("a fork that sets it says so in its file", arguments: [ShippedHost.node, .python])
  func fork(_ shipped: ShippedHost) async throws {
    guard let host = try await host(shipped) else { return }
    try write(#""1.0""#, member: "", last: Self.action)
    let fork = await runner.run(
      "fork", "$/set.retcon@1", "--set", "/last=7", "--host", host, "-o", "$/fork.retcon")
    #expect(fork.status != .trouble, "\(fork)")
    let reader = try SessionReader(path: runner.folder + "/fork.retcon")
    #expect(try reader.step(1).set == nil)
    #expect(try reader.step(2).set == SetPart(["last"], value: 7))
    #expect(reader.header.version == .current)
    let again = await runner.run("verify", "$/fork.retcon", "--host", host)
    #expect(again.status == .yes, "\(again)")
  }
}
