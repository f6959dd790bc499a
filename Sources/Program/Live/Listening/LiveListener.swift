import Platform
import SessionWords
import Sockets
import ValueTree

/// Hears apps that connect by themselves, and records what they say.
///
/// `@unchecked Sendable`: everything that changes is behind the lock.
package final class LiveListener: @unchecked Sendable {
  /// The clients that may connect. Programs of this machine always may.
  package struct Admission: Sendable {
    /// Pages of other machines that may, such as `https://shop.example`.
    package var origins: Set<String> = []
    /// Other machines that may without the pairing code.
    package var peers: Set<String> = []
    package var code: String

    package init(code: String = Self.newCode()) { self.code = code }

    package static func newCode() -> String {
      String((0..<8).map { _ in Self.letters.randomElement() ?? "x" })
    }

    /// Without those that look alike.
    private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
  }

  private let recorder: LiveRecorder
  private let admission: Admission
  private let lock = Lock()
  private let hearing = Lock()
  private var ports: [ListeningSocket] = []
  private var connections: [Int: (socket: Socket, isApp: Bool)] = [:]
  private var count = 0
  private var isOver = false

  static let mostApps = 16
  /// Connections that have shown neither a code nor a message yet. If one more comes, the oldest ends.
  static let mostStrangers = 16
  static let longestMessage = 64 << 20
  private let pause: Duration

  /// `pause` is the time between pings: clients of SocketCluster leave a server that sends none for 20 seconds.
  package init(
    _ recorder: LiveRecorder, _ admission: Admission, pause: Duration = .seconds(8)
  ) {
    (self.recorder, self.admission, self.pause) = (recorder, admission, pause)
  }

  /// Listens on a port too. Returns the port, which the system chooses for 0.
  @discardableResult
  package func open(host: String, port: UInt16) throws -> UInt16 {
    let listening = try ListeningSocket(host: host, port: port)
    lock.withLock { ports.append(listening) }
    _ = try SystemThread.start { [self] in
      while let socket = listening.accept() { accept(socket) }
    }
    return listening.port
  }

  package func end() {
    let (ports, sockets) = lock.withLock {
      isOver = true
      defer { self.ports = [] }
      return (self.ports, connections.values.map(\.socket))
    }
    for port in ports { port.end() }
    for socket in sockets { socket.end() }
  }

  private func accept(_ socket: Socket) {
    let (number, oldest): (Int?, Socket?) = lock.withLock {
      guard !isOver else { return (nil, nil) }
      let strangers = connections.filter { !$0.value.isApp }.keys
      let oldest = strangers.count < Self.mostStrangers ? nil : strangers.min()
      let ended = oldest.flatMap { connections.removeValue(forKey: $0)?.socket }
      count += 1
      connections[count] = (socket, false)
      return (count, ended)
    }
    guard let number else { return }
    if let oldest {
      recorder.refuse("ended an idle connection from \(oldest.peer) in favor of a new one")
      oldest.end()
    }
    let thread = try? SystemThread.start { [self] in
      let peer = socket.peer
      do { try serve(socket, peer, number) } catch { report(error, peer) }
      disconnect(number)
    }
    if thread == nil {
      recorder.refuse("refused a connection from \(socket.peer): the system gives no thread")
      disconnect(number)
    }
  }

  /// Reports a refusal to the user; a connection that ends by itself is not one.
  private func report(_ error: any Error, _ peer: String) {
    guard (error as? ConnectionError)?.isRefusal ?? true else { return }
    recorder.refuse("refused a connection from \(peer): \(error)")
  }

  /// Counts a connection among the apps: it has sent a whole message.
  private func admit(_ number: Int) throws(ConnectionError) {
    let isAdmitted = lock.withLock {
      guard let known = connections[number], !known.isApp else { return true }
      guard connections.values.count(where: \.isApp) < Self.mostApps else { return false }
      connections[number] = (known.socket, true)
      return true
    }
    guard isAdmitted else {
      throw ConnectionError("\(Self.mostApps) apps are connected already", isRefusal: true)
    }
  }

  private func disconnect(_ number: Int) {
    lock.withLock { connections[number] = nil }
    recorder.disconnect { $0.hasPrefix("\(number):") }
  }

  private func serve(_ socket: Socket, _ peer: String, _ number: Int) throws {
    let connection = HTTPConnection(socket, budget: recorder.arriving)
    guard let head = try connection.head(until: .now + .seconds(10)) else { return }
    if let reason = admission.refusal(of: head, from: peer) {
      report(ConnectionError(reason, isRefusal: true), peer)
      return try connection.answer("403 Forbidden", body: reason + "\n")
    }
    let store = ListenedStore(recorder: recorder, connection: number)
    guard head.start[0] != "POST" else { return try post(head, connection, store, peer) }
    guard
      let webSocket = try WebSocket.accept(
        head, on: connection, limit: Self.longestMessage, budget: recorder.arriving)
    else { throw ConnectionError("it asks for no WebSocket", isRefusal: true) }
    var app: (any ListenedApp)? =
      switch head.path {
      case "/socketcluster": SocketClusterApp(store)
      case "/retcon": StreamedApp(store)
      default: nil
      }
    defer { app?.end() }
    var nextPing = ContinuousClock.now + pause
    while true {
      if let message = try webSocket.receive(until: nextPing) {
        do {
          try admit(number)
          for text in try hear(message, &app, store) { try webSocket.send(text) }
        } catch {
          report(error, peer)
          return try webSocket.close(code: 1008, reason: "\(error)".clipped(to: 100))
        }
      }
      if .now >= nextPing {
        // Finds out that a machine is gone, too.
        try webSocket.send(.ping([]))
        for text in app?.pings ?? [] { try webSocket.send(text) }
        nextPing = .now + pause
      }
    }
  }

  /// The answers to a message. One message is heard at a time: its values take more memory than its text.
  private func hear(
    _ message: [UInt8], _ app: inout (any ListenedApp)?, _ store: ListenedStore
  ) throws(ConnectionError) -> [String] {
    do {
      return try hearing.withLock {
        var answers: [String] = []
        if app == nil { app = try Self.app(sending: message, store) }
        try app?.hear(message) { text throws(ConnectionError) in answers.append(text) }
        recorder.flush()
        return answers
      }
    } catch {
      throw ConnectionError("\(error)", isRefusal: true)
    }
  }

  /// An app whose first message tells what it speaks: Reactotron's client or XState's inspector.
  static func app(
    sending message: [UInt8], _ store: ListenedStore
  ) throws(ConnectionError) -> any ListenedApp {
    let type = (try? Value(parsing: message))?["type"]?.string ?? ""
    if type == "client.intro" { return ReactotronApp(store) }
    guard type.hasPrefix("@xstate.") else {
      throw ConnectionError("this app speaks an unknown language")
    }
    return XStateApp(store)
  }

  /// The lines of a whole session.
  private func post(
    _ head: HTTPHead, _ connection: HTTPConnection, _ store: ListenedStore, _ peer: String
  ) throws {
    let origin = head["origin"].map { [("Access-Control-Allow-Origin", $0)] } ?? []
    do {
      let body = try connection.body(
        of: head, limit: Self.longestMessage, until: .now + .seconds(60))
      try admit(store.connection)
      try hearing.withLock {
        var app = StreamedApp(store)
        try app.add(body)
      }
    } catch {
      report(error, peer)
      return try connection.answer("400 Bad Request", headers: origin, body: "\(error)\n")
    }
    try connection.answer("200 OK", headers: origin)
  }
}

