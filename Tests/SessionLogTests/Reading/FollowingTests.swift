import Glibc
import SessionLog
import TestFolder
import Testing
import ValueTree

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

  @Test("A file that is shortened while it is open is noticed and said")
  func truncated() throws {
    let path = try folder.write(header + line(1) + line(2) + line(3), to: "live.retcon")
    let session = try SessionReader(path: path)
    #expect(truncate(path, 40) == 0)
    #expect(throws: SessionError(.changed, path: path)) { try session.state(after: 3) }
    #expect(try session.refresh() == .truncated)
    #expect(
      session.notices.map(\.sentence) == [
        "line 4: the file was shortened while it was open; what is gone cannot be shown. "
          + "Open it again."
      ])
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
        "line 2: the file was replaced while it was open. Open it again."
      ])
  }

  @Test("A file that is written anew in place is noticed")
  func rewritten() throws {
    let path = try folder.write(header + line(1), to: "live.retcon")
    let session = try SessionReader(path: path)
    try folder.write(
      "{\"retcon\":\"1.0\",\"state\":9}\n" + line(1) + line(2), to: "live.retcon")
    #expect(try session.refresh() == .truncated)
  }
}
