/// A folder that other users may not look into. It goes with this value, or when the process ends,
/// in whatever way. Where a process and its ``EndWatcher`` were both killed, the next start removes
/// theirs.
package final class ScratchFolder: Sendable {
  package let path: String
  /// Locked as long as the folder is in use: the number of a process comes again, also in another container.
  private let lock: Int32

  package struct Failure: Error { package var number: Int32 }

  package init(in parent: String = temporaryFolder) throws(Failure) {
    Self.removeAbandoned(in: parent)
    // Six characters, as mkdtemp has.
    let chance = String(UInt32.random(in: 0..<2_176_782_336), radix: 36)
    path = "\(parent)/\(Self.prefix)\(getpid())-\(chance)"
    // First, so that a kill right after the next call leaves nothing behind.
    EndWatcher.send(.remove(path))
    guard mkdir(path, 0o700) == 0 else { throw Failure(number: errno) }
    lock = Self.locked(path) ?? -1
  }

  deinit {
    Self.remove(path)
    if lock >= 0 { close(lock) }
  }

  private static let prefix = "retcon-of-"

  private static func remove(_ path: String) {
    for name in namesInFolder(path) { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  /// Removes this user's folders whose process is gone, beside other work: a large parent takes a while
  /// to read.
  package static func removeAbandonedSoon(in parent: String) {
    _ = try? SystemThread.start(stackSize: 1 << 18) { removeAbandoned(in: parent) }
  }

  private static func removeAbandoned(in parent: String) {
    for name in namesInFolder(parent, with: prefix) {
      let path = "\(parent)/\(name)"
      let process = name.dropFirst(prefix.count).split(separator: "-").first
      guard let process = process.flatMap({ pid_t($0) }), hasEnded(process),
        let lock = locked(path)
      else { continue }
      remove(path)
      close(lock)
    }
  }

  /// The locked folder; nil where another process has it, and for another user's folder or a link.
  private static func locked(_ path: String) -> Int32? {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { return nil }
    // Some file systems have no locks.
    if fileStatus(of: folder)?.st_uid == getuid(),
      flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    {
      return folder
    }
    close(folder)
    return nil
  }
}
