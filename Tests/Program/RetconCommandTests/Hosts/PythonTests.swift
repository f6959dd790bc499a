import TestSupport
import Testing

@testable import RetconCommand

@Suite("Reducers and recorders in Python", .needs(.python))
struct PythonTests {
  private static let reducer = "--reducer"
  private let runner: CommandRunner

  init() throws {
    runner = try CommandRunner()
    try runner.writeCounter(#"{"type":"add","by":2}"#, #"{"type":"add"}"#)
  }

  @Test("--reducer takes a file in Python")
  func reducer() async throws {
    let state = await runner.run("state", "$/export.json@2", "count", Self.reducer, "$/counter.py")
    #expect(state.data == "3\n", "\(state)")
  }

  @Test("what only a reducer in JavaScript needs is refused")
  func options() async throws {
    let answer = await runner.run(
      "verify", "$/export.json", Self.reducer, "$/counter.py", "--make", "store()")
    #expect(answer.status == .trouble)
    #expect(answer.messages.contains("--make is for reducers in JavaScript"), "\(answer)")
  }

  @Test("a session of an agent is a test for pytest, with its tape and the host beside it")
  func test() async throws {
    let lines = [
      #"{"retcon":"1.1","session":"0123456789abcdef","app":{"name":"agent"},"#
        + #""started":"2026-01-01T00:00:00.000Z","middleware":"none","state":{"__graph":{"step":0}}}"#,
      #"{"step":1,"time":0.1,"label":"input","action":{"type":"input"},"cause":"user","patch":[]}"#,
      #"{"end":1,"time":0.2}"#,
    ]
    _ = try runner.write(lines.joined(separator: "\n") + "\n", as: "agent.retcon")
    let graph = "$/counter.py#reducer"
    let answer = await runner.run(
      "test", "$/agent.retcon", Self.reducer, graph, "-o", "$/test_agent.py")
    #expect(answer.status == .yes, "\(answer)")
    let text = try FileSystem.text(of: "\(runner.folder)/test_agent.py")
    #expect(text.contains("def test_steps_1_to_1():"), "\(text)")
    #expect(
      text.contains(##"["retcon_agent.py", "./counter.py#reducer", "test_agent.retcon"]"##),
      "\(text)")
    for file in ["test_agent.retcon", "retcon_agent.py", "retcon_recorder.py"] {
      #expect(FileSystem.exists("\(runner.folder)/\(file)"))
    }
    let again = await runner.run("test", "$/agent.retcon", Self.reducer, graph)
    #expect(again.messages.contains("Write -o tests/test_agent.py"), "\(again)")
  }

  @Test("other tests are not written for it")
  func otherTests() async throws {
    let plain = await runner.run(
      "test", "$/export.json", Self.reducer, "$/counter.py", "-o", "$/test_counter.py")
    #expect(plain.messages.contains("a test in Python is for sessions of LangGraph"), "\(plain)")
    let script = await runner.run(
      "test", "$/export.json", Self.reducer, "$/counter.py", "--as", "jest")
    #expect(script.messages.contains("of the kind pytest. Write --as pytest"), "\(script)")
  }

  @Test("the recorder is one file, and records a store")
  func recorder() async throws {
    let written = await runner.run("recorder", "--write", "python", "-o", "$/retcon_recorder.py")
    #expect(written == .init(status: .yes, messages: "$/retcon_recorder.py is written.\n"))
    let app = """
      from retcon_recorder import Recorder

      recorder = Recorder("\(runner.folder)/cart.retcon", redact=["card"])
      recorder.start({"items": [], "card": "4711"})
      items = []
      for number in range(40):
          items = items + [{"number": number, "half \\ud83d": (1, 2.5)}]
          recorder.step({"type": "added", "card": "4711"}, {"items": items}, "user")

      """
    _ = try runner.write(app, as: "app.py")
    #expect(try runner.python("app.py") == 0)
    let info = await runner.run("info", "$/cart.retcon", "--check")
    #expect(info.status == .yes, "\(info)")
    #expect(info.data.contains("steps     40"), "\(info)")
    let state = await runner.run("state", "$/cart.retcon@40", "items[39].number")
    #expect(state.data == "39\n", "\(state)")
    let text = try FileSystem.text(of: "\(runner.folder)/cart.retcon")
    #expect(!text.contains("4711"))
    #expect(text.contains("key card (asked for)"))
  }

  @Test("all that is written is Python")
  func syntax() async throws {
    _ = await runner.run("host", "--write", "python", "-o", "$/retcon_host.py")
    _ = try runner.write("import retcon_recorder\n", as: "loads.py")
    #expect(try runner.python("loads.py") == 0)
    let compiles = "compile(open('\(runner.folder)/retcon_agent.py').read(), 'agent', 'exec')\n"
    _ = try runner.write(compiles, as: "compiles.py")
    #expect(try runner.python("compiles.py") == 0)
  }

  /// An effect that asks for a price, and gets an error the first time.
  private func record(_ price: String) async throws -> String {
    let page = try Page("hosts.md").blocks("python")
    let host = try #require(page.last).replacing("bodies=True", with: "bodies=True, repeats=True")
    _ = try runner.write(host, as: "host.py")
    _ = try runner.write(
      """
      initial_state = {"price": 0}


      def reducer(state, action, read):
          if action["type"] == "asked":
              return state, [{"name": "price", "work": ["price", action["item"]]}]
          if action["type"] == "priced":
              return {"price": action["price"]}, []
          return state, []


      def price(item):
      \(price)

      bodies = {"price": price}

      """, as: "shop.py")
    let asked = #""effect":1,"after":1,"time":1.1,"took":0.1,"arguments":["tea"]"#
    return try runner.write(
      """
      {"retcon":"1.1","app":{"name":"shop"},"middleware":"none","state":{"price":0}}
      {"step":1,"time":1,"label":"asked","action":{"type":"asked","item":"tea"},"cause":"user","patch":[]}
      {"effect":1,"event":"started","after":1,"time":1,"from":1,"ordinal":1,"name":"price"}
      {"read":"price",\(asked),"error":{"type":"OSError","description":"busy"}}
      {"read":"price",\(asked),"value":3}
      {"step":2,"time":1.2,"label":"priced","action":{"type":"priced","price":3},"cause":{"effect":1},"patch":[{"op":"replace","path":"/price","value":3}]}
      {"effect":1,"event":"finished","after":2,"time":1.2}
      {"end":2,"time":2}

      """, as: "shop.retcon")
  }

  private static let question = #"yield {"asks": {"key": "price", "arguments": [item]}}"#
  private static let retries = """
        try:
            price = \(question)
        except OSError:
            price = \(question)
        yield {"send": {"type": "priced", "price": price}}
    """

  @Test("a body gets the recorded error, and verify finds it as it was")
  func errors() async throws {
    let session = try await record(Self.retries)
    let answer = await runner.run("verify", session, "--host", "python3 \(runner.folder)/host.py")
    #expect(answer.status == .yes, "\(answer)")
  }

  @Test(
    "a body that sends or asks otherwise is a difference",
    arguments: [
      (#""price": price"#, #""price": price + 1"#, "what the effect sends"),
      ("[item]", "[item.upper()]", #"waits for price("TEA")"#),
      (#"yield {"send""#, #"return; yield {"send""#, "sends it no more"),
    ])
  func changed(old: String, new: String, words: String) async throws {
    let session = try await record(Self.retries.replacing(old, with: new))
    let answer = await runner.run("verify", session, "--host", "python3 \(runner.folder)/host.py")
    #expect(answer.status == .no, "\(answer)")
    #expect(answer.data.contains(words), "\(answer)")
  }

  @Test(
    "runs/today: a fork runs the body that a recorded effect has today",
    arguments: [
      (#""price": price"#, #""price": price + 1"#, "priced {price: 4}"),
      ("[item]", "[item.upper()]", #"waits for price("TEA")"#),
    ])
  func today(old: String, new: String, words: String) async throws {
    let session = try await record(Self.retries.replacing(old, with: new))
    let answer = await runner.run(
      "fork", session + "@1", "--replace", #"{"type":"asked","item":"tea","for":"two"}"#, "--host",
      "python3 \(runner.folder)/host.py")
    #expect(answer.data.contains(words), "\(answer)")
  }

  @Test("--read changes what the effect that sent a step was answered")
  func otherAnswer() async throws {
    let session = try await record(Self.retries)
    let answer = await runner.run(
      "fork", session + "@2", "--read", "price=7", "--host", "python3 \(runner.folder)/host.py")
    #expect(answer.data.contains("priced {price: 7}"), "\(answer)")
    #expect(answer.status == .no)
  }
}

extension CommandRunner {
  /// The exit status of a script in the folder.
  fileprivate func python(_ file: String) throws -> Int32 {
    try Subprocess.run("/bin/sh", ["-c", "exec python3 \(folder)/\(file)"])
  }
}
