import Platform

/// What the command line asks of the file system.
enum FileSystem {
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  static func remove(_ path: String) { unlink(path) }
}

extension FileSystem {
  /// Writes a new file that only this user may read; nothing of one that cannot be written whole.
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

  /// The text of a file.
  static func text(of path: String) throws -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw UsageError(what: "cannot read \(path): \(errorText(errno))")
    }
    defer { close(file) }
    guard let bytes = WholeTransfer.readAll(from: file) else {
      throw UsageError(what: "cannot read \(path): \(errorText(errno))")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The program that this process runs, to start it once more.
  static var ownProgram: String {
    #if os(Linux)
      let path = "/proc/self/exe"
    #else
      let path = CommandLine.arguments.first ?? "retcon"
    #endif
    guard let resolved = realpath(path, nil) else { return CommandLine.arguments.first ?? "retcon" }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
