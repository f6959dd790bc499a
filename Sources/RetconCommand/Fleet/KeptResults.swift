import Platform
import SessionFile
import SessionWords
import ValueTree

/// Results of `verify --resume`, one line each. A result counts only for the same bytes, the
/// same host with the same files, and the same options.
final class KeptResults: Sendable {
  private let path: String
  private let host: String
  private let file: Int32
  private let lines: [String: (line: Value, files: Value?)]
  /// The host's files as the last line tells them; a line without them has those before.
  private let files = Locked<Value?>(nil)

  init(_ path: String, of host: HostOptions, _ asked: String) throws {
    self.path = path
    let told = (host.reducer?.options ?? []).map { name, value in
      "\(name) \(Self.stamp(of: value)?.string ?? value)"
    }
    self.host =
      ([host.command.map { "\($0.program) \($0.arguments)" }, host.reducer?.words]
      .compactMap(\.self) + told + [asked]).joined(separator: " ")
    file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0, let bytes = WholeTransfer.readAll(from: file) else {
      throw UsageError(
        what: "cannot use \(path): \(errorText(errno))", next: "Name a file that can be written")
    }
    var found: [String: (line: Value, files: Value?)] = [:]
    var files: Value?
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      // The last line of a killed run may be cut off; that session runs again.
      let value = try? Value(parsing: String(line))
      if let value, let name = value["file"]?.string, value["equal"] ?? value["error"] != nil {
        files = value["files"] ?? files
        found[name] = (value, files)
      } else if value != nil || !Self.begin.hasPrefix(line.prefix(Self.begin.count)) {
        throw UsageError(
          what: "\(path) is not a list of results: nothing was written to it",
          next: "Name a new file, or one that --resume wrote")
      }
    }
    lines = found
    if let last = bytes.last, last != 0x0A { try write("\n") }
  }

  private static let begin = #"{"file":"#

  deinit { close(file) }

  func line(for session: String) -> Value? {
    guard case (let kept, let files?)? = lines[session], kept["error"] == nil, Self.areSame(files),
      let stamp = Self.stamp(of: session), kept["of"] == stamp,
      kept["host"]?.string == host, case .object(var members) = kept
    else { return nil }
    members["of"] = nil
    members["host"] = nil
    members["files"] = nil
    return .object(members)
  }

  private static func areSame(_ files: Value) -> Bool {
    guard case .object(let stamps) = files else { return false }
    return stamps.allSatisfy { stamp(of: $0.key) == $0.value }
  }

  func keep(_ line: Value, by stamps: [String: String]) throws {
    guard case .object(var members) = line, let session = line["file"]?.string else {
      assertionFailure("a result names its session")
      throw UsageError(what: "a result names no session, and cannot be kept")
    }
    members["of"] = Self.stamp(of: session)
    members["host"] = .string(host)
    let now = Value.object(
      ValueObject(
        stamps.sorted { $0.key < $1.key }.map { (key: $0.key, value: Value.string($0.value)) }))
    if files.withLock({ exchange(&$0, with: now) }) != now { members["files"] = now }
    try write(Value.object(members).text() + "\n")
  }

  private func write(_ text: String) throws {
    var text = text
    guard text.withUTF8({ WholeTransfer.write(UnsafeRawBufferPointer($0), to: file) }) else {
      throw UsageError(cannot: "write", path)
    }
  }

  /// Nil without a local file. A session then runs again.
  private static func stamp(of file: String) -> Value? {
    fileStatus(of: file, following: true).map { .string("\(FileStamp($0))") }
  }
}
