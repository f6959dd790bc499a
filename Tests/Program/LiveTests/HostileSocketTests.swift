import Platform
import SessionFile
import TestSupport
import Testing
import ValueTree

@testable import Live

/// Random bytes at Retcon's sockets. `RETCON_SEED` repeats a run, `RETCON_LONG` makes a long one.
@Suite("Hostile bytes at the sockets")
struct HostileSocketTests {
  private static let runs = getenv("RETCON_LONG") == nil ? 1_500 : 500_000
  private static let seed =
    environmentVariable("RETCON_SEED").flatMap { UInt64($0) } ?? .random(in: 0...UInt64.max)

  private static let requests = [
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello",
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\nhello",
    "GET /retcon?code=x HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:3000\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
  ]

  private static let messages = [
    #"{"id":1,"result":{"result":{"type":"undefined"}}}"#,
    #"{"id":2,"error":{"code":-32000,"message":"no"}}"#,
    call(#"[{"start":"a","name":"shop","state":{"n":0},"time":1000,"reduces":true}]"#),
    call(
      #"[{"of":"a","action":{"type":"up"},"time":1001,"patch":[{"op":"add","path":"/n","value":1}]}]"#
    ),
    call(
      #"[{"of":"a","action":{"type":"up","meta":{"requestId":"1"}},"error":"no","stack":"at x","mutated":"/n"}]"#
    ),
    call(#"[{"of":"a","action":null,"lost":"it is too large"},{"start":"b","lost":"x"}]"#),
    #"{"method":"Runtime.bindingCalled","params":{"name":"BINDING","payload":"+[{\"start\":\"","executionContextId":7}}"#,
    #"{"method":"Runtime.bindingCalled","params":{"name":"BINDING","payload":".c\"}]","executionContextId":7}}"#,
    #"{"method":"Target.attachedToTarget","params":{"sessionId":"S","targetInfo":{"type":"iframe"}}}"#,
    #"{"method":"Runtime.executionContextDestroyed","params":{"executionContextId":1}}"#,
  ]

  private static let words = [
    "-5", "0", "1e300", "-1", "9223372036854775808", "\r\n", "\r\n\r\n", "Content-Length: ", ": ",
    "null", "[]", "{}", "\"", "\\ud800", "+", ".", "[[[[[[[[", "\"op\":\"copy\",\"from\":\"\"",
    "\u{0}",
    "\"start\":", "\"of\":\"a\"", "\"patch\":", "\"state\":", "~1", "-",
  ]

  private static func call(_ entries: String) -> String {
    let payload = Value.string("." + entries).text()
    return
      #"{"method":"Runtime.bindingCalled","params":{"name":"BINDING","payload":\#(payload),"executionContextId":1}}"#
  }

  private static func changed(
    _ seeds: [String], by random: inout SeededGenerator
  ) -> [UInt8] {
    var bytes = Array((seeds.randomElement(using: &random) ?? "").utf8)
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 0...8, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes.replaceSubrange(place..<end, with: [])
      case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
      case 2: bytes.insert(contentsOf: (words.randomElement(using: &random) ?? "").utf8, at: place)
      case 3:
        bytes.replaceSubrange(place..<end, with: (words.randomElement(using: &random) ?? "").utf8)
      default:
        let other = Array((seeds.randomElement(using: &random) ?? "").utf8)
        bytes = Array(bytes[..<place] + other[min(place, other.count)...])
      }
    }
    return bytes
  }

  @Test("no bytes trap the reader of HTTP or the debugging client, and what they hold is bounded")
  func random() throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    let sockets = try HostileSockets { "\(path)/\($0).retcon" }
    var random = SeededGenerator(seed: Self.seed)
    for run in 0..<Self.runs {
      let body = sockets.body(of: Self.changed(Self.requests, by: &random))
      #expect(
        body.map { $0.count <= HostileSockets.longestBody } ?? true, "run \(run) of \(Self.seed)")
      sockets.hear(Self.changed(Self.messages, by: &random))
    }
    var share = 0
    #expect(
      sockets.recorder.arriving.change(&share, to: 128 << 20), "memory is kept, seed \(Self.seed)")
    sockets.recorder.finish()
    #expect(sockets.recorder.trouble == nil, "seed \(Self.seed)")
    let summaries = sockets.recorder.summaries
    #expect(!summaries.isEmpty && summaries.count <= 256, "seed \(Self.seed)")
    for summary in summaries {
      let reader = try SessionReader(path: summary.path)
      #expect(reader.steps.upperBound == summary.steps, "seed \(Self.seed): \(summary)")
    }
  }
}
