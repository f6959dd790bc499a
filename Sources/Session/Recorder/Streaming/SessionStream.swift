import Platform
import SessionFile
import SessionWords
import Sockets
import ValueTree

/// The place of a recording: a file, or `retcon listen`.
public struct RecordingDestination: Sendable, Hashable {
  package var path: String
  package var listener: StreamPlace?

  /// A file.
  public static func file(_ path: String) -> RecordingDestination {
    RecordingDestination(path: path)
  }

  /// `retcon listen` on this computer; a simulator runs on it, too.
  public static var debugger: RecordingDestination { debugger("127.0.0.1") }

  /// `retcon listen --address` on another computer, and the pairing code that it prints. The connection is
  /// not encrypted.
  public static func debugger(
    _ host: String, port: UInt16 = StreamPlace.usualPort, code: String = ""
  ) -> RecordingDestination {
    let name = "retcon-\(SessionID.random()).retcon"
    return RecordingDestination(
      path: "\(temporaryFolder)/\(name)",
      listener: StreamPlace(host: host, port: port, code: code))
  }
}

/// A `retcon listen`.
public struct StreamPlace: Sendable, Hashable {
  package var host: String
  package var port: UInt16
  package var code: String

  /// The port for recorders of Retcon.
  public static let usualPort: UInt16 = 7382

  package init(host: String, port: UInt16, code: String) {
    (self.host, self.port, self.code) = (host, port, code)
  }

  var isLocal: Bool { ["localhost", "127.0.0.1", "::1"].contains(host) }
}

/// Sends the lines of a recording to `retcon listen`, from a thread of its own. The recorder writes them into
/// a file as always, so the app pays nothing, and a lost connection loses nothing.
///
/// `@unchecked Sendable`: everything that changes is behind the lock.
final class SessionStream: @unchecked Sendable {
  private let place: StreamPlace
  private let path: String
  private let report: @Sendable (RecordingTrouble) -> Void
  private let lock = Lock()
  private let changed = ThreadSignal()
  private var hasStarted = false
  private var isFinished = false
  /// Whether everything was sent; nil until the thread ends.
  private var isSent: Bool?
  private var hasTold = false

  private static let piece = 1 << 20
  private static let largestLine = 32 << 20

  init(
    _ path: String, to place: StreamPlace, report: @escaping @Sendable (RecordingTrouble) -> Void
  ) {
    (self.path, self.place, self.report) = (path, place, report)
  }

  func start() {
    if !place.isLocal { reportTrouble("goes to \(place.host):\(place.port), and is not encrypted") }
    lock.withLock { hasStarted = true }
    _ = try? SystemThread.start { [self] in
      let key = SessionID.random()
      var isSent = send(as: key)
      while !isSent, !lock.withLock({ isFinished }) {
        wait(.seconds(1))
        isSent = send(as: key)
      }
      lock.withLock {
        self.isSent = isSent
        changed.wakeAll()
      }
    }
  }

  /// Waits a little until everything is sent, and removes the file. Otherwise the file stays, and the result
  /// says where.
  func finish(within timeout: Duration = .seconds(3)) -> RecordingTrouble? {
    let deadline = ThreadDeadline(in: timeout)
    let isSent = lock.withLock { () -> Bool? in
      guard hasStarted, !isFinished else { return nil }
      isFinished = true
      changed.wakeAll()
      while self.isSent == nil, changed.wait(in: lock, until: deadline) {}
      return self.isSent ?? false
    }
    if isSent == true { unlink(path) }
    guard isSent == false else { return nil }
    return reportTrouble(
      "is not all at \(place.host):\(place.port); the whole of it stays in \(path)")
  }

  private func wait(_ time: Duration) {
    let deadline = ThreadDeadline(in: time)
    lock.withLock { if !isFinished { _ = changed.wait(in: lock, until: deadline) } }
  }

  /// Sends until the connection is lost. Returns whether the recording has ended and is sent.
  private func send(as key: String) -> Bool {
    do {
      let code = place.code.isEmpty ? "" : "?code=\(place.code)"
      let socket = try WebSocket.connect(
        to: HTTPConnection.Place(host: place.host, port: place.port, path: "/retcon\(code)"))
      defer { socket.endNow() }
      try socket.send((["retcon": "stream", "session": .string(key)] as Value).text())
      var file: PartFile?
      var sent = try have(socket)
      while true {
        // Asked first: what was written before the end is read after it.
        let isAtEnd = lock.withLock { self.isFinished }
        file = try file ?? openFile()
        let size = file?.size ?? 0
        guard (0...size).contains(sent) else {
          throw ConnectionError("it has \(sent) bytes of \(size)")
        }
        let bytes = try file.map { try lines(of: $0, from: sent) } ?? []
        if !bytes.isEmpty {
          try socket.send(.text(bytes))
          sent = try have(socket)
        } else if isAtEnd {
          return sent == size
        } else {
          wait(.milliseconds(100))
        }
      }
    } catch {
      let isFirst = lock.withLock { () -> Bool in
        defer { hasTold = true }
        return !hasTold
      }
      if isFirst {
        reportTrouble("waits for retcon listen, and is in \(path) until then: \(error)")
      }
      return false
    }
  }

  /// How many bytes the other side has.
  private func have(_ socket: WebSocket) throws -> Int {
    guard let answer = try socket.receive(until: .now + .seconds(20)),
      case .number(let have)? = try Value(parsing: answer)["have"],
      let count = Int(exactly: have.doubleValue)
    else { throw ConnectionError("\(place.host):\(place.port) is no retcon listen") }
    return count
  }

  /// The recorder makes it with the first entry.
  private func openFile() throws -> PartFile? {
    access(path, F_OK) == 0 ? try PartFile(path: path) : nil
  }

  /// The next whole lines.
  private func lines(of file: PartFile, from offset: Int) throws -> [UInt8] {
    var count = Self.piece
    while true {
      let rest = file.size - offset
      guard rest > 0 else { return [] }
      let bytes = try file.bytes(at: offset, count: min(count, rest))
      if let end = bytes.lastIndex(of: UInt8(ascii: "\n")) { return Array(bytes[...end]) }
      guard rest > count else { return [] }
      count *= 2
      guard count <= Self.largestLine else { throw ConnectionError("a line is too long") }
    }
  }

  @discardableResult
  private func reportTrouble(_ words: String) -> RecordingTrouble {
    let trouble = RecordingTrouble(problem: .streaming(words), path: path)
    report(trouble)
    return trouble
  }
}
