#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the command line asks of the file system.
enum FileSystem {
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  static func remove(_ path: String) { unlink(path) }

  /// A new folder that nobody else has, for files that live as long as the process.
  static func temporaryFolder(in environment: [String: String]) throws -> String {
    let parent = environment["TMPDIR"] ?? "/tmp"
    var template = Array("\(parent)/retcon-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw UsageError(
        what: "cannot make a folder in \(parent): \(String(cString: strerror(errno)))",
        next: "set TMPDIR to a folder that can be written")
    }
    return String(cString: made)
  }
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
