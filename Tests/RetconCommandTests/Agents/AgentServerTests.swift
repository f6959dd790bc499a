import Samples
import TerminalDriver
import Testing
import ValueTree

@testable import RetconCommand

@Suite("The server for agents")
struct AgentServerTests {
  private let runner: CommandRunner
  private let server: AgentServer

  init() async throws {
    runner = try CommandRunner()
    await WishesSample.recordDemo(to: runner.folder + "/wishes.retcon")
    server = AgentServer(
      context: runner.context(data: { _ in }, talk: { _ in }),
      files: [runner.folder + "/wishes.retcon"], host: [])
  }

  private func ask(_ method: String, _ parameters: Value = [:]) async throws -> Value {
    let request: Value = [
      "jsonrpc": "2.0", "id": 7, "method": .string(method), "params": parameters,
    ]
    let answer = try #require(await server.answer(request.text()))
    #expect(!answer.contains("\n"))
    return try Value(parsing: Array(answer.utf8))
  }

  private func call(_ tool: String, _ arguments: Value) async throws -> (String, isError: Bool) {
    let answer = try await ask("tools/call", ["name": .string(tool), "arguments": arguments])
    let result = try #require(answer["result"])
    guard case .string(let text)? = result["content"]?[0]?["text"] else { return ("", true) }
    return (text, result["isError"] == true)
  }

  private static let modern: Value = [
    "_meta": ["io.modelcontextprotocol/protocolVersion": "2026-07-28"]
  ]

  @Test("an earlier client begins with initialize and gets its version, or the newest of them")
  func initialize() async throws {
    for (asked, spoken) in [
      ("2024-11-05", "2024-11-05"), ("2025-11-25", "2025-11-25"), ("1999-01-01", "2025-11-25"),
    ] {
      let answer = try await ask("initialize", ["protocolVersion": .string(asked)])
      #expect(answer["result"]?["protocolVersion"] == .string(spoken))
      #expect(answer["result"]?["serverInfo"]?["name"] == "retcon")
    }
    #expect(try await ask("ping") == ["jsonrpc": "2.0", "id": 7, "result": [:]])
    #expect(
      await server.answer(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#) == nil)
  }

  @Test(
    "a client of 2026-07-28 names its version in each request; another version is told what is spoken"
  )
  func discover() async throws {
    let result = try #require(try await ask("server/discover", Self.modern)["result"])
    #expect(result["supportedVersions"] == ["2026-07-28"])
    #expect(result["resultType"] == "complete")
    #expect(try await ask("tools/list", Self.modern)["result"]?["resultType"] == "complete")
    #expect(try await ask("tools/list")["result"]?["resultType"] == nil)
    let refused = try await ask(
      "tools/list", ["_meta": ["io.modelcontextprotocol/protocolVersion": "2031-01-01"]])
    #expect(refused["error"]?["code"] == -32_022)
    #expect(
      refused["error"]?["data"] == ["supported": ["2026-07-28"], "requested": "2031-01-01"])
  }

  @Test("what is no request gets the error that says so, and answers nobody asked for get nothing")
  func errors() async throws {
    for (line, code) in [
      ("{", -32_700), (#"{"id":1}"#, -32_600), (#"{"jsonrpc":"2.0","id":1,"method":"x"}"#, -32_601),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}}"#, -32_602),
    ] {
      let answer = try Value(parsing: Array(try #require(await server.answer(line)).utf8))
      #expect(answer["error"]?["code"] == .number(Number(code)), "\(line)")
    }
    #expect(await server.answer(#"{"jsonrpc":"2.0","id":1,"result":{}}"#) == nil)
  }

  @Test("there are at most eight tools, told in fewer than 2,000 tokens")
  func tools() async throws {
    #expect(AgentTool.all.count <= 8)
    // Four letters a token.
    let text = Value.array(ValueArray(AgentTool.all.map { $0.value })).text()
    #expect(text.count < 8_000)
  }

  @Test("each tool answers about the one session that there is")
  func answers() async throws {
    let questions: [(String, Value, String)] = [
      ("overview", [:], "app       Wishes 1.0\n"),
      ("steps", ["from": 12, "to": 13], "13    9.4s    destination.presented.submit.save\n"),
      ("steps", ["step": 14], "sent by save, started at step 13"),
      ("state", ["step": 12, "place": "name"], "\"Stef\"\n"),
      ("state", ["step": 9, "since": 8], "~ name  \"Ste\" → \"Stef\"\n"),
      ("blame", ["place": "name", "step": 9], "9 binding.name  sent by the user\n"),
      ("find", ["condition": "state.name == 'Stef'", "only": "first"], "9    4.8s"),
    ]
    for (tool, arguments, expected) in questions {
      let (text, isError) = try await call(tool, arguments)
      #expect(("\n" + text).contains(expected), "\(tool): \(text)")
      #expect(!isError)
    }
  }

  @Test("why tests each cause through the app's reducer")
  func why() async throws {
    let server = AgentServer(
      context: server.context, files: server.files,
      host: ["--host", "'\(BuiltProgram.path("retcon"))' serve-sample wishes"])
    let answer = await server.answer(
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"why","arguments":"#
        + #"{"step":5,"until":"state.destination.alert"}}}"#)
    let text = try #require(answer)
    #expect(
      text.contains("5 wishesResponse  sent by fetchWishes, started at 4: necessary"), "\(text)")
    #expect(text.contains("← 4 discoverWishesTapped  sent by the user: necessary"))
    #expect(text.contains("Without 5 wishesResponse it does not happen."))
    #expect(text.contains(#""isError":false"#))
  }

  @Test("a wrong argument, an unknown place and a file that was not given are answers that help")
  func mistakes() async throws {
    let wrong = try await call("steps", ["form": 3])
    #expect(wrong.isError)
    #expect(
      wrong.0
        == "steps has no argument form. It has file, branch, step, from, to, where.")
    #expect(
      try await call("state", ["place": "nme"]).0
        == "retcon: nothing is at /nme after step 28. Did you mean /name?\n")
    let foreign = try await call("overview", ["file": "/etc/passwd"])
    #expect(foreign.isError)
    #expect(foreign.0.contains("is none of the files that this server was started for"))
  }

  @Test("a long answer is cut, and says which command has all of it")
  func cut() async throws {
    let long = Value.string(String(repeating: "x", count: 20_000))
    _ = try runner.write(
      Value.object(["action": ["type": "a", "text": long], "state": ["text": long]]).text() + "\n",
      as: "long.jsonl")
    let server = AgentServer(
      context: server.context, files: [runner.folder + "/long.jsonl"], host: [])
    let answer = await server.answer(
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"state","arguments":{}}}"#)
    let text = try #require(answer)
    #expect(text.count < 8_000)
    #expect(text.contains("cut here"))
  }
}
