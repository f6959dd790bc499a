import Platform

/// A connection that speaks HTTP first, and then perhaps a WebSocket.
package final class HTTPConnection {
  package let socket: Socket
  private let budget: MemoryBudget?
  private var share = 0
  private var received: [UInt8] = []

  /// Bodies share the `budget` with those of other connections.
  package init(_ socket: Socket, budget: MemoryBudget? = nil) {
    (self.socket, self.budget) = (socket, budget)
  }

  deinit { _ = budget?.change(&share, to: 0) }

  /// A place such as `ws://127.0.0.1:9222/devtools/page/1`, `http://[::1]:80/` or `host:80`.
  package struct Place: Sendable, Equatable {
    package var host: String
    package var port: UInt16
    package var path: String

    package init(host: String, port: UInt16, path: String = "/") {
      (self.host, self.port, self.path) = (host, port, path)
    }

    package init?(_ text: String) {
      var rest = text[...]
      for scheme in ["ws://", "http://"] where rest.hasPrefix(scheme) {
        rest = rest.dropFirst(scheme.count)
      }
      guard rest.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }), !rest.contains("://") else {
        return nil
      }
      let name = rest.prefix { $0 != "/" }
      path = name.endIndex == rest.endIndex ? "/" : String(rest[name.endIndex...])
      guard let colon = name.lastIndex(of: ":"),
        let port = UInt16(name[name.index(after: colon)...])
      else { return nil }
      let host = name[..<colon]
      self.host = String(host.hasPrefix("[") ? host.dropFirst().dropLast() : host)
      self.port = port
      if self.host.isEmpty { return nil }
    }

    var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
  }

  /// The head and what follows it stays for ``body(_:limit:)`` or the WebSocket.
  package func head(until deadline: ContinuousClock.Instant) throws -> HTTPHead? {
    while true {
      if let end = Self.endOfHead(received) {
        let head = try HTTPHead(received[..<end])
        received.removeFirst(end + 4)
        return head
      }
      guard received.count <= HTTPHead.limit else {
        throw HTTPHead.Fault(what: "the head of a request is too long")
      }
      guard let bytes = try socket.read(until: deadline) else {
        throw ConnectionError("no request came in time", isRefusal: true)
      }
      if bytes.isEmpty {
        if received.isEmpty { return nil }
        throw ConnectionError("the connection ended inside a request")
      }
      received += bytes
    }
  }

  private static func endOfHead(_ bytes: [UInt8]) -> Int? {
    guard bytes.count > 3 else { return nil }
    return (0...bytes.count - 4).first { index in
      bytes[index] == 13 && bytes[index + 1] == 10 && bytes[index + 2] == 13
        && bytes[index + 3] == 10
    }
  }

  /// The body that a head announces. Without a length it goes to the end of the connection.
  package func body(
    of head: HTTPHead, limit: Int, until deadline: ContinuousClock.Instant
  ) throws -> [UInt8] {
    // A length has only digits, no sign and no list.
    let length = head["content-length"].map {
      $0.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int($0) ?? .max : .max
    }
    guard length ?? 0 <= limit, head["transfer-encoding"] == nil else {
      throw ConnectionError("a body is in chunks, or longer than \(limit) bytes", isRefusal: true)
    }
    while received.count < length ?? .max {
      guard let bytes = try socket.read(until: deadline) else {
        throw ConnectionError("a body did not end in time", isRefusal: true)
      }
      if bytes.isEmpty {
        guard length == nil else { throw ConnectionError("a body is cut off") }
        break
      }
      received += bytes
      guard received.count <= limit else {
        throw ConnectionError("a body is longer than \(limit) bytes", isRefusal: true)
      }
      guard budget?.change(&share, to: received.count) != false else {
        throw ConnectionError("too much arrives at once from all apps", isRefusal: true)
      }
    }
    let body = Array(received.prefix(length ?? .max))
    received.removeFirst(body.count)
    return body
  }

  /// The bytes behind the head, for the WebSocket.
  func takeReceived() -> [UInt8] { exchange(&received, with: []) }

  package func answer(
    _ status: String, headers: [(String, String)] = [], body: String = ""
  ) throws(ConnectionError) {
    let all = headers + [("Content-Length", "\(body.utf8.count)"), ("Connection", "close")]
    let lines = ["HTTP/1.1 \(status)"] + all.map { "\($0): \($1)" } + ["", body]
    try socket.write(Array(lines.joined(separator: "\r\n").utf8))
  }

  /// The body of the answer to a `GET`.
  package static func get(
    _ place: Place, limit: Int = 4 << 20, within timeout: Duration = .seconds(5)
  ) throws -> [UInt8] {
    let deadline = ContinuousClock.now + timeout
    let socket = try Socket.connect(to: place.host, port: place.port, within: timeout)
    let request =
      "GET \(place.path) HTTP/1.1\r\nHost: \(place.authority)\r\nConnection: close\r\n\r\n"
    try socket.write(Array(request.utf8))
    let connection = HTTPConnection(socket)
    guard let head = try connection.head(until: deadline), head.start[1] == "200" else {
      throw ConnectionError("\(place.authority) does not answer \(place.path)")
    }
    return try connection.body(of: head, limit: limit, until: deadline)
  }
}
