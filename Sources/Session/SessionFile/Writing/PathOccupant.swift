import Platform
import SessionWords

enum PathOccupant {
  case nothing
  case session(PathSession)
  /// Something never to touch, in words.
  case other(String)

  /// A recorder needs a moment from creating its file to its first line.
  private static let patience = 1_000

  init(at path: String) {
    var look = Self.look(at: path)
    for _ in 1..<Self.patience where !look.isSettled {
      sched_yield()
      look = Self.look(at: path)
    }
    self = look.occupant
  }

  private typealias Look = (occupant: PathOccupant, isSettled: Bool)

  private static func look(at path: String) -> Look {
    guard let status = fileStatus(of: path) else { return (.nothing, true) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return judged(path)
    case S_IFLNK: return (.other("a symbolic link"), true)
    case S_IFDIR: return (.other("a folder"), true)
    case S_IFIFO: return (.other("a named pipe"), true)
    case S_IFSOCK: return (.other("a socket"), true)
    default: return (.other("a device"), true)
    }
  }

  private static func judged(_ path: String) -> Look {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return (.other("a file that may not be read"), true) }
    let session = PathSession(path: path, descriptor: descriptor)
    guard let identity = session.identity, PartFile.Identity(ofNameAt: path) == identity else {
      return (.other("a file that changes all the time"), false)
    }
    if session.isRecorded { return (.session(session), true) }
    var start = [UInt8](repeating: 0, count: 512)
    let count = start.withUnsafeMutableBytes {
      WholeTransfer.read(into: $0, from: descriptor, at: 0)
    }
    start.removeLast(start.count - (count ?? 0))
    if start.isEmpty { return (.other("an empty file"), false) }
    if HeaderLine.isBegunBy(start) { return (.session(session), true) }
    return (.other("a file that is no session (\(Found(start)))"), true)
  }
}

extension SessionReader {
  package var isBeingRecorded: Bool {
    guard let first = snapshot.parts.parts.first?.file.path,
      case .session(let session) = PathOccupant(at: first)
    else { return false }
    return session.isRecorded
  }
}

/// An existing session. While this object lives, no recorder can claim it, and no one can rename
/// it.
final class PathSession {
  let path: String
  let identity: PartFile.Identity?
  let isRecorded: Bool
  private let descriptor: Int32

  fileprivate init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
    let identity = PartFile.Identity(of: descriptor)
    self.identity = identity
    guard identity.map(LogFile.isOwn) != true else {
      isRecorded = true
      return
    }
    // Readers and starting processes hold the lock for a moment.
    isRecorded = !(0..<20).contains { attempt in
      if attempt > 0 { poll(nil, 0, 5) }
      return flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }
  }

  deinit { close(descriptor) }

  var header: SessionHeader? {
    guard let file = try? PartFile(path: path), file.identity == identity else { return nil }
    return try? HeaderLine(file, size: file.size).header
  }
}
