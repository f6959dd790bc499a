import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import SessionFile

@Suite("A bad line is bad wherever it is read") struct OneJudgementTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func line(_ step: Int, more: String = "") -> String {
    #"{"step":\#(step),"label":"a","action":"a","patch":[{"op":"replace","path":"","value":\#(step)}]\#(more)}"#
  }

  private func open(_ lines: [[UInt8]]) throws -> SessionReader {
    let header = Array(#"{"retcon":"1.0","states":"every","state":0}"#.utf8)
    return try SessionReader(
      path: folder.write(Array(([header] + lines).joined(separator: [0x0A])) + [0x0A], to: "bad"))
  }

  private static let badLines: [(String, [UInt8])] = [
    (
      "invalid UTF-8",
      Array(#"{"step":2,"label":""#.utf8) + [0xFF] + Array(#"","action":1,"patch":[]}"#.utf8)
    ),
    (
      "too deep",
      Array(
        (#"{"step":2,"label":"d","action":"# + String(repeating: "[", count: 5_000)
          + String(repeating: "]", count: 5_000) + #","patch":[]}"#).utf8)
    ),
    ("another number", Array(#"{"step":2,"action":1,"patch":[],"step":1}"#.utf8)),
    ("a label that is none", Array(#"{"step":2,"label":7,"action":1,"patch":[]}"#.utf8)),
    ("a cause that is none", Array(#"{"step":2,"cause":7,"action":1,"patch":[]}"#.utf8)),
    ("a bad escape", Array(#"{"step":2,"label":"\q","action":1,"patch":[]}"#.utf8)),
  ]

  @Test(
    "its step is damaged, states are lost up to the next that is told, and there is one notice",
    arguments: badLines)
  func everywhere(name: String, bad: [UInt8]) throws {
    let lines =
      [Array(line(1).utf8), bad, Array(line(3).utf8)]
      + [#"{"step":4,"label":"a","action":"a","state":40}"#, line(5)].map { Array($0.utf8) }
    func expectOneNotice(_ session: SessionReader) {
      #expect(session.notices.count == 1)
      #expect(
        session.notices.first?.sentence.hasPrefix("line 3 cannot be read: ") == true
      )
    }
    let session = try open(lines)
    for step in [2, 3] {
      #expect(throws: SessionError.self) { try session.state(after: step) }
    }
    expectOneNotice(session)
    #expect(try session.state(after: 1) == 1)
    #expect(try session.state(after: 4) == 40)
    #expect(try session.state(after: 5) == 5)
    #expect(try session.step(2).damage == "the line of this step cannot be read")
    #expect(try session.step(3).damage == nil)
    expectOneNotice(session)
    let examined = try open(lines)
    try examined.examine()
    expectOneNotice(examined)
    let looked = try open(lines)
    #expect(try looked.step(2).damage != nil)
    expectOneNotice(looked)
  }

  @Test("Behind missing steps, a step that holds its whole state is a beginning, keyframe or not")
  func behindMissing() throws {
    let session = try open(
      [line(1), line(4), #"{"step":5,"action":"a","state":50}"#, line(6)].map { Array($0.utf8) })
    #expect(throws: SessionError.self) { try session.state(after: 3) }
    #expect(throws: SessionError.self) { try session.state(after: 4) }
    #expect(try session.state(after: 5) == 50)
    #expect(try session.state(after: 6) == 6)
  }

  @Test("Odd lines do not hide each other")
  func odd() throws {
    let session = try open(
      [
        #"{"step":-1,"action":1}"#, line(1), #"{"begin":"x","action":1}"#, "",
        #"{"step":999999999999999999999,"action":1}"#, #"{"wow" 1}"#, #"{"wow":1}"#, line(2),
        #"{"wow":2}"#, #"{"much":2}"#,
      ].map { Array($0.utf8) })
    #expect(session.steps == 0...2)
    #expect(
      session.notices.map(\.sentence) == [
        "line 2 cannot be read: its step number is not 0 or more.",
        "line 4 cannot be read: its step number is not 0 or more.",
        "line 6 cannot be read: its step number is not 0 or more.",
        "line 7 cannot be read: it is not JSON: expected :, found 1, column 8.",
        "line 8: 4 lines of a kind that this program does not know (\"wow\") are ignored.",
      ])
    let notices = session.notices
    try session.examine()
    #expect(session.notices == notices)
  }

  @Test("What a further part's header holds is a beginning, where the part before it was torn")
  func tornPart() throws {
    func header(_ part: Int, first: Int) -> String {
      #"{"retcon":"1.0","session":"s","states":"every","part":\#(part),"first":\#(first),"state":\#(first)}"#
        + "\n"
    }
    try folder.write(
      header(2, first: 4) + line(5) + "\n" + line(6) + "\n", to: "q.2.retcon")
    let path = try folder.write(
      header(1, first: 0) + line(1) + "\n" + line(2) + "\n" + line(3).prefix(20), to: "q.retcon")
    let session = try SessionReader(path: path)
    #expect(session.steps == 0...6)
    #expect(throws: SessionError.self) { try session.state(after: 3) }
    #expect(try session.state(after: 4) == 4)
    #expect(try session.state(after: 6) == 6)
    #expect(try SessionReader(path: path).state(after: 5) == 5)
    try session.examine()
    #expect(
      session.notices.map(\.sentence) == [
        "q.retcon, line 4 is incomplete and was left out; 2 steps are intact.",
        "q.2.retcon, line 2: steps 3 to 4 are missing before it; states are unknown from there to "
          + "the next keyframe.",
      ])
  }
}
