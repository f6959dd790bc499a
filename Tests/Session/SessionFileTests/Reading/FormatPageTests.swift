import Glibc
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

/// `docs/format.md` says what the code does: its examples are read and written here.
@Suite("The format page") struct FormatPageTests {
  private let blocks: [[String]]

  init() throws {
    let file = try #require(fopen("\(Checkout.root)/docs/format.md", "r"))
    defer { fclose(file) }
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      text += chunk[..<count]
    }
    blocks = String(decoding: text, as: UTF8.self).components(between: "```json\n", and: "```")
      .map { $0.split(separator: "\n").map(String.init) }
  }

  @Test("Each example line is read, and written again as it stands on the page")
  func examples() throws {
    #expect(blocks.count == 11)
    for line in blocks.joined() {
      let value = try Value(parsing: line)
      if line.hasPrefix("{\"retcon\"") {
        #expect(value.text() == line)
      } else {
        let read = try LogLine(value)
        #expect(String(decoding: read.bytes, as: UTF8.self) == line + "\n")
      }
    }
  }

  @Test("The whole small session opens without a notice")
  func wholeSession() throws {
    let folder = try TemporaryFolder()
    let session = try SessionReader(
      path: folder.write(
        try #require(blocks.last).joined(separator: "\n") + "\n", to: "page.retcon"))
    #expect(session.notices == [])
    #expect(session.steps == 0...2)
    #expect(session.tape == ["random", "luck"])
    #expect(session.isFinished)
    #expect(try session.state(after: 2) == ["eyes": 6, "luck": 7])
    try session.examine()
    #expect(session.notices == [])
  }
}

extension String {
  fileprivate func components(between start: String, and end: String) -> [String] {
    ranges(of: start).map { range in
      let rest = self[range.upperBound...]
      return String(rest[..<(rest.firstRange(of: end)?.lowerBound ?? rest.endIndex)])
    }
  }
}
