import Platform
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import Live
@testable import Sockets

/// Apps that connect to `retcon listen`.
struct ListenSupport {
  let folder: TemporaryFolder
  let recorder: LiveRecorder
  let listener: LiveListener
  let port: UInt16
  let refused = Locked<[String]>([])

  init(
    _ admission: LiveListener.Admission = .init(), redaction: Redaction = Redaction(),
    pause: Duration = .seconds(8), arriving: Int = 128 << 20
  ) throws {
    folder = try TemporaryFolder()
    let path = folder.path
    let refused = refused
    recorder = LiveRecorder(
      redaction: redaction, path: { _, number in "\(path)/\(number).retcon" },
      arriving: MemoryBudget(arriving),
      refuse: { words in refused.withLock { $0.append(words) } })
    listener = LiveListener(recorder, admission, pause: pause)
    port = try listener.open(host: "127.0.0.1", port: 0)
  }

  /// Waits for what another thread does.
  func wait(until isTrue: () -> Bool) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while !isTrue() {
      guard ContinuousClock.now < deadline else { throw ConnectionError("it never came") }
      poll(nil, 0, 5)
    }
  }

  func connect(_ path: String = "/") throws -> WebSocket {
    try WebSocket.connect(
      to: HTTPConnection.Place(host: "127.0.0.1", port: port, path: path))
  }

  func session(_ number: Int = 1) throws -> SessionReader {
    recorder.finish()
    listener.end()
    return try SessionReader(path: "\(folder.path)/\(number).retcon")
  }

  /// Sends a head and returns the first line of the answer.
  func answer(to head: String, body: String = "") throws -> String {
    let socket = try Socket.connect(to: "127.0.0.1", port: port)
    try socket.write(Array("\(head)\r\n\r\n\(body)".utf8))
    let answer = try HTTPConnection(socket).head(until: .now + .seconds(20))
    return answer?.start.dropFirst().joined(separator: " ") ?? ""
  }
}

extension WebSocket {
  func hear() throws -> String {
    String(decoding: try receive(until: .now + .seconds(20)) ?? [], as: UTF8.self)
  }

  /// Sends a message of SocketCluster and waits for its answer.
  @discardableResult
  func ask(_ event: String, _ data: Value, id: Int) throws -> Value {
    try send((["event": .string(event), "data": data, "cid": .number(Number(id))] as Value).text())
    while true {
      let text = try hear()
      if let value = try? Value(parsing: text), value["rid"]?.whole == id { return value }
    }
  }
}

