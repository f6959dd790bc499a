import Platform
import SessionWords
import TestSupport
import Testing

@testable import SessionFile

@Suite("What a file may take") struct BudgetTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let header = #"{"retcon":"1.0","state":0}"# + "\n"

  private func line(_ step: Int) -> String {
    #"{"step":\#(step),"label":"a","action":"a"}"# + "\n"
  }

  @Test(
    "lines above the limit are left out, and a notice says how many bytes",
    arguments: ["\n", "x\n"])
  func lines(blank: String) throws {
    let text = Self.header + line(1) + String(repeating: blank, count: 100) + line(2)
    let file = try PartFile(path: try folder.write(text, to: "a.retcon"))
    let session = try SessionReader(file: file, mostLines: 52)
    #expect(session.steps == 0...1)
    let left = 50 * blank.utf8.count + line(2).utf8.count
    let notice = session.notices.first {
      if case .tooManyLines = $0.finding { true } else { false }
    }
    #expect(notice?.finding == .tooManyLines(most: 52, leftOut: left))
    #expect(try session.refresh() == .none)
    #expect(try SessionReader(file: file).steps == 0...2)
  }

  @Test("a step that skips more numbers than there may be lines is out of order")
  func gaps() throws {
    let file = try PartFile(
      path: try folder.write(Self.header + line(1) + line(1_000) + line(2), to: "a.retcon"))
    let session = try SessionReader(file: file, mostLines: 500)
    #expect(session.steps == 0...2)
    #expect(session.notices.map(\.finding) == [.outOfOrder(step: 1_000, after: 1)])
  }

  @Test("a sparse file of 200 GB is read like an empty end")
  func sparse() throws {
    let path = try folder.write(Self.header + line(1), to: "a.retcon")
    let size = 200 << 30
    #expect(truncate(path, off_t(size)) == 0)
    let session = try SessionReader(path: path)
    #expect(session.steps == 0...1)
    let zeros = size - (Self.header + line(1)).utf8.count
    #expect(session.notices.map(\.finding) == [.zeroBytes(count: zeros)])
    // Behind the hole it goes on.
    let file = open(path, O_WRONLY | O_APPEND)
    let rest = Array((line(2) + line(3)).utf8)
    #expect(write(file, rest, rest.count) == rest.count)
    close(file)
    #expect(try session.refresh() == .steps(2...3))
    #expect(try SessionReader(path: path).steps == 0...3)
    let empty = try folder.write("", to: "empty.retcon")
    #expect(truncate(empty, off_t(size)) == 0)
    #expect(throws: SessionError.self) { try SessionReader(path: empty) }
  }

  @Test("of steps that began and never ended, each reads only the lines before the next one")
  func begun() throws {
    let begins = (1...1_000).map { #"{"begin":\#($0),"label":"a","action":"a"}"# + "\n" }
    let path = try folder.write(Self.header + begins.joined(), to: "a.retcon")
    let session = try SessionReader(path: path)
    #expect(session.steps == 0...1_000)
    let looks = LookCount()
    try looks.counting { for number in session.steps { _ = try session.step(number) } }
    #expect(looks.count < 100)
  }

  @Test("the indexes of all files take at most so many bytes; the oldest go")
  func cache() throws {
    let places = try TemporaryFolder()
    var cache = IndexCache(folder: places.path)
    (cache.smallestFile, cache.mostBytes) = (1, 6_000)
    for number in 1...4 {
      let header = #"{"retcon":"1.0","session":"\#(number)","state":0}"# + "\n"
      let path = try folder.write(header + (1...200).map(line).joined(), to: "\(number).retcon")
      _ = try SessionReader(path: path, indexCache: cache)
    }
    let sizes = places.names.compactMap { fileStatus(of: places($0)).map { Int($0.st_size) } }
    #expect(sizes.count == 3 && sizes.reduce(0, +) <= 6_000, "\(sizes)")
  }
}
