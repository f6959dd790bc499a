import Live
import Platform
import SessionFile
import SessionWords
import Sockets
import TerminalDriver
import TestSupport
import Testing
import ValueTree

@testable import RetconCommand

@Suite("listen: the command, and stores in JavaScript")
struct ListenCommandTests {
  private let runner: CommandRunner

  init() throws { runner = try CommandRunner() }

  private func read(_ file: Int32, until isEnough: (String) -> Bool) -> String {
    var (text, bytes) = ("", [UInt8](repeating: 0, count: 4096))
    while !isEnough(text), case let count = Platform.read(file, &bytes, bytes.count), count > 0 {
      text += String(decoding: bytes.prefix(count), as: UTF8.self)
    }
    return text
  }

  @Test func theCommandRecordsUntilItIsInterrupted() throws {
    let (output, errors) = (try #require(closingPipe()), try #require(closingPipe()))
    var start = ChildStart(
      BuiltProgram.path("retcon"),
      ["listen", "--port", "0", "-o", "\(runner.folder)/shop.retcon"])
    start.files = [0: .nothing, 1: .descriptor(output.write), 2: .descriptor(errors.write)]
    let child = try start.run()
    close(output.write)
    close(errors.write)
    let told = read(errors.read) { $0.contains("\n") }
    let place = try #require(told.split(separator: "\n").first)
    let port = try #require(UInt16(place.split(separator: " ").last?.filter(\.isNumber) ?? ""))
    #expect(place == "Listening on 127.0.0.1: \(port).")
    let socket = try WebSocket.connect(
      to: HTTPConnection.Place(host: "127.0.0.1", port: port, path: "/socketcluster/"))
    for words in [
      #""type":"INIT","payload":"{\"n\":0}""#,
      #""type":"ACTION","action":{"type":"up"},"payload":"{\"n\":1}""#,
    ] {
      try socket.send(#"{"event":"log","cid":1,"data":{"name":"shop","instanceId":"i",\#(words)}}"#)
      #expect(try socket.receive(until: .now + .seconds(20)) != nil)
    }
    kill(child, SIGINT)
    #expect(Subprocess.end(of: child) == 0)
    #expect(
      read(output.read) { _ in false } == "\(runner.folder)/shop.retcon: 1 action of shop\n")
    let rest = told + read(errors.read) { _ in false }
    #expect(rest.contains("\nWaiting for a store. Ctrl-C ends it.\n"))
    #expect(rest.contains("recorded 1 action of 1 store."))
    for file in [output.read, errors.read] { close(file) }
    #expect(
      try SessionReader(path: "\(runner.folder)/shop.retcon").state(after: 1) == ["n": 1])
  }

  @Test func wordsThatMeanNothingAreRefused() async throws {
    #expect(await runner.run("listen", "x").messages.contains("listen takes no words"))
    #expect(await runner.run("listen", "--port", "x").messages.contains("x is no port"))
  }

  @Test(.needs(.node)) func aStoreInJavaScriptStreams() async throws {
    _ = await runner.run("recorder", "--write", "-o", "$/recorder.mjs")
    _ = try runner.write(
      """
      import { record } from './recorder.mjs';
      const recorder = record({ name: 'shop', to: `ws://127.0.0.1:${process.argv[2]}`, redact: ['token'] });
      recorder.start({ n: 0, token: 'hush' });
      for (let n = 1; n <= 500; n++) recorder.step({ type: 'up', n }, { n, token: 'hush' });
      setInterval(() => {}, 1000);
      """, as: "app.mjs")
    let folder = runner.folder
    let recorder = LiveRecorder(
      redaction: Redaction(), path: { _, _ in "\(folder)/shop.retcon" })
    let listener = LiveListener(recorder, .init())
    let port = try listener.open(host: "127.0.0.1", port: 0)
    var start = ChildStart(
      "node", ["--experimental-websocket", "\(runner.folder)/app.mjs", "\(port)"])
    start.files = [2: .nothing]
    let child = try start.run()
    defer {
      kill(child, SIGKILL)
      _ = Subprocess.end(of: child)
    }
    let deadline = ContinuousClock.now + .seconds(60)
    while recorder.summaries.first?.steps != 500, .now < deadline { poll(nil, 0, 5) }
    listener.end()
    recorder.finish()
    let reader = try SessionReader(path: "\(folder)/shop.retcon")
    #expect(reader.header.app?.name == "shop" && reader.stepCount == 500)
    #expect(try reader.state(after: 500) == ["n": 500, "token": "<redacted>"])
  }
}
