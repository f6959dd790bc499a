import Glibc
import SessionWords
import TestSupport
import Testing
import ValueTree

@testable import SessionFile

@Suite("Following a file") struct FollowingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func append(_ text: String) throws {
    let file = try #require(fopen(folder("live.retcon"), "a"))
    fputs(text, file)
    fclose(file)
  }

  private let header = "{\"retcon\":\"1.0\",\"state\":0}\n"

  private func line(_ step: Int) -> String {
    #"{"step":\#(step),"label":"a","action":"a","patch":[{"op":"replace","path":"","value":\#(step)}]}"#
      + "\n"
  }

  @Test("New steps are taken in as the file grows, also when a line comes in two pieces")
  func grows() throws {
    let session = try SessionReader(path: folder.write(header + line(1), to: "live.retcon"))
    #expect(try session.refresh() == .none)
    try append(line(2) + String(line(3).prefix(20)))
    #expect(try session.refresh() == .steps(2...2))
    #expect(session.notices.count == 1)
    try append(String(line(3).dropFirst(20).dropLast()))
    #expect(try session.refresh() == .steps(3...3))
    #expect(session.notices == [])
    try append("\n" + line(4))
    #expect(try session.refresh() == .steps(4...4))
    #expect(try session.state(after: 4) == 4)
    try append("{\"signpost\":\"s\",\"after\":4}\n")
    #expect(try session.refresh() == .lines)
    #expect(try session.signposts(in: 4...4).map(\.text) == ["s"])
    try append("{\"begin\":5,\"label\":\"b\",\"action\":\"b\",\"cause\":\"user\"}\n")
    #expect(try session.refresh() == .lines)
    #expect(session.steps == 0...5)
    #expect(session.notices.count == 1)
    try append(line(5))
    #expect(try session.refresh() == .steps(5...5))
    #expect(try session.state(after: 5) == 5)
    #expect(session.notices == [])
  }

  @Test("What follows a whole last line without a line end belongs to that line")
  func joined() throws {
    for rest in ["", "\r", " ", " x", String(line(3).dropLast())] {
      let path = try folder.write(header + line(1) + line(2).dropLast(), to: "live.retcon")
      let session = try SessionReader(path: path)
      #expect(try session.state(after: 2) == 2)
      for text in [rest, "\n", line(3)] {
        try append(text)
        _ = try session.refresh()
      }
      let whole = try SessionReader(path: path)
      #expect(session.steps == whole.steps)
      #expect(session.notices.filter { $0.finding != .truncated } == whole.notices)
      for step in 1...2 { #expect(try session.step(step) == whole.step(step), "\(rest)") }
    }
  }

  @Test("Steps that began one after the other in a growing file are all there")
  func begunOneByOne() throws {
    let session = try SessionReader(
      path: folder.write(header + "{\"begin\":1,\"label\":\"a\",\"action\":1}\n", to: "live.retcon")
    )
    #expect(session.steps == 0...1)
    try append("{\"begin\":2,\"label\":\"b\",\"action\":2}\n")
    #expect(try session.refresh() == .lines)
    #expect(session.steps == 0...2)
    #expect(try session.step(2).label == "b")
  }

  private func part(_ number: Int, first: Int) -> String {
    #"{"retcon":"1.0","session":"s","part":\#(number),"first":\#(first),"state":\#(first)}"# + "\n"
  }

  @Test("Parts that are begun while a session is open are taken in")
  func parts() throws {
    let path = try folder.write(part(1, first: 0) + line(1), to: "live.retcon")
    let session = try SessionReader(path: path)
    try append(line(2))
    try folder.write(part(2, first: 2), to: "live.2.retcon")
    #expect(try session.refresh() == .steps(2...2))
    try folder.write(part(2, first: 2) + line(3), to: "live.2.retcon")
    try folder.write(part(3, first: 3) + line(4), to: "live.3.retcon")
    try folder.write(part(4, first: 4) + line(5), to: "live.4.retcon")
    #expect(try session.refresh() == .steps(3...5))
    #expect(try session.state(after: 5) == 5)
    #expect(session.notices == [])
  }

  @Test("What a part got between the last look at it and the beginning of the next is not missed")
  func endOfAPart() throws {
    let path = try folder.write(part(1, first: 0) + line(1), to: "live.retcon")
    var state = try SessionReader(path: path).snapshot
    try append(line(2) + line(3))
    try folder.write(part(2, first: 3) + line(4), to: "live.2.retcon")
    let header = try SessionReader(path: path).header
    try state.scanFurtherParts(of: header)
    #expect(state.index.stepRange == 0...4)
    #expect(state.allNotices == [])
  }

  @Test("A part whose header is not whole yet is taken in when it is")
  func torn() throws {
    let path = try folder.write(part(1, first: 0) + line(1), to: "live.retcon")
    let session = try SessionReader(path: path)
    try folder.write(String(part(2, first: 1).prefix(30)), to: "live.2.retcon")
    #expect(try session.refresh() == .none)
    try folder.write(part(2, first: 1) + line(2), to: "live.2.retcon")
    #expect(try session.refresh() == .steps(2...2))
    #expect(session.notices == [])
  }

  @Test("A file that is shortened while it is open is noticed and said")
  func truncated() throws {
    let path = try folder.write(header + line(1) + line(2) + line(3), to: "live.retcon")
    let session = try SessionReader(path: path)
    #expect(truncate(path, 40) == 0)
    #expect(throws: SessionError(.changed, path: path)) { try session.state(after: 3) }
    #expect(try session.refresh() == .truncated)
    #expect(
      session.notices.map(\.sentence) == [
        "the file was shortened or overwritten while it was open; what is gone cannot be shown. "
          + "Open it again."
      ])
  }

  @Test("A file that is overwritten in place is noticed, and none of its new bytes are read")
  func overwritten() throws {
    let lines = (1...200).map(line)
    let path = try folder.write(header + lines.joined(), to: "live.retcon")
    let session = try SessionReader(path: path)
    #expect(try session.refresh() == .none)
    var writes = 0
    func write(_ text: String, at offset: Int) throws {
      let file = try #require(fopen(path, "r+"))
      fseek(file, offset, SEEK_SET)
      fputs(text, file)
      fclose(file)
      writes += 1
      #expect(utimes(path, [timeval(), timeval(tv_sec: writes, tv_usec: 0)]) == 0)
    }
    let offset = header.utf8.count + lines[..<99].joined().utf8.count
    // The same bytes once more are no loss.
    try write(lines[99], at: offset)
    #expect(try session.refresh() == .none)
    #expect(try session.state(after: 50) == 50)
    try write(lines[99].replacing(#""value":100"#, with: #""value":999"#), at: offset)
    #expect(try session.refresh() == .truncated)
    let error = #expect(throws: SessionError(.changed, path: path)) {
      try session.state(after: 100)
    }
    #expect(error?.what == "the file was shortened, overwritten or replaced while it was open")
    #expect(throws: SessionError(.changed, path: path)) { try session.step(150) }
    #expect(try session.refresh() == .truncated)
    #expect(session.notices.count == 1)
  }

  @Test("A file that is replaced while it is open is noticed; what was open stays readable")
  func replaced() throws {
    let path = try folder.write(header + line(1), to: "live.retcon")
    let session = try SessionReader(path: path)
    try folder.write(header, to: "other")
    #expect(rename(folder("other"), path) == 0)
    #expect(try session.refresh() == .replaced)
    #expect(try session.state(after: 1) == 1)
    #expect(
      session.notices.map(\.sentence) == [
        "the file was replaced while it was open. Open it again."
      ])
  }

  @Test("A file that loses its name while it is open is read on, and says so until it has it again")
  func movedAway() throws {
    let session = try SessionReader(path: folder.write(header + line(1), to: "live.retcon"))
    #expect(try session.refresh() == .none)
    try folder.move("live.retcon", to: "elsewhere.retcon")
    #expect(try session.refresh() == .none)
    #expect(
      session.notices.map(\.sentence) == [
        "the file was moved or removed while it was open. Retcon still follows it. "
          + "To keep new marks and forks, open it under its new name."
      ])
    try folder.append(line(2), to: "elsewhere.retcon")
    #expect(try session.refresh() == .steps(2...2))
    #expect(session.notices.count == 1)
    try folder.move("elsewhere.retcon", to: "live.retcon")
    #expect(try session.refresh() == .none)
    #expect(session.notices == [])
  }

  @Test("A file that is written anew in place is noticed")
  func rewritten() throws {
    let path = try folder.write(header + line(1), to: "live.retcon")
    let session = try SessionReader(path: path)
    try folder.write(
      "{\"retcon\":\"1.0\",\"state\":9}\n" + line(1) + line(2), to: "live.retcon")
    #expect(try session.refresh() == .truncated)
  }

  @Test("A file that was shortened and has grown past its old size is not taken for grown")
  func shortenedAndGrown() throws {
    let path = try folder.write(header + line(1) + line(2), to: "live.retcon")
    let session = try SessionReader(path: path)
    #expect(truncate(path, off_t(header.utf8.count)) == 0)
    try append(line(7) + line(8) + line(9))
    #expect(try session.refresh() == .truncated)
    #expect(session.steps == 0...2)
  }

  @Test("Of the parts, an earlier one that is shortened is noticed too")
  func earlierPart() throws {
    let path = try folder.write(part(1, first: 0) + line(1), to: "live.retcon")
    try folder.write(part(2, first: 1) + line(2), to: "live.2.retcon")
    let session = try SessionReader(path: path)
    #expect(session.steps == 0...2)
    #expect(truncate(path, 20) == 0)
    #expect(try session.refresh() == .truncated)
  }
}
