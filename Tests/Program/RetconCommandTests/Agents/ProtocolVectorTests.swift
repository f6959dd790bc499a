import Samples
import Testing
import ValueTree

@testable import RetconCommand

/// The messages that five revisions of the protocol show as examples, asked of this server's tools.
/// `→` is the client's message, `←` what the answer has at least, `·` means no answer.
@Suite("Revisions of the Model Context Protocol")
struct ProtocolVectorTests {
  static let clients: [(version: String, capabilities: String, client: String)] = [
    (
      "2024-11-05", #"{"roots":{"listChanged":true},"sampling":{}}"#,
      #"{"name":"ExampleClient","version":"1.0.0"}"#
    ),
    (
      "2025-03-26", #"{"roots":{"listChanged":true},"sampling":{}}"#,
      #"{"name":"ExampleClient","version":"1.0.0"}"#
    ),
    (
      "2025-06-18", #"{"roots":{"listChanged":true},"sampling":{},"elicitation":{}}"#,
      #"{"name":"ExampleClient","title":"Example Client Display Name","version":"1.0.0"}"#
    ),
    (
      "2025-11-25",
      #"{"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}},"tasks":{"requests":{}}}"#,
      #"{"name":"ExampleClient","version":"1.0.0","icons":[{"src":"https://example.com/icon.png"}]}"#
    ),
  ]

