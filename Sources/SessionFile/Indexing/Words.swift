/// Writes little-endian words and counts their digest.
struct WordWriter {
  private(set) var bytes: [UInt8] = []
  private(set) var digest = Digest()

  mutating func add(_ word: UInt64) {
    digest.add(word)
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// What was added since the last time.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }
}

/// Reads little-endian words from a file, some thousand at a time.
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

  /// A word that counts something that is not more than a limit.
  mutating func count(upTo limit: Int) -> Int? {
    next().flatMap { $0 <= UInt64(limit) ? Int($0) : nil }
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

  /// Whether the last word is the digest of all before it.
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
