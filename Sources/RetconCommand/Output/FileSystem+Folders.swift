import Platform

extension FileSystem {
  /// A new folder that nobody else has, for files that live as long as the process. Its name holds
  /// the process, so that what a killed one left is removed by the next.
  static func temporaryFolder(in environment: [String: String]) throws -> String {
    let parent = environment["TMPDIR"] ?? "/tmp"
    removeAbandonedFolders(in: parent)
    var template = Array("\(parent)/\(prefix)\(getpid())-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw UsageError(
        what: "cannot make a folder in \(parent): \(errorText(errno))",
        next: "Set TMPDIR to a folder that can be written")
    }
    return String(cString: made)
  }

  /// Removes a folder of this program's own making, with the files in it.
  static func removeFolder(_ path: String) {
    for name in namesInFolder(path) { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  private static let prefix = "retcon-of-"

  /// Folders of this user whose process is gone.
  private static func removeAbandonedFolders(in parent: String) {
    for name in namesInFolder(parent) where name.hasPrefix(prefix) {
      let path = "\(parent)/\(name)"
      guard
        let process = name.dropFirst(prefix.count).split(separator: "-").first.flatMap({ pid_t($0) }
        ),
        hasEnded(process), isOwnFolder(path)
      else { continue }
      removeFolder(path)
    }
  }

  /// A link to somewhere else is none.
  private static func isOwnFolder(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
      && facts.st_uid == getuid()
  }
}
