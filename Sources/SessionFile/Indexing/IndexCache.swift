import Platform

/// Keeps the indexes of large files, so that opening one again need not look at every byte.
///
/// An index is found by the beginning of its file and believed only when the file was not touched since,
/// by what the file system says, and samples of its bytes and of its lines agree with it; else the
/// file is scanned, and the index written anew. Losing the folder loses nothing but time.
package struct IndexCache: Sendable {
  package var folder: String
  /// Smaller files are scanned faster than their index would be checked.
  package var smallestFile = 64 << 20
  /// The indexes that were used longest ago make room; 0 keeps none.
  package var capacity = 32

  package init(folder: String) { self.folder = folder }

  /// The cache folder of the user: `~/.cache/retcon`, or what the system says instead.
  package static var user: IndexCache? {
    #if os(macOS)
      let place = "Library/Caches"
    #else
      let place = ".cache"
    #endif
    return userFolder("XDG_CACHE_HOME", place, environmentVariable).map { IndexCache(folder: $0) }
  }

  func load(for file: PartFile, size: Int, firstStep: Int) -> StoredIndex? {
    guard size >= smallestFile, let path = path(for: file),
      let stored = StoredIndex(reading: path, of: file, size: size, firstStep: firstStep)
    else { return nil }
    utimes(path, nil)
    return stored
  }

  /// Keeps an index in which nothing is out of order. That it cannot be written is no trouble.
  func save(_ index: LineIndex, scanned: Int, of file: PartFile) {
    guard capacity > 0, scanned >= smallestFile, index.isInOrder, let path = path(for: file)
    else { return }
    makeFolders(above: path)
    makeRoom()
    try? StoredIndex.write(index, scanned: scanned, of: file, to: path)
  }

  /// The name of an index: a digest of the first bytes of its file, which hold the recording's id.
  private func path(for file: PartFile) -> String? {
    guard let start = try? file.bytes(at: 0, count: 4096) else { return nil }
    var digest = Digest()
    digest.add(start)
    return "\(folder)/\(String(digest.value, radix: 36)).index"
  }

  private func makeRoom() {
    var found: [(path: String, time: Int)] = []
    for name in namesInFolder(folder) where name.hasSuffix(".index") {
      let path = "\(folder)/\(name)"
      guard let status = fileStatus(of: path, following: true) else { continue }
      found.append((path, status.modificationTime.tv_sec))
    }
    for old in found.sorted(by: { $0.time > $1.time }).dropFirst(capacity - 1) { unlink(old.path) }
  }
}

/// What the file system says of a file: by it, one that was touched is told from one that is as it was.
package struct FileStamp: Hashable, Sendable {
  var inode: UInt64 = 0
  var size: UInt64 = 0
  /// Since 1970, in nanoseconds.
  var modified: Int64 = 0
  /// A time that no program can set back.
  var changed: Int64 = 0

  /// Whether the file was changed so lately that another change would have the same time.
  var isFresh: Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return now.inNanoseconds &- changed < 100_000_000
  }
}

extension timespec {
  fileprivate var inNanoseconds: Int64 { Int64(tv_sec) &* 1_000_000_000 &+ Int64(tv_nsec) }
}

extension FileStamp {
  package init(_ status: stat) {
    self.init(
      inode: UInt64(status.st_ino), size: UInt64(clamping: status.st_size),
      modified: status.modificationTime.inNanoseconds, changed: status.changeTime.inNanoseconds)
  }

  init?(_ words: inout WordReader) {
    guard let inode = words.next(), let size = words.next(), let modified = words.next(),
      let changed = words.next()
    else { return nil }
    self.init(
      inode: inode, size: size, modified: Int64(bitPattern: modified),
      changed: Int64(bitPattern: changed))
  }

  func write(to words: inout WordWriter) {
    for word in [inode, size, UInt64(bitPattern: modified), UInt64(bitPattern: changed)] {
      words.add(word)
    }
  }
}
