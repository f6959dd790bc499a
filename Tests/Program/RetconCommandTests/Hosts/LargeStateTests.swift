import HostProtocol
import TestSupport
import Testing

@testable import Replay
@testable import RetconCommand

/// Reducers whose state grows without end.
@Suite("States that are too large")
struct LargeStateTests {
  private let runner: CommandRunner

  init() throws {
    runner = try CommandRunner()
    let node = """
      export const initialState = { n: 0 };
      export default function reducer(state, { type }) {
        let part = [0];
        if (type === 'tree') for (let i = 0; i < 60; i++) part = [part, part];
        if (type === 'list') part = new Array(2_000_000).fill(1);
        if (type === 'text') part = 'x'.repeat(70_000_000);
        return { n: state.n + 1, part };
      }
      """
    _ = try runner.write(node, as: "grow.mjs")
    let python = """
      initial_state = {"n": 0}

      def reducer(state, action):
          part = [0]
          if action["type"] == "tree":
              for _ in range(60):
                  part = [part, part]
          if action["type"] == "list":
              part = [1] * 5_000_000
          if action["type"] == "text":
              part = "x" * 70_000_000
          return {"n": state["n"] + 1, "part": part}
      """
    _ = try runner.write(python, as: "grow.py")
    // A foreign host, which ignores sizes.
    let other = """
      import json, sys
      for line in sys.stdin:
          request = json.loads(line)
          answer = {"answer": "greeting", "version": [2, 0], "name": "other", "thin": True}
          if request["ask"] == "quit": break
          if request["ask"] == "forget": continue
          if request["ask"] == "reduce":
              value = {"small": 1, "list": [1] * 9_000_000}
              answer = {"states": [value.get(action["type"], 0) for action in request["actions"]]}
          print(json.dumps({"id": request["id"], **answer}), flush=True)

      """
    _ = try runner.write(other, as: "other.py")
    _ = try runner.write("cd '\(runner.folder)' && exec python3 \"$@\"\n", as: "run.sh")
  }

  private func check(_ actions: [String], _ words: [String], _ sentence: String) async throws {
    let list = (["small"] + actions + ["small"]).map { #"{"type":"\#($0)"}"# }
      .joined(separator: ",").replacing("\"", with: #"\""#)
    _ = try runner.write(#"{"payload":"[\#(list)]"}"#, as: "export.json")
    let last = actions.count + 1
    let words = words + ["--patience", "60"]
    let answer = await runner.run(["state", "$/export.json@\(last)"] + words)
    #expect(answer.status == .yes)
    #expect(answer.messages.contains("step \(last): "), "\(answer)")
    #expect(answer.messages.contains(sentence), "\(answer)")
    let made = await runner.run(["fork", "$/export.json@\(last)", "--skip"] + words)
    #expect(made.data.contains("small"), "\(made)")
  }

  @Test(
    "a step that makes the state too large is refused before anything is built of it",
    .needs(.node),
    arguments: [
      ("tree", "the state is too large: more than 8 million values or 512 MB of text"),
      ("list", "the step changes too much of the state: more than a million values or 64 MB of"),
      ("text", "the step changes too much of the state: more than a million values or 64 MB of"),
    ])
  func node(action: String, sentence: String) async throws {
    try await check([action], ["--reducer", "$/grow.mjs"], sentence)
  }

  @Test(
    "the host in Python refuses it, too", .needs(.python),
    arguments: ["tree", "list", "text"])
  func python(action: String) async throws {
    #expect(
      await runner.run(["host", "--write", "python", "-o", "$/retcon_host.py"]).status == .yes)
    try await check(
      [action], ["--host", "sh \(runner.folder)/run.sh retcon_host.py grow.py"],
      "the state is too large: more than 4 million values or 64 MB of text")
  }

  @Test(
    "of a host that does not look, Retcon refuses the answer", .needs(.python))
  func other() async throws {
    try await check(
      ["list"], ["--host", "sh \(runner.folder)/run.sh other.py"],
      "the host answered more than 8 million values")
  }

  @Test("a state that grew step by step is refused, too", .needs(.python))
  func grown() throws {
    let host = ThinHost(
      try HostPipes(
        HostCommand("sh", ["\(runner.folder)/run.sh", "other.py"]),
        limits: HostLimits(patience: .seconds(60))), largestState: 10)
    var machine = host.machine(with: .null, after: 0)
    let outcome = try machine.reduce(MachineStep(action: host.action(["type": "small"])))
    guard case .threw(let words)? = outcome.fault else {
      Issue.record("\(outcome)")
      return
    }
    #expect(words == "the state is too large: more than 8 million values or 128 MB of text")
    host.end()
  }
}
