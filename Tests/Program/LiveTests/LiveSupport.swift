import Platform
import SessionWords

@testable import Live
@testable import Sockets

/// The reader of HTTP and the client of the debugging protocol, fed with any bytes. The fuzzer and a test share it.
final class HostileSockets {
  static let longestBody = 1_000
  let recorder: LiveRecorder
  let page: PageRecording
  private let endpoint: ListeningSocket

  init(path: @escaping @Sendable (_ number: Int) -> String) throws {
    recorder = LiveRecorder(redaction: Redaction(), path: { path($1) })
    let endpoint = try ListeningSocket(host: "127.0.0.1", port: 0)
    _ = try SystemThread.start {
      while let socket = endpoint.accept() {
        let connection = HTTPConnection(socket)
        guard let head = try? connection.head(until: .now + .seconds(60)),
          let accepted = try? WebSocket.accept(head, on: connection)
        else { continue }
        while (try? accepted.receive()) != nil {}
      }
    }
    self.endpoint = endpoint
    let place = HTTPConnection.Place(host: "127.0.0.1", port: endpoint.port)
    page = try PageRecording(place, shim: "", trace: false, name: "app", recorder)
  }

  deinit {
    page.connection?.end()
    endpoint.end()
  }

  /// The body of an HTTP message that arrives as these bytes; nil if it is refused.
  func body(of bytes: [UInt8]) -> [UInt8]? {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, 1, 0, &ends) == 0 else { return nil }
    let (reader, writer) = (Socket(ends[0]), Socket(ends[1]))
    guard (try? writer.write(bytes)) != nil else { return nil }
    writer.end()
    let connection = HTTPConnection(reader, budget: recorder.arriving)
    let deadline = ContinuousClock.now + .seconds(60)
    guard let head = try? connection.head(until: deadline) else { return nil }
    return try? connection.body(of: head, limit: Self.longestBody, until: deadline)
  }

  /// Hears a message of the debugging protocol. `BINDING` in it is the name that the page calls.
  func hear(_ message: [UInt8]) {
    let name = Array("BINDING".utf8)
    var message = message
    if let place = message.firstRange(of: name) {
      message.replaceSubrange(place, with: page.binding.utf8)
    }
    page.connection?.hear(message) { [page] in page.hear($0, $1, $2, $3) }
  }
}