extension LiveListener.Admission {
  /// Why a client may not connect; nil if it may.
  func refusal(of head: HTTPHead, from peer: String) -> String? {
    if let origin = head["origin"], !allows(origin, host: head["host"] ?? "") {
      return "pages of \(origin.clipped(to: 200)) may not connect (--origin)"
    }
    guard !Self.isLoopback(peer), !peers.contains(peer) else { return nil }
    return head.parameter("code") == code ? nil : "it does not give the pairing code"
  }

  /// Any page of the web can connect to this machine, so only local ones may. React Native names the
  /// address that it connects to; a page's name in its place could be anybody's.
  private func allows(_ origin: String, host: String) -> Bool {
    let authority = origin.split(separator: "/").dropFirst().first.map(String.init) ?? ""
    let name = Self.name(of: authority)
    return origins.contains(origin) || Self.isLoopback(name)
      || authority == host && SocketAddress.isNumeric(name)
  }

  private static func name(of authority: String) -> String {
    if authority.hasPrefix("[") { return String(authority.dropFirst().prefix { $0 != "]" }) }
    return String(authority.prefix { $0 != ":" })
  }

  package static func isLoopback(_ name: String) -> Bool {
    let plain = name.hasPrefix("::ffff:") ? String(name.dropFirst(7)) : name
    return plain == "localhost" || plain == "::1"
      || plain.hasPrefix("127.") && SocketAddress.isNumeric(plain)
  }
}

extension HTTPHead {
  /// The path without its query and a last slash.
  var path: String {
    let path = start[1].prefix { $0 != "?" }
    return String(path.hasSuffix("/") ? path.dropLast() : path)
  }

  /// A member of the query.
  func parameter(_ name: String) -> String? {
    start[1].split(separator: "?").dropFirst().first?.split(separator: "&")
      .first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
  }
}

/// The language of an app over one connection.
protocol ListenedApp {
  typealias Answer = (_ text: String) throws(ConnectionError) -> Void
  /// Texts that keep an idle connection open.
  var pings: [String] { get }

  mutating func hear(_ message: [UInt8], answer: Answer) throws

  /// The connection has ended.
  func end()
}

extension ListenedApp {
  var pings: [String] { [] }
  func end() {}
}

/// The sessions of one connection.
struct ListenedStore: Sendable {
  let recorder: LiveRecorder
  let connection: Int

  func id(_ name: String) -> String { "\(connection):\(name.clipped(to: 100))" }
}
