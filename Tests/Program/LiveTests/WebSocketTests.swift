import Platform
import Testing

@testable import Sockets

@Suite("WebSocket")
struct WebSocketTests {
  /// The messages that a reader gets from some bytes, in pieces of one size.
  private func heard(
    _ bytes: [UInt8], _ side: WebSocketParser.Side = .client, piece: Int = .max,
    limit: Int = 1 << 20
  ) throws -> [WebSocketMessage] {
    var parser = WebSocketParser(side, limit: limit)
    var messages: [WebSocketMessage] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = Array(rest.prefix(piece))
      rest = rest.dropFirst(part.count)
      try part.withUnsafeBytes { part in try parser.add(part) { messages.append($0) } }
    }
    return messages
  }

  private func fault(
    _ bytes: [UInt8], _ side: WebSocketParser.Side = .client, limit: Int = 1 << 20
  ) -> Int? {
    do {
      _ = try heard(bytes, side, limit: limit)
      return nil
    } catch {
      return (error as? WebSocketFault)?.code
    }
  }

  @Test(arguments: [0, 1, 125, 126, 127, 65_535, 65_536, 70_000])
  func everyLengthComesBack(length: Int) throws {
    let text = WebSocketMessage.text(Array(repeating: 0x61, count: length))
    for mask in [nil, [1, 2, 3, 250]] as [[UInt8]?] {
      let bytes = WebSocketFrame.bytes(text, mask: mask)
      for piece in [1, 3, 4096, .max] {
        #expect(try heard(bytes, mask == nil ? .client : .server, piece: piece) == [text])
      }
    }
  }

  @Test func examplesOfTheStandard() throws {
    // RFC 6455, 5.7.
    #expect(
      try heard([0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58], .server)
        == [.text(Array("Hello".utf8))])
    #expect(
      try heard([0x01, 3, 0x48, 0x65, 0x6C, 0x89, 1, 0x21, 0x80, 2, 0x6C, 0x6F])
        == [.ping([0x21]), .text(Array("Hello".utf8))])
    #expect(HTTPHead.accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  @Test func breaksOfTheStandardAreRefused() {
    #expect(fault([0xC1, 0]) == 1002, "a reserved bit")
    #expect(fault([0x83, 0]) == 1002, "an unknown opcode")
    #expect(fault([0x81, 0x80, 0, 0, 0, 0]) == 1002, "a masked frame of the server")
    #expect(fault([0x81, 0], .server) == 1002, "an unmasked frame of the client")
    #expect(fault([0x80, 0]) == 1002, "a fragment of nothing")
    #expect(fault([0x01, 0, 0x81, 0]) == 1002, "a message inside another")
    #expect(fault([0x09, 0]) == 1002, "a ping in fragments")
    #expect(fault([0x89, 126, 0, 126]) == 1002, "a long ping")
    #expect(fault([0x81, 126, 0, 125]) == 1002, "a length with too many bytes")
    #expect(fault([0x81, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) == 1002)
    #expect(fault([0x81, 127, 0x80, 0, 0, 0, 0, 0, 0, 0]) == 1002)
    #expect(fault([0x81, 1, 0xFF]) == 1007, "no UTF-8")
    #expect(fault([0x88, 1, 3]) == 1002, "half a code")
    #expect(fault([0x88, 2, 3, 0xED]) == 1002, "code 1005")
    #expect(fault([0x81, 101] + [UInt8](repeating: 0x61, count: 101), limit: 100) == 1009)
    #expect(
      fault([0x01, 60] + [UInt8](repeating: 0x61, count: 60) + [0x80, 60], limit: 100) == 1009)
  }

  @Test func nothingIsHeardBehindTheEnd() throws {
    let end = WebSocketFrame.bytes(.close(code: 1001, reason: "bye"))
    #expect(try heard(end + [0xFF, 0xFF]) == [.close(code: 1001, reason: "bye")])
  }

  @Test func headsAreStrict() throws {
    let head = try HTTPHead(
      Array(
        "GET /a HTTP/1.1\r\nHost: x\r\nUpgrade: WebSocket\r\nConnection: keep-alive, Upgrade".utf8))
    #expect(head.start == ["GET", "/a", "HTTP/1.1"])
    #expect(head.has("websocket", in: "upgrade") && head.has("upgrade", in: "connection"))
    for bad in ["GET", "GET / HTTP/1.1\r\nno colon", "GET / HTTP/1.1\r\n a: b", "GET / é"] {
      #expect(throws: HTTPHead.Fault.self) { try HTTPHead(Array(bad.utf8)) }
    }
  }

  @Test func placesAreParsed() {
    typealias Place = HTTPConnection.Place
    #expect(Place("ws://127.0.0.1:9/a?b") == Place(host: "127.0.0.1", port: 9, path: "/a?b"))
    #expect(Place("http://[::1]:80/") == Place(host: "::1", port: 80))
    #expect(Place("localhost:8000") == Place(host: "localhost", port: 8000))
    for bad in ["https://a:1/", "a", "a:99999", "a b:1", ":80", "a:1/\r\nX: y"] {
      #expect(Place(bad) == nil, "\(bad)")
    }
  }

  /// An echo on loopback: the messages of one side come back through two WebSockets.
  @Test func twoSidesTalk() throws {
    let listening = try ListeningSocket(host: "127.0.0.1", port: 0)
    let server = try SystemThread.start {
      guard let socket = listening.accept() else { return }
      let connection = HTTPConnection(socket)
      guard let head = try? connection.head(until: .now + .seconds(20)),
        let webSocket = try? WebSocket.accept(head, on: connection)
      else { return }
      while let message = try? webSocket.receive() {
        try? webSocket.send(String(decoding: message, as: UTF8.self))
      }
    }
    let client = try WebSocket.connect(
      to: HTTPConnection.Place(host: "127.0.0.1", port: listening.port, path: "/chat"))
    for text in ["", "a", "é🙂", String(repeating: "x", count: 300_000)] {
      try client.send(text)
      #expect(try client.receive() == Array(text.utf8))
    }
    try client.close()
    #expect(throws: ConnectionError("the other side closed the connection (1000)")) {
      try client.receive()
    }
    server.join()
    listening.end()
    #expect(listening.accept() == nil)
  }

  @Test func aPageIsNoWebSocket() throws {
    let listening = try ListeningSocket(host: "127.0.0.1", port: 0)
    let server = try SystemThread.start {
      guard let socket = listening.accept() else { return }
      let connection = HTTPConnection(socket)
      guard let head = try? connection.head(until: .now + .seconds(20)) else { return }
      let webSocket = try? WebSocket.accept(head, on: connection)
      #expect(webSocket == nil)
    }
    #expect(throws: ConnectionError.self) {
      try HTTPConnection.get(HTTPConnection.Place(host: "127.0.0.1", port: listening.port))
    }
    server.join()
  }
}
