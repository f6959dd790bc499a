import Platform

/// Caches the indexes of large files, so that reopening one need not read every byte.
///
/// The start of a file identifies its index. The index counts only if the file system reports no
/// change since, and samples of bytes agree; else the file is scanned again. Losing the folder costs
/// only time.
package struct IndexCache: Sendable {
  package var folder: String
  /// Smaller files are scanned faster than their index is checked.
  package var smallestFile = 64 << 20
  /// The most indexes; the least recently used ones go. 0 stores none.
  package var capacity = 32
  /// The most bytes of all indexes.
  package var mostBytes = 512 << 20

  package init(folder: String) { self.folder = folder }

  /// The user's cache folder: `~/.cache/retcon`, or the system's.
  package static var user: IndexCache? {
    #if os(macOS)
      let place = "Library/Caches"
    #else
      let place = ".cache"
    #endif
    return userFolder("XDG_CACHE_HOME", place, environmentVariable).map { IndexCache(folder: $0) }
  }

  func load(
    for file: PartFile, size: Int, firstStep: Int, isInPlace: Bool = false
  ) -> StoredIndex? {
    guard size >= smallestFile, let path = path(for: file),
      let stored = StoredIndex(
        reading: path, of: file, size: size, firstStep: firstStep, isInPlace: isInPlace)
    else { return nil }
    utimes(path, nil)
    return stored
  }

  /// Stores an index without damage. A failed write does not matter.
  func save(_ index: LineIndex, scanned: Int, of file: PartFile) {
    guard capacity > 0, scanned >= smallestFile, index.isInOrder, let path = path(for: file),
      file.document?.failure == nil
    else { return }
    makeFolders(above: path)
    makeRoom(for: 8 * (index.steps.count + index.others.count + index.facts.remarks.count))
    try? StoredIndex.write(index, scanned: scanned, of: file, to: path)
  }

  /// A digest of the file's first bytes, which contain the recording's id.
  private func path(for file: PartFile) -> String? {
    var digest = Digest()
    if file.document != nil {
      // Documents of one tool begin alike.
      guard let stamp = file.stamp else { return nil }
      digest.add(stamp.inode)
    } else {
      guard let start = try? file.bytes(at: 0, count: 4096) else { return nil }
      digest.add(start)
    }
    return "\(folder)/\(String(digest.value, radix: 36)).index"
  }

  private func makeRoom(for size: Int) {
    var found: [(path: String, time: Int, size: Int)] = []
    for name in namesInFolder(folder) where name.hasSuffix(".index") {
      let path = "\(folder)/\(name)"
      guard let status = fileStatus(of: path, following: true) else { continue }
      found.append((path, status.modificationTime.tv_sec, Int(status.st_size)))
    }
    var (count, total) = (1, size)
    for old in found.sorted(by: { $0.time > $1.time }) {
      (count, total) = (count + 1, total + old.size)
      if count > capacity || total > mostBytes { unlink(old.path) }
    }
  }
}

package struct FileStamp: Hashable, Sendable {
  var inode: UInt64 = 0
  var size: UInt64 = 0
  var modified: Int64 = 0
  var changed: Int64 = 0

  /// Whether another change could still get the same time.
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

  var words: [UInt64] {
    [inode, size, UInt64(bitPattern: modified), UInt64(bitPattern: changed)]
  }
}
