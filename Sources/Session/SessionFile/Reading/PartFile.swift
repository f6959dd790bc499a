import Platform
import SessionWords

/// An open file, read with `pread` only: truncation gives short reads, not a crash.
package final class PartFile: Sendable {
  let path: String
  private let descriptor: Int32
  /// Device and inode, to check whether a path still names this file.
  let identity: Identity
  /// The source of the file's lines, if it is one JSON value.
  package let document: Document?

  private let gone = Locked(false)

  struct Identity: Sendable, Hashable {
    var device: UInt64
    var inode: UInt64
  }

  package init(path: String, document: Document? = nil) throws(SessionError) {
    self.path = path
    self.document = document
    // Does not wait for a pipe; no effect on files.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw SessionError(Self.problem(errno), path: path) }
    let status = fileStatus(of: descriptor)
    let problem: SessionError.Problem? =
      switch status.map({ $0.st_mode & S_IFMT }) {
      case S_IFREG?: nil
      case S_IFDIR?: .isFolder
      case .some: .notASession(found: "a device or a pipe")
      case nil: Self.problem(errno)
      }
    guard let status, problem == nil else {
      close(descriptor)
      throw SessionError(problem ?? .missing, path: path)
    }
    identity = Identity(status)
  }

  var name: String { String(path.split(separator: "/").last ?? "") }

  deinit { close(descriptor) }

  /// Of a document the size of its lines.
  package var size: Int { document?.size ?? fileSize }

  var fileSize: Int { fileStatus(of: descriptor).map { Int($0.st_size) } ?? 0 }

  var stamp: FileStamp? { fileStatus(of: descriptor).map { FileStamp($0) } }

  var identityAtPath: Identity? { Self.identity(at: path) }

  static func identity(at path: String) -> Identity? {
    fileStatus(of: path, following: true).map { Identity($0) }
  }

  var isLetGo: Bool { gone.withLock { $0 } }

  /// Reads no more: other bytes at the known places could pass for steps.
  func letGo() { gone.withLock { $0 = true } }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SessionError) -> Int
  {
    guard !isLetGo else { throw SessionError(.changed, path: path) }
    if let document { return try document.read(into: buffer, at: offset, of: path) }
    guard let count = WholeTransfer.read(into: buffer, from: descriptor, at: offset) else {
      throw SessionError(.system(errorText(errno)), path: path)
    }
    return count
  }

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

  /// The next place with stored bytes; what is skipped is zero. A file of terabytes may hold nothing else.
  func nextData(from offset: Int) -> Int {
    guard document == nil else { return offset }
    let found = lseek(descriptor, off_t(offset), Self.seekData)
    return max(offset, found >= 0 ? Int(found) : errno == ENXIO ? fileSize : offset)
  }

  /// `SEEK_DATA`, which the headers show only to GNU programs.
  #if os(Linux)
    private static let seekData: Int32 = 3
  #else
    private static let seekData: Int32 = 4
  #endif

  func offset(ofFirstByteNot byte: UInt8, size: Int) throws(SessionError) -> Int {
    var offset = 0
    while offset < size {
      let chunk = try bytes(at: offset, count: min(offset == 0 ? 64 : 1 << 16, size - offset))
      guard !chunk.isEmpty else { break }
      if let index = chunk.firstIndex(where: { $0 != byte }) { return offset + index }
      offset += chunk.count
      if byte == 0 { offset = min(size, nextData(from: offset)) }
    }
    return size
  }

  static func problem(_ code: Int32, writing: Bool = false) -> SessionError.Problem {
    switch code {
    case ENOENT: writing ? .system("no such folder or file; make the folder first") : .missing
    case EACCES where !writing, EPERM where !writing: .notPermitted
    case EISDIR: .isFolder
    default: .system(errorText(code))
    }
  }
}

/// How far the last large file is read, for who waits.
package enum ReadingPlace {
  private static let last = Locked((place: 0, size: 0))

  static func record(_ place: Int, of size: Int) {
    if size > 16 << 20 { last.withLock { $0 = (place, size) } }
  }

  /// In percent; nil if nothing was read since it was asked before.
  package static func percent() -> Int? {
    let (place, size) = last.withLock { last in
      defer { last = (0, 0) }
      return last
    }
    return size > 0 ? min(100, Int(Double(place) / Double(size) * 100)) : nil
  }
}

extension PartFile.Identity {
  init?(of descriptor: Int32) {
    guard let status = fileStatus(of: descriptor) else { return nil }
    self.init(status)
  }

  init?(ofNameAt path: String) {
    guard let status = fileStatus(of: path) else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }
}

/// The parts of a rotated recording as one file.
struct PartList: Sendable {
  private(set) var parts: [Part] = []

  struct Part: Sendable {
    var file: PartFile
    var base: Int
    var size: Int
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

  func bytes(_ range: Range<Int>) throws(SessionError) -> [UInt8] {
    let part = part(holding: range.lowerBound)
    let bytes = try part.file.bytes(at: range.lowerBound - part.base, count: range.count)
    guard bytes.count == range.count else { throw SessionError(.changed, path: part.file.path) }
    return bytes
  }
}

package enum FirstPart {
  /// The given file or, for a later part, the earliest one before it without a gap.
  package static func find(_ path: String) throws(SessionError) -> PartFile {
    var file = try PartFile(path: path)
    let header = try HeaderLine(file, size: file.size).header
    guard let session = header.session else { return file }
    let names = PartNames(path: path, ofPart: header.part)
    var number = header.part
    while number > 1, case .found(let earlier, _) = Part(number - 1, of: session, names) {
      file = earlier
      number -= 1
    }
    return file
  }
}

enum Part {
  case found(PartFile, HeaderLine)
  case none
  case unreadable(String)

  init(_ number: Int, of session: String, _ names: PartNames) {
    do throws(SessionError) {
      let file = try PartFile(path: names.path(ofPart: number))
      let line = try HeaderLine(file, size: file.size)
      let isPart = line.header.session == session && line.header.part == number
      self = isPart ? .found(file, line) : .none
    } catch {
      switch error.problem {
      case .notPermitted, .system: self = .unreadable(error.what)
      default: self = .none
      }
    }
  }
}

extension ReaderState {
  mutating func scanFurtherParts(of header: SessionHeader) throws(SessionError) {
    guard let session = header.session else { return }
    while let last = parts.parts.last {
      let number = header.part + parts.parts.count - 1
      let names = PartNames(path: last.file.path, ofPart: number)
      switch Part(number + 1, of: session, names) {
      case .found(let file, let line):
        // The recorder begins a part after finishing the one before, which may have grown since.
        try scanOn()
        try scanPart(file, line)
      case .unreadable(let reason):
        return reportOnce(.unreadablePart(number + 1, reason: reason), file: last.file.name)
      case .none:
        guard case .found = Part(number + 2, of: session, names) else { return }
        return reportOnce(.missingPart(number + 1), file: last.file.name)
      }
    }
  }
}