@Suite("listen: other clients")
struct ListenTests {
  @Test func reactotronIsAskedForItsStates() throws {
    let support = try ListenSupport()
    let socket = try support.connect()
    try socket.send(#"{"type":"client.intro","payload":{"name":"Phone"}}"#)
    #expect(try socket.hear().contains("setClientId"))
    #expect(try socket.hear().contains("state.backup.request"))
    func answer(_ state: String) throws {
      try socket.send(#"{"type":"state.backup.response","payload":{"state":\#(state)}}"#)
    }
    try answer(#"{"n":"~~~ zero ~~~","gone":"~~~ undefined ~~~","f":"~~~ go() ~~~"}"#)
    let action =
      #"{"type":"state.action.complete","payload":{"name":"up","action":{"type":"up"},"ms":1}}"#
    try socket.send(action)
    #expect(try socket.hear().contains("state.backup.request"))
    // The second action comes before the answer.
    try socket.send(action)
    try answer(#"{"n":2}"#)
    try socket.send(action)
    #expect(try socket.hear().contains("state.backup.request"))
    socket.endNow()
    try support.wait { support.recorder.summaries.first?.steps == 3 }
    let reader = try support.session()
    #expect(reader.header.app?.name == "Phone" && reader.stepCount == 3)
    #expect(try reader.state(after: 0) == ["n": 0, "f": "go()"])
    #expect(throws: SessionError.self) { try reader.state(after: 1) }
    #expect(try reader.state(after: 2) == ["n": 2])
  }

  @Test func xstateIsASessionForEachRootActor() throws {
    let support = try ListenSupport()
    let socket = try support.connect()
    func send(_ words: String, root: String = "x:0") throws {
      try socket.send(
        #"{"sessionId":"x:0","rootId":"\#(root)","createdAt":"1000","id":null,\#(words)}"#)
    }
    let red = #""snapshot":{"status":"active","value":"red","context":{"n":0},"machine":{}}"#
    try send(#""type":"@xstate.actor","name":"light",\#(red)"#)
    try send(#""type":"@xstate.event","event":{"type":"NEXT"}"#)
    try send(#""type":"@xstate.snapshot","event":{"type":"xstate.init"},\#(red)"#)
    try send(
      #""type":"@xstate.snapshot","event":{"type":"NEXT"},"snapshot":{"status":"active","value":"green"}"#
    )
    try send(#""type":"@xstate.snapshot","event":{"type":"child"},\#(red)"#, root: "x:9")
    try support.wait { support.recorder.summaries.first?.steps == 1 }
    let reader = try support.session()
    #expect(reader.header.app?.name == "light" && reader.stepCount == 1)
    #expect(try reader.state(after: 1) == ["value": "green", "status": "active"])
    #expect(try reader.signposts(in: 0...0).map(\.text).first?.contains("depth of 10") == true)
  }

  private static let header =
    #"{"retcon":"1.1","app":{"name":"\u001b[31mmine"},"state":{"n":0},"#
    + #""session":"0123456789","started":"2026-11-20T10:00:00.000Z","future":1}"# + "\n"

  private func step(_ number: Int) -> String {
    #"{"step":\#(number),"label":"up","action":{"type":"up","token":"hush"},"cause":"user","#
      + #""patch":[{"op":"replace","path":"/n","value":\#(number)}]}"# + "\n"
  }

  @Test func aRecordersStreamGoesOnWhereItBroke() throws {
    let support = try ListenSupport()
    let hello = #"{"retcon":"stream","session":"0123456789"}"#
    let first = try support.connect("/retcon")
    try first.send(hello)
    #expect(try first.hear() == #"{"have":0}"#)
    let begun = Self.header + step(1)
    try first.send(begun)
    #expect(try first.hear() == #"{"have":\#(begun.utf8.count)}"#)
    first.endNow()
    let second = try support.connect("/retcon")
    try second.send(hello)
    #expect(try second.hear() == #"{"have":\#(begun.utf8.count)}"#)
    try second.send(step(2))
    _ = try second.hear()
    let reader = try support.session()
    #expect(support.recorder.summaries.count == 1 && reader.stepCount == 2)
    #expect(try reader.state(after: 2) == ["n": 2])
    #expect(reader.header.session == "0123456789")
  }

  @Test func nothingOfAStreamedHeaderEscapesTheRedaction() throws {
    var redaction = try Redaction(patterns: ["hush"])
    redaction.mustMatch = false
    let support = try ListenSupport(redaction: redaction)
    let body =
      #"{"retcon":"1.1","session":"hush-1234","app":{"name":"a hush","version":"hush","x":"hush"},"#
      + #""started":"hush","tape":["hush"],"redacted":["the hush"],"can":"browse","because":"hush","#
      + #""origin":{"format":"hush","file":"/home/hush","states":"hush","x":"hush"},"x":"hush","#
      + #""state":{"n":"hush"}}"# + "\n"
    let head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)"
    #expect(try support.answer(to: head, body: body) == "200 OK")
    let path = try #require(support.recorder.summaries.first?.path)
    let text = String(decoding: TemporaryFolder.bytes(of: path), as: UTF8.self)
    #expect(text.contains("(asked for)") && !text.contains("hush"), "\(text)")
  }

  @Test func aWholeSessionIsPosted() throws {
    var redaction = Redaction(keys: ["token"])
    redaction.mustMatch = false
    let support = try ListenSupport(redaction: redaction)
    let body = Self.header + step(1)
    func head(_ length: Int) -> String {
      "POST / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:3000\r\nContent-Length: \(length)"
    }
    #expect(try support.answer(to: head(body.utf8.count), body: body) == "200 OK")
    let cut = Self.header + step(7)
    #expect(try support.answer(to: head(cut.utf8.count), body: cut).hasPrefix("400"))
    #expect(try support.answer(to: head(3), body: "{}\n").hasPrefix("400"))
    let reader = try support.session()
    #expect(try reader.step(1).action["token"] == "<redacted>")
    #expect(try reader.state(after: 1) == ["n": 1])
  }

  @Test func behindALostStepStatesAreKnownAgain() throws {
    var redaction = Redaction(keys: ["token"])
    redaction.mustMatch = false
    for redaction in [Redaction(), redaction] {
      let support = try ListenSupport(redaction: redaction)
      let body =
        Self.header + step(1) + #"{"lost":[2,2],"because":"x"}"# + "\n"
        + #"{"step":3,"label":"up","action":1,"state":{"n":3}}"# + "\n" + step(4)
        + #"{"lost":[5,6],"because":"x","state":{"n":6,"token":"hush"}}"# + "\n"
      let head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)"
      #expect(try support.answer(to: head, body: body) == "200 OK")
      let reader = try support.session()
      #expect(reader.steps == 0...6)
      // A lost step may have carried a secret anywhere: what changed in it is taken out.
      let isRedacted = !redaction.isEmpty
      for number in isRedacted ? [1] : [1, 3, 4] {
        #expect(try reader.state(after: number) == ["n": .number(.init(number))])
      }
      if isRedacted { #expect(try reader.state(after: 3) == ["n": "<redacted>"]) }
      #expect(
        try reader.state(after: 6)
          == (isRedacted
            ? ["n": "<redacted>", "token": "<redacted>"] : ["n": 6, "token": "hush"]))
      try reader.examine()
      #expect(!reader.notices.contains { $0.sentence.contains("patch") }, "\(reader.notices)")
    }
  }

  @Test(arguments: [
    ("Origin: http://localhost:3000", "101"), ("Origin: http://[::1]:1", "101"),
    ("Origin: https://shop.example", "403"), ("Origin: null", "403"), ("Origin: ", "403"),
    ("Origin: http://localhost.evil.example", "403"), ("Origin: http://127.evil.example", "403"),
    ("Origin: https://named.example", "101"), ("X: y", "101"),
  ])
  func pagesOfOthersMayNotConnect(header: String, status: String) throws {
    var admission = LiveListener.Admission()
    admission.origins = ["https://named.example"]
    let support = try ListenSupport(admission)
    let head = """
      GET /socketcluster/ HTTP/1.1\r\nHost: shop.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r
      Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\(header)
      """
    #expect(try support.answer(to: head).hasPrefix(status))
    #expect(support.refused.withLock { $0.isEmpty } == (status == "101"))
    support.listener.end()
  }

  @Test func otherMachinesNeedTheCode() throws {
    var admission = LiveListener.Admission(code: "k7md2xq9")
    admission.peers = ["192.168.1.9"]
    func refusal(_ path: String, from peer: String) throws -> String? {
      let head = try HTTPHead(Array("GET \(path) HTTP/1.1\r\nHost: x".utf8))
      return admission.refusal(of: head, from: peer)
    }
    #expect(try refusal("/", from: "127.0.0.1") == nil)
    #expect(try refusal("/", from: "::ffff:127.0.0.1") == nil)
    #expect(try refusal("/", from: "192.168.1.9") == nil)
    #expect(try refusal("/retcon?code=k7md2xq9", from: "192.168.1.8") == nil)
    for path in ["/", "/?code=", "/?code=k7md2xq", "/?code=k7md2xq9x", "/?xcode=k7md2xq9"] {
      #expect(try refusal(path, from: "192.168.1.8") != nil, "\(path)")
    }
    #expect(LiveListener.Admission.newCode() != LiveListener.Admission.newCode())
  }

  @Test(arguments: ["/", "/socketcluster/", "/retcon"])
  func hostileMessagesEndTheConnectionAlone(path: String) throws {
    let support = try ListenSupport()
    let deep = String(repeating: "[", count: 100_000)
    for message in [
      "x", deep, "{}", "[]", "null", #"{"event":7}"#, #"{"type":"client.intro","payload":7}"#,
      #"{"event":"log","data":{"type":"STATE","payload":"{\"stagedActionIds\":[1e300],\"computedStates\":[1]}"}}"#,
      #"{"event":"log","data":{"type":"ACTION","nextActionId":-1e300,"action":"{\"$jsan\":\"$\"}"}}"#,
      #"{"retcon":"stream","session":"../../etc/passwd"}"#,
    ] {
      let socket = try support.connect(path)
      try? socket.send(message)
      try? socket.send(Self.header + step(1))
      try? socket.close()
      while (try? socket.receive(until: .now + .seconds(20))) != nil {}
    }
    support.recorder.finish()
    let names = support.folder.names
    #expect(names.allSatisfy { $0.hasSuffix(".retcon") }, "\(names)")
    support.listener.end()
  }
}
