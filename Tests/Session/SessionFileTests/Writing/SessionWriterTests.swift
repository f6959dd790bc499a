import Glibc
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@Suite("Writing") struct SessionWriterTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func step(_ number: Int) -> Step {
    Step(number: number, label: "s", action: ["n": .number(Number(number))])
  }

  private func state(_ number: Int, padding: Int = 2_000) -> Value {
    ["n": .number(Number(number)), "padding": .string(String(repeating: "x", count: padding))]
  }

  @Test("A recording in parts opens as one, from whichever part")
  func parts() throws {
    var options = WritingOptions()
    options.partSize = 4_000
    var header = SessionHeader(state: state(0, padding: 10))
    header.session = "abc"
    let writer = try SessionWriter(path: folder("long.retcon"), header: header, options: options)
    let origin = EffectOrigin(step: 1, file: "a", line: 1)
    for number in 1...100 {
      try writer.append(step(number), state: state(number, padding: 10))
      if number == 1 {
        try writer.append(EffectEvent(effect: 1, step: 1, kind: .started(origin)))
      }
    }
    try writer.finish()
    #expect(folder.names == ["long.2.retcon", "long.3.retcon", "long.retcon"])

    for name in ["long.retcon", "long.2.retcon", "long.3.retcon"] {
      let session = try SessionReader(path: folder(name))
      #expect(session.steps == 0...100)
      #expect(session.notices == [])
      #expect(session.isFinished)
      for number in [0, 1, 50, 99, 100] {
        #expect(try session.state(after: number) == state(number, padding: 10))
      }
      #expect(try session.effectsInFlight(after: 100).map(\.effect) == [1])
    }

    unlink(folder("long.retcon"))
    let rest = try SessionReader(path: folder("long.2.retcon"))
    #expect(rest.header.part == 2)
    #expect(rest.steps.upperBound == 100)
    #expect(rest.header.effects.map(\.effect) == [1])
    #expect(
      try rest.state(after: rest.header.firstStep) == state(rest.header.firstStep, padding: 10))
    #expect(try rest.state(after: 100) == state(100, padding: 10))
  }

  @Test("A part that is missing in the middle is said")
  func missingPart() throws {
    var options = WritingOptions()
    options.partSize = 1_000
    var header = SessionHeader(state: 0)
    header.session = "abc"
    let writer = try SessionWriter(path: folder("long.retcon"), header: header, options: options)
    for number in 1...60 { try writer.append(step(number), state: .number(Number(number))) }
    try writer.finish()
    #expect(folder.names.count > 3)
    unlink(folder("long.2.retcon"))
    let session = try SessionReader(path: folder("long.retcon"))
    #expect(
      session.notices.map(\.finding) == [.missingPart(2)])
  }

  /// Sixty steps in many parts.
  private func writeParts(_ name: String = "long", session: String = "abc") throws {
    var options = WritingOptions()
    options.partSize = 1_000
    options.existing = .keep(0)
    var header = SessionHeader(state: 0)
    header.session = session
    let writer = try SessionWriter(
      path: folder("\(name).retcon"), header: header, options: options)
    for number in 1...60 { try writer.append(step(number), state: .number(Number(number))) }
    try writer.finish()
  }

  @Test(
    "Without its first parts a recording begins with the earliest that lies beside, and says so")
  func earlierParts() throws {
    try writeParts()
    unlink(folder("long.retcon"))
    let session = try SessionReader(path: folder("long.4.retcon"))
    #expect(session.header.part == 2)
    #expect(session.steps.upperBound == 60)
    let first = session.header.firstStep
    #expect(
      session.notices.map(\.sentence) == [
        "long.2.retcon, line 1: part 1 of the recording is not beside this file; "
          + "the session begins with step \(first)."
      ])
    unlink(folder("long.3.retcon"))
    let rest = try SessionReader(path: folder("long.4.retcon"))
    #expect(rest.header.part == 4)
    #expect(rest.steps.upperBound == 60)
    #expect(try rest.state(after: 60) == 60)
  }

  @Test("A file of another recording, or of none, that has the name of a part is not opened")
  func otherRecordings() throws {
    try writeParts()
    let last = folder.names.count
    try folder.write("{\"retcon\":\"1.0\",\"session\":\"x\"}\n", to: "long.\(last + 1).retcon")
    #expect(try SessionReader(path: folder("long.retcon")).steps == 0...60)
    try folder.write("no session", to: "long.\(last + 1).retcon")
    let session = try SessionReader(path: folder("long.retcon"))
    #expect(session.steps == 0...60)
    #expect(session.notices == [])
  }

  @Test("A recording that replaces one removes its parts, and no other file that has such a name")
  func replacing() throws {
    try writeParts()
    try folder.write("{\"retcon\":\"1.0\",\"session\":\"x\",\"part\":3}\n", to: "long.3.retcon")
    let before = folder.bytes("long.3.retcon")
    let names = folder.names
    try writeParts(session: "def")
    #expect(folder.bytes("long.3.retcon") == before)
    let session = try SessionReader(path: folder("long.retcon"))
    #expect(session.header.session == "def")
    #expect(session.steps == 0...60)
    #expect(session.notices == [])
    #expect(folder.names == names)
  }

  @Test("Keyframes take at most a quarter of the file, and no seek has to go far")
  func keyframes() throws {
    let path = folder("keys.retcon")
    let writer = try SessionWriter(path: path, header: SessionHeader(state: state(0)))
    for number in 1...2_000 { try writer.append(step(number), state: state(number)) }
    try writer.finish()
    let lines = folder.text("keys.retcon").split(separator: "\n").dropFirst()
    let keyframes = lines.enumerated().filter { $0.element.contains("\"keyframe\":true") }
    let size = lines.reduce(0) { $0 + $1.utf8.count }
    let stateSize = state(1_000).bytes().count
    #expect(keyframes.count == writer.keyframeCount)
    #expect(keyframes.count * stateSize * 4 <= size)
    #expect(keyframes.count * stateSize * 6 >= size)
    let session = try SessionReader(path: path)
    for number in stride(from: 0, through: 2_000, by: 97) {
      #expect(try session.state(after: number) == state(number))
    }
  }
}
