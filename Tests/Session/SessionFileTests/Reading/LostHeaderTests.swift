import SessionImports
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import SessionFile

@Suite("A header that is lost takes nothing with it but itself") struct LostHeaderTests {
  private static let header =
    #"{"retcon":"1.0","session":"s1","app":{"name":"Cart"},"can":"replay","tape":["date"],"states":"every","state":{"total":0}}"#
  private static let steps = [
    #"{"step":1,"label":"add","action":1,"cause":"user","patch":[{"op":"replace","path":"/total","value":1}]}"#,
    #"{"step":2,"keyframe":true,"label":"add","action":1,"cause":"user","patch":[{"op":"replace","path":"/total","value":2}],"state":{"total":2}}"#,
    #"{"step":3,"label":"add","action":1,"cause":"user","patch":[{"op":"replace","path":"/total","value":3}]}"#,
  ]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ header: String?) throws -> SessionReader {
    let lines = (header.map { [$0] } ?? []) + Self.steps
    return try SessionOpener.standard.open(
      folder.write(lines.joined(separator: "\n") + "\n", to: "cart.retcon"))
  }

  @Test("without its first line a session opens at its steps")
  func none() throws {
    let session = try open(nil)
    #expect(session.steps == 0...3)
    #expect(try session.step(1).label == "add")
    #expect(try session.state(after: 3) == ["total": 3])
    #expect(throws: SessionError.self) { try session.state(after: 1) }
    let sentence = try #require(session.notices.first?.sentence)
    #expect(
      sentence.hasPrefix("line 1: the header is lost (this is not a session: the first line is "))
    #expect(
      sentence.hasSuffix(
        "states are known from the first whole one on, the rest of it is lost."))
  }

  @Test("the same if no step tells its cause: it is no other tool's log, with other numbers")
  func withoutCauses() throws {
    let lines = Self.steps.suffix(2).map { $0.replacing(#""cause":"user","#, with: "") }
    let session = try SessionOpener.standard.open(
      folder.write(lines.joined(separator: "\n") + "\n", to: "cart.retcon"))
    #expect(session.steps == 1...3)
    #expect(try session.state(after: 3) == ["total": 3])
  }

  @Test("a header that is torn needs no key of ours in the steps behind it")
  func torn() throws {
    for step in [#"{"step":1,"label":"add","action":1}"#, #"{"begin":1,"label":"add","action":1}"#]
    {
      let path = try folder.write("\(Self.header.prefix(60))\n\(step)\n", to: "torn.retcon")
      let session = try SessionOpener.standard.open(path)
      #expect(session.steps == 0...1 && session.header.app?.name == "Cart")
      #expect(try session.step(1).label == "add")
    }
  }

  @Test("zero bytes before the header are left out with a notice")
  func zeros() throws {
    let session = try open(String(repeating: "\0", count: 100) + Self.header)
    #expect(session.header.app?.name == "Cart")
    #expect(try session.state(after: 1) == ["total": 1])
    #expect(session.notices.map(\.finding) == [.zeroBytes(count: 100)])
  }

  @Test("whichever bit of the header is flipped, the session opens, and its keyframes are right")
  func bits() throws {
    let header = Array(Self.header.utf8)
    for place in header.indices {
      for bit in 0..<8 {
        var bytes = header
        bytes[place] ^= 1 << bit
        // A line end makes two lines of one.
        let text = bytes + [10] + Array(Self.steps.joined(separator: "\n").utf8) + [10]
        let path = try folder.write(text, to: "flipped.retcon")
        do {
          let session = try SessionOpener.standard.open(path)
          #expect(session.steps == 0...3, "bit \(bit) of byte \(place)")
          #expect(try session.state(after: 3) == ["total": 3], "bit \(bit) of byte \(place)")
          if bytes[place] != 10 { #expect(session.header.part == 1) }
        } catch let error as SessionError {
          // Retcon cannot read another version, so it cannot report damage.
          guard case .tooNew = error.problem else { throw error }
        }
      }
    }
  }

  @Test("what can be read of a damaged header is used")
  func members() throws {
    let session = try open(Self.header.replacing(#""states":"every""#, with: #""states":"eve#"#))
    #expect(session.header.session == "s1")
    #expect(session.header.app?.name == "Cart")
    #expect(session.header.tape == ["date"])
    #expect(try session.state(after: 1) == ["total": 1])
    guard case .lostHeader(_, let saved)? = session.notices.first?.finding else {
      Issue.record("\(session.notices)")
      return
    }
    #expect(saved == ["session", "app", "can", "tape", "state"])
  }

  @Test("the next part tells what the header of the first one did")
  func nextPart() throws {
    try folder.write(
      #"{"retcon":"1.0","session":"s1","app":{"name":"Cart"},"can":"replay","tape":["date"],"states":"every","part":2,"first":3,"state":{"total":3}}"#
        + "\n", to: "cart.2.retcon")
    let session = try open("garbage")
    #expect(session.header.app?.name == "Cart")
    #expect(session.header.part == 1)
    #expect(session.steps == 0...3)
    #expect(throws: SessionError.self) { try session.state(after: 0) }
  }

  @Test("a file without any step is still no session")
  func noSession() throws {
    for text in ["garbage\n", "{\"step\":1}\n", "\0\0\0"] {
      let path = try folder.write(text, to: "other.txt")
      #expect(throws: SessionError.self) { try SessionReader(path: path) }
    }
  }
}
