#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the command line asks of the file system.
enum FileSystem {
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  static func remove(_ path: String) { unlink(path) }
}

extension FileSystem {
  /// Writes a new file that only this user may read.
  static func write(_ text: String, to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw UsageError(what: "cannot write \(path): \(String(cString: strerror(errno)))")
    }
    defer { close(file) }
    try write(text, to: file)
  }

  static func write(_ text: String, to file: Int32) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(file, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        throw UsageError(what: "cannot write: \(String(cString: strerror(errno)))")
      }
      rest = rest.dropFirst(count)
    }
  }

  /// The text of a file.
  static func text(of path: String) throws -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      throw UsageError(what: "cannot read \(path): \(String(cString: strerror(errno)))")
    }
    defer { close(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(file, &piece, piece.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else {
        throw UsageError(what: "cannot read \(path): \(String(cString: strerror(errno)))")
      }
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += piece[..<count]
    }
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

private func systemWrite(_ file: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, start, count)
}

/// The environment of this process.
func currentEnvironment() -> [String: String] {
  var result: [String: String] = [:]
  var entry = environ
  while let text = entry.pointee {
    let parts = String(cString: text).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
    entry += 1
  }
  return result
}
