import Glibc
import SessionFile
import SessionImports
import SessionWords

@testable import Live
@testable import Sockets

/// Called by libFuzzer with the bytes of one side of a connection: a head of HTTP, then frames in whatever
/// pieces. They are refused with a code, or every message is in bounds, and says the same in other pieces. After a
/// letter of its language the input is the messages of an app, a line each.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLive(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeRawBufferPointer(start: start, count: count)
  if let head = try? HTTPHead(input) {
    require(
      head.start.count > 1 && head.headers.count < 100, "a head of \(head.headers.count) lines")
    _ = head.has("upgrade", in: "connection")
    _ = LiveListener.Admission(code: "code").refusal(of: head, from: head.path)
  }
  let text = String(decoding: input, as: UTF8.self)
  _ = HTTPConnection.Place(text)
  _ = JavaScriptText.value(of: text)
  for side in [WebSocketParser.Side.client, .server] {
    let whole = heard(input, side) { count }
    var numbers = InputNumbers(input)
    let pieces = heard(input, side) { numbers.next(in: 1...8) }
    require(whole == pieces, "\(whole) becomes \(pieces) in pieces")
    for case .text(let bytes) in whole.messages {
      require(bytes.count <= limit, "a message of \(bytes.count)")
    }
  }
  let name = LiveName.file(text)
  require(
    (1...60).contains(name.utf8.count) && !name.hasPrefix(".") && !name.utf8.contains(0x2F),
    "a file named \(name)")
  if let first = input.first { talk(first, input.dropFirst()) }
  guard count < 4_000, let sockets else { return 0 }
  let body = sockets.body(of: Array(input))?.count ?? 0
  require(body <= HostileSockets.longestBody, "a body of \(body)")
  sockets.hear(Array(input))
  return 0
}

private let folder = FuzzFolder()
nonisolated(unsafe) private let sockets = try? HostileSockets { folder("page-\($0).retcon") }

/// The sessions of an app can be read, whatever the app says.
private func talk(_ language: UInt8, _ input: Slice<UnsafeRawBufferPointer>) {
  let recorder = LiveRecorder(redaction: Redaction(), path: { folder("\($1).retcon") })
  let store = ListenedStore(recorder: recorder, connection: 1)
  var messages = input.split(separator: UInt8(ascii: "\n")).map(Array.init)
  var app: any ListenedApp
  switch language {
  case UInt8(ascii: "S"): app = SocketClusterApp(store)
  case UInt8(ascii: "P"):
    guard let first = messages.first, let told = try? LiveListener.app(sending: first, store) else {
      return
    }
    app = told
  case UInt8(ascii: "R"):
    app = StreamedApp(store)
    let hello = Array(#"{"retcon":"stream","session":"fuzzed-session"}"#.utf8)
    messages = [hello] + messages.map { $0 + [UInt8(ascii: "\n")] }
  default: return
  }
  do {
    for message in messages {
      try app.hear(message) { answer in
        require(answer.utf8.count < 10_000, "an answer of \(answer.utf8.count) bytes")
      }
    }
  } catch {}
  app.end()
  recorder.leave { _ in true }
  recorder.finish()
  require(recorder.trouble == nil, recorder.trouble ?? "")
  for summary in recorder.summaries {
    do {
      let session = try SessionReader(path: summary.path)
      require(
        session.steps.upperBound == summary.steps && session.isFinished,
        "\(session.steps) of \(summary.steps) steps")
      for step in session.steps.suffix(3) { _ = try? session.state(after: step) }
    } catch {
      require(false, "\(error)")
    }
    unlink(summary.path)
  }
}

private let limit = 1 << 10

private struct Heard: Equatable {
  var messages: [WebSocketMessage] = []
  var fault: WebSocketFault?
}

private func heard(
  _ input: UnsafeRawBufferPointer, _ side: WebSocketParser.Side, _ size: () -> Int
) -> Heard {
  var parser = WebSocketParser(side, limit: limit)
  var heard = Heard()
  var rest = input[...]
  do throws(WebSocketFault) {
    while !rest.isEmpty {
      let piece = rest.prefix(size())
      rest = rest.dropFirst(piece.count)
      try parser.add(UnsafeRawBufferPointer(rebasing: piece)) { heard.messages.append($0) }
    }
  } catch {
    heard.fault = error
  }
  return heard
}
