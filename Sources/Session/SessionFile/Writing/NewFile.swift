import Platform
import SessionWords

/// A file that appears only when complete. Until then it has no name if the system allows, so that
/// even a killed process leaves nothing.
package struct NewFile: ~Copyable {
  private let path: String
  private let taken: TakenName
  private var temporaryPath: String?
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  package enum TakenName: Sendable {
    case isRefused
    /// Replace it: for files that only this program writes. The new one is briefly named `through`;
    /// nil picks a free name.
    case isReplaced(through: String? = nil)
    /// Rename a session by its start time; fail for anything else.
    case isSetAside
  }

  package init(path: String, taken: TakenName = .isRefused) throws(SessionError) {
    try self.init(path: path, taken: taken, hasName: false)
  }

  /// Creates a named file, as on systems without nameless ones.
  init(path: String, taken: TakenName = .isRefused, hasName: Bool) throws(SessionError) {
    let made = try Self.make(path, taken, hasName: hasName)
    self.path = path
    self.taken = taken
    descriptor = made.descriptor
    temporaryPath = made.path
  }

  private static func make(
    _ path: String, _ taken: TakenName, hasName: Bool
  ) throws(SessionError) -> (descriptor: Int32, path: String?) {
    switch taken {
    case .isRefused:
      if let status = fileStatus(of: path) {
        throw SessionError(status.isFolder ? .isFolder : .alreadyExists, path: path)
      }
    case .isReplaced:
      // A file under its name would take a device from everybody.
      if let status = fileStatus(of: path, following: true), !status.isFile {
        throw SessionError(
          status.isFolder ? .isFolder : .system("a device or a pipe is no file to replace"),
          path: path)
      }
    case .isSetAside: try KeptSessions(of: path).check()
    }
    let unnamed = hasName ? nil : unnamedFile(beside: path)
    guard let made = unnamed ?? temporaryFile(beside: path) else {
      throw SessionError(PartFile.problem(errno, writing: true), path: path)
    }
    return made
  }

  private static func unnamedFile(beside path: String) -> (descriptor: Int32, path: String?)? {
    #if os(Linux)
      let folder = folderAbove(path)
      // `O_TMPFILE`, which the headers show only to GNU programs.
      let descriptor = open(folder, O_WRONLY | O_CLOEXEC | 0o20_000_000 | O_DIRECTORY, 0o600)
      guard descriptor >= 0 else { return nil }
      if access("/proc/self/fd/\(descriptor)", F_OK) == 0 { return (descriptor, nil) }
      close(descriptor)
    #endif
    return nil
  }

  /// The name contains the process id, so that the next process removes a killed one's file.
  private static func temporaryFile(beside path: String) -> (descriptor: Int32, path: String?)? {
    removeLeftOvers(beside: path)
    var template = Array("\(path).\(getpid())-XXXXXX\(ending)".utf8CString)
    let descriptor = mkstemps(&template, Int32(ending.utf8.count))
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return (
      descriptor,
      String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    )
  }

  private static let ending = ".new"

  private static func removeLeftOvers(beside path: String) {
    let folder = folderPart(of: path)
    let prefix = path.dropFirst(folder.count) + "."
    for name in namesInFolder(folder.isEmpty ? "." : folder)
    where name.hasPrefix(prefix) && name.hasSuffix(ending) {
      let parts = name.dropFirst(prefix.count).dropLast(ending.count).split(separator: "-")
      guard parts.count == 2, parts[1].utf8.count == 6, let process = pid_t(parts[0]),
        hasEnded(process)
      else { continue }
      unlink(folder + name)
    }
  }

  deinit {
    close(descriptor)
    if let temporaryPath { unlink(temporaryPath) }
  }

  package mutating func append(_ bytes: some Collection<UInt8>) throws(SessionError) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= 1 << 18 { try flush() }
  }

  /// Names the file once the device has all of it.
  package mutating func commit() throws(SessionError) {
    try flush()
    guard fsync(descriptor) == 0 else { throw failure }
    switch taken {
    case .isRefused: try nameItself(path)
    case .isReplaced(let name): try replaceOld(through: name)
    case .isSetAside:
      let kept = KeptSessions(of: path)
      try kept.setAside()
      try nameItself(path)
      kept.prune(keeping: KeptSessions.usual)
    }
  }

  private mutating func nameItself(_ name: String) throws(SessionError) {
    let isNamed =
      if let temporaryPath {
        Self.rename(temporaryPath, to: name)
      } else {
        linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0
      }
    guard isNamed else {
      throw errno == EEXIST ? SessionError(.alreadyExists, path: path) : failure
    }
    temporaryPath = nil
  }

  /// Renames a file, but never replaces another one. `errno` has the reason of a failure.
  package static func rename(_ old: String, to new: String) -> Bool {
    if link(old, new) == 0 {
      if unlink(old) == 0 { return true }
      unlink(new)
      return false
    }
    // Some file systems have no hard links.
    guard errno != EEXIST, fileStatus(of: new) == nil else { return false }
    return Platform.rename(old, new) == 0
  }

  private mutating func replaceOld(through name: String?) throws(SessionError) {
    if temporaryPath == nil {
      // A temporary name, for renaming.
      for _ in 0..<100 {
        let name = name ?? "\(path).\(String(UInt32.random(in: .min ... .max), radix: 36))"
        do throws(SessionError) {
          try nameItself(name)
          temporaryPath = name
          break
        } catch  where error.problem == .alreadyExists { continue }
      }
    }
    guard let temporaryPath, Platform.rename(temporaryPath, path) == 0 else { throw failure }
    self.temporaryPath = nil
  }

  private mutating func flush() throws(SessionError) {
    guard buffer.withUnsafeBytes({ WholeTransfer.write($0, to: descriptor) }) else { throw failure }
    buffer.removeAll(keepingCapacity: true)
  }

  private var failure: SessionError {
    SessionError(.system("\(errorText(errno)); nothing was written"), path: path)
  }
}
