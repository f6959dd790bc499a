import Recorder
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@Suite("The edges of the tape") struct TapeEdgesTests {
  struct Failure: Error { let reason = "closed" }

  @Test(
    "Closures without a result, errors that do not encode, and reads of tasks in tasks are kept")
  func edges() async throws {
    let folder = try TemporaryFolder()
    let recorder = SessionRecorder<Int, String>(to: folder("t.retcon"))
    let tape = recorder.tape
    recorder.start(with: 0)
    let track = tape.closure("track") { (name: String) async throws -> Void in
      if name.isEmpty { throw Failure() }
    }
    let fetch = tape.closure("fetch") { (page: Int) async throws -> Int in page }
    recorder.step("a") { 1 }
    await recorder.effect(4) {
      try? await track("opened")
      try? await track("")
      await withTaskGroup(of: Void.self) { group in
        group.addTask { _ = try? await fetch(1) }
      }
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          async let inner = fetch(2); _ = try? await inner
        }
      }
      await Task { _ = try? await fetch(3) }.value
    }
    recorder.finish()
    let session = try SessionReader(path: folder("t.retcon"))
    #expect(session.header.tape == ["track", "fetch"])
    let reads = try session.outsideReads(in: 0...1)
    #expect(reads.map(\.effect) == [4, 4, 4, 4, 4])
    #expect(
      reads.map(\.read.outcome) == [
        .value(.null),
        .failure([
          "type": "RecorderTests.TapeEdgesTests.Failure",
          "description": "Failure(reason: \"closed\")",
        ]), .value(1), .value(2), .value(3),
      ])
  }

  @Test("Closures of every kind that return nothing are on tape in the same line")
  func nothing() async throws {
    let folder = try TemporaryFolder()
    let recorder = SessionRecorder<Int, String>(to: folder("t.retcon"))
    var client = Client()
    client.log = recorder.tape.closure("log", client.log)
    client.check = recorder.tape.closure("check", client.check)
    client.send = recorder.tape.closure("send", client.send)
    recorder.start(with: 0)
    recorder.step("a") { [client] in
      client.log("opened")
      try? client.check(2)
      return 1
    }
    await recorder.effect(4) { [client] in await client.send("it", 3) }
    recorder.finish()
    let session = try SessionReader(path: folder("t.retcon"))
    let reads = try session.step(1).reads + session.outsideReads(in: 0...1).map(\.read)
    #expect(reads.map { Question($0).text } == [#"log("opened")"#, "check(2)", #"send("it", 3)"#])
    #expect(reads.map { $0.outcome == .value(.null) } == [true, false, true])
  }

  private struct Client {
    var log: @Sendable (String) -> Void = { _ in }
    var check: @Sendable (Int) throws -> Void = { _ in throw Failure() }
    var send: @Sendable (String, Int) async -> Void = { _, _ in }
  }
}
