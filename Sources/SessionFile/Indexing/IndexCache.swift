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
    func variable(_ name: String) -> String? {
      environmentVariable(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    if let folder = variable("XDG_CACHE_HOME") { return IndexCache(folder: folder + "/retcon") }
    #if os(macOS)
      let folder = "/Library/Caches/retcon"
    #else
      let folder = "/.cache/retcon"
    #endif
    return variable("HOME").map { IndexCache(folder: $0 + folder) }
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
    if mkdir(folder, 0o700) != 0, errno == ENOENT {
      mkdir(folder.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }, 0o700)
      mkdir(folder, 0o700)
    }
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
      var status = stat()
      guard stat("\(folder)/\(name)", &status) == 0 else { continue }
      found.append(("\(folder)/\(name)", status.modificationTime.tv_sec))
    }
    for old in found.sorted(by: { $0.time > $1.time }).dropFirst(capacity - 1) { unlink(old.path) }
  }
}

/// What the file system says of a file: by it, one that was touched is told from one that is as it was.
package struct FileStamp: Hashable, Sendable {
  var inode: UInt64 = 0
  var size: UInt64 = 0
  var modified = SystemTime()
  /// A time that no program can set back.
  var changed = SystemTime()

  struct SystemTime: Hashable, Sendable {
    var seconds: Int64 = 0
    var nanoseconds: Int64 = 0
  }

  /// Whether the file was changed so lately that another change would have the same time.
  var isFresh: Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let age =
      (Int64(now.tv_sec) - changed.seconds) * 1_000_000_000 + Int64(now.tv_nsec)
      - changed.nanoseconds
    return age < 100_000_000
  }
}

extension FileStamp.SystemTime {
  init(_ time: timespec) {
    self.init(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
  }
}

extension FileStamp {
  package init(_ status: stat) {
    self.init(
      inode: UInt64(status.st_ino), size: UInt64(clamping: status.st_size),
      modified: SystemTime(status.modificationTime), changed: SystemTime(status.changeTime))
  }

  init?(_ words: inout WordReader) {
    guard let inode = words.next(), let size = words.next(), let modified = SystemTime(&words),
      let changed = SystemTime(&words)
    else { return nil }
    self.init(inode: inode, size: size, modified: modified, changed: changed)
  }

  func write(to words: inout WordWriter) {
    words.add(inode)
    words.add(size)
    for time in [modified, changed] {
      words.add(UInt64(bitPattern: time.seconds))
      words.add(UInt64(bitPattern: time.nanoseconds))
    }
  }
}

extension FileStamp.SystemTime {
  fileprivate init?(_ words: inout WordReader) {
    guard let seconds = words.next(), let nanoseconds = words.next() else { return nil }
    self.init(
      seconds: Int64(bitPattern: seconds), nanoseconds: Int64(bitPattern: nanoseconds))
  }
}
