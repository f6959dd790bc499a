import Essentials
import Platform

/// A WebSocket over a connection. One thread receives; any thread sends.
///
/// `@unchecked Sendable`: only the receiving thread uses the parser and what it heard.
package final class WebSocket: @unchecked Sendable {
  private let socket: Socket
  private let side: WebSocketParser.Side
  private var parser: WebSocketParser
  private var heard: [WebSocketMessage] = []
  private var early: [UInt8]
  private var end: ConnectionError?
  private let budget: MemoryBudget?
  private var share = 0
  private let isClosing = Locked(false)

  private init(
    _ connection: HTTPConnection, _ side: WebSocketParser.Side, limit: Int,
    _ budget: MemoryBudget? = nil
  ) {
    socket = connection.socket
    (self.side, self.budget) = (side, budget)
    parser = WebSocketParser(side, limit: limit)
    early = connection.takeReceived()
  }

  deinit { _ = budget?.change(&share, to: 0) }

  /// Connects as a client.
  package static func connect(
    to place: HTTPConnection.Place, limit: Int = 128 << 20, within timeout: Duration = .seconds(10)
  ) throws -> WebSocket {
    let deadline = ContinuousClock.now + timeout
    let connection = HTTPConnection(
      try Socket.connect(to: place.host, port: place.port, within: timeout))
    let key = Data((0..<16).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
    let request = [
      "GET \(place.path) HTTP/1.1", "Host: \(place.authority)", "Upgrade: websocket",
      "Connection: Upgrade", "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13", "", "",
    ]
    try connection.socket.write(Array(request.joined(separator: "\r\n").utf8))
    guard let head = try connection.head(until: deadline), head.start[1] == "101",
      head.has("websocket", in: "upgrade"), head.has("upgrade", in: "connection"),
      head["sec-websocket-accept"] == HTTPHead.accept(key), head["sec-websocket-extensions"] == nil
    else { throw ConnectionError("\(place.authority)\(place.path) is no WebSocket") }
    return WebSocket(connection, .client, limit: limit)
  }

  /// Answers a client's request. Messages share the `budget` with those of other connections. Nil if it asks
  /// for no WebSocket; it has its answer then.
  package static func accept(
    _ head: HTTPHead, on connection: HTTPConnection, limit: Int = 128 << 20,
    budget: MemoryBudget? = nil
  ) throws -> WebSocket? {
    guard let key = head["sec-websocket-key"], key.utf8.count == 24, head.start[0] == "GET",
      head.has("websocket", in: "upgrade"), head.has("upgrade", in: "connection"),
      head["host"] != nil
    else {
      try connection.answer("426 Upgrade Required", headers: [("Upgrade", "websocket")])
      return nil
    }
    guard head["sec-websocket-version"] == "13" else {
      try connection.answer("400 Bad Request", headers: [("Sec-WebSocket-Version", "13")])
      return nil
    }
    let lines = [
      "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Accept: \(HTTPHead.accept(key))",
    ]
    try connection.socket.write(Array((lines + ["", ""]).joined(separator: "\r\n").utf8))
    return WebSocket(connection, .server, limit: limit, budget)
  }

  /// The next text or binary message. Pings are answered. Nil means that time is up; the end throws.
  package func receive(
    until deadline: ContinuousClock.Instant? = nil
  ) throws(ConnectionError) -> [UInt8]? {
    while true {
      while !heard.isEmpty {
        switch heard.removeFirst() {
        case .text(let bytes), .binary(let bytes): return bytes
        case .ping(let bytes): try send(.pong(bytes))
        case .pong: break
        case .close(let code, let reason):
          try? close(code: code ?? 1000)
          end = ConnectionError(
            "the other side closed the connection"
              + (reason.isEmpty ? code.map { " (\($0))" } ?? "" : ": \(reason)"))
        }
      }
      if let end { throw end }
      if !early.isEmpty {
        let bytes = exchange(&early, with: [])
        bytes.withUnsafeBytes { parse($0) }
        continue
      }
      guard let bytes = try socket.read(until: deadline) else { return nil }
      guard !bytes.isEmpty else {
        throw ConnectionError("the other program was killed, or the connection broke")
      }
      parse(bytes)
    }
  }

  private func parse(_ bytes: UnsafeRawBufferPointer) {
    var messages: [WebSocketMessage] = []
    do throws(WebSocketFault) {
      try parser.add(bytes) { messages.append($0) }
    } catch {
      try? close(code: error.code, reason: error.what)
      end = ConnectionError(
        "the other side breaks the WebSocket protocol: \(error.what)", isRefusal: true)
    }
    heard += messages
    // The bytes before are done with.
    let size = heard.reduce(parser.held) { $0 + $1.size }
    guard budget?.change(&share, to: size) == false else { return }
    (heard, parser) = ([], WebSocketParser(side, limit: 0))
    try? close(code: 1013, reason: "try again later")
    end = ConnectionError("too much arrives at once from all apps", isRefusal: true)
  }

  package func send(_ text: String) throws(ConnectionError) { try send(.text(Array(text.utf8))) }

  package func send(_ message: WebSocketMessage) throws(ConnectionError) {
    let mask = side == .client ? (0..<4).map { _ in UInt8.random(in: 0...255) } : nil
    try socket.write(WebSocketFrame.bytes(message, mask: mask))
  }

  /// Says that this side closes. The connection ends when the other side has answered.
  package func close(code: Int = 1000, reason: String = "") throws(ConnectionError) {
    guard isClosing.withLock({ !exchange(&$0, with: true) }) else { return }
    try send(.close(code: code, reason: reason))
    if side == .server { socket.end() }
  }

  /// Ends the connection at once. A thread that receives sees the end.
  package func endNow() {
    socket.waitsNoMore()
    try? close()
    socket.end()
  }
}
