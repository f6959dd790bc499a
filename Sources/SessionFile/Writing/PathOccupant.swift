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
    self = .nothing
    for _ in 0..<Self.patience {
      switch Self.look(at: path) {
      case .found(let occupant):
        self = occupant
        return
      case .empty: self = .other("an empty file")
      case .changing: self = .other("a file that changes all the time")
      }
      sched_yield()
    }
  }

  private enum Look {
    case found(PathOccupant)
    case empty
    case changing
  }

  private static func look(at path: String) -> Look {
    guard let status = fileStatus(of: path) else { return .found(.nothing) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return judged(path)
    case S_IFLNK: return .found(.other("a symbolic link"))
    case S_IFDIR: return .found(.other("a folder"))
    case S_IFIFO: return .found(.other("a named pipe"))
    case S_IFSOCK: return .found(.other("a socket"))
    default: return .found(.other("a device"))
    }
  }

  private static func judged(_ path: String) -> Look {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return .found(.other("a file that may not be read")) }
    let session = PathSession(path: path, descriptor: descriptor)
    guard let identity = session.identity, PartFile.Identity(ofNameAt: path) == identity else {
      return .changing
    }
    if session.isRecorded { return .found(.session(session)) }
    var start = [UInt8](repeating: 0, count: 512)
    let count = start.withUnsafeMutableBytes {
      WholeTransfer.read(into: $0, from: descriptor, at: 0)
    }
    start.removeLast(start.count - (count ?? 0))
    if start.isEmpty { return .empty }
    if HeaderLine.isBegunBy(start) { return .found(.session(session)) }
    return .found(.other("a file that is no session (\(Found(start)))"))
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
    identity = PartFile.Identity(of: descriptor)
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
