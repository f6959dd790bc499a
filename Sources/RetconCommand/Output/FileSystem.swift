import Platform
import TimeTravel

enum FileSystem {
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
  static func remove(_ path: String) { unlink(path) }

  static func nearest(to path: String) -> String? {
    let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let folder = path[..<end]
    let names = namesInFolder(folder.isEmpty ? "." : String(folder))
    return suggestion(for: String(path[end...]), among: names.sorted()).map { folder + $0 }
  }

  /// Writes a new file that only this user may read, or none if it fails.
  static func write(_ text: String, to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw UsageError(what: "cannot write \(path): \(errorText(errno))")
    }
    defer { close(file) }
    do {
      try write(text, to: file)
    } catch {
      let reason = errorText(errno)
      remove(path)
      throw UsageError(what: "cannot write \(path): \(reason); nothing was written")
    }
  }

  static func write(_ text: String, to file: Int32) throws {
    var text = text
    guard text.withUTF8({ WholeTransfer.write(UnsafeRawBufferPointer($0), to: file) }) else {
      throw UsageError(what: "cannot write: \(errorText(errno))")
    }
  }

  /// The text of a file. With a limit it must be a plain file, so a pipe cannot block.
  static func text(of path: String, limit: Int? = nil) throws -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC | (limit == nil ? 0 : O_NONBLOCK))
    guard file >= 0 else {
      throw UsageError(what: "cannot read \(path): \(errorText(errno))")
    }
    defer { close(file) }
    if let limit {
      var facts = stat()
      guard fstat(file, &facts) == 0, [S_IFREG, S_IFDIR].contains(facts.st_mode & S_IFMT) else {
        throw UsageError(what: "cannot read \(path): it is no plain file")
      }
      guard facts.st_size <= limit else {
        throw UsageError(what: "cannot read \(path): it is longer than \(limit >> 10) KB")
      }
    }
    guard let bytes = WholeTransfer.readAll(from: file) else {
      throw UsageError(what: "cannot read \(path): \(errorText(errno))")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static var ownProgram: String {
    guard let resolved = realpath(executablePath, nil) else {
      return CommandLine.arguments.first ?? "retcon"
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// A new private folder that lives as long as the process. Its name holds the process id, so the
  /// next process removes what a killed one left.
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

  static func removeFolder(_ path: String) {
    for name in namesInFolder(path) { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  private static let prefix = "retcon-of-"

  /// Removes folders of this user's dead processes.
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

  private static func isOwnFolder(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
      && facts.st_uid == getuid()
  }
}

/// A private folder that lives as long as a command, made on first use.
final class Workshop: Sendable {
  private let environment: [String: String]
  private let made = Locked<(folder: String?, files: Int)>((nil, 0))

  init(_ environment: [String: String]) { self.environment = environment }

  deinit { if let folder = made.withLock({ $0.folder }) { FileSystem.removeFolder(folder) } }

  func path(_ name: String) throws -> String {
    try made.withLock { made in
      let folder = try made.folder ?? FileSystem.temporaryFolder(in: environment)
      made.folder = folder
      made.files += 1
      return "\(folder)/\(made.files)-\(name)"
    }
  }
}
