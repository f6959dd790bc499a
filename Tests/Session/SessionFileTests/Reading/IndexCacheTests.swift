import Glibc
import SessionFile
import SessionWords
import TestSupport
import Testing
import ValueTree

@Suite("The index of a large file") struct IndexCacheTests {
  let folder: TemporaryFolder
  let cacheFolder: TemporaryFolder
  let cache: IndexCache

  init() throws {
    folder = try TemporaryFolder()
    cacheFolder = try TemporaryFolder()
    var cache = IndexCache(folder: cacheFolder.path)
    cache.smallestFile = 1
    self.cache = cache
  }

  private func write(_ steps: ClosedRange<Int>, to name: String = "big.retcon") throws -> String {
    let writer = try SessionWriter(path: folder(name), header: SessionHeader(state: 0))
    for number in steps {
      try writer.append(
        Step(number: number, label: "s", action: ["n": .number(Number(number))]),
        state: .number(Number(number)))
      if number.isMultiple(of: 10) { try writer.append(Signpost("\(number)", step: number)) }
    }
    try writer.append(LogLine.tape(key: "late"))
    try writer.finish()
    return folder(name)
  }

  private func expectWhole(_ session: SessionReader, last: Int) throws {
    #expect(session.steps == 0...last)
    #expect(session.notices == [])
    #expect(session.isFinished)
    #expect(session.tape == ["late"])
    for number in stride(from: 0, through: last, by: 7) {
      #expect(try session.state(after: number) == .number(Number(number)))
    }
    #expect(try session.signposts(in: session.steps).count == last / 10)
  }

  /// An index that is written anew is another file.
  private func inode(_ path: String) -> UInt {
    var status = stat()
    return stat(path, &status) == 0 ? UInt(status.st_ino) : 0
  }

  @Test("An index is kept, and the file opens with it as without")
  func kept() throws {
    let path = try write(1...500)
    try expectWhole(SessionReader(path: path, indexCache: cache), last: 500)
    #expect(cacheFolder.names.count == 1)
    let kept = inode(cacheFolder(cacheFolder.names[0]))
    try expectWhole(SessionReader(path: path, indexCache: cache), last: 500)
    #expect(inode(cacheFolder(cacheFolder.names[0])) == kept, "it was not believed")
  }

  @Test("What was appended since is taken in behind the kept index")
  func grown() throws {
    let path = try write(1...500)
    _ = try SessionReader(path: path, indexCache: cache)
    let file = try #require(fopen(path, "a"))
    fputs("{\"step\":501,\"label\":\"s\",\"action\":1,\"patch\":[]}\n", file)
    fclose(file)
    let session = try SessionReader(path: path, indexCache: cache)
    #expect(session.steps == 0...501)
    #expect(try session.state(after: 501) == 500)
  }

  @Test("An index is not believed when the file, or the index itself, is another")
  func disbelieved() throws {
    let path = try write(1...500)
    _ = try SessionReader(path: path, indexCache: cache)
    unlink(path)
    _ = try write(1...400)
    try expectWhole(SessionReader(path: path, indexCache: cache), last: 400)

    unlink(path)
    _ = try write(1...500)
    _ = try SessionReader(path: path, indexCache: cache)
    let name = cacheFolder.names[0]
    let index = cacheFolder.bytes(name)
    for place in stride(from: 0, to: index.count, by: 97) {
      var damaged = index
      damaged[place] ^= 0x10
      try cacheFolder.write(damaged, to: name)
      try expectWhole(SessionReader(path: path, indexCache: cache), last: 500)
    }
    try cacheFolder.write(Array(index.dropLast(40)), to: name)
    try expectWhole(SessionReader(path: path, indexCache: cache), last: 500)
  }

  @Test("An index is not believed when a line between its samples was edited")
  func edited() throws {
    let path = try write(1...4_000)
    try expectWhole(SessionReader(path: path, indexCache: cache), last: 4_000)
    // The border between two lines moves by a byte; all else stays, the size too.
    let text = folder.text("big.retcon")
    let border = "}\n{\"step\":2031,"
    #expect(text.contains(border))
    let edited = text.replacing(border, with: "} \n{\"step\":203,")
    #expect(edited.utf8.count == text.utf8.count)
    try folder.write(edited, to: "big.retcon")
    let session = try SessionReader(path: path, indexCache: cache)
    let other = try SessionReader(path: path)
    #expect(session.notices == other.notices)
    #expect(session.notices.count == 3)
  }

  @Test(
    "A step that was blanked in the middle is noticed, also when the file has grown since",
    arguments: [false, true])
  func blanked(hasGrown: Bool) throws {
    let path = try write(1...9_000)
    _ = try SessionReader(path: path, indexCache: cache)
    var bytes = folder.bytes("big.retcon")
    let line = Array("{\"step\":5431,".utf8)
    let place = try #require(
      (0..<bytes.count - line.count).first { bytes[$0..<$0 + line.count].elementsEqual(line) })
    let end = try #require(bytes[place...].firstIndex(of: 0x0A))
    // In the file itself, so that it stays the same file.
    let file = open(path, O_WRONLY)
    defer { close(file) }
    bytes.replaceSubrange(place..<end, with: [UInt8](repeating: 0x20, count: end - place))
    _ = bytes[place..<end].withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, off_t(place)) }
    if hasGrown {
      try folder.append("{\"signpost\":\"late\",\"after\":9000}\n", to: "big.retcon")
    }
    let session = try SessionReader(path: path, indexCache: cache)
    #expect(session.notices == (try SessionReader(path: path)).notices)
    #expect(session.notices.contains { $0.finding == .missingSteps(5431...5431) })
  }

  @Test("The indexes that were not used for longest make room")
  func room() throws {
    var cache = cache
    cache.capacity = 2
    for number in 1...4 {
      let path = try write(1...(number * 20), to: "\(number).retcon")
      let text = folder.text("\(number).retcon")
      let renamed = text.replacing("\"can\":", with: "\"session\":\"\(number)\",\"can\":")
      try folder.write(renamed, to: "\(number).retcon")
      _ = try SessionReader(path: path, indexCache: cache)
    }
    #expect(cacheFolder.names.count == 2)
  }

  @Test("A cache without room keeps nothing, and the file opens all the same", arguments: [0, -1])
  func noRoom(capacity: Int) throws {
    var cache = cache
    cache.capacity = capacity
    let path = try write(1...500)
    try expectWhole(SessionReader(path: path, indexCache: cache), last: 500)
    #expect(cacheFolder.names == [])
  }
}
