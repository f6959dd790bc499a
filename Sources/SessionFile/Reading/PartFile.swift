import Platform
import SessionWords

/// An open file, read with `pread` only: a file that is truncated meanwhile gives short reads, not
/// a crash.
package final class PartFile: Sendable {
  let path: String
  private let descriptor: Int32
  /// Device and inode: whether a path still names this file.
  let identity: Identity

  struct Identity: Sendable, Hashable {
    var device: UInt64
    var inode: UInt64
  }

  package init(path: String) throws(SessionError) {
    self.path = path
    // A pipe is not waited for; for a file it makes no difference.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw SessionError(Self.problem(errno), path: path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw SessionError(Self.problem(code), path: path)
    }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      close(descriptor)
      throw SessionError(.isFolder, path: path)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw SessionError(.notASession(found: "a device or a pipe"), path: path)
    }
    identity = Identity(status)
  }

  /// The last component of the path.
  var name: String { String(path.split(separator: "/").last ?? "") }

  deinit { close(descriptor) }

  package var size: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// What the file system says of it now.
  var stamp: FileStamp? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? FileStamp(status) : nil
  }

  /// What the path names now; nil when it names nothing.
  var identityAtPath: Identity? { Self.identity(at: path) }

  static func identity(at path: String) -> Identity? {
    var status = stat()
    return stat(path, &status) == 0 ? Identity(status) : nil
  }

  /// Fills the buffer from an offset of the file; fewer bytes than asked for at its end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SessionError) -> Int
  {
    guard let count = WholeTransfer.read(into: buffer, from: descriptor, at: offset) else {
      throw SessionError(.system(errorText(errno)), path: path)
    }
    return count
  }

  /// Up to `count` bytes from an offset of the file.
  package func bytes(at offset: Int, count: Int) throws(SessionError) -> [UInt8] {
    var failure: SessionError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
      do throws(SessionError) {
        read = try self.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
      } catch {
        failure = error
        read = 0
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Where the first byte stands that is another; the size where there is none.
  func offset(ofFirstByteNot byte: UInt8, size: Int) throws(SessionError) -> Int {
    var offset = 0
    while offset < size {
      let chunk = try bytes(at: offset, count: min(offset == 0 ? 64 : 1 << 16, size - offset))
      guard !chunk.isEmpty else { break }
      if let index = chunk.firstIndex(where: { $0 != byte }) { return offset + index }
      offset += chunk.count
    }
    return size
  }

  static func problem(_ code: Int32, writing: Bool = false) -> SessionError.Problem {
    switch code {
    case ENOENT where !writing: .missing
    case EACCES where !writing, EPERM where !writing: .notPermitted
    case EISDIR: .isFolder
    default: .system(errorText(code))
    }
  }
}

extension PartFile.Identity {
  /// What an open descriptor names.
  init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// What a path names, be it a symbolic link.
  init?(ofNameAt path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }
}

/// The files of a session, seen as one: the parts of a rotated recording follow one another.
struct PartList: Sendable {
  private(set) var parts: [Part] = []

  struct Part: Sendable {
    var file: PartFile
    /// Where the part begins in the whole.
    var base: Int
    /// How many bytes of it are known.
    var size: Int
    /// How many lines the parts before it have.
    var linesBefore: Int
  }

  var end: Int { parts.last.map { $0.base + $0.size } ?? 0 }

  mutating func append(_ file: PartFile, size: Int, linesBefore: Int) {
    parts.append(Part(file: file, base: end, size: size, linesBefore: linesBefore))
  }

  mutating func growLast(to size: Int) { parts[parts.count - 1].size = size }

  func part(holding offset: Int) -> Part {
    parts.last { $0.base <= offset } ?? parts[0]
  }

  /// The bytes of a range that lies in one part.
  func bytes(_ range: Range<Int>) throws(SessionError) -> [UInt8] {
    let part = part(holding: range.lowerBound)
    let bytes = try part.file.bytes(at: range.lowerBound - part.base, count: range.count)
    guard bytes.count == range.count else { throw SessionError(.changed, path: part.file.path) }
    return bytes
  }
}
