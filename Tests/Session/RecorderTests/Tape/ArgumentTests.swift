import Recorder
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@Suite("Arguments on the tape") struct ArgumentTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  struct Query: Codable, Sendable {
    var text: String
    var page: Int
  }

  struct Plain: Sendable {
    var name: String
    var size: Double?
  }

  final class Session: Sendable {}
  typealias Done = @Sendable (Int) -> Void

  private func file(
    _ options: RecordingOptions = RecordingOptions(),
    _ work: (Tape, SessionRecorder<Int, String>) async throws -> Void
  ) async throws -> String {
    var options = options
    options.clock = { .zero }
    let recorder = SessionRecorder<Int, String>(to: folder("t.retcon"), options: options)
    recorder.start(with: 0)
    try await work(recorder.tape, recorder)
    recorder.finish()
    return folder.text("t.retcon")
  }

  private func arguments(
    _ work: @escaping @Sendable (Tape) -> Int
  ) async throws -> [[Value]?] {
    _ = try await file { tape, recorder in recorder.step("a") { work(tape) } }
    return try SessionReader(path: folder("t.retcon")).step(1).reads.map(\.arguments)
  }

  @Test("The line of a step holds what its reads were asked with, that of an effect too")
  func lines() async throws {
    let text = try await file { tape, recorder in
      let price = tape.closure("price") { (name: String, count: Int) -> Int in count * 2 }
      let search = tape.closure("search") { (query: Query) async throws -> [String] in [query.text]
      }
      let rate = tape.closure("rate") { () -> Int in 3 }
      recorder.step("a") { price("tea", 4) + rate() }
      await recorder.effect(1) { _ = try? await search(Query(text: "ab", page: 2)) }
    }
    #expect(
      text.split(separator: "\n")[1...2].joined(separator: "\n") == """
        {"step":1,"time":0,"label":"String","action":"a","cause":"user","reads":[\
        {"key":"price","arguments":["tea",4],"value":8},{"key":"rate","value":3}],\
        "patch":[{"op":"replace","path":"","value":11}]}
        {"read":"search","effect":1,"after":1,"time":0,"took":0,"arguments":[{"text":"ab","page":2}],\
        "value":["ab"]}
        """)
  }

  @Test("What is not Encodable is told by its parts, and what has none is not comparable")
  func kinds() async throws {
    let found = try await arguments { tape in
      let plain = tape.closure("plain") { (plain: Plain) -> Int in 1 }
      let call = tape.closure("call") { (url: String, done: @escaping Done) -> Int in 2 }
      let held = tape.closure("held") { (session: Session) -> Int in 3 }
      let path = tape.closure("path") { (path: any KeyPath<Plain, String> & Sendable) -> Int in 4 }
      return plain(Plain(name: "tea", size: 0.5)) + call("x", { _ in }) + held(Session())
        + path(\.name)
    }
    #expect(found.count == 4)
    #expect(found[0] == [["name": "tea", "size": 0.5]])
    #expect(found[1]?[0] == "x")
    for argument in [found[1]?[1], found[2]?[0], found[3]?[0]] {
      guard case .string? = argument?["notComparable"] else {
        Issue.record("\(String(describing: argument)) should not be comparable")
        continue
      }
    }
  }

  @Test("A value that is read in place says what it depends on")
  func inPlace() async throws {
    let found = try await arguments { tape in
      tape.value("fact", arguments: [7, "short"]) { 1 } + tape.value("dice") { 2 }
    }
    #expect(found == [[7, "short"], nil])
  }

  @Test("Elements of two streams of one key are told apart by what the streams were asked with")
  func streams() async throws {
    let text = try await file { tape, recorder in
      let ticks = tape.stream("ticks") { (name: String) in
        AsyncStream<Int> { continuation in
          continuation.yield(name.count)
          continuation.finish()
        }
      }
      recorder.step("a") { 1 }
      await recorder.effect(1) {
        for await _ in ticks("ab") {}
        for await _ in ticks("c") {}
      }
    }
    #expect(
      text.split(separator: "\n").filter { $0.hasPrefix("{\"read\"") }.joined(separator: "\n")
        == """
        {"read":"ticks","effect":1,"after":1,"time":0,"took":0,"arguments":["ab"],"value":[2]}
        {"read":"ticks","effect":1,"after":1,"time":0,"took":0,"arguments":["ab"],"value":[]}
        {"read":"ticks","effect":1,"after":1,"time":0,"took":0,"arguments":["c"],"value":[1]}
        {"read":"ticks","effect":1,"after":1,"time":0,"took":0,"arguments":["c"],"value":[]}
        """)
  }

  @Test("What a redaction names is taken out of arguments, too")
  func redaction() async throws {
    var options = RecordingOptions()
    options.redaction = Redaction(keys: ["text", "login"])
    let text = try await file(options) { tape, recorder in
      let search = tape.closure("search") { (query: Query) -> Int in query.page }
      let login = tape.closure("login") { (name: String) -> Int in 1 }
      recorder.step("a") { search(Query(text: "secret", page: 2)) + login("secret") }
    }
    #expect(!text.contains("secret"))
    let reads = try SessionReader(path: folder("t.retcon")).step(1).reads
    #expect(reads.map(\.arguments) == [[["text": "<redacted>", "page": 2]], ["<redacted>"]])
  }

  @Test("The same question, another one, and one of which nobody can tell")
  func sameness() {
    let opaque: Value = ["notComparable": "F"]
    let secret: Value = ["x": "<redacted>"]
    let table: [(Question, Question, Bool?)] = [
      (Question("a"), Question("a"), true),
      (Question("a"), Question("b"), false),
      (Question("a", [1, "x"]), Question("a", [1, "x"]), true),
      (Question("a", [1, "x"]), Question("a", [2, "x"]), false),
      (Question("a", [1]), Question("a", [1, 2]), false),
      (Question("a", [0.0]), Question("a", [-0.0]), false),
      (Question("a", [1]), Question("a"), nil),
      (Question("a", [opaque]), Question("a", [opaque]), nil),
      (Question("a", [opaque, 1]), Question("a", [opaque, 2]), false),
      (Question("a", [secret]), Question("a", [["x": "tea"]]), nil),
      (Question("date", at: .seconds(1)), Question("date", at: .seconds(2)), false),
      (Question("a", [1], at: .seconds(1)), Question("a", [1], at: .seconds(2)), true),
    ]
    for (one, other, expected) in table {
      #expect(one.isSame(as: other) == expected, "\(one.text) and \(other.text)")
      #expect(other.isSame(as: one) == expected, "\(other.text) and \(one.text)")
    }
  }

  @Test("A question is told as people write it")
  func text() {
    #expect(
      Question("search", ["ab", 3, ["notComparable": "Session"]]).text
        == "search(\"ab\", 3, <Session>)")
    #expect(Question("rate").text == "rate")
    #expect(Question("all", []).text == "all()")
  }
}
