import Platform
import Sockets
import ValueTree

/// A client of the Chrome debugging protocol. A thread of its own reads.
///
/// `@unchecked Sendable`: everything that changes is behind the lock.
package final class DevToolsConnection: @unchecked Sendable {
  /// Runs on the reading thread, so it may send but not ask.
  package typealias Listener =
    @Sendable (
      _ event: String, _ parameters: Value, _ session: String?, DevToolsConnection
    ) -> Void

  private let socket: WebSocket
  private let lock = Lock()
  private let changed = ThreadSignal()
  private var answers: [Int: Value] = [:]
  private var asked: Set<Int> = []
  private var lastID = 0
  private var endReason: String?

  package init(
    to place: HTTPConnection.Place, onEnd: @escaping @Sendable (String) -> Void = { _ in },
    _ listener: @escaping Listener
  ) throws {
    socket = try WebSocket.connect(to: place, limit: 64 << 20)
    _ = try SystemThread.start { [self] in
      var reason = "the app has ended"
      do throws(ConnectionError) {
        while let message = try socket.receive() { hear(message, listener) }
      } catch {
        reason = error.description
      }
      lock.withLock {
        endReason = reason
        changed.wakeAll()
      }
      onEnd(reason)
    }
  }

  func hear(_ message: [UInt8], _ listener: Listener) {
    guard let value = try? Value(parsing: message) else {
      return listener(Self.unreadable, .null, nil, self)
    }
    if case .number(let number)? = value["id"] {
      lock.withLock {
        let id = Int(exactly: number.doubleValue) ?? 0
        guard asked.remove(id) != nil else { return }
        answers[id] = value
        changed.wakeAll()
      }
    } else if let event = value["method"]?.string {
      listener(event, value["params"] ?? .null, value["sessionId"]?.string, self)
    }
  }

  /// Sends a command and does not wait.
  package func send(_ method: String, _ parameters: Value = [:], in session: String? = nil) {
    _ = try? put(method, parameters, in: session, isAsked: false)
  }

  private func put(
    _ method: String, _ parameters: Value, in session: String?, isAsked: Bool
  ) throws -> Int {
    let id = lock.withLock {
      lastID += 1
      if isAsked { asked.insert(lastID) }
      return lastID
    }
    var members: [(String, Value)] = [
      ("id", .number(Number(id))), ("method", .string(method)), ("params", parameters),
    ]
    if let session { members.append(("sessionId", .string(session))) }
    try socket.send(Value.object(ValueObject(members.map { (key: $0.0, value: $0.1) })).text())
    return id
  }

  /// Sends a command and waits for its result.
  @discardableResult
  package func ask(
    _ method: String, _ parameters: Value = [:], within timeout: Duration? = .seconds(30)
  ) throws -> Value {
    let id = try put(method, parameters, in: nil, isAsked: true)
    let deadline = timeout.map { ThreadDeadline(in: $0) }
    return try lock.withLock {
      while true {
        if let answer = answers.removeValue(forKey: id) {
          if let error = answer["error"] {
            throw ConnectionError(
              "\(method): \((error["message"]?.string ?? "refused").clipped(to: 500))")
          }
          return answer["result"] ?? .null
        }
        if let endReason { throw ConnectionError(endReason) }
        guard let deadline else {
          changed.wait(in: lock)
          continue
        }
        guard changed.wait(in: lock, until: deadline) else {
          asked.remove(id)
          throw ConnectionError("\(method) was not answered in time")
        }
      }
    }
  }

  package func end() { socket.endNow() }

  /// The event for a message that JSON cannot parse.
  static let unreadable = "unreadable"
}

/// A page or a program that can be attached to.
package struct DevToolsTarget: Sendable, Equatable {
  package var kind: String
  package var title: String
  package var address: String
  package var socket: HTTPConnection.Place

  package init(kind: String, title: String, address: String, socket: HTTPConnection.Place) {
    (self.kind, self.title, self.address, self.socket) = (kind, title, address, socket)
  }

  /// The ports of Chromium, node and Metro.
  package static let usualPorts: [UInt16] = [9222, 9229, 8081]

  /// The targets that a port lists. The socket is on the host that was asked, whatever the answer names.
  package static func all(
    at host: String, port: UInt16, within timeout: Duration = .seconds(5)
  ) throws -> [DevToolsTarget] {
    let place = HTTPConnection.Place(host: host, port: port, path: "/json/list")
    let bytes = try HTTPConnection.get(place, within: timeout)
    guard case .array(let list)? = try? Value(parsing: bytes) else {
      throw ConnectionError("\(host):\(port) is no debugging port")
    }
    return list.prefix(200).compactMap { value in
      guard let socket = value["webSocketDebuggerUrl"]?.string,
        let named = HTTPConnection.Place(socket)
      else { return nil }
      return DevToolsTarget(
        kind: (value["type"]?.string ?? "page").clipped(to: 40),
        title: value["title"]?.string ?? "", address: value["url"]?.string ?? "",
        socket: HTTPConnection.Place(host: host, port: port, path: named.path))
    }
  }
}
