import Platform

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