  @Test(
    "an earlier one begins with initialize",
    arguments: ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
  func earlier(version: String) async throws {
    let client = try #require(Self.clients.first { $0.version == version })
    try await converse(
      """
      → {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"\(version)",\
      "capabilities":\(client.capabilities),"clientInfo":\(client.client)}}
      ← {"id":1,"result":{"protocolVersion":"\(version)","capabilities":{"tools":{}},\
      "serverInfo":{"name":"retcon"}}}
      → {"jsonrpc":"2.0","method":"notifications/initialized"}
      ·
      → {"jsonrpc":"2.0","id":"123","method":"ping"}
      ← {"id":"123","result":{}}
      → {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"optional-cursor-value"}}
      ← {"id":1,"result":{"tools":[{"name":"overview","inputSchema":{"type":"object"}}]}}
      → {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"state",\
      "arguments":{"step":3,"place":"count"}}}
      ← {"id":2,"result":{"content":[{"type":"text","text":"3\\n"}],"isError":false}}
      → {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"invalid_tool_name"}}
      ← {"id":3,"error":{"code":-32602}}
      → {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"state",\
      "arguments":{"step":"departure"}}}
      ← {"id":4,"result":{"isError":true}}
      → {"jsonrpc":"2.0","id":5,"method":"prompts/list"}
      ← {"id":5,"error":{"code":-32601}}
      → {"jsonrpc":"2.0","id":6,"method":"logging/setLevel","params":{"level":"info"}}
      ← {"id":6,"error":{"code":-32601}}
      → {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"123",\
      "reason":"User requested cancellation"}}
      ·
      → {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
      ·
      → {"jsonrpc":"2.0","id":7,"result":{"roots":[]}}
      ·
      """)
  }

  @Test("2025-03-26 sends several messages in one")
  func batch() async throws {
    try await converse(
      """
      → [{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},\
      {"jsonrpc":"2.0","id":2,"method":"nothing"}]
      ← [{"id":1,"result":{}},{"id":2,"error":{"code":-32601}}]
      → [{"jsonrpc":"2.0","method":"notifications/x"}]
      ·
      → []
      ← {"error":{"code":-32600}}
      """)
  }

  @Test("2026-07-28 says in each request what it speaks")
  func stateless() async throws {
    let version = #""io.modelcontextprotocol/protocolVersion":"2026-07-28""#
    let capabilities = #""io.modelcontextprotocol/clientCapabilities":{}"#
    let meta = #""_meta":{\#(version),\#(capabilities)}"#
    let done =
      #""resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"retcon"}}"#
    try await converse(
      """
      → {"jsonrpc":"2.0","id":"discover-1","method":"server/discover","params":{"_meta":{\(version),\
      "io.modelcontextprotocol/clientInfo":{"name":"ExampleClient","version":"1.0.0"},\(capabilities)}}}
      ← {"id":"discover-1","result":{\(done),"supportedVersions":["2026-07-28"],\
      "capabilities":{"tools":{}},"ttlMs":3600000,"cacheScope":"private"}}
      → {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{\(meta)}}
      ← {"id":1,"result":{\(done),"tools":[{"name":"overview"}],"ttlMs":3600000,"cacheScope":"private"}}
      → {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{\(meta),"name":"state",\
      "arguments":{"step":3,"place":"count"}}}
      ← {"id":2,"result":{\(done),"content":[{"type":"text","text":"3\\n"}],"isError":false}}
      → {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{\(meta),"name":"invalid_tool_name"}}
      ← {"id":3,"error":{"code":-32602}}
      → {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{\
      "io.modelcontextprotocol/protocolVersion":"1900-01-01",\(capabilities)}}}
      ← {"id":1,"error":{"code":-32022,"data":{"supported":["2026-07-28"],"requested":"1900-01-01"}}}
      → {"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"_meta":{\(version)}}}
      ← {"id":4,"error":{"code":-32602}}
      → {"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"_meta":{\(capabilities)}}}
      ← {"id":5,"error":{"code":-32602}}
      → {"jsonrpc":"2.0","id":6,"method":"server/discover"}
      ← {"id":6,"error":{"code":-32602}}
      → {"jsonrpc":"2.0","id":6,"method":"server/discover","params":{"_meta":{\(version)}}}
      ← {"id":6,"error":{"code":-32602,"message":\
      "each request needs io.modelcontextprotocol/clientCapabilities in params._meta"}}
      → {"jsonrpc":"2.0","id":6,"method":"server/discover","params":{"_meta":{\
      "io.modelcontextprotocol/protocolVersion":"2025-11-25"}}}
      ← {"id":6,"error":{"code":-32022,"data":{"supported":["2026-07-28"]}}}
      → {"jsonrpc":"2.0","id":7,"method":"ping","params":{\(meta)}}
      ← {"id":7,"error":{"code":-32601}}
      → {"jsonrpc":"2.0","id":8,"method":"prompts/list","params":{\(meta)}}
      ← {"id":8,"error":{"code":-32601}}
      → {"jsonrpc":"2.0","id":9,"method":"subscriptions/listen","params":{\(meta)}}
      ← {"id":9,"error":{"code":-32601}}
      → {"jsonrpc":"2.0","method":"notifications/cancelled","params":{\(meta),"requestId":"2"}}
      ·
      """)
  }

  private func converse(_ lines: String) async throws {
    let runner = try CommandRunner()
    let server = runner.server(
      await runner.recordCounter().replacing("$", with: runner.folder))
    var answer: String?
    for line in lines.split(separator: "\n") {
      let message = String(line.dropFirst(2))
      switch line.first {
      case "→": answer = await server.answer(message)
      case "←":
        let told = try Value(parsing: Array(try #require(answer, "\(message)").utf8))
        #expect(
          Self.has(told, try Value(parsing: Array(message.utf8))), "\(told.text())\n\(message)")
      default: #expect(answer == nil)
      }
    }
  }

  /// Whether a value has all that another one has: members, and elements from the first on.
  private static func has(_ value: Value, _ part: Value) -> Bool {
    switch (value, part) {
    case (.object(let value), .object(let part)):
      part.allSatisfy { key, inner in value[key].map { has($0, inner) } ?? false }
    case (.array(let value), .array(let part)):
      value.count >= part.count && zip(value, part).allSatisfy { has($0, $1) }
    case (.string(let text), .string(let part)):
      text == part || (try? AgentServer.unfenced(text)) == part
    default: value == part
    }
  }
}
