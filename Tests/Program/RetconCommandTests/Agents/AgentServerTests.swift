import Platform
import Samples
import SessionFile
import SessionWords
import TerminalDriver
import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

@Suite("The server for agents")
struct AgentServerTests {
  private let runner: CommandRunner
  private let server: AgentServer
  private let file: String
  private static let host = ["--host", "'\(BuiltProgram.path("retcon"))' serve-sample wishes"]

  init() async throws {
    runner = try CommandRunner()
    file = runner.folder + "/wishes.retcon"
    await WishesSample.recordDemo(to: file)
    server = runner.server(file)
  }

  private func ask(
    _ method: String, _ parameters: Value = [:], _ other: AgentServer? = nil
  ) async throws -> Value {
    let request: Value = [
      "jsonrpc": "2.0", "id": 7, "method": .string(method), "params": parameters,
    ]
    let answer = try #require(await (other ?? server).answer(request.text()))
    #expect(!answer.contains("\n"))
    return try Value(parsing: Array(answer.utf8))
  }

  private func call(
    _ tool: String, _ arguments: Value, _ other: AgentServer? = nil
  ) async throws -> (String, isError: Bool) {
    let answer = try await ask(
      "tools/call", ["name": .string(tool), "arguments": arguments], other)
    let result = try #require(answer["result"])
    let text = try #require(result["content"]?[0]?["text"]?.string)
    return (try AgentServer.unfenced(text), result["isError"] == true)
  }

  private static let modern: Value = [
    "_meta": [
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": [:],
    ]
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
    #expect(
      result["_meta"]?["io.modelcontextprotocol/serverInfo"]?["name"] == "retcon")
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

  @Test("the list of tools is short, and each has its budget")
  func tools() async throws {
    let text = Value.array(ValueArray(AgentTool.all.map { $0.value })).text()
    #expect(text.utf8.count < 12_500)
    #expect(text.split { !$0.isLetter && !$0.isNumber }.count < 1_700, "words")
    for tool in AgentTool.all {
      #expect(tool.value["inputSchema"]?["properties"]?["seconds"] != nil)
      #expect(tool.value["inputSchema"]?["properties"]?["bytes"] != nil)
    }
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
    let server = try runner.server(file, host: Self.host)
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

  @Test("check, minimize, explore and test answer as the commands do, and write no file")
  func searches() async throws {
    let server = try runner.server(file, host: Self.host)
    let before = namesInFolder(runner.folder)
    let questions: [(String, Value, String)] = [
      ("sessions", [:], "wishes.retcon  Wishes 1.0  28 actions\n"),
      ("check", ["rule": "state.name != 'Stef'"], "wishes.retcon@9\n  9 binding.name"),
      ("check", ["rule": "step >= 0"], "✓ step >= 0"),
      ("minimize", ["until": "state.name == 'Stef'"], "1 of "),
      ("minimize", ["rule": "state.name != 'Stef'"], "1 of "),
      ("explore", ["rule": "state.name != 'Nobody'", "step": 24], "tried"),
      ("test", ["step": 6], "WishesTests"),
      (
        "fork", ["step": 9, "skip": true, "until": "state.name == 'Stef'"],
        "is gone: it holds at 9"
      ),
    ]
    for (tool, arguments, expected) in questions {
      let (text, _) = try await call(tool, arguments, server)
      #expect(text.contains(expected), "\(tool): \(text)")
    }
    #expect(namesInFolder(runner.folder) == before)
  }

  @Test("a call ends with its time, says so, and its news have the client's token")
  func budget() async throws {
    let host = try ScriptedHost(
      """
      greet; hear; say '{"id":2,"answer":"loaded","steps":28,"grade":"fine"}'; hear; rest
      """)
    var server = try runner.server(file, host: ["--host", host.command.text, "--patience", "3600"])
    server.startTicker = { tick in
      for _ in 0..<2 { tick() }
      return SecondTicker()
    }
    let news = Locked<[Value]>([])
    let answer = await server.answer(
      Array(
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"verify","#
          + #""_meta":{"progressToken":"a"},"arguments":{"seconds":2}}}"#).utf8)
    ) { one in news.withLock { $0.append(one) } }
    #expect(try #require(answer).contains("Stopped after 2 s, before all was done."))
    let told = news.withLock { $0 }
    #expect(told.compactMap { $0["params"]?["progress"] } == [1, 2])
    #expect(told.allSatisfy { $0["params"]?["progressToken"] == "a" })
    #expect(told.allSatisfy { $0["method"] == "notifications/progress" && $0["id"] == nil })
  }

  @Test("a wrong argument, an unknown place and a file that was not given are answers that help")
  func mistakes() async throws {
    let wrong = try await call("steps", ["form": 3])
    #expect(wrong.isError)
    #expect(
      wrong.0
        == "steps has no argument form. "
        + "It has file, branch, step, from, to, where, seconds, bytes.\n")
    #expect(try await call("steps", ["bytes": 9]).0 == "bytes is from 256 to 65536.\n")
    #expect(
      try await call("state", ["place": "nme"]).0
        == "retcon: nothing is at /nme after step 28. Did you mean /name?\n")
    let foreign = try await call("overview", ["file": "/etc/passwd"])
    #expect(foreign.isError)
    #expect(foreign.0.contains("is not a file that this server was started for"))
  }

