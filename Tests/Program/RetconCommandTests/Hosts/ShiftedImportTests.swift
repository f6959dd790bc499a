import Testing

@testable import RetconCommand

@Suite("A log of actions and a host that sends others", .needs(.python))
struct ShiftedImportTests {
  @Test("no state is told behind an action that only today's reducer sends")
  func shifted() async throws {
    let runner = try CommandRunner()
    _ = try runner.write(
      """
      import json, sys
      for line in sys.stdin:
          request = json.loads(line)
          ask, answer = request["ask"], {}
          if ask == "greet":
              answer = {"answer": "greeting", "version": [2, 2], "name": "n", "thin": True, "effects": True}
          elif ask == "put":
              state = request["state"]
          elif ask == "state":
              answer["state"] = state
          elif ask == "reduce":
              answer = {"states": [], "effects": []}
              state = request.get("from") and known[request["from"]] or {"n": 0}
              known = {} if "from" not in request else known
              for number, action in enumerate(request["actions"], request["as"]):
                  kind = action.get("type")
                  state = {"n": state["n"] + {"a": 1, "b": 10, "extra": 100}.get(kind, 0)}
                  known[number] = state
                  answer["states"].append(state)
                  answer["effects"].append([{"send": {"type": "extra"}}] if kind == "b" else [])
          elif ask == "quit":
              break
          if ask != "forget":
              print(json.dumps({"id": request["id"], **answer}), flush=True)
      """, as: "host.py")
    let file = try runner.write(
      #"{"type":"a"}"# + "\n" + #"{"type":"b"}"# + "\n" + #"{"type":"a"}"# + "\n", as: "log.jsonl")
    let host = ["--host", "python3 \(runner.folder)/host.py"]
    let second = await runner.run(["state", file + "@2"] + host)
    #expect(second.data.contains("11"), "\(second)")
    let third = await runner.run(["state", file + "@3"] + host)
    #expect(third.messages.contains("holds no state after step 3"), "\(third)")
  }
}
