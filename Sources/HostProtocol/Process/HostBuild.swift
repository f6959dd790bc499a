import Platform
import SessionFile

/// The files that a host is made of, as they are now: its program, and those of its arguments that are
/// files. A reducer that was rebuilt is noticed by them.
struct HostBuild: Hashable, Sendable {
  private var files: [String: FileStamp] = [:]

  init(_ command: HostCommand) {
    var paths = command.arguments.filter { $0.contains("/") || $0.contains(".") }
    if let program = Self.find(command.program) { paths.append(program) }
    for path in paths { files[path] = Self.stamp(path) }
  }

  /// Whether all of its files are there: while a program is being linked it may not be.
  func isWhole(as other: HostBuild) -> Bool { other.files.keys.allSatisfy { files[$0] != nil } }

  private static func find(_ program: String) -> String? {
    if program.contains("/") { return program }
    let folders = environmentVariable("PATH") ?? "/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(program)" }
      .first { access($0, X_OK) == 0 }
  }

  private static func stamp(_ path: String) -> FileStamp? {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    return FileStamp(facts)
  }
}
