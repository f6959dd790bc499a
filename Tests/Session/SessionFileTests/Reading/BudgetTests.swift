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
    let whole = try SessionReader(path: path)
    #expect(whole.steps == 0...3)
    #expect(try whole.step(1).label == "a" && whole.step(2).label == "a")
    try whole.examine()
    #expect(try SessionTrimmer(whole).trim(1...3, to: folder("copy.retcon")).lostLines == 1)
    #expect(try SessionReader(path: folder("copy.retcon")).steps == 0...3)
    let empty = try folder.write("", to: "empty.retcon")
    #expect(truncate(empty, off_t(size)) == 0)
    #expect(throws: SessionError.self) { try SessionReader(path: empty) }
  }

  @Test("lines between two steps that take more than the budget are refused, and can be counted")
  func between() throws {
    let read = #"{"read":"clock","after":1,"value":[1,2]}"# + "\n"
    let text = Self.header + line(1) + String(repeating: read, count: 1_000) + line(2)
    let session = try SessionReader(path: try folder.write(text, to: "a.retcon"))
    #expect(
      throws: SessionError(.tooManyLines("reads", megabytes: 0), path: session.path)
    ) { try session.lines(of: .read, in: 0...2, most: 100_000) { $0 } }
    #expect(try session.outsideReads(in: 0...2).count == 1_000)
    #expect(try session.keysOfUnownedReads() == ["clock"])
    #expect(try session.counts(in: 0...2) == (0, 1_000, 0))
    var trimmer = SessionTrimmer(session)
    trimmer.mostBetween = 10 * read.utf8.count
    let copy = folder("copy.retcon")
    #expect(try trimmer.trim(1...2, to: copy).leftOut == 990)
    let reader = try SessionReader(path: copy)
    #expect(try reader.outsideReads(in: 0...2).count == 10 && reader.steps == 0...2)
    #expect(reader.lostLineCount == 990)
  }

  @Test("a line that is too long is not read, and those behind it are")
  func long() throws {
    let start = Self.header + #"{"step":1,"label":""#
    let path = try folder.write(start, to: "a.retcon")
    #expect(truncate(path, off_t(LineIndex.longestLine + 1_000)) == 0)
    let file = open(path, O_WRONLY | O_APPEND)
    let rest = Array(("\"}\n" + line(2)).utf8)
    #expect(write(file, rest, rest.count) == rest.count)
    close(file)
    let session = try SessionReader(path: path)
    try session.examine()
    #expect(
      session.notices.map(\.finding) == [
        .badLine(reason: "it has more than 80 MB"), .missingSteps(1...1),
      ])
    let copy = folder("copy.retcon")
    #expect(try SessionTrimmer(session).trim(1...2, to: copy).lostLines == 1)
    #expect(try SessionReader(path: copy).step(2).label == "a")
  }

  @Test("each damaged line counts once")
  func damage() throws {
    let text = Self.header + String(repeating: "x\n", count: 300) + line(1)
    let session = try SessionReader(path: try folder.write(text, to: "a.retcon"))
    try session.examine()
    let told = session.notices.reduce(0) {
      if case .more(let count) = $1.finding { $0 + count } else { $0 + 1 }
    }
    #expect(told == 300)
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
