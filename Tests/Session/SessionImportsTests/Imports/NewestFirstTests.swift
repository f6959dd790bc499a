import Platform
import SessionFile
import TestSupport
import Testing
import ValueTree

@testable import SessionImports

@Suite("A list with its newest record first, or its oldest")
struct NewestFirstTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func record(_ number: Int) -> String {
    #"{"type":"state.action.complete","payload":{"name":"tick \#(number)","#
      + #""action":{"type":"tick","n":\#(number),"note":"\#(Self.note)"}},"deltaTime":1,"#
      + #""messageId":\#(number)}"#
  }

  private static let note = String(repeating: "x", count: 700)

  @Test("is the session of the same list with its oldest record first")
  func sameSession() throws {
    let records = (1...4_000).map(record)
    try folder.write("[\(records.joined(separator: ","))]", to: "oldest.json")
    try folder.write("[\(records.reversed().joined(separator: ","))]", to: "newest.json")
    let sessions = try ["oldest.json", "newest.json"].map {
      try SessionOpener.standard.open(folder($0))
    }
    #expect(sessions.map(\.steps) == [0...4_000, 0...4_000])
    for number in [1, 2, 1_311, 1_312, 2_000, 3_999, 4_000] {
      let (left, right) = (try sessions[0].step(number), try sessions[1].step(number))
      #expect(left == right)
      #expect(left.label == "tick \(number)" && left.action["n"] == .number(Number(number)))
    }
  }

  @Test("is found record by record if the oldest is first")
  func pieces() throws {
    // Records that come late are sorted from there on.
    let numbers = Array(1...3_000) + [3_002, 3_001] + (3_003...4_000).reversed()
    try folder.write("[\(numbers.map(record).joined(separator: ","))]", to: "log.json")
    let session = try SessionOpener.standard.open(folder("log.json"), piece: 1)
    #expect(!session.isScanned && session.steps.upperBound < 100)
    while !session.isScanned { _ = try session.refresh() }
    #expect(session.steps == 0...4_000)
    for number in [1, 2_999, 3_001, 3_002, 3_003, 4_000] {
      #expect(try session.step(number).label == "tick \(number)")
    }
  }

  #if os(Linux)
    @Test("is read a few times, not once for each record")
    func readBytes() throws {
      let records = (1...4_000).map(record)
      let text = "[\(records.reversed().joined(separator: ","))]"
      try folder.write(text, to: "newest.json")
      let before = try Self.readBytes()
      #expect(try SessionOpener.standard.open(folder("newest.json")).steps == 0...4_000)
      #expect(try Self.readBytes() - before < 12 * text.utf8.count)
    }

    /// The bytes that this thread has read.
    private static func readBytes() throws -> Int {
      let file = try #require(fopen("/proc/thread-self/io", "r"))
      defer { fclose(file) }
      var line = [UInt8](repeating: 0, count: 64)
      let length = fread(&line, 1, 64, file)
      let words = String(decoding: line[..<length], as: UTF8.self).split { " \n".contains($0) }
      return try #require(words.dropFirst().first.flatMap { Int($0) })
    }
  #endif
}