  @Test("a long answer is cut, and says which command has all of it")
  func cut() async throws {
    let long = Value.string(String(repeating: "x", count: 20_000))
    _ = try runner.write(
      Value.object(["action": ["type": "a", "text": long], "state": ["text": long]]).text() + "\n",
      as: "long.jsonl")
    let server = runner.server(runner.folder + "/long.jsonl")
    let answer = await server.answer(
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"state","arguments":{}}}"#)
    let text = try #require(answer)
    #expect(
      text.contains(
        "There is more. Ask for less: a range, a place, a condition; or for more bytes."))
    for tool in ["overview", "steps", "state"] {
      let answer = try await ask("tools/call", ["name": .string(tool)], server)
      let text = try #require(answer["result"]?["content"]?[0]?["text"]?.string)
      #expect(text.utf8.count < 4_400, "\(tool)")
    }
    let more = try await ask(
      "tools/call", ["name": "state", "arguments": ["bytes": 30_000]], server)
    #expect(try #require(more["result"]?["content"]?[0]?["text"]?.string).utf8.count > 20_000)
  }

  @Test("what is hidden is in no answer, comes out of no condition, and no fork is kept")
  func redacted() async throws {
    let words = RedactionWords(
      try ParsedArguments(
        ["--redact-key", "name", "--redact-text", "Stef.*"], for: McpCommand.declaration.options))
    let server = try runner.server(
      file, host: Self.host, copies: RedactedCopies(try words.redaction, in: [:]))
    let before = namesInFolder(runner.folder)
    for (tool, arguments) in [
      ("overview", [:]), ("steps", [:]), ("steps", ["step": 9]), ("state", [:]),
      ("blame", ["place": "name"]), ("fork", ["step": 10, "skip": true]), ("verify", [:]),
    ] as [(String, Value)] {
      let (text, isError) = try await call(tool, arguments, server)
      #expect(!text.contains("Stef"), "\(tool): \(text)")
      #expect(!isError, "\(tool): \(text)")
    }
    let found = try await call("find", ["condition": "state.name == 'Stef'"], server)
    #expect(
      found.0
        == "retcon: 29 steps have no known answer: a value is redacted, or a state unknown\n")
    let (same, _) = try await call("state", ["step": 9, "since": 8], server)
    #expect(same == "Redacted values look alike: changes between them cannot be seen.\n")
    let (setters, _) = try await call("blame", ["place": "name"], server)
    #expect(
      setters.hasSuffix("Redacted values look alike: changes between them cannot be seen.\n"))
    let kept = try await call("fork", ["step": 10, "skip": true, "name": "mine"], server)
    #expect(
      kept.0 == "this server hides parts of the sessions, and keeps no forks. Leave out name.\n")
    #expect(namesInFolder(runner.folder) == before)
  }

  @Test(
    "the reducer computes the states before parts are hidden, and a condition finds them",
    .needs(.node))
  func computed() async throws {
    try runner.writeCounter(#"{"type":"add","by":2}"#, #"{"type":"add","by":3}"#)
    let export = "\(runner.folder)/export.json"
    let copies = RedactedCopies(Redaction(paths: ["/list"], keys: ["by"]), in: [:])
    let server = try runner.server(
      export, host: ["--reducer", "\(runner.folder)/counter.mjs"], copies: copies)
    let found = try await call("find", ["condition": "state.count == 5"], server)
    #expect(found.0 == "2    add {by: \"<redacted>\"}\n" && !found.isError)
    let (state, _) = try await call("state", [:], server)
    #expect(try Value(parsing: Array(state.utf8)) == ["count": 5, "list": "<redacted>"])
    let (verified, _) = try await call("verify", [:], server)
    #expect(verified.contains("the reducer got “<redacted>” instead"), "\(verified)")
  }

  @Test("a message names the tool's arguments, and says who has the other options")
  func options() async throws {
    let why = try #require(AgentTool.all.first { $0.name == "why" })
    #expect(
      why.words("Name a place, or say what happens with --until or --rule.") == """
        Name a place, or say what happens with until or --rule.
        --rule is an option of the command line, and no argument of why.
        """)
    try runner.writeCounter(#"{"type":"add"}"#)
    let export = "\(runner.folder)/export.json"
    let (text, isError) = try await call(
      "find", ["condition": "state.count > 0"], runner.server(export))
    #expect(isError)
    #expect(
      text == """
        retcon: no state is known here: retcon \(export) --reducer FILE.js
        --reducer is an option of retcon mcp, for whoever starts this server.

        """)
    let (refusal, _) = try await call("fork", ["--skip": true], server)
    #expect(refusal.hasPrefix("fork has no argument --skip. It has file, branch, step, skip"))
    // Only a person lets an effect's question reach the outside world.
    for given in [["answer": "judge ask"], ["live": true]] as [Value] {
      let (refusal, isError) = try await call("fork", given, server)
      #expect(isError && refusal.hasPrefix("fork has no argument "), "\(refusal)")
    }
  }

  @Test("what is not beside a copy is counted, and nothing of it told")
  func unseen() async throws {
    _ = await runner.run(["mark", file + "@3", "Stef was here"])
    let words = RedactionWords(
      try ParsedArguments(["--redact-text", "Stef.*"], for: McpCommand.declaration.options))
    let server = runner.server(file, copies: RedactedCopies(try words.redaction, in: [:]))
    let (text, isError) = try await call("overview", [:], server)
    #expect(!isError && !text.contains("was here"))
    #expect(
      text.hasSuffix(
        "This server hides parts of the session, and with them what lies beside it: 1 mark, 0 forks.\n"
      ), "\(text)")
  }

  @Test("what is cancelled is stopped, with its host, or not begun, and gets no answer")
  func cancelling() async throws {
    let asked = runner.folder + "/asked"
    let host = try ScriptedHost(
      """
      greet; hear; say '{"id":2,"answer":"loaded","steps":28,"grade":"fine"}'
      hear; verify=$id; echo >'\(asked)'
      hear; say '{"id":'$verify',"refusal":"cancelled","message":"stopped"}'; rest
      """)
    let server = try runner.server(file, host: ["--host", host.command.text, "--patience", "3600"])
    let input = AgentInput()
    let pipe = try #require(closingPipe())
    defer { close(pipe.read) }
    _ = try SystemThread.start { input.read(from: pipe.read) }
    func send(_ line: String) {
      _ = Array("\(line)\n".utf8).withUnsafeBytes { WholeTransfer.write($0, to: pipe.write) }
    }
    func cancel(_ id: String) {
      send(
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id)}}"#)
    }
    for id in ["1", "\"2\""] {
      send(
        #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"verify"}}"#)
    }
    send(#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#)
    let answers = Locked<[String]>([])
    async let served: Void = server.serve(input) { answer in answers.withLock { $0.append(answer) }
    }
    while access(asked, F_OK) != 0 { await Task.yield() }
    cancel("\"2\"")
    cancel("1")
    cancel("77")
    close(pipe.write)
    await served
    #expect(host.isGone)
    #expect(answers.withLock { $0 } == [#"{"jsonrpc":"2.0","id":3,"result":{}}"#])
  }

  @Test("standard output holds nothing but answers, whatever a host writes")
  func pure() async throws {
    try runner.writeCounter(#"{"type":"chatty"}"#, #"{"type":"add"}"#, #"{"type":"exit"}"#)
    let questions = ["state", "verify", "steps"].enumerated().map { index, tool in
      #"{"jsonrpc":"2.0","id":\#(index),"method":"tools/call","params":{"name":"\#(tool)"}}"#
    }
    _ = try runner.write(questions.joined(separator: "\n") + "\n", as: "questions")
    let folder = runner.folder
    _ = try Subprocess.run(
      "sh",
      [
        "-c",
        "'\(BuiltProgram.path("retcon"))' mcp \(folder)/export.json --reducer \(folder)/counter.mjs "
          + "<\(folder)/questions >\(folder)/answers",
      ], input: "")
    let answers = try runner.text(of: "$/answers").split(separator: "\n")
    #expect(answers.count == 3)
    for (index, answer) in answers.enumerated() {
      #expect(try Value(parsing: Array(answer.utf8))["id"] == .number(Number(index)))
    }
  }
}
