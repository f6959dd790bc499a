import Platform
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import Live
@testable import SessionFile
@testable import Sockets

/// How much many apps, or hostile ones, may take of Retcon.
@Suite("Limits of live recordings")
struct LiveLimitTests {
  @Test(arguments: ["-5", "+5", "5, 5", "99999999999999999999", "five", ""])
  func aLengthThatIsNoneIsRefusedAndTold(length: String) throws {
    let support = try ListenSupport()
    let head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(length)"
    #expect(try support.answer(to: head, body: "hello").hasPrefix("400"))
    try support.wait { support.refused.withLock { $0.count } == 1 }
    support.listener.end()
  }

  @Test func anEndpointsLengthThatIsNoneIsAnError() throws {
    let port = try ListeningSocket(host: "127.0.0.1", port: 0)
    _ = try SystemThread.start {
      while let socket = port.accept() {
        try? socket.write(Array("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n[]".utf8))
      }
    }
    #expect(throws: ConnectionError.self) {
      try DevToolsTarget.all(at: "127.0.0.1", port: port.port)
    }
    port.end()
  }

  @Test func idleConnectionsKeepNoClientOut() throws {
    let support = try ListenSupport()
    let silent = try (0..<LiveListener.mostStrangers).map { _ in
      try Socket.connect(to: "127.0.0.1", port: support.port)
    }
    let idle = try (0..<LiveListener.mostStrangers).map { _ in try support.connect() }
    let honest = try support.connect("/retcon")
    try honest.send(#"{"retcon":"stream","session":"0123456789"}"#)
    #expect(try honest.hear() == #"{"have":0}"#)
    let told = support.refused.withLock { $0 }
    #expect(told.count > LiveListener.mostStrangers)
    #expect(
      told.allSatisfy { $0 == "ended an idle connection from 127.0.0.1 in favor of a new one" })
    withExtendedLifetime((silent, idle)) {}
    support.listener.end()
  }

  @Test func theNumberOfAppsIsBoundedAndTheRefusalIsTold() throws {
    let support = try ListenSupport()
    func app(_ number: Int) throws -> WebSocket {
      let socket = try support.connect("/retcon")
      try socket.send(#"{"retcon":"stream","session":"session-\#(number)"}"#)
      #expect(try socket.hear() == #"{"have":0}"#)
      return socket
    }
    let apps = try (0..<LiveListener.mostApps).map(app)
    #expect(throws: ConnectionError.self) { try app(100) }
    #expect(
      support.refused.withLock { $0 } == [
        "refused a connection from 127.0.0.1: 16 apps are connected already"
      ])
    apps[0].endNow()
    try support.wait { (try? app(101)) != nil }
    support.listener.end()
  }

  @Test func whatArrivesAtOnceIsBoundedForAllConnections() throws {
    let support = try ListenSupport(arriving: 1 << 20)
    let part = [UInt8](repeating: 0x20, count: 1 << 16)
    // Each of the messages is short enough, and none of them ends.
    let sockets = try (0..<4).map { _ in
      let socket = try Socket.connect(to: "127.0.0.1", port: support.port)
      try socket.write(
        Array(
          """
          GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r
          Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
          """.utf8))
      #expect(try HTTPConnection(socket).head(until: .now + .seconds(20)) != nil)
      try socket.write([0x81, 0xFF, 0, 0, 0, 0, 0x03, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0])
      return socket
    }
    for _ in 0..<16 { for socket in sockets { try? socket.write(part) } }
    try support.wait { !support.refused.withLock { $0.isEmpty } }
    #expect(
      support.refused.withLock { $0[0] }
        == "refused a connection from 127.0.0.1: too much arrives at once from all apps")
    for socket in sockets { socket.end() }
    // Their memory is free again.
    try support.wait {
      var share = 0
      defer { _ = support.recorder.arriving.change(&share, to: 0) }
      return support.recorder.arriving.change(&share, to: 1 << 20)
    }
    support.listener.end()
  }

  @Test func piecesOfAllContextsShareOneLimit() throws {
    var pieces = PagePieces(most: 1_000)
    #expect(try pieces.add("+" + String(repeating: "x", count: 400), from: "a") == nil)
    #expect(throws: ConnectionError.self) {
      try pieces.add("+" + String(repeating: "x", count: 600), from: "b")
    }
    #expect(try pieces.add(".y", from: "a")?.utf8.count == 401)
    #expect(try pieces.add("." + String(repeating: "x", count: 600), from: "b")?.utf8.count == 600)
    for context in 0..<256 { _ = try? pieces.add("+", from: "\(context)") }
    #expect(throws: ConnectionError.self) { try pieces.add("+", from: "one more") }
  }

  @Test func theStatesOfAllStoresShareOneLimit() throws {
    let folder = try TemporaryFolder()
    let budget = MemoryBudget(10_000)
    func session(_ name: String, _ size: Int) throws -> LiveSession {
      let state: Value = ["text": .string(String(repeating: "x", count: size))]
      let start = LiveSession.Start(name: name, state: state, format: "live page")
      return try LiveSession(start, at: "\(folder.path)/\(name).retcon", Redaction(), budget)
    }
    let first = try session("first", 6_000)
    let second = try session("second", 6_000)
    #expect(first.state != nil && second.state == nil)
    try first.add(LiveSession.Entry(action: ["type": "a"], .state(["n": 1])))
    try second.add(
      LiveSession.Entry(
        action: ["type": "a"], .state(["text": .string(String(repeating: "y", count: 6_000))])))
    #expect(second.state != nil)
    try second.add(
      LiveSession.Entry(
        action: ["type": "b"], .state(["text": .string(String(repeating: "z", count: 12_000))])))
    #expect(second.state == nil)
    try second.finish()
    let reader = try SessionReader(path: second.path)
    #expect(throws: SessionError.self) { try reader.state(after: 0) }
    #expect(try reader.state(after: 1)["text"] != nil)
    #expect(
      try reader.signposts(in: 0...2).map(\.text) == [
        "the states of all stores are too large", "the states of all stores are too large",
      ])
  }

  /// 200 stores of one name waited 100 ms each for the lock of the first.
  @Test func aStoreDoesNotWaitForTheLockOfAnotherOneOfItsName() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/shop.retcon"
    let start = LiveSession.Start(name: "shop", state: 0, format: "live page")
    let sessions = try (0..<20).map { _ in try LiveSession(start, at: path, Redaction()) }
    #expect(Set(sessions.map(\.path)).count == 20)
    let identity = try #require(PartFile.identity(at: path))
    #expect(LogFile.isOwn(identity))
    for session in sessions { try session.finish() }
  }

  @Test func moreStoresThanArePossibleAreTold() throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    let refused = Locked<[String]>([])
    let recorder = LiveRecorder(
      redaction: Redaction(), path: { _, number in "\(path)/\(number).retcon" },
      refuse: { words in refused.withLock { $0.append(words) } })
    for number in 0...256 {
      recorder.start("\(number)", LiveSession.Start(name: "a", state: nil, format: "live page"))
    }
    #expect(refused.withLock { $0 } == ["refused a store: a recording has at most 256"])
    recorder.finish()
  }
}
