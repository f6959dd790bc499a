import Platform
import TestSupport
import Testing
import ValueTree

@testable import Sockets

/// Other implementations, where they are installed.
extension Need {
  fileprivate static func module(_ name: String) -> Need {
    Need("Python's \(name)") { succeeds("python3 -c 'import \(name)'") }
  }
  fileprivate static let webSocket = Need("node's WebSocket") {
    hasWebSocket || succeeds("node --experimental-websocket -e 0")
  }
  fileprivate static let hasWebSocket = succeeds(
    "node -e 'if (!globalThis.WebSocket) process.exit(1)'")

  private static func succeeds(_ command: String) -> Bool {
    var start = ChildStart("/bin/sh", ["-c", command])
    start.files = [0: .nothing, 1: .nothing, 2: .nothing]
    guard let child = try? start.run() else { return false }
    var status: Int32 = 0
    _ = retryingInterrupted { waitpid(child, &status, 0) }
    return status == 0
  }
}

@Suite("WebSocket and other implementations")
struct OtherWebSocketTests {
  /// Sends each text back to whoever connects first, and says how the connection ended.
  private func echo(
    to client: ChildStart
  ) throws -> (texts: Int, end: String, status: Int32) {
    let listening = try ListeningSocket(host: "127.0.0.1", port: 0)
    var client = client
    client.arguments.append("\(listening.port)")
    let child = try client.run()
    let socket = try #require(listening.accept())
    let connection = HTTPConnection(socket)
    let head = try #require(try connection.head(until: .now + .seconds(60)))
    let webSocket = try #require(try WebSocket.accept(head, on: connection))
    var (texts, end) = (0, "")
    do {
      while let message = try webSocket.receive(until: .now + .seconds(60)) {
        texts += 1
        try webSocket.send(String(decoding: message, as: UTF8.self))
      }
    } catch {
      end = "\(error)"
    }
    var status: Int32 = 0
    _ = retryingInterrupted { waitpid(child, &status, 0) }
    return (texts, end, status)
  }

  @Test(.needs(.python, .module("websockets.sync.client")))
  func pythonIsTheClient() throws {
    let script = """
      import sys
      from websockets.sync.client import connect
      with connect(f"ws://127.0.0.1:{sys.argv[1]}/", max_size=None, compression=None) as socket:
          for text in ["", "é", "x" * 200_000]:
              socket.send(text)
              assert socket.recv() == text
          socket.send(["frag", "ments"])
          assert socket.recv() == "fragments"
          socket.ping().wait(20)
      """
    let result = try echo(to: ChildStart("python3", ["-c", script]))
    #expect(result.texts == 4 && result.status == 0)
    #expect(result.end == "the other side closed the connection (1000)")
  }

  @Test(.needs(.node, .webSocket))
  func nodeIsTheClient() throws {
    let script = """
      const texts = ['', 'é', 'x'.repeat(200000)], heard = [];
      const socket = new WebSocket(`ws://127.0.0.1:${process.argv.at(-1)}/`);
      socket.onopen = () => texts.forEach((text) => socket.send(text));
      socket.onmessage = ({ data }) => { heard.push(data); if (heard.length === 3) socket.close(4000, 'done'); };
      socket.onclose = () => process.exit(heard.every((text, at) => text === texts[at]) ? 0 : 1);
      socket.onerror = () => process.exit(2);
      """
    let flags = Need.hasWebSocket ? [] : ["--experimental-websocket"]
    var start = ChildStart("node", flags + ["-e", script])
    start.files = [2: .nothing]
    let result = try echo(to: start)
    #expect(result.texts == 3 && result.status == 0)
    #expect(result.end == "the other side closed the connection: done")
  }

  @Test(.needs(.python, .module("websockets.sync.client")))
  func pythonIsTheServer() throws {
    let script = """
      import os, sys
      from websockets.sync.server import serve
      def echo(socket):
          for message in socket:
              socket.send(message if len(message) < 9 else [message[:5], message[5:]])
          os._exit(0)
      server = serve(echo, "127.0.0.1", 0, max_size=None)
      print(server.socket.getsockname()[1], flush=True)
      server.serve_forever()
      """
    let pipe = try #require(closingPipe())
    var start = ChildStart("python3", ["-c", script])
    start.files = [1: .descriptor(pipe.write)]
    let child = try start.run()
    close(pipe.write)
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = read(pipe.read, &bytes, bytes.count)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    let port = try #require(UInt16(text.filter(\.isNumber)))
    let socket = try WebSocket.connect(to: HTTPConnection.Place(host: "127.0.0.1", port: port))
    for text in ["", "short", "é and more than nine", String(repeating: "y", count: 150_000)] {
      try socket.send(text)
      #expect(try socket.receive() == Array(text.utf8))
    }
    try socket.close()
    #expect(throws: ConnectionError.self) { try socket.receive() }
    var status: Int32 = 0
    _ = retryingInterrupted { waitpid(child, &status, 0) }
    close(pipe.read)
    #expect(status == 0)
  }
}

@Suite("listen: a real client of SocketCluster")
struct OtherSocketClusterTests {
  @Test(
    .needs(.python, .module("socketclusterclient")))
  func itLogsInSubscribesAndSendsAfterItsStart() throws {
    let script = """
      import json, sys
      from socketclusterclient import Socketcluster
      socket = Socketcluster.socket(f"ws://127.0.0.1:{sys.argv[1]}/socketcluster/")
      socket.setreconnection(False)
      def lifted(n):
          return json.dumps({"stagedActionIds": [0], "actionsById": {"0": {"action": {"type": "@@INIT"}}}, "computedStates": [{"state": {"n": n}}]})
      def log(message, ack=lambda *_: None):
          socket.emitack("log", {"name": "shop", "instanceId": "i", **message}, ack)
      def heard(channel, message):
          assert message["type"] == "START", message
          log({"type": "STATE", "payload": lifted(0)})
          for n in range(1, 101):
              action = json.dumps({"type": "PERFORM_ACTION", "timestamp": 1000 + n, "action": {"type": "up"}})
              last = (lambda *_: socket.disconnect()) if n == 100 else (lambda *_: None)
              log({"type": "ACTION", "action": action, "nextActionId": n + 1, "payload": json.dumps({"n": n})}, last)
      def logged_in(event, error, channel):
          socket.onchannel(channel, heard)
          socket.subscribe(channel)
      socket.setAuthenticationListener(lambda *_: None, lambda socket, _: socket.emitack("login", "master", logged_in))
      socket.setBasicListener(lambda _: None, lambda _: None, lambda *_: sys.exit(2))
      socket.connect()
      """
    let support = try ListenSupport()
    let child = try ChildStart("python3", ["-c", script, "\(support.port)"]).run()
    try support.wait { support.recorder.summaries.first?.steps == 100 }
    kill(child, SIGKILL)
    var status: Int32 = 0
    _ = retryingInterrupted { waitpid(child, &status, 0) }
    let reader = try support.session()
    #expect(reader.header.app?.name == "shop")
    #expect(try reader.state(after: 100) == ["n": 100])
  }
}
