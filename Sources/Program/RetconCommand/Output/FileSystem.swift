import Platform
import SessionFile
import TimeTravel

enum FileSystem {
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
  static func remove(_ path: String) { unlink(path) }

  static func nearest(to path: String) -> String? {
    let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let folder = path[..<end]
    let names = namesInFolder(folder.isEmpty ? "." : String(folder)).filter {
      fileStatus(of: "\(folder)\($0)", following: true)?.isFolder == false
    }
    return suggestion(for: String(path[end...]), among: names.sorted()).map { folder + $0 }
  }

  /// Writes a file that only this user may read, or none if it fails. A device or a pipe takes the
  /// text.
  static func write(_ text: String, to path: String, replacing: Bool = false) throws {
    if isStream(path) { return try withStream(path) { try write(text, to: $0) } }
    var file = try NewFile(path: path, taken: replacing ? .isReplaced() : .isRefused)
    try file.append(text.utf8)
    try file.commit()
  }

  /// A device or a pipe.
  static func isStream(_ path: String) -> Bool {
    fileStatus(of: path, following: true).map { !$0.isFile && !$0.isFolder } ?? false
  }

  static func withStream(_ path: String, _ work: (Int32) throws -> Void) throws {
    let file = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else { throw UsageError(cannot: "write", path) }
    defer { close(file) }
    try work(file)
  }

  static func write(_ text: String, to file: Int32) throws {
    var text = text
    guard text.withUTF8({ WholeTransfer.write(UnsafeRawBufferPointer($0), to: file) }) else {
      throw UsageError(what: "cannot write: \(errorText(errno))")
    }
  }

  /// Reads lines that are not empty, with no more than a line in memory. The file may be a pipe.
  static func forEachLine(
    of path: String, most: Int, _ work: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw UsageError(cannot: "read", path) }
    defer { close(file) }
    var rest: [UInt8] = []
    while true {
      guard let bytes = WholeTransfer.readAll(from: file, limit: 1 << 20) else {
        throw UsageError(cannot: "read", path)
      }
      // The rest has no end of a line.
      guard var end = bytes.firstIndex(of: 0x0A), !bytes.isEmpty else {
        rest += bytes
        guard rest.count <= most else {
          throw UsageError(what: "\(path) has a line of more than \(most >> 20) MB")
        }
        if !bytes.isEmpty { continue }
        return rest.isEmpty ? () : try work(rest[...])
      }
      rest += bytes[..<end]
      if !rest.isEmpty { try work(rest[...]) }
      while let next = bytes[(end + 1)...].firstIndex(of: 0x0A) {
        if next > end + 1 { try work(bytes[(end + 1)..<next]) }
        end = next
      }
      rest = Array(bytes[(end + 1)...])
    }
  }

  /// The text of a file, which may be a device that does not end. With a limit it must be a plain file, so a
  /// pipe cannot block.
  static func text(of path: String, limit: Int? = nil, most: Int = 64 << 20) throws -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC | (limit == nil ? 0 : O_NONBLOCK))
    guard file >= 0 else { throw UsageError(cannot: "read", path) }
    defer { close(file) }
    if let limit {
      guard let facts = fileStatus(of: file), facts.isFile || facts.isFolder else {
        throw UsageError(what: "cannot read \(path): it is no plain file")
      }
      guard facts.st_size <= limit else {
        throw UsageError(what: "cannot read \(path): it is longer than \(limit >> 10) KB")
      }
    }
    guard let bytes = WholeTransfer.readAll(from: file, limit: most + 1) else {
      throw UsageError(cannot: "read", path)
    }
    guard bytes.count <= most else {
      throw UsageError(
        what: "\(path) holds more than \(most >> 20) MB", next: "Split it into several files")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static var ownProgram: String {
    realPath(of: executablePath) ?? CommandLine.arguments.first ?? "retcon"
  }

  static func temporaryPlace(in environment: [String: String]) -> String {
    environment["TMPDIR"] ?? "/tmp"
  }

  static func temporaryFolder(in environment: [String: String]) throws -> ScratchFolder {
    let parent = temporaryPlace(in: environment)
    do { return try ScratchFolder(in: parent) } catch {
      throw UsageError(
        what: "cannot make a folder in \(parent): \(errorText(error.number))",
        next: "Set TMPDIR to a folder that can be written")
    }
  }
}

extension UsageError {
  /// With the system's reason.
  init(cannot verb: String, _ path: String) {
    self.init(what: "cannot \(verb) \(path): \(errorText(errno))")
  }
}

/// A private folder that lives as long as a command, made on first use.
final class WorkFolder: Sendable {
  private let environment: [String: String]
  private let made = Locked<(folder: ScratchFolder?, files: Int)>((nil, 0))

  init(_ environment: [String: String]) { self.environment = environment }

  /// A new path.
  func path(_ name: String) throws -> String {
    let number = made.withLock { made in
      made.files += 1
      return made.files
    }
    return try path(named: "\(number)-\(name)")
  }

  /// The path of the one file of that name.
  func path(named name: String) throws -> String {
    try made.withLock { made in
      let folder = try made.folder ?? FileSystem.temporaryFolder(in: environment)
      made.folder = folder
      return "\(folder.path)/\(name)"
    }
  }
}
