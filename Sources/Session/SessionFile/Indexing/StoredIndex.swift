import SessionWords

/// A file of lists of words: the identity of the indexed file, its lines, and a digest of all.
struct StoredIndex {
  let index: LineIndex
  let scanned: Int

  private static let sampleCount = 16
  private static let sampleSize = 4096

  /// An index of this file as it is begins with these words.
  private static func heading(
    of file: PartFile, _ stamp: FileStamp, firstStep: Int, isInPlace: Bool
  ) -> [UInt64] {
    let kind: UInt64 = (isInPlace ? 1 : 0) | (file.document == nil ? 0 : 2)
    return [0x3749_5458_4354_5254 | kind, UInt64(firstStep)] + stamp.words
  }

  init?(reading path: String, of file: PartFile, size: Int, firstStep: Int, isInPlace: Bool) {
    guard let stored = try? PartFile(path: path), var words = WordReader(stored),
      let stamp = file.stamp, let heading = words.list(),
      heading.elementsEqual(
        Self.heading(of: file, stamp, firstStep: firstStep, isInPlace: isInPlace))
    else { return nil }
    var isUsed = false
    if let document = file.document {
      guard let lines = DocumentLines(&words) else { return nil }
      document.use(lines)
    }
    // A document without its index finds its lines again.
    defer { if !isUsed { file.document?.use(nil) } }
    guard let seen = words.list(), seen.count == 3,
      let scanned = Int(exactly: seen[1]), scanned <= file.document?.size ?? size,
      seen[2] == Self.sample(of: file, scanned: scanned, isWhole: seen[0] == 1),
      let facts = words.list().flatMap({ LineIndex.Facts($0, limit: scanned) }),
      let steps = words.list(), let others = words.list(), words.isProven,
      let index = LineIndex(
        firstStep: firstStep, steps: steps, others: others, facts: facts, end: scanned,
        isInPlace: isInPlace)
    else { return nil }
    isUsed = true
    self.index = index
    self.scanned = scanned
  }

  static func write(
    _ index: LineIndex, scanned: Int, of file: PartFile, to path: String
  ) throws(SessionError) {
    guard let stamp = file.stamp,
      let sample = sample(of: file, scanned: scanned, isWhole: stamp.isFresh)
    else { return }
    var words = WordWriter(try NewFile(path: path, taken: .isReplaced()))
    try words.add(
      heading(of: file, stamp, firstStep: index.firstStep, isInPlace: index.isInPlace))
    try file.document?.foundLines.write(to: &words)
    try words.add([stamp.isFresh ? 1 : 0, UInt64(scanned), sample])
    try words.add(index.facts.words)
    try words.add(index.steps)
    try words.add(index.others)
    try words.commit()
  }

  /// A digest of bytes from all over the scanned part, with its end; or of all of it.
  private static func sample(of file: PartFile, scanned: Int, isWhole: Bool) -> UInt64? {
    var digest = Digest()
    let last = max(0, scanned - sampleSize)
    let places =
      isWhole
      ? Array(stride(from: 0, to: scanned, by: sampleSize))
      : (0..<sampleCount).map { last / sampleCount * $0 } + [last]
    for start in places {
      guard let bytes = try? file.bytes(at: start, count: min(sampleSize, scanned - start)) else {
        return nil
      }
      digest.add(bytes)
    }
    return digest.value
  }
}

extension LineIndex.Facts {
  init?(_ words: ChunkedList, limit: Int) {
    guard words.count >= 3, words.allSatisfy({ $0 <= UInt64(limit) + 1 }) else { return nil }
    let words = words.map { Int($0) }
    self.init(
      lineCount: words[0], unknownLines: words[1],
      firstUnknownLine: words[2] == 0 ? nil : words[2] - 1, remarks: Array(words[3...]))
  }

  var words: [UInt64] {
    ([lineCount, unknownLines, firstUnknownLine.map { $0 + 1 } ?? 0] + remarks).map { UInt64($0) }
  }
}

extension ChunkedList {
  func ascends(from start: Int = 0, below end: Int) -> Bool {
    var last: UInt64?
    for word in dropFirst(start) {
      let offset = word >> 3
      if let last, offset <= last { return false }
      last = offset
    }
    return last.map { $0 < UInt64(end) } ?? true
  }
}

/// A quick digest against accidents, not against malice.
struct Digest {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ word: UInt64) {
    value = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
    value ^= value >> 29
  }

  mutating func add(_ bytes: [UInt8]) {
    add(UInt64(bytes.count))
    bytes.withUnsafeBytes { buffer in
      var offset = 0
      while offset + 8 <= buffer.count {
        add(buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        offset += 8
      }
      while offset < buffer.count {
        add(UInt64(buffer[offset]))
        offset += 1
      }
    }
  }
}

struct WordWriter: ~Copyable {
  private var file: NewFile
  private var digest = Digest()

  init(_ file: consuming NewFile) { self.file = file }

  private mutating func add(_ word: UInt64) throws(SessionError) {
    digest.add(word)
    try file.append(word)
  }

  mutating func add(_ list: some Collection<UInt64>) throws(SessionError) {
    try add(UInt64(list.count))
    for word in list { try add(word) }
  }

  mutating func add(_ text: [UInt8]) throws(SessionError) {
    try add(UInt64(text.count))
    for start in stride(from: 0, to: text.count, by: 8) {
      try add(
        text[start..<min(start + 8, text.count)].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
  }

  mutating func commit() throws(SessionError) {
    try file.append(digest.value)
    try file.commit()
  }
}

extension NewFile {
  fileprivate mutating func append(_ word: UInt64) throws(SessionError) {
    try withUnsafeBytes(of: word.littleEndian) { (bytes) throws(SessionError) in
      try append(bytes)
    }
  }
}

struct WordReader {
  private let file: PartFile
  private let size: Int
  private var chunk: [UInt8] = []
  private var position = 0
  private var offset = 0
  private var digest = Digest()

  init?(_ file: PartFile) {
    self.file = file
    size = file.size
    guard size.isMultiple(of: 8) else { return nil }
  }

  mutating func next() -> UInt64? {
    guard let word = read() else { return nil }
    digest.add(word)
    return word
  }

  mutating func count(upTo limit: Int) -> Int? {
    next().flatMap { $0 <= UInt64(limit) ? Int($0) : nil }
  }

  mutating func bytes() -> [UInt8]? {
    guard let count = count(upTo: size) else { return nil }
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard let word = next() else { return nil }
      withUnsafeBytes(of: word.littleEndian) { bytes += $0.prefix(count - bytes.count) }
    }
    return bytes
  }

  mutating func list() -> ChunkedList? {
    guard let count = count(upTo: size / 8) else { return nil }
    var list = ChunkedList()
    for _ in 0..<count {
      guard let word = next() else { return nil }
      list.append(word)
    }
    return list
  }

  var isProven: Bool {
    mutating get {
      let expected = digest.value
      return read() == expected && offset + position == size
    }
  }

  private mutating func read() -> UInt64? {
    if position == chunk.count {
      offset += chunk.count
      position = 0
      chunk = (try? file.bytes(at: offset, count: min(1 << 16, size - offset))) ?? []
    }
    guard position + 8 <= chunk.count else { return nil }
    defer { position += 8 }
    return chunk.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    }
  }
}
