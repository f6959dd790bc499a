import Platform

/// What the file system says of a file: by it, a file that was edited is told from one that is as it
/// was, or that a recorder has written on since.
struct FileStamp: Hashable {
  var inode: UInt64 = 0
  var size: UInt64 = 0
  var seconds: UInt64 = 0
  var nanoseconds: UInt64 = 0

  /// A file that has grown has another time, too; whether it was edited before that, samples tell.
  func isSameOrGrown(since earlier: FileStamp) -> Bool {
    self == earlier || inode == earlier.inode && size > earlier.size
  }
}

extension FileStamp {
  init(_ status: stat) {
    let time = status.modificationTime
    self.init(
      inode: UInt64(status.st_ino), size: UInt64(clamping: status.st_size),
      seconds: UInt64(bitPattern: Int64(time.tv_sec)),
      nanoseconds: UInt64(bitPattern: Int64(time.tv_nsec)))
  }

  init?(_ words: inout WordReader) {
    guard let inode = words.next(), let size = words.next(), let seconds = words.next(),
      let nanoseconds = words.next()
    else { return nil }
    self.init(inode: inode, size: size, seconds: seconds, nanoseconds: nanoseconds)
  }

  func write(to words: inout WordWriter) {
    for word in [inode, size, seconds, nanoseconds] { words.add(word) }
  }
}
