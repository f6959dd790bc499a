import SessionWords

struct StoredIndex {
  let index: LineIndex
  let scanned: Int

  private static func magic(_ isInPlace: Bool, _ document: Document?) -> UInt64 {
    0x3549_5458_4354_5252 ^ (isInPlace ? 1 : 0) ^ (document == nil ? 0 : 2)
  }
  private static let sampleCount = 16
  private static let sampleSize = 4096

  init?(reading path: String, of file: PartFile, size: Int, firstStep: Int, isInPlace: Bool) {
    guard let stored = try? PartFile(path: path), var words = WordReader(stored),
      words.next() == Self.magic(isInPlace, file.document), words.next() == UInt64(firstStep),
      let written = FileStamp(&words), file.stamp == written, let isFresh = words.count(upTo: 1)
    else { return nil }
    var isUsed = false
    if let document = file.document {
      guard let lines = DocumentLines(&words) else { return nil }
      document.use(lines)
    }
    // A document without its index finds its lines again.
    defer { if !isUsed { file.document?.use(nil) } }
    guard let scanned = words.count(upTo: file.document?.size ?? size), let sample = words.next(),
      sample == Self.sample(of: file, scanned: scanned, isWhole: isFresh == 1),
      let facts = LineIndex.Facts(&words, limit: scanned),
      let steps = words.list(), let others = words.list(), words.isProven,
      let index = LineIndex(
        firstStep: firstStep, steps: steps, others: others, facts: facts, end: scanned,
        isInPlace: isInPlace),
      isInPlace || Self.spotCheck(index, in: file)
    else { return nil }
    isUsed = true
    self.index = index
    self.scanned = scanned
  }

  static func write(
    _ index: LineIndex, scanned: Int, of file: PartFile, to path: String
  ) throws(SessionError) {
    var output = try NewFile(path: path, taken: .isReplaced())
    var writer = WordWriter()
    writer.add(magic(index.isInPlace, file.document))
    writer.add(UInt64(index.firstStep))
    let stamp = file.stamp ?? FileStamp()
    stamp.write(to: &writer)
    writer.add(stamp.isFresh ? 1 : 0)
    func flush(_ writer: inout WordWriter) throws(SessionError) {
      try output.append(writer.takeBytes())
    }
    try file.document?.foundLines.write(to: &writer, flush: flush)
    writer.add(UInt64(scanned))
    writer.add(sample(of: file, scanned: scanned, isWhole: stamp.isFresh) ?? 0)
    index.facts.write(to: &writer)
    for list in [index.steps, index.others] { try writer.add(list, flush: flush) }
    writer.add(writer.digest.value)
    try flush(&writer)
    try output.keep()
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

  /// Whether sample lines begin where the index says, with its numbers.
  private static func spotCheck(_ index: LineIndex, in file: PartFile) -> Bool {
    let last = index.steps.count - 1
    return stride(from: 1, through: last, by: max(1, last / 64)).allSatisfy { position in
      let entry = StepEntry(bits: index.steps[position])
      guard let bytes = try? file.bytes(at: entry.offset - 1, count: LineHead.length + 1),
        bytes.first == 0x0A || bytes.first == 0
      else { return false }
      let head = bytes.dropFirst().withUnsafeBufferPointer { LineHead($0) }
      return head.kind == .step && head.number == index.firstStep + position
        && head.isKeyframe == entry.isKeyframe
    }
  }
}

extension LineIndex.Facts {
  init?(_ words: inout WordReader, limit: Int) {
    guard let lineCount = words.count(upTo: limit), let unknownLines = words.count(upTo: limit),
      let first = words.count(upTo: limit + 1), let remarkCount = words.count(upTo: limit)
    else { return nil }
    var remarks: [Int] = []
    for _ in 0..<remarkCount {
      guard let remark = words.count(upTo: limit) else { return nil }
      remarks.append(remark)
    }
    self.init(
      lineCount: lineCount, unknownLines: unknownLines,
      firstUnknownLine: first == 0 ? nil : first - 1, remarks: remarks)
  }

  func write(to words: inout WordWriter) {
    words.add(UInt64(lineCount))
    words.add(UInt64(unknownLines))
    words.add(UInt64(firstUnknownLine.map { $0 + 1 } ?? 0))
    words.add(UInt64(remarks.count))
    for remark in remarks { words.add(UInt64(remark)) }
  }
}

extension ChunkedList {
  func ascends(from start: Int = 0, below end: Int) -> Bool {
    var last: UInt64?
    for position in start..<max(start, count) {
      let offset = self[position] >> 3
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

struct WordWriter {
  private(set) var bytes: [UInt8] = []
  private(set) var digest = Digest()

  mutating func add(_ word: UInt64) {
    digest.add(word)
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func add(_ text: [UInt8]) {
    add(UInt64(text.count))
    for start in stride(from: 0, to: text.count, by: 8) {
      add(text[start..<min(start + 8, text.count)].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
  }

  mutating func add(
    _ list: ChunkedList, flush: (inout WordWriter) throws(SessionError) -> Void
  ) throws(SessionError) {
    add(UInt64(list.count))
    for position in 0..<list.count {
      add(list[position])
      if bytes.count >= 1 << 16 { try flush(&self) }
    }
  }

  mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
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
